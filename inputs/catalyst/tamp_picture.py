"""What the scripts of this folder share: the settings that tamp hands over, and how a picture looks.

A script of your own may use it too, from any folder. Data come as the inputs "particles", "contacts", "fields"
and "box"; open a copy in ParaView to see their arrays, or look at the list in particles.py.

Every rank runs the script, and drawing takes all of them: what one rank raises while the others draw leaves them
waiting for it. So a script must not raise on a single rank, and should check what it is told (the settings, which
are the same everywhere) rather than the data, of which each rank has its own.
"""

import json
import math

from paraview import catalyst, simple
from paraview.vtk.vtkRenderingCore import vtkTextRenderer

INK = [0.13, 0.13, 0.15]
PAPER = [1, 1, 1, 0.8]  # behind words, where grains or the box may be
VIEW_ANGLE = 20.0  # degrees; small: hardly any perspective, so that sizes can be compared
MAPS = {"pressure": "Plasma (matplotlib)", "normal_force": "Plasma (matplotlib)"}  # others: Viridis
WHOLE = ("coordination", "material")  # quantities that are whole numbers

SPHERE = """//VTK::Color::Impl
  float away = dot(offsetVCVSOutput.xy, offsetVCVSOutput.xy);
  if (away > 1.0) discard;
  vec3 normal = vec3(offsetVCVSOutput.xy, sqrt(1.0 - away));
  float light = 0.30 + 0.72 * max(0.0, dot(normal, normalize(vec3(-0.35, 0.5, 0.8))));
  float gloss = 0.22 * pow(max(0.0, dot(normal, normalize(vec3(-0.2, 0.28, 0.94)))), 40.0);
  ambientColor *= light;
  diffuseColor = diffuseColor * light + vec3(gloss);
"""


def options():
    """Every Catalyst script needs some: draw whenever tamp asks."""
    return catalyst.Options()


def wants(*inputs):
    """For RequestDataDescription: only these inputs are made and handed over."""
    def request(description):
        for name in inputs:
            data = description.GetInputDescriptionByName(name)
            data.AllFieldsOn()
            data.GenerateMeshOn()
    return request


def ticks(low, high):
    """Round numbers from low to high, about six."""
    rough = (high - low) / 6
    power = 10 ** math.floor(math.log10(rough))
    step = next(m * power for m in (1, 2, 2.5, 5, 10) if m * power >= rough)
    first, last = math.ceil(low / step - 1e-6), math.floor(high / step + 1e-6)
    return [n * step for n in range(first, last + 1)]


class Picture:
    """The settings of the picture that is due: name, file, colour, range, camera, frame, zoom, size, time, step,
    dimension, lower and upper (corners of the box), grains (corners of the box around all of them, or None), and the
    tables particles, contacts and fields with lowest, highest, low, high (without one per cent at either end), mean
    and unit of every quantity, over all ranks."""

    def __init__(self, info):
        text = info.dataDescription.GetUserData().GetAbstractArray("tamp").GetValue(0)
        self.__dict__.update(json.loads(text))

    def quantity(self, table, name=None):
        name = name or self.colour
        if name not in table:
            raise ValueError(f"there is no quantity '{name}' here; there are: {', '.join(table) or 'none'}")
        return table[name]

    def framed(self):
        """Lower and upper corner of what fills the picture: all of the box, or the part of it that has grains. That
        part ends at multiples of a power of two, so that pictures of a series keep their scale while the grains move
        a little."""
        if self.frame == "box" or self.grains is None:
            return self.lower, self.upper
        step = 2.0 ** math.floor(math.log2(max(b - a for a, b in zip(*self.grains)) / 8))
        lower, upper = [], []
        for first, last, least, most in zip(self.lower, self.upper, *self.grains):
            low, high = (first + step * round_to((x - first) / step)
                         for x, round_to in ((least, math.floor), (most, math.ceil)))
            lower.append(min(least, max(first, low)))
            upper.append(max(most, min(last, high)))
        return lower, upper

    def colour_range(self, quantity):
        """The range of the case, else one that is begun at zero where that is not far."""
        if self.range:
            return self.range
        low, high = quantity["low"], quantity["high"]
        if 0 <= low < 0.5 * high:
            low = 0.0
        if high <= low:  # all the same
            high = low + (abs(low) or 1.0)
        return low, high


