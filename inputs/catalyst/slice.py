# script-version: 2.0
"""A cut through the packing: the particles that a plane cuts, as the discs that it cuts out of them, coloured by the
quantity that the case names (see particles.py).

To adapt: copy this file, name the copy in the case, and change it.
"""

from paraview.simple import *
import tamp_picture

AXIS = 1     # the plane's normal: 0, 1 or 2 for x, y or z
WHERE = 0.5  # along it, as a part of the box

options = tamp_picture.options()
RequestDataDescription = tamp_picture.wants("particles")
scene = square = discs = None


def catalyst_execute(info):
    global scene, square, discs
    picture = tamp_picture.Picture(info)
    if scene is None:
        scene = tamp_picture.Scene(picture, flat=True)
        particles = PVTrivialProducer(registrationName="particles")
        # Pythagoras: a sphere of radius r at a distance d of the plane leaves a disc of radius sqrt(r^2 - d^2).
        square = Calculator(Input=particles, AttributeType="Point Data", ResultArrayName="square")
        cut = Threshold(Input=square, Scalars=["POINTS", "square"], ThresholdMethod="Above Upper Threshold",
                        UpperThreshold=0.0)
        root = Calculator(Input=cut, AttributeType="Point Data", ResultArrayName="disc", Function="sqrt(square)")
        discs = scene.discs(root, "disc")
    axis = AXIS if picture.dimension == 3 else 2
    place = (1 - WHERE) * picture.lower[axis] + WHERE * picture.upper[axis]
    square.Function = f"radius^2-(coords{'XYZ'[axis]}-({place:.17g}))^2"
    picture.camera = picture.camera or [[1, 0, 0], [0, 1, 0], [0, 0, -1]][axis]
    scene.colour(discs, "POINTS", picture, picture.particles)
    scene.save(picture)
