#!/usr/bin/env bash
# Every particle is in the picture, in its place and true to scale; its colour follows the quantity. A profile's points
# are at the heights of their cells.

# shellcheck source=tests/pictures/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

draw 1 "$work" lattice all=particles | tee "$work/said"
check "$(grep -c warning "$work/said" || true) == 0" "warnings"
"$LOOK" blobs "$work/all-00000000.png" | sort -n >"$work/blobs"
check "$(wc -l <"$work/blobs") == 40" "particles in the picture"
# Columns of five, from left to right; spheres of every other column have twice the radius. The disc that counts as
# coloured ends at the black edge, at sqrt(0.8) of the radius.
awk '
    { column = int((NR - 1) / 5); x[column] += $1 / 5; area[column] += $3 / 5 }
    END {
        step = (x[7] - x[0]) / 7
        for (c = 0; c < 8; ++c) {
            radius = sqrt(area[c] / 3.14159265 / 0.8) / (step / 2)
            expected = c % 2 ? 0.8 : 0.4
            place = (x[c] - x[0]) / step - c
            wrong += radius < 0.97 * expected || radius > 1.03 * expected || place < -0.01 || place > 0.01
            printf "column %d: radius %.3f of %.1f, off by %.3f\n", c, radius, expected, place
        }
        exit wrong > 0
    }' "$work/blobs" || failed=1
check "$failed == 0" "radii and places"

# Twelve layers from the bottom to the top of the box, then to its middle: half as high and half as far apart. The
# first and the last point are discs of the same size, which the difference of their upper edges is free of.
for share in 1 0.5; do
    draw 1 "$work/$share" lattice "grid:$share" profile=profile | tee "$work/said"
    check "$(grep -c warning "$work/said" || true) == 0" "warnings"
done
read -r low high <<<"$("$LOOK" ends "$work/1/profile-00000000.png")"
read -r half_low half_high <<<"$("$LOOK" ends "$work/0.5/profile-00000000.png")"
check "$high - $low > 400" "rows of a profile over the whole height"
# In units of a layer: 0.5 to 11.5, and 0.25 to 5.75.
check "($high - $half_high) / ($low - $half_low) > 20 && ($high - $half_high) / ($low - $half_low) < 26" \
    "the upper ends are 23 times as far apart as the lower ones"
exit "$failed"
