#!/usr/bin/env bash
# Several ranks draw the same pictures as one, spheres and discs. Where tubes meet, the last bit of a depth may decide.

# shellcheck source=tests/pictures/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

spheres=(particles=particles:pressure chains=chains slice=slice profile=profile)
discs=(discs particles=particles:coordination chains=chains)
draw 1 "$work/one" "${spheres[@]}"
draw 4 "$work/four" "${spheres[@]}"
draw 1 "$work/one/discs" "${discs[@]}"
draw 3 "$work/four/discs" "${discs[@]}"
shopt -s globstar
for picture in "$work"/one/**/*.png; do
    name=${picture#"$work/one/"}
    if [[ -f $work/four/$name ]]; then
        check "$("$LOOK" differ "$picture" "$work/four/$name") <= 0.05" "per cent of $name differ"
    else
        check "0 > 1" "$name was drawn by several ranks"
    fi
    read -r colours drawn <<<"$("$LOOK" colours "$picture")"
    check "$drawn > 2" "per cent of $name are not blank"
    least=$([[ $name == profile* ]] && echo 5 || echo 25)
    check "$colours >= $least" "colours of $name"
done
check "$(find "$work/one" -name '*.png' | wc -l) == 6" "pictures in all"
check "$(find "$work" -name '.*' -type f | wc -l) == 0" "unfinished files left"
exit "$failed"
