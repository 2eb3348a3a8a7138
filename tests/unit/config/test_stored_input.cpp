#include "tamp/config/stored_input.hpp"

#include <gtest/gtest.h>

#include "tamp/base/errors.hpp"

namespace {

using namespace tamp;

TEST(StoredInput, GivesDimensionAndNamesInTheirOrder) {
    const StoredInput input = read_stored_input("dimension = 2\n"
                                                "[[material]]\nname = \"wood\"\n"
                                                "[[material]]\nname = \"steel\"\n"
                                                "[a_section_of_another_version]\nkey = 1\n",
                                                "state.h5");
    EXPECT_EQ(input.dimension, 2);
    EXPECT_EQ(input.materials, (std::vector<std::string>{"wood", "steel"}));
}

TEST(StoredInput, GivesTheBox) {
    const StoredInput input = read_stored_input("dimension = 2\n[domain]\nlower = [0, 1]\nupper = [2, 4]\n"
                                                "boundary = [\"wall\", \"periodic\"]\n",
                                                "state.h5");
    ASSERT_TRUE(input.box);
    EXPECT_EQ(input.box->length(0), 2);
    EXPECT_EQ(input.box->length(1), 3);
    EXPECT_FALSE(input.box->periodic(0));
    EXPECT_TRUE(input.box->periodic(1));
    EXPECT_FALSE(read_stored_input("[domain]\nlower = [0, 1]\n", "state.h5").box);
}

TEST(StoredInput, MayBeEmpty) {
    EXPECT_EQ(read_stored_input("", "state.h5").dimension, 3);
    EXPECT_TRUE(read_stored_input("", "state.h5").materials.empty());
}

TEST(StoredInput, NamesTheFileThatIsWrong) {
    try {
        (void)read_stored_input("[[material]\n", "state.h5");
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("the case inside state.h5"), std::string::npos)
            << error.what();
    }
}

} // namespace
