#!/usr/bin/env bash
# The study of collisions in small: every law has the restitution of theory, and one that does not have it is found.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$python" -c 'import h5py, matplotlib' 2>/dev/null || skip "$python has no h5py or no matplotlib"
study() { "$TAMP_SOURCE_DIR/inputs/walton/run.py" --quick --output "$work/study" "$@"; }

study --tamp "$TAMP" || fail "a law is not what theory says"
[[ $(head -c 4 "$work/study/walton.png" | tail -c 3) == PNG ]] || fail "walton.png is not a picture"
[[ $(cut -d, -f1 "$work/study/convergence.csv" | sort -u | wc -l) -ge 12 ]] || fail "convergence.csv lacks laws"

# A tamp that reads some keys 2 % too large.
cat >wrong-tamp <<'END_OF_SCRIPT'
#!/usr/bin/env bash
if [[ $1 == run ]]; then
    awk -v keys="$WRONG" 'index(keys, " " $1 " ") { $3 *= 1.02 } { print }' "$2" >"$2.wrong"
    mv "$2.wrong" "$2"
fi
exec "$RIGHT_TAMP" "$@"
END_OF_SCRIPT
chmod +x wrong-tamp
export RIGHT_TAMP=$TAMP WRONG=" viscosity unloading_growth yield_pressure adhesion_stiffness sliding_stiffness "
laws=("hertz l=0.5" "latching, growing" yielding adhesive)
if study --tamp "$work/wrong-tamp" --laws "${laws[@]}" >log 2>&1; then fail "wrong laws pass"; fi
for law in "${laws[@]}"; do
    grep -q "^$law: .* the law is not that of theory" log || { cat log; fail "a wrong $law is not found"; }
done
grep -q "^spin in 3-D" log || { cat log; fail "a wrong spring of friction is not found"; }
