#include "algprior/base/error.hpp"
#include "assemble.hpp"

#include <cmath>
#include <map>

#include <fmt/format.h>

namespace algprior::auditing {
namespace {

double sorted_quantile(const std::vector<double>& sorted, double part) {
  return sorted[static_cast<std::size_t>(
      std::lround(part * static_cast<double>(sorted.size() - 1)))];
}

}  // namespace

void check_context(const AuditContext& context, std::size_t samples, std::size_t order) {
  if (!context.labels.empty() && context.labels.size() != samples) {
    throw InputError({"labels do not fit the embeddings",
                      fmt::format("{} labels", context.labels.size()),
                      fmt::format("one for each of {} samples", samples), ""});
  }
  if (context.input_size == 0) return;
  const std::size_t count =
      std::visit([](const auto& span) { return span.size(); }, context.inputs);
  if (count / context.input_size == samples * order && count % context.input_size == 0) return;
  throw InputError({"inputs do not fit the embeddings",
                    fmt::format("{} numbers, {} an input", count, context.input_size),
                    fmt::format("{} x {} inputs g*x", samples, order),
                    "save the inputs in the order of their embeddings, or leave them out"});
}

AuditInputs measure_inputs(const AuditContext& context, std::size_t samples, std::size_t order) {
  return std::visit(
      [&](const auto& values) {
        AuditInputs result;
        const std::size_t p = context.input_size;
        std::size_t unmoved = 0, normed = 0;
        double drift = 0;
        for (std::size_t n = 0; n < samples; ++n) {
          const auto x = values.subspan(n * order * p, p);
          double size = 0;
          for (const auto value : x)
            size += static_cast<double>(value) * static_cast<double>(value);
          for (std::size_t g = 1; g < order; ++g) {
            const auto moved = values.subspan((n * order + g) * p, p);
            if (std::equal(x.begin(), x.end(), moved.begin())) ++unmoved;
            double other = 0;
            for (const auto value : moved) {
              other += static_cast<double>(value) * static_cast<double>(value);
            }
            if (!(size > 0)) continue;
            const double off = std::sqrt(other / size) - 1;
            drift += off * off;
            ++normed;
          }
        }
        const auto moves = static_cast<double>(samples * (order - 1));
        result.unmoved = static_cast<double>(unmoved) / moves;
        result.norm_drift = normed > 0 ? std::sqrt(drift / static_cast<double>(normed)) : 0;
        return result;
      },
      context.inputs);
}

void list_errors(AuditReport& report, const Judged& audited, const Moments& moments,
                 const Source& source, const AuditOptions& options, const AuditContext& context) {
  const Group& group = source.group();
  const double chance = 2 * moments.variance;
  const PairErrors& errors = audited.errors;
  for (Element h = 1; h < group.order(); ++h) {
    if (errors.element_count[h] == 0) continue;
    report.per_element.push_back(
        {h, to_string(group.word(h), group.generator_names()),
         std::sqrt(errors.element_sum[h] / errors.element_count[h] / chance)});
  }
  std::vector<SampleError> all;
  std::vector<double> sorted;
  std::map<std::int64_t, std::pair<double, double>> classes;
  std::map<std::int64_t, std::size_t> members;
  for (std::size_t n = 0; n < source.samples(); ++n) {
    const auto place = static_cast<Eigen::Index>(n);
    if (errors.count[place] == 0) continue;
    const double square = errors.sum[place] / errors.count[place] / chance;
    all.push_back({n, std::sqrt(square)});
    sorted.push_back(all.back().error);
    if (context.labels.empty()) continue;
    auto& [sum, count] = classes[context.labels[n]];
    sum += errors.sum[place];
    count += errors.count[place];
    ++members[context.labels[n]];
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const SampleError& a, const SampleError& b) { return a.error > b.error; });
  all.resize(std::min(all.size(), options.worst));
  report.worst = std::move(all);
  std::sort(sorted.begin(), sorted.end());
  if (!sorted.empty()) {
    report.quantiles.emplace();
    for (const double part : {0.05, 0.25, 0.5, 0.75, 0.95}) {
      report.quantiles->push_back(sorted_quantile(sorted, part));
    }
  }
  for (const auto& [label, sums] : classes) {
    report.per_class.push_back(
        {label, members[label], std::sqrt(sums.first / sums.second / chance)});
  }
}

}  // namespace algprior::auditing
