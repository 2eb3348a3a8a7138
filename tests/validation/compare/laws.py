"""Laws that tamp shares with LAMMPS, and how the numbers of one become those of the other.

All grains are equal here. LAMMPS' dashpots are per reduced mass (Hertz: and per root of reduced radius and overlap),
those of tamp are not.

  LAMMPS                    tamp
  gran/hooke/history        normal_law = "linear", viscosity = gamma_n m12, sliding_viscosity = gamma_t m12
  gran/hertz/history        normal_law = "hertz", contact_modulus = 3/4 K_n, viscosity = gamma_n m12 sqrt(R*),
                            sliding_law = "mindlin", contact_shear_modulus = K_t/8
  granular hertz mindlin    the same, without a dashpot here

Where the laws differ:
- LAMMPS rolls and twists with arms of a radius, tamp with a radius less half the overlap: grains must not spin.
- When a contact slips, LAMMPS leaves room for the dashpot in its spring, tamp follows S. Luding (eq. 24) and does not:
  slipping contacts must have gamma_t = 0.
- When a dashpot pulls at grains that part, LAMMPS limits friction by the amount of the force; tamp has none then.
"""
import dataclasses
import math

RADIUS = 0.005
DENSITY = 2500.0
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
REDUCED_MASS, REDUCED_RADIUS = MASS / 2, RADIUS / 2


@dataclasses.dataclass(frozen=True)
class Law:
    lammps: str # of pair_style
    tamp: dict # keys of the material
    stiffness: float # N/m, for the time step
    coefficients: str = "" # of pair_coeff


def hooke(stiffness, damping, sliding_damping, friction, mass=REDUCED_MASS):
    sliding = 2 / 7 * stiffness
    return Law(f"gran/hooke/history {stiffness!r} {sliding!r} {damping!r} {sliding_damping!r} {friction!r} 1",
               {"normal_law": "linear", "stiffness": stiffness, "viscosity": damping * mass,
                "sliding_stiffness": sliding, "sliding_viscosity": sliding_damping * mass, "friction": friction},
               stiffness)


def hertz(modulus, damping):
    """Of LAMMPS' K_n = 4/3 E*. The stiffness is that at an overlap of a tenth of a radius."""
    return Law(f"gran/hertz/history {4 / 3 * modulus!r} 0 {damping!r} 0 0 0",
               {"normal_law": "hertz", "contact_modulus": modulus,
                "viscosity": damping * REDUCED_MASS * math.sqrt(REDUCED_RADIUS), "friction": 0.0},
               2 * modulus * math.sqrt(REDUCED_RADIUS * 0.1 * RADIUS))


def mindlin(modulus, shear_modulus, friction, granular):
    """Hertz with Mindlin's friction, by either pair_style of LAMMPS. K_t = 8 G*."""
    normal, sliding = 4 / 3 * modulus, 8 * shear_modulus
    tamp = {"normal_law": "hertz", "contact_modulus": modulus, "friction": friction, "restitution": 1.0,
            "sliding_law": "mindlin", "contact_shear_modulus": shear_modulus}
    stiffness = 2 * modulus * math.sqrt(REDUCED_RADIUS * 0.1 * RADIUS)
    if granular:
        return Law("granular", tamp, stiffness,
                   f" hertz {normal!r} 0 tangential mindlin {sliding!r} 0 {friction!r} damping velocity")
    return Law(f"gran/hertz/history {normal!r} {sliding!r} 0 0 {friction!r} 1", tamp, stiffness)


PAIR_LAWS = {"hooke": hooke(1e5, 40.0, 20.0, 0.4), "hertz": hertz(0.75e8, 5e4)}

# gamma_t = 0 where contacts slip.
PATH_LAWS = {
    "hooke that slips": hooke(1e5, 0.0, 0.0, 1.0),
    "hooke that slips, with a dashpot": hooke(1e5, 400.0, 0.0, 1.0),
    "hooke that sticks, with dashpots": hooke(1e5, 400.0, 200.0, 100.0),
    "hertz with a dashpot": hertz(0.75e8, 5e4),
    "hertz and mindlin that slips": mindlin(0.75e8, 0.2e8, 1.2, granular=False),
    "granular, hertz and mindlin that slips": mindlin(0.75e8, 0.2e8, 1.2, granular=True),
}