class Scene:
    """A view with the outline of the box, a title with the time, and a colour bar. Flat: without perspective."""

    def __init__(self, picture, flat=False):
        simple._DisableFirstRenderCameraReset()
        view = simple.CreateRenderView()
        view.ViewSize = picture.size
        view.UseColorPaletteForBackground = 0
        view.Background = [1, 1, 1]
        view.OrientationAxesVisibility = 0
        view.UseFXAA = 1
        view.DepthPeeling = 0  # all is opaque; on several ranks tamp draws spheres wrongly without this
        self.flat = flat or picture.dimension == 2
        view.CameraParallelProjection = int(self.flat)
        self.view = view
        self.scale = picture.size[1] / 720
        box = simple.Show(simple.PVTrivialProducer(registrationName="box"), view)
        box.SetRepresentationType("Surface")
        box.ColorArrayName = [None, ""]
        box.AmbientColor = box.DiffuseColor = [0.45, 0.45, 0.48]
        box.LineWidth = 1.5 * self.scale
        self.title = simple.Text(Text="")
        title = simple.Show(self.title, view)
        title.Color = INK
        title.FontSize = int(20 * self.scale)
        title.WindowLocation = "Upper Left Corner"
        title.BackgroundColor = PAPER

    def spheres(self, source):
        """Shows points as shaded spheres of their radius (two dimensions: discs are made by `discs`)."""
        display = self._splats(source, "radius")
        display.ShaderPreset = "Custom"
        display.CustomTriangleScale = 1
        display.CustomShader = SPHERE
        return display

    def discs(self, source, radius="radius"):
        display = self._splats(source, radius)
        display.ShaderPreset = "Black-edged circle"
        return display

    def _splats(self, source, radius):
        display = simple.Show(source, self.view)
        display.SetRepresentationType("Point Gaussian")
        display.GaussianRadius = 1.0
        display.ScaleByArray = 1
        display.SetScaleArray = ["POINTS", radius]
        display.UseScaleFunction = 0
        return display

    def colour(self, display, where, picture, table, name=None):
        """Colours by a quantity ('POINTS' or 'CELLS') and shows its bar."""
        name = name or picture.colour
        quantity = picture.quantity(table, name)
        low, high = picture.colour_range(quantity)
        simple.ColorBy(display, (where, name))
        map = simple.GetColorTransferFunction(name)
        map.ApplyPreset(MAPS.get(name, "Viridis (matplotlib)"), True)
        labels = ticks(low, high)
        if name in WHOLE:  # a colour for each number
            low, high = round(low), round(high)
            labels = [n for n in ticks(low, max(high, low + 1)) if n == round(n)]
            low, high = low - 0.5, high + 0.5
            map.Discretize, map.NumberOfTableValues = 1, int(high - low)
        map.RescaleTransferFunction(low, high)
        bar = simple.GetScalarBar(map, self.view)
        bar.Title = name.replace("_", " ") + (f" in {quantity['unit']}" if quantity["unit"] else "")
        bar.ComponentTitle = ""
        bar.TitleColor = bar.LabelColor = INK
        bar.TitleFontSize = bar.LabelFontSize = int(18 * self.scale)
        bar.DrawBackground, bar.BackgroundColor = 1, PAPER
        bar.Orientation = "Vertical"
        bar.WindowLocation = "Any Location"
        bar.Position = [0.86, 0.2]
        bar.ScalarBarLength = 0.6
        bar.ScalarBarThickness = int(20 * self.scale)
        bar.AutomaticLabelFormat = 0
        bar.LabelFormat = "%g"
        bar.AddRangeLabels = 0
        bar.UseCustomLabels = 1
        bar.CustomLabels = labels
        display.SetScalarBarVisibility(self.view, True)

    def save(self, picture):
        title = picture.name.replace("_", " ")
        self.title.Text = f"{title}   t = {picture.time:.4g} s   step {picture.step}"
        self._look(picture)
        simple.SaveScreenshot(picture.file, self.view, ImageResolution=picture.size)

    def _look(self, picture):
        """Puts what is framed between the title and the colour bar."""
        direction = picture.camera or ([0, 0, -1] if picture.dimension == 2 else [-0.45, 1, -0.35])
        up = [0, 1, 0] if picture.dimension == 2 else [0, 0, 1]
        ahead = _unit(direction)
        if abs(_dot(ahead, up)) > 0.999:
            up = [0, 1, 0] if picture.dimension == 3 else [1, 0, 0]
        right = _unit(_cross(ahead, up))
        up = _cross(right, ahead)
        framed = picture.framed()
        corners = [[framed[n >> axis & 1][axis] for axis in range(3)] for n in range(8)]
        centre = [(a + b) / 2 for a, b in zip(*framed)]
        aspect = picture.size[0] / picture.size[1]
        # Zooming narrows the view: the camera stays where it is, outside of the grains.
        tangent = math.tan(math.radians(VIEW_ANGLE) / 2) / picture.zoom
        # The frame, in units of half the height: left, right, bottom, top.
        frame = (-aspect + 0.12, aspect - 0.62, -0.92, 0.84)
        frame = [*_enlarged(*frame[:2], picture.zoom), *_enlarged(*frame[2:], picture.zoom)]
        distance = 4 * math.dist(*framed)
        for _ in range(30):
            eye = [c - distance * a for c, a in zip(centre, ahead)]
            seen = []
            for corner in corners:
                to = [a - b for a, b in zip(corner, eye)]
                depth = (distance if self.flat else _dot(to, ahead)) * tangent
                seen.append((_dot(to, right) / depth, _dot(to, up) / depth))
            left, rightmost = min(s[0] for s in seen), max(s[0] for s in seen)
            bottom, top = min(s[1] for s in seen), max(s[1] for s in seen)
            aside = ((left + rightmost) - (frame[0] + frame[1])) / 2 * distance * tangent
            above = ((bottom + top) - (frame[2] + frame[3])) / 2 * distance * tangent
            centre = [c + aside * r + above * u for c, r, u in zip(centre, right, up)]
            distance *= max((rightmost - left) / (frame[1] - frame[0]), (top - bottom) / (frame[3] - frame[2]))
        view = self.view
        view.CameraFocalPoint = centre
        view.CameraPosition = [c - distance * a for c, a in zip(centre, ahead)]
        view.CameraViewUp = up
        view.CameraParallelScale = distance * tangent
        view.CameraViewAngle = 2 * math.degrees(math.atan(tangent))


