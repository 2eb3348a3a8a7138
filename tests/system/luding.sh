#!/usr/bin/env bash
# The compression test in small: resistance to rolling and torsion lowers the density of packings, and a tamp without it, or
# with another mass, is found.
#
# Needs what common.sh asks for.

# shellcheck source=tests/system/common.sh
. "$(dirname "${BASH_SOURCE[0]}")/common.sh"

"$python" -c 'import h5py, matplotlib' 2>/dev/null || skip "$python has no h5py or no matplotlib"
study() { "$TAMP_SOURCE_DIR/inputs/luding/run.py" --quick --output "$work/study" "$@"; }

study --tamp "$TAMP" || fail "the compression test fails"

# A tamp that changes a setting on its way.
cat >wrong-tamp <<'END_OF_SCRIPT'
#!/usr/bin/env bash
arguments=()
for argument in "$@"; do
    arguments+=("$(sed -E "$WRONG" <<<"$argument")")
done
exec "$RIGHT_TAMP" "${arguments[@]}"
END_OF_SCRIPT
chmod +x wrong-tamp
export RIGHT_TAMP=$TAMP
export WRONG='s/^(material.powder.(friction|rolling_ratio|torsion_ratio))=.*/\1=0/'
if study --tamp "$work/wrong-tamp" >log 2>&1; then fail "a tamp without friction passes"; fi
grep -q "resistance does not lower the density" log || { cat log; fail "a tamp without friction is not named"; }
export WRONG='s/^particles\[0\].count=216/particles[0].count=200/'
if study --tamp "$work/wrong-tamp" >log 2>&1; then fail "a tamp with fewer grains passes"; fi
grep -q "the volume fraction is not 0.0579" log || { cat log; fail "a tamp with fewer grains is not named"; }
