#include "tamp/fclib/rigid_problem.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "tamp/contacts/lists.hpp"
#include "tamp/fclib/delassus.hpp"
#include "tamp/laws/rigid/law_use.hpp"
#include "tamp/mpi/sparse_exchange.hpp"
#include "tamp/solver/contact_set.hpp"
#include "tamp/world/world.hpp"

namespace tamp::fclib {
namespace {

template <class Row>
std::vector<Row> rows_on_first_rank(const Communicator& communicator, const std::vector<Row>& rows) {
    std::vector<Row> all;
    for (const auto& [rank, values] :
         sparse_exchange(communicator, std::map<int, std::vector<Row>>{{0, rows}}))
        all.insert(all.end(), values.begin(), values.end());
    return all;
}

} // namespace

std::vector<std::string> foreign_laws(const MaterialTable& materials, int dimension) {
    const rigid::LawUse used = rigid::laws_used(materials, dimension);
    std::vector<std::string> laws;
    if (used.set.cohesion)
        laws.push_back("cohesion");
    if (used.set.torques)
        laws.push_back(dimension == 3 ? "rolling and torsion friction" : "rolling friction");
    return laws;
}

std::vector<Vec3> tangents(const Vec3& normal, int dimension) {
    if (dimension == 2)
        return {{-normal.y, normal.x, 0}};
    // Across the axis that is least along the normal.
    const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
    const Vec3 axis = x <= y && x <= z ? Vec3{1, 0, 0} : y <= z ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    const Vec3 across = cross(normal, axis), first = across * (1 / tamp::norm(across));
    return {first, cross(normal, first)};
}

void RigidRecorder::record(const RigidSolve& solve) {
    dimension_ = solve.world.dimension();
    time_step_ = solve.time_step;
    if (!solve.solved)
        bodies_.clear(), contacts_.clear();
    (solve.solved ? solved_walls_ : walls_) = solve.world.walls;
    record_bodies(solve);
    record_contacts(solve);
}

void RigidRecorder::record_bodies(const RigidSolve& solve) {
    const ParticleStore& store = solve.world.particles;
    std::size_t row = 0;
    for (std::size_t i = 0; i < store.owned; ++i) {
        if (store.is_fixed(i))
            continue;
        const Motion motion{store.body[i].velocity, store.body[i].surface};
        if (solve.solved)
            bodies_[row++].solved = motion;
        else
            bodies_.push_back({store.id[i], store.mass(i), store.sphere[i].radius, motion, motion});
    }
}

void RigidRecorder::record_contacts(const RigidSolve& solve) {
    const ParticleStore& store = solve.world.particles;
    ContactSet& set = solve.contacts;
    std::size_t row = 0;
    const auto id = [&](std::int32_t body) { return store.id[static_cast<std::size_t>(body)]; };
    const auto take = [&](const auto& batches, const auto& sources, const LawBatches& laws, auto partners) {
        for (std::size_t b = 0; b < batches.size(); ++b)
            for (int lane = 0; lane < lanes; ++lane) {
                if (sources[b][static_cast<std::size_t>(lane)] < 0)
                    continue;
                const Vec3 impulse = lane_of(batches[b].impulse, lane);
                if (solve.solved) {
                    contacts_[row++].impulse = impulse;
                    continue;
                }
                const auto [first, second] = partners(batches[b], lane);
                contacts_.push_back({first, second, lane_of(batches[b].normal, lane),
                                     batches[b].closing_speed[lane], batches[b].friction[lane],
                                     laws.rebound ? lane_of(laws.rebound[b].shift, lane) : Vec3{0, 0, 0},
                                     impulse, impulse});
            }
    };
    for (int slot = 0; slot < set.tiles(); ++slot) {
        take(set.batches(slot), set.sources(slot), set.law_batches(slot),
             [&](const ContactBatch& batch, int lane) {
                 return std::pair(id(batch.first[lane]), id(batch.second[lane]));
             });
        take(set.wall_batches(slot), set.wall_sources(slot), set.wall_law_batches(slot),
             [&](const WallBatch& batch, int lane) {
                 return std::pair(id(batch.body[lane]), wall_partner(batch.wall));
             });
    }
}

/// Puts the rows of all ranks together.
class RigidRecorder::Builder {
public:
    explicit Builder(const RigidRecorder& recorder)
        : dimension_(recorder.dimension_), walls_(recorder.walls_), solved_walls_(recorder.solved_walls_) {
        problem_.dimension = dimension_;
    }

