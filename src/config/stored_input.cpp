#include "tamp/config/stored_input.hpp"

#include "tamp/config/document.hpp"

namespace tamp {

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
    return input;
}

} // namespace tamp
