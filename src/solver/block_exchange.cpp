#include "tamp/solver/block_exchange.hpp"

#include <algorithm>
#include <tuple>

namespace tamp {
namespace {

constexpr auto stride = static_cast<std::size_t>(BlockExchange::width);

void put(const Body& body, double* to) {
    to[0] = body.velocity.x, to[1] = body.velocity.y, to[2] = body.velocity.z;
    to[3] = body.surface.x, to[4] = body.surface.y, to[5] = body.surface.z;
}

/// The change of a body by one rank.
struct Term {
    std::int32_t body;
    int rank;
    const double* change;

    auto key() const { return std::tuple(body, rank); }
};

} // namespace

BlockExchange::BlockExchange(NeighbourExchange& exchange, int rank, std::size_t bodies)
    : exchange_(&exchange), sharers_(bodies, 1) {
    std::vector<std::int32_t> own;
    for (const auto& message : exchange.outgoing())
        own.insert(own.end(), message.items.begin(), message.items.end());
    std::ranges::sort(own);
    own.erase(std::unique(own.begin(), own.end()), own.end());
    changes_.resize(stride * own.size());
    for (const auto& message : exchange.outgoing()) {
        std::vector<std::int32_t>& places = sent_.emplace_back();
        for (const std::int32_t item : message.items)
            places.push_back(static_cast<std::int32_t>(std::ranges::lower_bound(own, item) - own.begin()));
    }

    std::vector<Term> terms;
    for (std::size_t i = 0; i < own.size(); ++i)
        terms.push_back({own[i], rank, changes_.data() + stride * i});
    for (const auto& message : exchange.incoming())
        for (std::size_t i = 0; i < message.items.size(); ++i)
            terms.push_back({message.items[i], message.rank, message.buffer.data() + stride * i});
    std::ranges::sort(terms, {}, &Term::key);
    for (const Term& term : terms) {
        if (shared_.empty() || shared_.back().body != term.body)
            shared_.push_back({term.body, 0});
        terms_.push_back(term.change);
        const auto begin = shared_.size() > 1 ? shared_[shared_.size() - 2].terms_end : 0;
        shared_.back().terms_end = static_cast<std::int32_t>(terms_.size());
        const int count = shared_.back().terms_end - begin;
        sharers_[static_cast<std::size_t>(term.body)] = static_cast<std::uint8_t>(count);
        most_sharers_ = std::max(most_sharers_, count);
        if (term.rank == rank)
            changed_.push_back({term.body, static_cast<std::int32_t>(shared_.size() - 1)});
    }
    before_.resize(stride * shared_.size());
}

void BlockExchange::begin(std::span<const Body> bodies) {
    double* to = before_.data();
    for (const Shared& shared : shared_) {
        put(bodies[static_cast<std::size_t>(shared.body)], to);
        to += stride;
    }
}

void BlockExchange::start(std::span<const Body> bodies) {
    double* to = changes_.data();
    for (const Changed& changed : changed_) {
        put(bodies[static_cast<std::size_t>(changed.body)], to);
        const double* before = before_.data() + stride * static_cast<std::size_t>(changed.shared);
        for (std::size_t i = 0; i < stride; ++i)
            to[i] -= before[i];
        to += stride;
    }
    for (std::size_t m = 0; m < sent_.size(); ++m) {
        double* out = exchange_->outgoing()[m].buffer.data();
        for (const std::int32_t place : sent_[m])
            out = std::copy_n(changes_.data() + stride * static_cast<std::size_t>(place), stride, out);
    }
    exchange_->start();
}

void BlockExchange::take(std::span<Body> bodies) {
    double* sum = before_.data();
    const double* const* term = terms_.data();
    for (const Shared& shared : shared_) {
        for (const double* const* end = terms_.data() + shared.terms_end; term != end; ++term)
            for (std::size_t i = 0; i < stride; ++i)
                sum[i] += (*term)[i];
        Body& body = bodies[static_cast<std::size_t>(shared.body)];
        body.velocity = {sum[0], sum[1], sum[2]};
        body.surface = {sum[3], sum[4], sum[5]};
        sum += stride;
    }
}

} // namespace tamp
