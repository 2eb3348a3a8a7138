#pragma once

#include "wall_cases.hpp"

/// The cases that must give the same bits on any number of ranks. A feature that takes part in the step adds
/// a line to the table.
namespace tamp::test {

inline const std::vector<NamedCase>& rank_cases() {
    static const std::vector<NamedCase> table{
        {"compaction", compaction, {.searches = 20}},
        {"compaction_in_random_order", in_random_order<compaction>, {.searches = 20}},
        {"polydisperse", polydisperse, {}},
        {"polydisperse_in_random_order", in_random_order<polydisperse>, {}},
        {"discs", discs, {}},
        {"discs_in_random_order", in_random_order<discs>, {}},
        {"random_order", random_order, {}},
        {"symmetric_order", symmetric_order, {}},
        {"open_box", open_box, {.loss = true}},
        {"two_tiles_a_side", two_tiles_a_side, {.closed = true}},
        {"slanted_wall", slanted_wall, {}},
        {"slit", slit, {}},
        {"stages", stages, {}},
        {"tables", tables, {}},
        {"few", few, {.idle = true}},
        {"two_tiles", two_tiles, {.searches = 40, .idle = true}},
        {"all_laws_of_spheres", all_laws_of_spheres, {}},
        {"all_laws_of_spheres_in_random_order", in_random_order<all_laws_of_spheres>, {}},
        {"all_laws_of_discs", all_laws_of_discs, {}},
        {"falling", falling, {.searches = 40, .balance = true}},
        {"ratio_stages", with_ratio<stages>, {}},
        {"ratio_tables", with_ratio<tables>, {}},
        {"ratio_discs", with_ratio<discs>, {}},
        {"ratio_random_order", with_ratio<random_order>, {}},
        {"ratio_symmetric_order", with_ratio<symmetric_order>, {}},
        {"ratio_two_tiles_a_side", with_ratio<two_tiles_a_side>, {.closed = true}},
        {"ratio_falling", with_ratio<falling>, {.searches = 40, .balance = true}},
        {"ratio_many_sweeps", with_ratio<many_sweeps>, {}},
        {"ratio_laws_of_spheres_in_random_order", with_ratio<in_random_order<all_laws_of_spheres>>, {}},
        {"ratio_laws_of_discs", with_ratio<all_laws_of_discs>, {}},
        {"nesterov_stages", with_nesterov<stages>, {}},
        {"nesterov_discs_in_random_order", with_nesterov<in_random_order<discs>>, {}},
        {"nesterov_symmetric_order", with_nesterov<symmetric_order>, {}},
        {"substeps_of_stages", in_substeps<with_ratio<stages>>, {}},
        {"substeps_of_discs", in_substeps<discs>, {}},
        {"substeps_with_all_laws", in_substeps<with_ratio<all_laws_of_spheres>>, {}},
        {"deep_column", deep_column, {}},
        {"nesterov_laws_of_spheres", with_nesterov<all_laws_of_spheres>, {}},
        {"hopper", with_ratio<hopper>, {.loss = true}},
        {"free_walls_with_all_laws", with_nesterov<with_all_laws<free_walls>>, {}},
        {"substeps_of_a_drum", in_substeps<with_ratio<drum>>, {}},
        {"mixer_of_discs", with_ratio<with_all_laws<mixer_of_discs>>, {}},
        {"soft_hopper", soft_laws_of<with_all_laws<hopper>>, {.loss = true}},
        {"soft_free_walls", soft_laws_of<free_walls>, {}},
        {"soft_polydisperse", without_energy<soft_grains<polydisperse>>, {}},
        {"soft_discs", soft_grains<discs>, {}},
        {"soft_open_box", soft_grains<open_box>, {.loss = true}},
        {"soft_two_tiles_a_side", soft_grains<two_tiles_a_side>, {.closed = true}},
        {"soft_stages", without_energy<soft_grains<stages>>, {}},
        {"soft_tables", soft_grains<tables>, {}},
        {"soft_two_tiles", soft_grains<two_tiles>, {.idle = true}},
        {"soft_laws_of_spheres", without_energy<soft_laws_of<all_laws_of_spheres>>, {}},
        {"soft_laws_of_discs", soft_laws_of<all_laws_of_discs>, {}},
        {"soft_far_laws", far_laws, {}},
        {"soft_far_laws_in_motion", without_energy<far_laws>, {}},
        {"growing", without_energy<growing<short_tiles>>, {.tiles = true}},
        {"growing_beside_fixed_ones", growing<all_laws_of_spheres>, {}},
        {"growing_discs", growing<all_laws_of_discs>, {}},
    };
    return table;
}

} // namespace tamp::test
