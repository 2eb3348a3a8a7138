"""Collisions of two equal spheres, and of two discs, in closed form or by quadrature.

Nothing here comes from the program: the equations are those of the papers that README.md names. `m` is the reduced
mass, `radius` the reduced radius (half the radius of two equal spheres) and `v` the relative speed.
"""

from math import acos, atan2, atanh, cos, exp, gamma, hypot, inf, log, pi, sqrt

STEPS = 200  # of each part of a quadrature: errors of 1e-9, which fall with the fourth power of the step


def rung(function, state, x, h):
    """One step of the fourth-order Runge-Kutta method for d state/dx = function(x, state), a list."""
    def moved(slopes, share):
        return [a + share * h * b for a, b in zip(state, slopes)]
    one = function(x, state)
    two = function(x + h / 2, moved(one, 0.5))
    three = function(x + h / 2, moved(two, 0.5))
    four = function(x + h, moved(three, 1))
    return [a + h / 6 * (b + 2 * c + 2 * d + e) for a, b, c, d, e in zip(state, one, two, three, four)]


# ---- Hertz [002 eq. 1, 2, 10] ------------------------------------------------------------------------------------

def hertz_overlap(modulus, radius, m, v):
    """Largest overlap without damping: 2/5 K d^(5/2) = m v^2/2, K = 4/3 E sqrt(R)."""
    return (15 * m * v * v / (16 * modulus * sqrt(radius))) ** 0.4


def hertz_time(modulus, radius, m, v):
    """[002 eq. 2]: 2 int_0^1 dx/sqrt(1 - x^(5/2)) largest overlaps over v."""
    return 0.8 * sqrt(pi) * gamma(0.4) / gamma(0.9) * hertz_overlap(modulus, radius, m, v) / v


def damped_hertz(modulus, damping, exponent, radius, m, v):
    """Restitution and contact time with the dashpot D d^l d' [002 eq. 10].

    In units of the undamped largest overlap d_0 and of d_0/v: x'' = -5/4 x^(3/2) - b x^l x', b = D d_0^(l + 1)/(m v).
    """
    overlap = hertz_overlap(modulus, radius, m, v)
    restitution, time = hertz_collision(exponent, damping * overlap ** (exponent + 1) / (m * v))
    return restitution, time * overlap / v


def hertz_collision(exponent, damping):
    """The same in these units. Near x = 0 it is followed as a function of s = x^(1/4), in which all powers are smooth,
    with w = x'^2/2 and the time as unknowns; around the turning point as a function of time."""
    def closing(s, state):
        return slopes(s, state, -1)

    def opening(s, state):
        return slopes(s, state, 1)

    def slopes(s, state, sign):
        speed = sqrt(max(2 * state[0], 0.0))
        dashpot = damping * s ** (4 * exponent) * speed
        return [4 * s ** 3 * (sign * dashpot - 1.25 * s ** 6), 4 * s ** 3 / speed if speed > 0 else inf]

    def in_time(_, state):
        x, speed = state
        return [speed, -1.25 * x ** 1.5 - damping * x ** exponent * speed]

    for switch in (0.7, 0.5, 0.3, 0.2, 0.1, 0.05):  # in s; below the turning point
        state = [0.5, 0.0]
        for i in range(STEPS):
            state = rung(closing, state, i * switch / STEPS, switch / STEPS)
            if state[0] <= 0.02:
                break
        else:
            break
    else:
        return 0.0, inf
    speed, time = sqrt(2 * state[0]), state[1]
    place, h = [switch ** 4, speed], 2 / STEPS
    while True:
        after = rung(in_time, place, 0, h)
        if after[0] < switch ** 4:
            break
        place, time = after, time + h
        if time > 200:
            return 0.0, inf
    low, high = 0.0, h  # the rest of the last step, by halving
    for _ in range(60):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if rung(in_time, place, 0, middle)[0] > switch ** 4 else (low, middle)
    state = [0.5 * rung(in_time, place, 0, low)[1] ** 2, 0.0]
    time += low
    for i in range(STEPS):
        state = rung(opening, state, switch * (1 - i / STEPS), -switch / STEPS)
        if state[0] <= 0:
            return 0.0, inf  # it creeps and never parts
    return sqrt(2 * state[0]), time - state[1]


# ---- Linear spring and dashpot [004 eq. 4-5] ------------------------------------------------------------------------

def linear(stiffness, viscosity, m):
    """Restitution and contact time."""
    eta = viscosity / (2 * m)
    time = pi / sqrt(stiffness / m - eta * eta)
    return exp(-eta * time), time