    ProblemFile build(std::span<const BodyRow> bodies, std::span<const ContactRow> contacts,
                      double time_step) {
        for (const BodyRow& body : bodies)
            add_body(body);
        for (std::size_t wall = 0; wall < walls_.size(); ++wall)
            if (walls_[wall].motion == WallMotion::piston)
                add_piston(wall, time_step);
        for (const ContactRow& contact : contacts)
            add_contact(contact);
        SparseMatrix &m = problem_.mass, &h = problem_.directions;
        m.rows = m.columns = h.rows = static_cast<std::int32_t>(problem_.free_momentum.size());
        h.columns = static_cast<std::int32_t>(problem_.velocity_shift.size());
        solution_.velocity = problem_.velocity_shift;
        add_transposed_product(h, solution_.body_velocity, solution_.velocity);
        ProblemFile file{.solution = std::move(solution_)};
        file.guesses.push_back(with_velocities(problem_, Factorisation(m), std::move(start_)));
        file.global = std::move(problem_);
        return file;
    }

private:
    void add_number(double mass, double free_velocity, double velocity) {
        const std::size_t row = problem_.free_momentum.size();
        problem_.mass.add(row, row, mass);
        problem_.free_momentum.push_back(mass * free_velocity);
        solution_.body_velocity.push_back(velocity);
    }

    void add_body(const BodyRow& body) {
        place_.emplace(body.id, Place{problem_.free_momentum.size(), body.radius});
        for (int axis = 0; axis < dimension_; ++axis)
            add_number(body.mass, body.free.velocity[axis], body.solved.velocity[axis]);
        const double inertia = body.mass * body.radius * body.radius / inertia_ratio(dimension_);
        for (int axis = dimension_ == 3 ? 0 : 2; axis < 3; ++axis)
            add_number(inertia, body.free.surface[axis] / body.radius,
                       body.solved.surface[axis] / body.radius);
    }

    void add_piston(std::size_t number, double time_step) {
        const Wall& wall = walls_[number];
        pistons_.emplace(number, problem_.free_momentum.size());
        add_number(wall.mass, dot(wall.velocity, wall.normal) + time_step * wall.force / wall.mass,
                   dot(solved_walls_[number].velocity, wall.normal));
    }

    void add_contact(const ContactRow& contact) {
        std::vector<Vec3> frame{contact.normal};
        for (const Vec3& tangent : tangents(contact.normal, dimension_))
            frame.push_back(tangent);
        for (std::size_t k = 0; k < frame.size(); ++k) {
            const Vec3& e = frame[k];
            double shift = k == 0 ? contact.closing_speed : dot(contact.shift, e);
            if (is_wall(contact.second)) {
                shift += add_wall(wall_index(contact.second), e, k == 0);
                add_side(contact.first, e, contact.normal, 1, k == 0);
            } else {
                add_side(contact.first, e, contact.normal, -1, k == 0);
                add_side(contact.second, e, contact.normal, 1, k == 0);
            }
            problem_.velocity_shift.push_back(shift);
            solution_.impulse.push_back(dot(contact.impulse, e));
            start_.push_back(dot(contact.start, e));
        }
        problem_.friction.push_back(contact.friction);
    }

    /// `sign`: -1 for side 1. Particles that are held fixed have no place, and no velocity.
    void add_side(std::uint64_t id, const Vec3& e, const Vec3& normal, double sign, bool along_normal) {
        const auto found = place_.find(id);
        if (found == place_.end())
            return;
        const auto [row, radius] = found->second;
        const std::size_t column = problem_.velocity_shift.size();
        const auto add = [&](std::size_t number, double value) {
            if (value != 0)
                problem_.directions.add(row + number, column, value);
        };
        const auto numbers = static_cast<std::size_t>(dimension_);
        for (std::size_t axis = 0; axis < numbers; ++axis)
            add(axis, sign * e[static_cast<int>(axis)]);
        if (along_normal) // n x n = 0, whatever rounding says
            return;
        const Vec3 lever = cross(normal, e) * -radius;
        if (dimension_ == 2)
            add(numbers, lever.z);
        else
            for (std::size_t axis = 0; axis < 3; ++axis)
                add(numbers + axis, lever[static_cast<int>(axis)]);
    }

    /// What a wall that does not move freely adds to the velocity of the contact.
    double add_wall(std::size_t wall, const Vec3& e, bool along_normal) {
        const auto piston = pistons_.find(wall);
        if (piston == pistons_.end())
            return -dot(walls_[wall].velocity, e);
        // A plane's normal is that of the contact: its motion has no tangential part.
        if (along_normal)
            problem_.directions.add(piston->second, problem_.velocity_shift.size(),
                                    -dot(walls_[wall].normal, e));
        return 0;
    }

    struct Place {
        std::size_t row;
        double radius;
    };

    int dimension_;
    std::span<const Wall> walls_, solved_walls_;
    std::unordered_map<std::uint64_t, Place> place_;
    std::map<std::size_t, std::size_t> pistons_; ///< row of each
    GlobalProblem problem_;
    Solution solution_;
    std::vector<double> start_;
};

ProblemFile RigidRecorder::gather(const Communicator& communicator) const {
    std::vector<BodyRow> bodies = rows_on_first_rank(communicator, bodies_);
    std::vector<ContactRow> contacts = rows_on_first_rank(communicator, contacts_);
    if (communicator.rank() > 0)
        return {};
    std::ranges::sort(bodies, {}, &BodyRow::id);
    std::ranges::sort(contacts, {}, [](const ContactRow& row) { return std::pair(row.first, row.second); });
    return Builder(*this).build(bodies, contacts, time_step_);
}

} // namespace tamp::fclib
