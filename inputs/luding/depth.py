# script-version: 2.0
"""The grains in shades of grey: the farther from the viewer, the darker, as in figure 4 of Luding's paper. A copy of
../catalyst/particles.py that colours by depth."""

from paraview.simple import *
import tamp_picture

options = tamp_picture.options()
RequestDataDescription = tamp_picture.wants("particles")
scene = spheres = depth = None


def catalyst_execute(info):
    global scene, spheres, depth
    picture = tamp_picture.Picture(info)
    ahead = picture.camera or [-0.45, 1, -0.35]
    low, high = picture.framed()
    corners = [sum(a * (high if n >> i & 1 else low)[i] for i, a in enumerate(ahead)) for n in range(8)]
    if scene is None:
        scene = tamp_picture.Scene(picture)
        depth = Calculator(Input=PVTrivialProducer(registrationName="particles"), ResultArrayName="depth")
        depth.Function = " + ".join(f"({a:g})*coords{axis}" for a, axis in zip(ahead, "XYZ"))
        spheres = scene.spheres(depth)
        ColorBy(spheres, ("POINTS", "depth"))
    map = GetColorTransferFunction("depth")
    map.RGBPoints = [min(corners), 1, 1, 1, 0.5 * (min(corners) + max(corners)), 0.45, 0.45, 0.47, max(corners), 0.02, 0.02, 0.04]
    map.ColorSpace = "RGB"
    scene.save(picture)
