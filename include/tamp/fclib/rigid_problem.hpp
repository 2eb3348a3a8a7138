#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tamp/base/vec3.hpp"
#include "tamp/boundaries/wall.hpp"
#include "tamp/engine/solve_observer.hpp"
#include "tamp/fclib/problem.hpp"
#include "tamp/materials/material.hpp"
#include "tamp/mpi/communicator.hpp"

/// The contact problem of a rigid step in the global form.
///
///   bodies    particles that are free to move, by id: velocity v and angular velocity omega, 6 numbers (2-D:
///   3
///             numbers); then pistons, in the order of the walls: their speed along their normal, 1 number
///   M         mass, moment of inertia; diagonal
///   f         M times the free velocity, in which gravity and the forces on pistons have acted
///   contacts  by the ids of their particles; those with walls after those with particles
///   H         with n from side 1 to side 2 and e one of n, t1, t2 (2-D: n, t1):
///               u.e = e.(v2 - v1) - r1 omega1.(n x e) - r2 omega2.(n x e)
///   w         what is given: the closing speed c and the shift of tangential restitution (laws/rigid), and
///             the velocity of driven walls. Signorini's law for u_n + c is that of FCLIB for u.
namespace tamp::fclib {

/// Laws of these materials that FCLIB has no counterpart of, as keys of a case; empty if there are none.
std::vector<std::string> foreign_laws(const MaterialTable& materials, int dimension);

/// Takes the problem of one step, and its solution.
class RigidRecorder {
public:
    /// What `Engine::observe_solves` wants; the recorder must outlive the engine's next step.
    SolveObserver observer() {
        return [this](const RigidSolve& solve) { record(solve); };
    }

    /// On rank 0 the problem with its solution, and the impulses that the solve started from as a guess; on
    /// others nothing. In the order of ids: the same bits on any number of ranks. Collective.
    ProblemFile gather(const Communicator& communicator) const;

    double time_step() const { return time_step_; }

private:
    struct Motion {
        Vec3 velocity, surface;
    };
    struct BodyRow {
        std::uint64_t id;
        double mass, radius;
        Motion free, solved;
    };
    struct ContactRow {
        std::uint64_t first, second; ///< ids; `second` may be a wall, see lists.hpp
        Vec3 normal;                 ///< from side 1 to side 2, where a wall is side 1
        double closing_speed, friction;
        Vec3 shift;          ///< of the tangential velocity
        Vec3 start, impulse; ///< on side 2, before and after the solve
    };
    class Builder;

    void record(const RigidSolve& solve);
    void record_bodies(const RigidSolve& solve);
    void record_contacts(const RigidSolve& solve);

    int dimension_ = 3;
    double time_step_ = 0;
    std::vector<Wall> walls_, solved_walls_;
    std::vector<BodyRow> bodies_;
    std::vector<ContactRow> contacts_;
};

/// The unit vectors of a contact's frame after its normal: one in 2-D, two in 3-D, which follow from the
/// normal alone.
std::vector<Vec3> tangents(const Vec3& normal, int dimension);

} // namespace tamp::fclib
