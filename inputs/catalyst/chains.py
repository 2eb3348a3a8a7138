# script-version: 2.0
"""Force chains: the contacts as tubes from centre to centre, as thick as their normal force, coloured by it or by another
quantity of contacts that the case names: tangential_force, mobilisation or gap.

Contacts have the cell arrays first, second, normal, gap, force, normal_force, tangential_force, mobilisation and
what laws remember (bond, torque; only where such laws are), and normal_force as a point array too. To adapt: copy this file, name the copy in the case, and change it.
"""

from paraview.simple import *
import tamp_picture

LEAST = 0.25  # contacts with less than this part of the mean force are left out
THICK = 0.4   # radius of the tube of the strongest, in mean radii of particles

options = tamp_picture.options()
RequestDataDescription = tamp_picture.wants("particles", "contacts")
scene = strong = width = tubes = None


def catalyst_execute(info):
    global scene, strong, width, tubes
    picture = tamp_picture.Picture(info)
    if scene is None:
        scene = tamp_picture.Scene(picture)
        contacts = PVTrivialProducer(registrationName="contacts")
        strong = Threshold(Input=contacts, Scalars=["CELLS", "normal_force"], ThresholdMethod="Above Upper Threshold")
        width = Calculator(Input=strong, AttributeType="Point Data", ResultArrayName="width")
        surface = ExtractSurface(Input=width)
        tube = Tube(Input=surface, Scalars=["POINTS", "width"], VaryRadius="By Absolute Scalar", Radius=1.0,
                    NumberofSides=6, Capping=0)
        tubes = Show(tube, scene.view)
        tubes.SetRepresentationType("Surface")
        tubes.Ambient = 0.3  # else colours are darker than in the bar
        if picture.dimension == 2:
            discs = scene.discs(PVTrivialProducer(registrationName="particles"))
            discs.ColorArrayName = [None, ""]
            discs.AmbientColor = discs.DiffuseColor = [0.88, 0.88, 0.9]
    force = picture.contacts["normal_force"]
    strong.UpperThreshold = LEAST * force["mean"]
    largest = max(force["high"], 1e-300)
    thick = THICK * picture.particles["radius"]["mean"]
    width.Function = f"{thick:.17g}*min(normal_force/{largest:.17g},1)"
    colour = picture.colour if picture.colour in picture.contacts else "normal_force"
    scene.colour(tubes, "CELLS", picture, picture.contacts, colour)
    scene.save(picture)
