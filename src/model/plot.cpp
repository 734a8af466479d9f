#include "model/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace reprise::model {
namespace {

constexpr double kWidth = 360, kHeight = 280, kLeft = 60, kBottom = 40, kTop = 30;
constexpr int kPoints = 60;
constexpr const char* kColors[] = {"#1b6ca8", "#c8553d", "#3a7d44",
                                   "#7d4f9e", "#b8860b", "#3d8b8b"};

struct Line {
  std::string name;
  std::vector<std::pair<double, double>> points;
  bool dots = false;
  std::size_t color = 0;
};

// Both axes are logarithmic.
class Panel {
 public:
  Panel(std::string title, std::string x, std::vector<Line> lines)
      : title_(std::move(title)), x_(std::move(x)), lines_(std::move(lines)) {
    for (const Line& l : lines_) {
      for (const auto& [px, py] : l.points) {
        if (!(px > 0) || !(py > 0)) continue;
        low_x_ = std::min(low_x_, px);
        high_x_ = std::max(high_x_, px);
        low_y_ = std::min(low_y_, py);
        high_y_ = std::max(high_y_, py);
      }
    }
    if (high_x_ <= low_x_) high_x_ = low_x_ * 1.01;
    if (high_y_ <= low_y_ * 1.02) {
      low_y_ *= 0.9;
      high_y_ *= 1.1;
    }
  }

  std::string svg(double left) const {
    std::string out = fmt::format("<g transform=\"translate({:.0f} 0)\">\n", left);
    out +=
        fmt::format("<text x=\"{:.0f}\" y=\"18\" font-weight=\"bold\">{}</text>\n", kLeft, title_);
    out += fmt::format(
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#999\"/>\n",
        kLeft, kTop, kWidth - kLeft - 20, kHeight - kTop - kBottom);
    for (const double end : {low_y_, high_y_})
      out += fmt::format("<text x=\"{:.0f}\" y=\"{:.1f}\" text-anchor=\"end\">{:.3g} s</text>\n",
                         kLeft - 4, y(end) + 4, end);
    for (const double end : {low_x_, high_x_})
      out += fmt::format("<text x=\"{:.1f}\" y=\"{:.0f}\" text-anchor=\"middle\">{:.3g}</text>\n",
                         x(end), kHeight - kBottom + 16, end);
    out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n",
                       (kLeft + kWidth - 20) / 2, kHeight - 6, x_);
    for (const Line& l : lines_) out += line_svg(l);
    return out + "</g>\n";
  }

 private:
  double x(double v) const {
    return kLeft + (kWidth - kLeft - 20) * std::log(v / low_x_) / std::log(high_x_ / low_x_);
  }
  double y(double v) const {
    return kHeight - kBottom -
           (kHeight - kTop - kBottom) * std::log(v / low_y_) / std::log(high_y_ / low_y_);
  }

  std::string line_svg(const Line& l) const {
    const char* color = kColors[l.color % std::size(kColors)];
    std::string path, out;
    for (const auto& [px, py] : l.points) {
      if (!(px > 0) || !(py > 0)) continue;
      if (l.dots) {
        out += fmt::format(
            "<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"{}\"><title>{}</title></circle>\n",
            x(px), y(py), color, l.name);
      } else {
        path += fmt::format("{:.1f},{:.1f} ", x(px), y(py));
      }
    }
    if (l.dots) return out;
    return fmt::format(
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\"><title>{}</title></polyline>\n", path,
        color, l.name);
  }

  std::string title_, x_;
  std::vector<Line> lines_;
  double low_x_ = std::numeric_limits<double>::max(), high_x_ = 0;
  double low_y_ = std::numeric_limits<double>::max(), high_y_ = 0;
};

double step(const Range& r, int i) {
  return r.low * std::pow(r.high / r.low, static_cast<double>(i) / kPoints);
}

// Over latency or bandwidth: a line for each trace, with dots of what was fitted to it alone.
Panel over(const Model& m, const Range& range, bool is_latency, double latency, double bandwidth) {
  std::vector<Line> lines;
  std::size_t color = 0;
  for (const OneSize& s : m.sizes) {
    const std::string name = fmt::format("{} ranks", s.ranks);
    Line line{name, {}, false, color}, dots{name, {}, true, color};
    ++color;
    for (int i = 0; i <= kPoints; ++i) {
      const double v = step(range, i);
      const double l = is_latency ? v : latency, b = is_latency ? bandwidth : v;
      line.points.emplace_back(v, time_at(m, static_cast<double>(s.ranks), {l, 1 / b}, s.locality));
      double measured = 0;
      for (const Sample& t : s.tangents) measured = std::max(measured, t.at({l, 1 / b}));
      if (i % 6 == 0) dots.points.emplace_back(v, measured);
    }
    lines.push_back(std::move(line));
    lines.push_back(std::move(dots));
  }
  return {is_latency ? "time over latency" : "time over bandwidth",
          is_latency ? "latency [s]" : "bandwidth [bytes/s]", std::move(lines)};
}

Panel over_ranks(const Model& m, double latency, double bandwidth) {
  const Point point{latency, 1 / bandwidth};
  Line line{"the formula", {}, false, 0}, ours{"laws over ranks", {}, false, 2},
      dots{"traces", {}, true, 1};
  for (const OneSize& s : m.sizes) {
    const auto p = static_cast<double>(s.ranks);
    line.points.emplace_back(p, time_at(m, p, point, s.locality));
    double measured = 0;
    for (const Sample& t : s.tangents) measured = std::max(measured, t.at(point));
    dots.points.emplace_back(p, measured);
  }
  if (!m.laws) return {"time over ranks", "ranks", {line, dots}};
  const Sizes sizes = sizes_of(m);
  const Range ranks{std::max(m.laws->from(), static_cast<double>(m.sizes.front().ranks)),
                    static_cast<double>(m.sizes.back().ranks)};
  for (int i = 0; i <= kPoints; ++i) {
    const double p = std::round(step(ranks, i));
    if (const auto time = time_by_laws(*m.laws, sizes, p, point)) {
      ours.points.emplace_back(p, time->time);
    }
  }
  return {"time over ranks", "ranks", {line, ours, dots}};
}

}  // namespace

std::string plot_svg(const Model& m, double latency, double bandwidth) {
  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
      "height=\"{1}\" "
      "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" "
      "fill=\"white\"/>\n",
      3 * kWidth, kHeight + 24);
  out += over(m, m.latency, true, latency, bandwidth).svg(0);
  out += over(m, m.bandwidth, false, latency, bandwidth).svg(kWidth);
  out += over_ranks(m, latency, bandwidth).svg(2 * kWidth);
  out += fmt::format(
      "<text x=\"{:.0f}\" y=\"{:.0f}\">lines: the formula, and in green laws over ranks; dots: "
      "simulated (tangent planes); latency {:.3g} s, bandwidth {:.3g} bytes/s where they do not "
      "vary</text>\n",
      kLeft, kHeight + 14, latency, bandwidth);
  return out + "</svg>\n";
}

}  // namespace reprise::model