def linear_viscosity(stiffness, m, restitution):
    share = -log(restitution) / hypot(pi, log(restitution))
    return 2 * share * sqrt(stiffness * m)


# ---- Elastic and perfectly plastic spheres (Thornton 1997) -------------------------------------------------------

def yielding(modulus, pressure, radius, m, v):
    """Restitution by Thornton's formula, and the time until the overlap is zero."""
    yield_overlap = radius * (pi * pressure / (2 * modulus)) ** 2
    slope = pi * radius * pressure
    yield_force = 2 / 3 * slope * yield_overlap
    yield_speed = sqrt(0.8 * yield_force * yield_overlap / m)
    if v <= yield_speed:
        return 1.0, hertz_time(modulus, radius, m, v)
    x = yield_speed / v
    restitution = sqrt(1.2 * sqrt(3)) * sqrt(1 - x * x / 6) * (x / (x + 2 * sqrt(1.2 - 0.2 * x * x))) ** 0.25
    elastic = 0.0  # int_0^yield d delta/speed by Simpson's rule in u, delta = yield_overlap (1 - u^2)
    for i in range(1, STEPS + 1):
        u = i / STEPS
        weight = 1 if i == STEPS else 4 if i % 2 else 2
        elastic += weight * 2 * u / sqrt(v * v - yield_speed ** 2 * (1 - u * u) ** 2.5) / (3 * STEPS)
    omega, left = sqrt(slope / m), sqrt(v * v - yield_speed ** 2)
    plastic = atan2(m * omega * left, yield_force) / omega
    force = hypot(yield_force, sqrt(slope * m) * left)
    largest = yield_overlap + (force - yield_force) / slope
    back = restitution * v
    spring = 1.25 * m * back * back / force  # 2/5 force spring = m back^2/2
    unloading = 0.4 * sqrt(pi) * gamma(0.4) / gamma(0.9) * spring / back
    return restitution, elastic * yield_overlap + plastic + unloading + (largest - spring) / back


# ---- Piecewise linear springs (Walton and Braun 1986; [004 eq. 6-8]) ------------------------------------------------

def latching(k1, k2, growth, m, v):
    """Restitution sqrt(k_1/K_2) with K_2 = k_2 + S F_m, and the time until the overlap is zero."""
    largest = v * sqrt(m / k1)
    unloading = k2 + growth * k1 * largest
    restitution = sqrt(k1 / unloading)
    dent = largest * (1 - k1 / unloading)
    return restitution, pi / 2 * (sqrt(m / k1) + sqrt(m / unloading)) + dent / (restitution * v)


def adhesive(k1, k2, kc, depth, mean_radius, m, v):
    """Restitution e^2 = k_1/k_2' - k_c/k_1 (k_2' - k_1)^2/(k_2' (k_2' + k_c)), zero where they stay together."""
    largest = v * sqrt(m / k1)
    star = k2 / (k2 - k1) * depth * mean_radius  # [004 eq. 7]
    unloading = k1 + (k2 - k1) * min(1.0, largest / star)
    square = k1 / unloading - kc / k1 * (unloading - k1) ** 2 / (unloading * (unloading + kc))
    if square <= 0:
        return 0.0, inf
    least_at, swing = (unloading - k1) * largest / (unloading + kc), k1 / unloading * largest
    omega = sqrt(unloading / m)
    phase = acos((least_at - largest + swing) / swing)
    speed = sqrt((swing * omega) ** 2 - (omega * (least_at - largest + swing)) ** 2)
    rate = sqrt(kc / m)
    parting = atanh(least_at * rate / speed) / rate if kc > 0 else least_at / speed
    return sqrt(square), pi / 2 * sqrt(m / k1) + phase / omega + parting


# ---- Rotation [002 eq. 11-14] ----------------------------------------------------------------------------------------

def spin_after(ratio, dimension):
    """Spin after over spin before a collision without sliding; `ratio` is K_t/K_n, kappa = m a^2/I."""
    kappa = 2.5 if dimension == 3 else 2.0
    angle = pi * sqrt((1 + kappa) * ratio)
    return 1 - kappa / (1 + kappa) * (1 - cos(angle))


def reversals_at(dimension):
    """K_t/K_n above which the spin has been reversed once, and twice, when the grains part: cos(angle) = -1/kappa."""
    kappa = 2.5 if dimension == 3 else 2.0
    turn = acos(-1 / kappa)
    return (turn / pi) ** 2 / (1 + kappa), ((2 * pi - turn) / pi) ** 2 / (1 + kappa)
