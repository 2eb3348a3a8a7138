#!/usr/bin/env bash
# Every particle is in the picture, in its place and true to scale; its colour follows the quantity. Grains fill the
# picture where the box is much larger. A profile's points are at the heights of their cells.

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

# columns_and_rows FILE: pixels between the outermost particles, and how many particles there are
columns_and_rows() {
    "$LOOK" blobs "$1" | awk '
        NR == 1 { left = right = $1; low = high = $2 }
        { left = $1 < left ? $1 : left; right = $1 > right ? $1 : right }
        { low = $2 < low ? $2 : low; high = $2 > high ? $2 : high }
        END { print right - left, high - low, NR }'
}

# Three rows of four discs. As large as they are, the box would leave them 63 rows of 720.
draw 1 "$work/corner" corner near=particles zoom:0.5 half=particles zoom:1 frame:box far=particles | tee "$work/said"
check "$(grep -c warning "$work/said" || true) == 0" "warnings"
read -r near_columns near_rows near_count <<<"$(columns_and_rows "$work/corner/near-00000000.png")"
read -r half_columns _ half_count <<<"$(columns_and_rows "$work/corner/half-00000000.png")"
read -r _ far_rows far_count <<<"$(columns_and_rows "$work/corner/far-00000000.png")"
check "$near_count == 12 && $half_count == 12 && $far_count == 12" "discs in the pictures of the corner"
check "$near_rows > 300" "rows of pixels between the first and the last row of discs"
check "$far_rows > 55 && $far_rows < 70" "rows of pixels where the whole box is framed"
check "$half_columns / $near_columns > 0.49 && $half_columns / $near_columns < 0.51" "half the size at half the zoom"

# One sphere is 2 diameters to the right, 4 behind and 12 above the other. The second picture is taken from above.
draw 1 "$work/pair" pair camera:0,1,0 side=particles camera:0,0,-1 above=particles |
    tee "$work/said"
check "$(grep -c warning "$work/said" || true) == 0" "warnings"
read -r side_columns side_rows side_count <<<"$(columns_and_rows "$work/pair/side-00000000.png")"
read -r above_columns above_rows above_count <<<"$(columns_and_rows "$work/pair/above-00000000.png")"
check "$side_count == 2 && $above_count == 2" "spheres in the pictures of the pair"
check "$side_rows > 400" "rows of pixels between the spheres"
check "$side_rows / $side_columns > 5 && $side_rows / $side_columns < 7" "six times as high as wide, from the side"
check "$above_rows / $above_columns > 1.7 && $above_rows / $above_columns < 2.4" "twice as high as wide, from above"

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
