#include "algprior/base/error.hpp"
#include "algprior/report/png.hpp"

#include <cmath>

#include <dlfcn.h>
#include <fmt/format.h>

namespace algprior::report {
namespace {

constexpr const char* kLibrary = "librsvg-2.so.2";

// The few functions of librsvg, cairo and GObject that are needed, with their types from the
// libraries' documentation. Loaded on demand: they bring some forty libraries, and a program that
// draws no PNG starts without them.
struct Renderer {
  struct Rectangle {
    double x, y, width, height;
  };
  struct GlibError {
    std::uint32_t domain;
    int code;
    char* message;
  };
  void* (*handle_new)(const std::uint8_t* data, std::size_t length, GlibError** error);
  int (*render)(void* handle, void* context, const Rectangle* viewport, GlibError** error);
  int (*intrinsic_size)(void* handle, double* width, double* height);
  void (*unref)(void* object);
  void (*free_error)(GlibError* error);
  void* (*surface_new)(int format, int width, int height);
  unsigned char* (*surface_data)(void* surface);
  int (*surface_stride)(void* surface);
  void (*surface_flush)(void* surface);
  void (*surface_destroy)(void* surface);
  void* (*context_new)(void* surface);
  int (*context_status)(void* context);
  void (*context_destroy)(void* context);
};

template <class Function>
void find_symbol(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function != nullptr) return;
  throw FileError({"librsvg lacks a function", name, "librsvg 2.52 or newer",
                   "install the package librsvg2-2, or write an .svg file"});
}

const Renderer& renderer() {
  static const Renderer loaded = [] {
    void* library = dlopen(kLibrary, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
      throw FileError({"cannot draw a PNG file", kLibrary, "librsvg on this machine",
                       "install the package librsvg2-2 (apt-get install librsvg2-2), or write an "
                       ".svg file"});
    }
    Renderer r{};
    find_symbol(library, "rsvg_handle_new_from_data", r.handle_new);
    find_symbol(library, "rsvg_handle_render_document", r.render);
    find_symbol(library, "rsvg_handle_get_intrinsic_size_in_pixels", r.intrinsic_size);
    find_symbol(library, "g_object_unref", r.unref);
    find_symbol(library, "g_error_free", r.free_error);
    find_symbol(library, "cairo_image_surface_create", r.surface_new);
    find_symbol(library, "cairo_image_surface_get_data", r.surface_data);
    find_symbol(library, "cairo_image_surface_get_stride", r.surface_stride);
    find_symbol(library, "cairo_surface_flush", r.surface_flush);
    find_symbol(library, "cairo_surface_destroy", r.surface_destroy);
    find_symbol(library, "cairo_create", r.context_new);
    find_symbol(library, "cairo_status", r.context_status);
    find_symbol(library, "cairo_destroy", r.context_destroy);
    return r;
  }();
  return loaded;
}

[[noreturn]] void refuse_drawing(const Renderer& r, Renderer::GlibError* error) {
  const std::string reason = error != nullptr ? error->message : "no reason given";
  if (error != nullptr) r.free_error(error);
  throw InputError({"librsvg cannot draw this figure", reason, "an SVG document", ""});
}

// Closes what it was given at the end of a scope.
struct Owned {
  void* object;
  void (*release)(void*);
  ~Owned() {
    if (object != nullptr) release(object);
  }
};

}  // namespace

Picture rasterise(const std::string& svg, double scale) {
  const Renderer& r = renderer();
  Renderer::GlibError* error = nullptr;
  const Owned handle{
      r.handle_new(reinterpret_cast<const std::uint8_t*>(svg.data()), svg.size(), &error), r.unref};
  if (handle.object == nullptr) refuse_drawing(r, error);
  double width = 0, height = 0;
  constexpr double kLargest = 16384;
  if (r.intrinsic_size(handle.object, &width, &height) == 0 || !(width > 0) || !(height > 0) ||
      width * scale > kLargest || height * scale > kLargest || !(scale > 0)) {
    throw InputError({"cannot draw a picture of this size",
                      fmt::format("{} × {} at scale {}", width, height, scale),
                      fmt::format("at most {} pixels a side", kLargest),
                      "ask for a smaller scale"});
  }
  Picture picture{static_cast<std::size_t>(std::lround(width * scale)),
                  static_cast<std::size_t>(std::lround(height * scale)),
                  {}};
  constexpr int kFormatRgb24 = 1;
  const Owned surface{r.surface_new(kFormatRgb24, static_cast<int>(picture.width),
                                    static_cast<int>(picture.height)),
                      r.surface_destroy};
  const Owned context{r.context_new(surface.object), r.context_destroy};
  const Renderer::Rectangle all{0, 0, static_cast<double>(picture.width),
                                static_cast<double>(picture.height)};
  if (r.render(handle.object, context.object, &all, &error) == 0 ||
      r.context_status(context.object) != 0) {
    refuse_drawing(r, error);
  }
  r.surface_flush(surface.object);
  const unsigned char* bytes = r.surface_data(surface.object);
  const auto stride = static_cast<std::size_t>(r.surface_stride(surface.object));
  picture.rgb.reserve(3 * picture.width * picture.height);
  for (std::size_t y = 0; y < picture.height; ++y) {
    for (std::size_t x = 0; x < picture.width; ++x) {
      const unsigned char* pixel = bytes + y * stride + 4 * x;  // blue, green, red on little-endian
      picture.rgb.insert(picture.rgb.end(), {pixel[2], pixel[1], pixel[0]});
    }
  }
  return picture;
}

}  // namespace algprior::report
