#include "algprior/audit/audit.hpp"

#include "algprior/base/error.hpp"
#include "bind.hpp"
#include "long_call.hpp"

namespace algprior::python {
namespace {

/// A view of an array of float32 or float64; the caller keeps it alive.
EmbeddingSpan span_of(const py::array& array, const char* name) {
  const auto count = static_cast<std::size_t>(array.size());
  if ((array.flags() & py::array::c_style) == 0) {
    throw InputError(
        {"an array is not contiguous", name, "rows one after another", "numpy.ascontiguousarray"});
  }
  if (py::isinstance<py::array_t<float>>(array)) {
    return std::span(static_cast<const float*>(array.data()), count);
  }
  if (py::isinstance<py::array_t<double>>(array)) {
    return std::span(static_cast<const double*>(array.data()), count);
  }
  throw InputError({"numbers of this type cannot be audited",
                    std::string(name) + ": " + py::str(array.dtype()).cast<std::string>(),
                    "float32 or float64", "z.astype(numpy.float32)"});
}

std::span<const std::int64_t> integers_of(const py::array_t<std::int64_t, py::array::c_style>& a) {
  return {a.data(), static_cast<std::size_t>(a.size())};
}

std::size_t extent(const py::array& array, py::ssize_t axis) {
  return static_cast<std::size_t>(array.shape(axis));
}

using Integers = py::array_t<std::int64_t, py::array::c_style>;

/// What Python passes on, already arrays of the right number of axes.
struct Request {
  py::array z;
  std::optional<py::array> zg;
  std::optional<Integers> g;
  Group group;
  AuditOptions options;
  std::optional<Integers> labels;
  std::optional<py::array> inputs;
  std::vector<Group> candidates;
  std::vector<std::string> remarks;
};

py::tuple run(const Request& request) {
  AuditContext context;
  if (request.labels) context.labels = integers_of(*request.labels);
  if (request.inputs) {
    context.inputs = span_of(*request.inputs, "inputs");
    context.input_size = extent(*request.inputs, 2);
  }
  AuditReport report;
  if (request.zg) {
    const PairEmbeddings pairs{span_of(request.z, "z"), span_of(*request.zg, "zg"),
                               integers_of(*request.g), extent(request.z, 0), extent(request.z, 1)};
    report = long_call([&] { return audit(pairs, request.group, request.options, context); });
  } else {
    const OrbitEmbeddings orbits{span_of(request.z, "z"), extent(request.z, 0),
                                 extent(request.z, 1), extent(request.z, 2)};
    report = long_call([&] {
      AuditReport made = audit(orbits, request.group, request.options, context);
      if (!request.candidates.empty()) {
        made.groups = audit_candidates(orbits, request.group, request.candidates, request.options);
      }
      return made;
    });
  }
  report.remarks.insert(report.remarks.end(), request.remarks.begin(), request.remarks.end());
  return py::make_tuple(to_json(report), to_text(report));
}

}  // namespace

void bind_audit(py::module_& module) {
  module.def(
      "_audit",
      [](const py::array& z, std::optional<py::array> zg, std::optional<Integers> g,
         const Group& group, std::optional<Representation> representation, std::uint64_t seed,
         std::size_t resamplings, double equivariant_below, std::optional<Integers> labels,
         std::optional<py::array> inputs, std::vector<Group> candidates,
         std::vector<std::string> remarks) {
        AuditOptions options;
        options.representation = std::move(representation);
        options.seed = seed;
        options.bootstrap = resamplings;
        options.equivariant_below = equivariant_below;
        options.progress = [](std::uint64_t, std::uint64_t) { throw_if_stopped(); };
        return run({z, std::move(zg), std::move(g), group, std::move(options), std::move(labels),
                    std::move(inputs), std::move(candidates), std::move(remarks)});
      },
      py::arg("z"), py::arg("zg"), py::arg("g"), py::arg("group"), py::arg("representation"),
      py::arg("seed"), py::arg("resamplings"), py::arg("equivariant_below"), py::arg("labels"),
      py::arg("inputs"), py::arg("candidates"), py::arg("remarks"));
}

}  // namespace algprior::python
