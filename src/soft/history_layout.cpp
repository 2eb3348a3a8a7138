#include "tamp/soft/history_layout.hpp"

namespace tamp::soft {

HistoryLayout::HistoryLayout(const MaterialTable& materials, bool follow_energy) {
    bool plastic = false, rolls = false, twists = false, slips_on = false, walton = false;
    for (int a = 0; a < materials.size(); ++a)
        for (int b = a; b < materials.size(); ++b) {
            const SoftLaws& laws = materials.laws(a, b).soft;
            plastic |= laws.normal != NormalLaw::linear && laws.normal != NormalLaw::hertz;
            rolls |= laws.rolling.friction > 0;
            twists |= laws.torsion.friction > 0;
            slips_on |= laws.dynamic_ratio < 1;
            walton |= laws.sliding_law == SlidingLaw::walton;
        }
    const auto take = [this](bool wanted, int width) {
        const int begin = words;
        words += wanted ? width : 0;
        return wanted ? begin : -1;
    };
    largest_overlap = take(plastic, 1);
    rolling = take(rolls, 3);
    torsion = take(twists, 1);
    slips = take(slips_on, 3);
    sliding_force = take(walton, 3);
    turning = take(walton, 1);
    dashpots = take(follow_energy, 8);
}

std::vector<ColumnInfo> HistoryLayout::columns() const {
    constexpr WordKind real = WordKind::real;
    std::vector<ColumnInfo> list{
        {"force_on_second", 3, real, "N", "Force on the second partner; on the first if that is a wall",
         true},
        {"sliding_spring", 3, real, "m", "Spring of sliding friction, towards the second partner", true}};
    if (largest_overlap >= 0)
        list.push_back({"largest_overlap", 1, real, "m", "Largest overlap, which decides how it unloads"});
    if (rolling >= 0)
        list.push_back({"rolling_spring", 3, real, "m", "Spring of rolling resistance", true});
    if (torsion >= 0)
        list.push_back({"torsion_spring", 1, real, "m", "Spring of torsion resistance"});
    if (slips >= 0)
        list.push_back({"slips", 3, real, "1", "1 while sliding, rolling and torsion slip"});
    if (sliding_force >= 0) {
        list.push_back({"sliding_force", 3, real, "N", "Force of Walton's friction on the second", true});
        list.push_back({"turning", 1, real, "1", "Force at which it turned round last, over its limit"});
    }
    if (dashpots >= 0) {
        list.push_back({"normal_dashpot", 1, real, "N", "What the dashpot along the normal bears"});
        list.push_back({"sliding_dashpot", 3, real, "N", "What the dashpot of sliding bears", true});
        list.push_back({"rolling_dashpot", 3, real, "N", "What the dashpot of rolling bears", true});
        list.push_back({"torsion_dashpot", 1, real, "N", "What the dashpot of torsion bears"});
    }
    return list;
}

} // namespace tamp::soft
