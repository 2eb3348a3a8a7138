#include "tamp/fclib/gauss_seidel.hpp"

#include <algorithm>
#include <cmath>

namespace tamp::fclib {
namespace {

class Sweeps {
public:
    explicit Sweeps(const BlockProblem& problem)
        : problem_(problem), modes_(problem.delassus.contacts(), ContactMode::open) {
        const BlockMatrix& w = problem.delassus;
        contacts_.reserve(w.contacts());
        for (std::size_t c = 0; c < w.contacts(); ++c)
            contacts_.emplace_back(w.dimension, w.block(w.diagonal[c]), problem.friction[c]);
    }

    void sweep(std::span<double> impulse) {
        if (problem_.delassus.dimension == 3)
            sweep_blocks<3>(impulse);
        else
            sweep_blocks<2>(impulse);
    }

    std::int64_t count(ContactMode mode) const { return std::ranges::count(modes_, mode); }

private:
    template <std::size_t n>
    void sweep_blocks(std::span<double> impulse) {
        const BlockMatrix& w = problem_.delassus;
        for (std::size_t c = 0; c < contacts_.size(); ++c) {
            std::array<double, 3> velocity{}, before{};
            for (std::size_t i = 0; i < n; ++i) {
                velocity[i] = problem_.free_velocity[c * n + i];
                before[i] = impulse[c * n + i];
            }
            const auto add = [&](std::size_t from, std::size_t to) {
                for (std::size_t k = from; k < to; ++k) {
                    const double* block = w.value.data() + k * n * n;
                    const double* r = impulse.data() + static_cast<std::size_t>(w.column[k]) * n;
                    for (std::size_t i = 0; i < n; ++i)
                        for (std::size_t j = 0; j < n; ++j)
                            velocity[i] += block[i * n + j] * r[j];
                }
            };
            add(w.row_begin[c], w.diagonal[c]);
            add(w.diagonal[c] + 1, w.row_begin[c + 1]);
            for (std::size_t i = 0; i < n; ++i)
                velocity[i] -= contacts_[c].lift() * before[i];
            const BlockReaction reaction = contacts_[c].solve(velocity, before);
            modes_[c] = reaction.mode;
            for (std::size_t i = 0; i < n; ++i)
                impulse[c * n + i] = reaction.impulse[i];
        }
    }

    const BlockProblem& problem_;
    std::vector<ContactBlock> contacts_;
    std::vector<ContactMode> modes_;
};

/// Of two vectors of one length.
double distance(std::span<const double> a, std::span<const double> b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    return std::sqrt(sum);
}

/// How much of the last change is added, from one sweep to the next.
class MomentumShare {
public:
    explicit MomentumShare(Momentum kind) : kind_(kind) {}

    /// `change`: |f| of the sweep that was just made.
    double next(double change) {
        const bool first = last_ < 0, grows = !first && change > last_;
        const double ratio = first || last_ == 0 ? 0.0 : change / last_;
        last_ = change;
        switch (kind_) {
        case Momentum::ratio:
            return grows ? 0.0 : ratio;
        case Momentum::nesterov:
            age_ = first || grows ? 0 : age_ + 1;
            return age_ / (age_ + 3);
        case Momentum::plain:
            break;
        }
        return 0;
    }

private:
    Momentum kind_;
    double last_ = -1, age_ = 0;
};

} // namespace

SweepResult solve(const BlockProblem& problem, const SweepSettings& settings, const ErrorFunction& errors,
                  std::vector<double> start) {
    Sweeps sweeps(problem);
    MomentumShare momentum(settings.momentum);
    std::vector<double> x = std::move(start);
    x.resize(problem.free_velocity.size(), 0.0);
    std::vector<double> y = x, y_before = x;
    SweepResult result;
    std::int64_t next_look = 1;
    while (!result.converged && result.sweeps < settings.max_sweeps) {
        y = x;
        sweeps.sweep(y);
        ++result.sweeps;
        if (result.sweeps >= next_look || result.sweeps == settings.max_sweeps) {
            next_look = result.sweeps + 1 + result.sweeps / 20;
            result.errors = errors(y);
            result.converged = result.errors.siconos <= settings.tolerance &&
                               (!settings.unit_free || result.errors.unit_free <= settings.tolerance);
        }
        const double beta = momentum.next(distance(y, x));
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = y[i] + beta * (y[i] - y_before[i]);
        std::swap(y, y_before);
    }
    result.impulse = std::move(y_before);
    result.open = sweeps.count(ContactMode::open);
    result.sticking = sweeps.count(ContactMode::sticking);
    result.slipping = sweeps.count(ContactMode::slipping);
    return result;
}

} // namespace tamp::fclib