def _enlarged(low, high, factor):
    middle, half = (low + high) / 2, factor * (high - low) / 2
    return middle - half, middle + half


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def _cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def _unit(a):
    length = math.sqrt(_dot(a, a))
    return [x / length for x in a]


def chart(picture):
    """A view for a line against the height."""
    view = simple.CreateView("XYChartView")
    view.ViewSize = picture.size
    scale = picture.size[1] / 720
    view.ShowLegend = 0
    for axis in ("Left", "Bottom"):
        setattr(view, axis + "AxisTitleBold", 0)
        setattr(view, axis + "AxisTitleFontSize", int(22 * scale))
        setattr(view, axis + "AxisLabelFontSize", int(18 * scale))
    view.ChartTitleFontSize = int(22 * scale)
    return view


def chart_range(picture, values):
    """The range of the case, else one with zero and all values; and a margin at the ends that are not zero."""
    shown = [0.0, *filter(math.isfinite, values)]
    low, high = picture.range or (min(shown), max(shown))
    if high - low < 1e-300:  # all are zero
        high = low + 1.0
    margin = 0.05 * (high - low)
    return low - (margin if low < 0 else 0.0), high + (margin if high > 0 else 0.0)


def save_chart(view, picture, name, quantity, values):
    up = picture.dimension - 1
    view.ChartTitle = f"{picture.name.replace('_', ' ')}   t = {picture.time:.4g} s   step {picture.step}"
    view.BottomAxisTitle = name.replace("_", " ") + (f" in {quantity['unit']}" if quantity["unit"] else "")
    view.LeftAxisTitle = "xyz"[up] + " in m"
    heights = [corner[up] for corner in picture.framed()]
    for axis, ends in (("Left", heights), ("Bottom", chart_range(picture, values))):
        setattr(view, axis + "AxisUseCustomRange", 1)
        setattr(view, axis + "AxisRangeMinimum", ends[0])
        setattr(view, axis + "AxisRangeMaximum", ends[1])
        setattr(view, axis + "AxisUseCustomLabels", 1)
        setattr(view, axis + "AxisLabels", [text for tick in ticks(*ends) for text in (repr(tick), f"{tick:g}")])
    # Charts want their text in images of a power of two; the titles of other views turn that off for all.
    vtkTextRenderer.GetInstance().SetScaleToPowerOfTwo(True)
    simple.SaveScreenshot(picture.file, view, ImageResolution=picture.size)
    vtkTextRenderer.GetInstance().SetScaleToPowerOfTwo(False)
