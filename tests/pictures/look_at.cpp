// Looks at pictures, for the scripts beside this file.
//
//   look_at differ A.png B.png     share of the pixels that differ, in per cent
//   look_at colours A.png          number of colours, in steps of 16 a channel, and share of pixels not white
//   look_at blobs A.png            for each patch of coloured pixels left of the colour bar: x y area
//   look_at ends A.png             of the coloured pixels: the lowest and the highest row, from below

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>
#include <vtkSmartPointer.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace {

using Colour = std::array<int, 3>;

struct Image {
    int width = 0, height = 0;
    std::vector<Colour> pixels;
    const Colour& at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
};

Image read(const char* path) {
    const vtkNew<vtkPNGReader> reader;
    if (!reader->CanReadFile(path)) {
        std::fprintf(stderr, "%s is no PNG\n", path);
        std::exit(1);
    }
    reader->SetFileName(path);
    reader->Update();
    vtkImageData* data = reader->GetOutput();
    Image image{data->GetDimensions()[0], data->GetDimensions()[1], {}};
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            image.pixels.push_back({static_cast<int>(data->GetScalarComponentAsFloat(x, y, 0, 0)),
                                    static_cast<int>(data->GetScalarComponentAsFloat(x, y, 0, 1)),
                                    static_cast<int>(data->GetScalarComponentAsFloat(x, y, 0, 2))});
    return image;
}

void differ(const Image& a, const Image& b) {
    std::size_t count = 0;
    if (a.pixels.size() != b.pixels.size())
        count = a.pixels.size();
    else
        for (std::size_t p = 0; p < a.pixels.size(); ++p)
            count += a.pixels[p] != b.pixels[p];
    std::printf("%.4f\n", 100.0 * static_cast<double>(count) / static_cast<double>(a.pixels.size()));
}

void colours(const Image& image) {
    std::set<Colour> seen;
    std::size_t drawn = 0;
    for (const Colour& c : image.pixels) {
        seen.insert({c[0] / 16, c[1] / 16, c[2] / 16});
        drawn += *std::min_element(c.begin(), c.end()) < 250;
    }
    std::printf("%zu %.2f\n", seen.size(),
                100.0 * static_cast<double>(drawn) / static_cast<double>(image.pixels.size()));
}

bool is_coloured(const Colour& c) {
    return *std::max_element(c.begin(), c.end()) - *std::min_element(c.begin(), c.end()) > 40;
}

void ends(const Image& image) {
    int lowest = image.height, highest = -1;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x)
            if (is_coloured(image.at(x, y))) {
                lowest = std::min(lowest, y);
                highest = y;
            }
    std::printf("%d %d\n", lowest, highest);
}

void blobs(const Image& image) {
    const int right = image.width * 84 / 100;
    const auto coloured = [&](int x, int y) { return is_coloured(image.at(x, y)); };
    std::vector<char> seen(image.pixels.size(), 0);
    for (int y0 = 0; y0 < image.height; ++y0)
        for (int x0 = 0; x0 < right; ++x0) {
            std::vector<std::array<int, 2>> open{{x0, y0}};
            double x_sum = 0, y_sum = 0, area = 0;
            while (!open.empty()) {
                const auto [x, y] = open.back();
                open.pop_back();
                if (x < 0 || y < 0 || x >= right || y >= image.height || !coloured(x, y) ||
                    std::exchange(seen[static_cast<std::size_t>(y * image.width + x)], 1))
                    continue;
                x_sum += x, y_sum += y, ++area;
                for (const auto& next : {std::array{x + 1, y}, {x - 1, y}, {x, y + 1}, {x, y - 1}})
                    open.push_back(next);
            }
            if (area > 20)
                std::printf("%.1f %.1f %.0f\n", x_sum / area, y_sum / area, area);
        }
}

} // namespace

int main(int argc, char** argv) {
    const std::string what = argc > 2 ? argv[1] : "";
    if (what == "differ" && argc == 4)
        differ(read(argv[2]), read(argv[3]));
    else if (what == "colours")
        colours(read(argv[2]));
    else if (what == "blobs")
        blobs(read(argv[2]));
    else if (what == "ends")
        ends(read(argv[2]));
    else
        return 2;
}
