#pragma once

#include "algprior/group/group.hpp"
#include "algprior/report/run.hpp"
#include "algprior/report/svg.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace algprior::report {

/// The numbers of a figure, for those who would rather read or compute.
struct NumberTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
  std::string note = {};  ///< what was left out, how the numbers were made
};

/// A drawing with what it says in words and in numbers.
struct Figure {
  std::string name;  ///< "curve/validation/accuracy"
  std::string title;
  std::string description;  ///< one or two sentences; also for those who do not see the drawing
  double width = 0, height = 0;
  std::string body;  ///< SVG marks, coloured by classes
  NumberTable numbers;
  bool cursor =
      false;  ///< the first column of the numbers is the x axis: a cursor can move along it
};

/// The drawing as a file of its own, with title, description, background and colours of a theme.
/// Equal figures give equal bytes.
std::string to_svg(const Figure& figure, Theme theme = Theme::kLight);

struct FigureOffer {
  std::string name;
  std::string title;
  std::string needs;  ///< what is missing; "" when the runs can fill it
};

/// What the runs can fill, in the order of the page, and after it what they cannot, with the file
/// or the metric that is missing.
std::vector<FigureOffer> list_figures(const RunSet& set);

/// Throws InputError, with the nearest name, for a figure that does not exist or that these runs
/// cannot fill; FileError when a file of a run is damaged.
Figure make_figure(std::string_view name, const RunSet& set);

/// The Cayley graph of a group for its generators: arrows g → gs, cosets of the first generator as
/// rings. Throws LimitError above order 200.
Figure cayley_figure(const Group& group);

/// The character table as a grid coloured by value. Throws LimitError above 64 classes.
Figure characters_figure(const Group& group);

}  // namespace algprior::report
