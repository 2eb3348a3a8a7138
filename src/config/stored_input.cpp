#include "tamp/config/stored_input.hpp"

#include "tamp/config/document.hpp"

namespace tamp {
namespace {

std::optional<Box> box_of(const Node& domain, int dimension) {
    const Node *lower = domain.find("lower"), *upper = domain.find("upper"),
               *boundary = domain.find("boundary");
    const auto count = static_cast<std::size_t>(dimension);
    for (const Node* list : {lower, upper, boundary})
        if (list == nullptr || list->kind != Node::Kind::list || list->children.size() < count)
            return {};
    Box box{.lower = {0, 0, 0}, .upper = {0, 0, 0}, .dimension = dimension};
    for (std::size_t k = 0; k < count; ++k) {
        const int axis = static_cast<int>(k);
        box.lower[axis] = lower->children[k].number;
        box.upper[axis] = upper->children[k].number;
        if (boundary->children[k].text == "periodic")
            box.boundary[k] = Boundary::periodic;
    }
    return box;
}

} // namespace

StoredInput read_stored_input(const std::string& text, const std::string& path) {
    Problems none;
    const Document document = read_document(text, "the case inside " + path, {}, none);
    StoredInput input;
    if (const Node* dimension = document.root.find("dimension"); dimension && dimension->is_number())
        input.dimension = static_cast<int>(dimension->number);
    if (const Node* materials = document.root.find("material"))
        for (const Node& material : materials->children) {
            const Node* name = material.find("name");
            input.materials.push_back(name ? name->text : "");
        }
    if (const Node* domain = document.root.find("domain"))
        input.box = box_of(*domain, input.dimension);
    return input;
}

} // namespace tamp
