"""Numbers and text as people read them."""

import html
import math

PREFIXES = {-15: "f", -12: "p", -9: "n", -6: "µ", -3: "m", 0: "", 3: "k", 6: "M", 9: "G", 12: "T", 15: "P"}
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Units that take a prefix as a whole; m^3 or J/m does not.
PREFIXED_UNITS = {"s", "m", "N", "J", "Pa", "W", "N/m", "m/s", "B", "N m", "N·m"}


def escaped(text: object) -> str:
    """Text that is safe inside HTML, in attributes too."""
    return html.escape(str(text), quote=True)


def power_of_ten(exponent: int) -> str:
    """10⁻³, for axes."""
    return "10" + str(exponent).translate(SUPERSCRIPTS)


def number(value: float, digits: int = 4) -> str:
    """A number with so many digits; thin spaces between thousands, powers of ten where they are shorter."""
    if isinstance(value, int) or (float(value).is_integer() and abs(value) < 1e15):
        return f"{int(value):,}".replace(",", "\u202f").replace("-", "−")
    if not math.isfinite(value):
        return {True: "not a number"}.get(math.isnan(value), "−∞" if value < 0 else "∞")
    size = abs(value)
    if size >= 1e5 or size < 1e-3:
        mantissa, exponent = f"{value:.{max(0, digits - 2)}e}".split("e")
        return f"{mantissa}·{power_of_ten(int(exponent))}".replace("-", "−")
    places = max(0, digits - 1 - math.floor(math.log10(size)))
    text = f"{value:,.{places}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text).replace(",", "\u202f").replace("-", "−")


def prefix_exponent(largest: float, unit: str) -> int:
    """The power of a thousand that makes the largest value lie between 1 and 1000; 0 for units without prefixes."""
    if unit not in PREFIXED_UNITS or not math.isfinite(largest) or largest <= 0:
        return 0
    exponent = 3 * math.floor(math.log10(largest) / 3 + 1e-12)
    if unit == "s" and largest >= 0.1:  # 0.75 s, 5000 s
        return 0
    return max(min(PREFIXES), min(max(PREFIXES), exponent))


def quantity(value: float, unit: str, digits: int = 3) -> str:
    """A number with its unit, by prefixes: 3.2 kPa."""
    if unit in ("", "1"):
        return number(value, digits)
    exponent = prefix_exponent(abs(value), unit)
    return f"{number(value / 10.0**exponent, digits)}\u00a0{PREFIXES[exponent]}{unit}"


def duration(seconds: float) -> str:
    """Wall time: 3 min 20 s."""
    if not math.isfinite(seconds):
        return number(seconds)
    whole = round(seconds)
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02} min"
    if whole >= 60:
        return f"{whole // 60} min {whole % 60:02} s"
    return quantity(seconds, "s", 2) if seconds < 9.5 else f"{whole} s"


def percent(share: float) -> str:
    """A share of one as percentage."""
    return f"{number(100 * share, 2 if abs(share) < 0.1 else 3)}\u00a0%"


def plural(count: int, word: str) -> str:
    """1 step, 2 steps."""
    return f"{number(count)} {word}{'' if count == 1 else 's'}"
