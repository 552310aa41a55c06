#include "algprior/analysis/eigenvalues.hpp"

#include "algprior/base/error.hpp"
#include "algprior/base/file.hpp"
#include "algprior/io/csv.hpp"
#include "algprior/prior/learned_representation.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <utility>

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace algprior {
namespace {

const std::vector<std::string> kColumns = {"step", "generator", "real", "imaginary",
                                           "nearest_root"};

std::vector<std::complex<double>> complex_eigenvalues(const at::Tensor& matrix) {
  const auto parts = at::view_as_real(at::linalg_eigvals(matrix)).contiguous();
  const auto* numbers = parts.data_ptr<double>();
  std::vector<std::complex<double>> values;
  for (std::int64_t i = 0; i < matrix.size(0); ++i) {
    values.emplace_back(numbers[2 * i], numbers[2 * i + 1]);
  }
  return values;
}

std::size_t nearest_root(std::complex<double> value, std::size_t order) {
  std::size_t nearest = 0;
  double best = INFINITY;
  for (std::size_t k = 0; k < order; ++k) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(order);
    const double distance = std::abs(value - std::polar(1.0, angle));
    if (distance >= best) continue;
    best = distance;
    nearest = k;
  }
  return nearest;
}

FileError damaged(const std::filesystem::path& file, const std::string& what) {
  return FileError({"an eigenvalue file is damaged", fmt::format("{}: {}", file.string(), what),
                    "the columns step, generator, real, imaginary, nearest_root",
                    "remove it; it is written again by a new run"});
}

}  // namespace

bool is_snapshot_step(std::int64_t step) {
  return step % (step < 2000 ? 100 : 2000) == 0;
}

std::vector<EigenvalueSnapshot> eigenvalue_snapshot(const ApproximateRepresentation& representation,
                                                    std::int64_t step) {
  const Group& group = representation.group();
  const auto matrices = to_learned(representation);
  std::vector<EigenvalueSnapshot> snapshots;
  for (std::size_t k = 0; k < group.generators().size(); ++k) {
    EigenvalueSnapshot snapshot{step, group.generator_names()[k], {}, {}};
    snapshot.eigenvalues = complex_eigenvalues(matrices->generators()[k].detach());
    const auto angle = [](std::complex<double> value) {
      const double turn = std::arg(value);
      return turn < 0 ? turn + 2 * std::numbers::pi : turn;
    };
    std::sort(snapshot.eigenvalues.begin(), snapshot.eigenvalues.end(), [&](auto a, auto b) {
      return std::pair(angle(a), std::abs(a)) < std::pair(angle(b), std::abs(b));
    });
    const std::size_t order = group.element_order(group.generators()[k]);
    for (const auto value : snapshot.eigenvalues) {
      snapshot.nearest.push_back(nearest_root(value, order));
    }
    snapshots.push_back(std::move(snapshot));
  }
  return snapshots;
}

EigenvalueTrajectory::EigenvalueTrajectory(Group group, std::filesystem::path file)
    : group_(std::move(group)), file_(std::move(file)) {
  if (!std::filesystem::exists(file_)) return;
  const io::CsvTable table = io::read_csv(file_);
  for (std::size_t c = 0; c < kColumns.size(); ++c) {
    if (table.columns.size() != kColumns.size() || table.columns[c].name != kColumns[c] ||
        (table.rows > 0 && !table.columns[c].numeric)) {
      throw damaged(file_, "other columns");
    }
  }
  for (std::size_t row = 0; row < table.rows; ++row) {
    const auto cell = [&](std::size_t c) { return table.columns[c].numbers[row]; };
    if (!(cell(0) >= 0 && cell(1) >= 0 && cell(4) >= 0) ||
        cell(1) >= static_cast<double>(group_.generators().size())) {
      throw damaged(file_, fmt::format("row {}", row + 1));
    }
    const auto step = static_cast<std::int64_t>(cell(0));
    const auto& name = group_.generator_names()[static_cast<std::size_t>(cell(1))];
    if (snapshots_.empty() || snapshots_.back().step != step ||
        snapshots_.back().generator != name) {
      snapshots_.push_back({step, name, {}, {}});
    }
    snapshots_.back().eigenvalues.emplace_back(cell(2), cell(3));
    snapshots_.back().nearest.push_back(static_cast<std::size_t>(cell(4)));
  }
}

void EigenvalueTrajectory::cut(std::int64_t step) {
  const auto later = [&](const EigenvalueSnapshot& s) { return s.step > step; };
  if (std::erase_if(snapshots_, later) > 0) write();
}

void EigenvalueTrajectory::record(std::int64_t step,
                                  const ApproximateRepresentation& representation) {
  std::erase_if(snapshots_, [&](const EigenvalueSnapshot& s) { return s.step == step; });
  for (auto& snapshot : eigenvalue_snapshot(representation, step)) {
    snapshots_.push_back(std::move(snapshot));
  }
  write();
}

void EigenvalueTrajectory::write() const {
  std::vector<double> values;
  for (const auto& snapshot : snapshots_) {
    const auto& names = group_.generator_names();
    const auto generator = std::find(names.begin(), names.end(), snapshot.generator);
    for (std::size_t i = 0; i < snapshot.eigenvalues.size(); ++i) {
      values.insert(values.end(),
                    {static_cast<double>(snapshot.step),
                     static_cast<double>(generator - names.begin()), snapshot.eigenvalues[i].real(),
                     snapshot.eigenvalues[i].imag(), static_cast<double>(snapshot.nearest[i])});
    }
  }
  const auto columns = static_cast<std::int64_t>(kColumns.size());
  const auto rows = static_cast<std::int64_t>(values.size()) / columns;
  io::write_csv(file_, kColumns, io::make_array({rows, columns}, values));
}

std::function<void(std::int64_t)> record_eigenvalues(
    Group group, std::filesystem::path file,
    std::function<ApproximateRepresentation()> representation) {
  const auto trajectory = std::make_shared<EigenvalueTrajectory>(std::move(group), std::move(file));
  const auto begun = std::make_shared<bool>(false);
  return [=](std::int64_t step) {
    if (!*begun) trajectory->cut(step);
    *begun = true;
    if (is_snapshot_step(step)) trajectory->record(step, representation());
  };
}

}  // namespace algprior
