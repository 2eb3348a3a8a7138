"""Laws that tamp shares with LAMMPS, and how the numbers of one become those of the other.

All grains are equal here. LAMMPS' dashpots are per reduced mass (Hertz: and per root of reduced radius and overlap),
those of tamp are not.

  LAMMPS                    tamp
  gran/hooke/history        normal_law = "linear", viscosity = gamma_n m12, sliding_viscosity = gamma_t m12;
                            soft.after_slip = "with_dashpot"
  gran/hertz/history        normal_law = "hertz", contact_modulus = 3/4 K_n, viscosity = gamma_n m12 sqrt(R*)
  granular, hertz with      the same, and sliding_law = "mindlin", contact_shear_modulus = K_t/8;
    tangential mindlin,     soft.springs = "rotated"
    damping viscoelastic

Where the laws differ:
- LAMMPS rolls and twists with arms of a radius, tamp with a radius less half the overlap: grains must not spin.
- When a contact slips, LAMMPS leaves room for the dashpot in its spring; tamp follows S. Luding's eq. 24 by default and
  does not. With gamma_t = 0 this does not matter.
- In the first step of a contact that slips at once, because its dashpot alone exceeds the limit, LAMMPS has no friction.
- Where the normal turns, `gran/...` projects friction springs, `granular` rotates them; tamp does either.
- When a dashpot pulls at grains that part, LAMMPS limits friction by the amount of the force; tamp has none then.
- K_t of gran/hertz/history is multiplied by the radius of the contact; sliding_stiffness is not.
"""
import dataclasses
import math

RADIUS = 0.005
DENSITY = 2500.0
MASS = DENSITY * 4 / 3 * math.pi * RADIUS**3
REDUCED_MASS, REDUCED_RADIUS = MASS / 2, RADIUS / 2


@dataclasses.dataclass(frozen=True)
class Law:
    lammps: str # arguments of pair_style
    tamp: dict # keys of the material
    stiffness: float # N/m, for the time step
    coefficients: str = "" # further arguments of LAMMPS' pair_coeff
    soft: dict = dataclasses.field(default_factory=dict) # keys of tamp's section [soft]

    def lammps_lines(self):
        return [f"pair_style {self.lammps}", f"pair_coeff * * {self.coefficients}"]


def hooke(stiffness, damping, sliding_damping, friction, mass=REDUCED_MASS):
    sliding = 2 / 7 * stiffness
    return Law(f"gran/hooke/history {stiffness!r} {sliding!r} {damping!r} {sliding_damping!r} {friction!r} 1",
               {"normal_law": "linear", "stiffness": stiffness, "viscosity": damping * mass,
                "sliding_stiffness": sliding, "sliding_viscosity": sliding_damping * mass, "friction": friction},
               stiffness, soft={"after_slip": "with_dashpot"})


def hertz(modulus, damping):
    """Of LAMMPS' K_n = 4/3 E*. The stiffness is that at an overlap of a tenth of a radius."""
    return Law(f"gran/hertz/history {4 / 3 * modulus!r} 0 {damping!r} 0 0 0",
               {"normal_law": "hertz", "contact_modulus": modulus,
                "viscosity": damping * REDUCED_MASS * math.sqrt(REDUCED_RADIUS), "friction": 0.0},
               2 * modulus * math.sqrt(REDUCED_RADIUS * 0.1 * RADIUS))


def mindlin(modulus, shear_modulus, damping, friction):
    """G* by LAMMPS' K_t = 8 G*. It multiplies K_t by the radius of the contact, sqrt(R* delta)."""
    normal = hertz(modulus, damping)
    return Law("granular", normal.tamp | {"sliding_law": "mindlin", "contact_shear_modulus": shear_modulus,
                                          "friction": friction}, normal.stiffness,
               f"hertz {4 / 3 * modulus!r} {damping!r} tangential mindlin {8 * shear_modulus!r} 0 {friction!r} "
               "damping viscoelastic", soft={"springs": "rotated"})


PAIR_LAWS = {"hooke": hooke(1e5, 40.0, 20.0, 0.4), "hertz": hertz(0.75e8, 5e4)}

PATH_LAWS = {
    "hooke that slips": hooke(1e5, 0.0, 0.0, 1.0),
    "hooke that slips, with dashpots": hooke(1e5, 400.0, 80.0, 1.0),
    "hooke that sticks, with dashpots": hooke(1e5, 400.0, 200.0, 100.0),
    "hertz with a dashpot": hertz(0.75e8, 5e4),
    "mindlin that slips": mindlin(0.75e8, 4e6, 0.0, 1.1),
    "mindlin that slips, with a dashpot": mindlin(0.75e8, 4e6, 5e4, 1.1),
    "mindlin that sticks, with a dashpot": mindlin(0.75e8, 1.5e7, 5e4, 100.0),
}
