# script-version: 2.0
"""The particles as spheres (two dimensions: discs), true to scale, coloured by the quantity that the case names:
speed, pressure, coordination, radius, diameter or material.

Particles have the point arrays id, radius, diameter, mass, velocity, speed, angular_velocity, material,
coordination, stress and pressure. To adapt: copy this file, name the copy in the case, and change it; what it uses of
tamp_picture.py is found from anywhere. While drawing a script must raise on all ranks or on none.
"""

from paraview.simple import *
import tamp_picture

options = tamp_picture.options()
RequestDataDescription = tamp_picture.wants("particles")
scene = spheres = None


def catalyst_execute(info):
    global scene, spheres
    picture = tamp_picture.Picture(info)
    if scene is None:
        scene = tamp_picture.Scene(picture)
        particles = PVTrivialProducer(registrationName="particles")
        spheres = scene.spheres(particles) if picture.dimension == 3 else scene.discs(particles)
    scene.colour(spheres, "POINTS", picture, picture.particles)
    scene.save(picture)
