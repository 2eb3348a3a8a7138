#!/usr/bin/env python3
"""Tests of the parts of `tamp report`: test_report.py FOLDER, the folder of its modules."""

import os
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, sys.argv.pop(1))
sys.dont_write_bytecode = True

import h5py  # noqa: E402
import numpy  # noqa: E402

import curves  # noqa: E402
import distributions  # noqa: E402
import figures  # noqa: E402
import friction  # noqa: E402
import hdf5_files  # noqa: E402
import log_file  # noqa: E402
import performance  # noqa: E402
import pictures  # noqa: E402
import series  # noqa: E402
import stages  # noqa: E402
import text  # noqa: E402
from hdf5_files import Group, Measured  # noqa: E402
from problems import FileProblem  # noqa: E402


class Text(unittest.TestCase):
    def test_numbers_are_short_and_right(self):
        for value, digits, expected in [(2515, 4, "2\u202f515"), (0.5778, 3, "0.578"), (3.0, 3, "3"), (-0.25, 3, "−0.25"),
                                        (1.23456e-7, 4, "1.23·10⁻⁷"), (99.96, 3, "100"), (float("nan"), 3, "not a number"),
                                        (0, 3, "0"), (2.5e6, 3, "2\u202f500\u202f000"), (1.5e20, 3, "1.5·10²⁰")]:
            self.assertEqual(text.number(value, digits), expected)

    def test_prefixes(self):
        for value, unit, expected in [(3200, "Pa", "3.2\u00a0kPa"), (7.19e-7, "m", "719\u00a0nm"), (0.75, "s", "0.75\u00a0s"),
                                      (0.05, "s", "50\u00a0ms"), (5000, "s", "5\u202f000\u00a0s"), (1000, "N", "1\u00a0kN"),
                                      (0.0, "J", "0\u00a0J"), (0.004, "m^3", "0.004\u00a0m^3"), (-2e6, "Pa", "−2\u00a0MPa")]:
            self.assertEqual(text.quantity(value, unit), expected)

    def test_durations(self):
        for seconds, expected in [(0.5, "0.5\u00a0s"), (12.4, "12 s"), (75, "1 min 15 s"), (7260, "2 h 01 min")]:
            self.assertEqual(text.duration(seconds), expected)


class Files(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.path = Path(self.folder.name) / "file"
        self.addCleanup(self.folder.cleanup)

    def test_series(self):
        self.path.write_text("time [s],step,stage,kinetic energy [J],sweeps\n0.1,1,1,2.5,7\n0.3,3,2,1.5,9\n0.4,4,2,")
        remarks = []
        read = series.read_series(self.path, remarks)
        self.assertEqual([(one.name, one.unit) for one in read.columns][3:], [("kinetic energy", "J"), ("sweeps", "")])
        self.assertEqual(read.values("sweeps").tolist(), [7, 9])
        self.assertEqual(len(remarks), 1)
        self.assertAlmostEqual(read.time_of_step(2), 0.2)
        self.assertIsNone(read.time_of_step(5))

    def test_groups_take_the_rows_that_have_a_time(self):
        with h5py.File(self.path, "w") as file:
            group = file.create_group("pair_correlation")
            group["time"] = [0.1, 0.2, 0.3]
            group["value"] = numpy.arange(8.0).reshape(4, 2)  # a run was stopped before it wrote the time
            group["distance"] = numpy.arange(6.0).reshape(3, 2)
            group["young"] = numpy.arange(4.0).reshape(2, 2)
            file.create_group("empty")
        columns, groups = hdf5_files.read_measured(self.path, [])
        self.assertEqual((columns, [group.name for group in groups]), ([], ["pair correlation"]))
        arrays = {array.name: array.values.tolist() for array in groups[0].arrays}
        self.assertEqual(arrays, {"value": [[0, 1], [2, 3], [4, 5]], "distance": [[0, 1], [2, 3], [4, 5]]})
        self.assertEqual(groups[0].time.tolist(), [0.1, 0.2, 0.3])

    def test_series_tells_the_input_where_no_state_does(self):
        folder = self.path.parent
        for name, value in (("series.h5", "young"), ("stage-1-fall.h5", "old")):
            with h5py.File(folder / name, "w") as file:
                file.attrs["input"] = value
        os.utime(folder / "stage-1-fall.h5", (1, 1))
        self.assertEqual(hdf5_files.state_attributes(folder, []), {"input": "old"})
        (folder / "stage-1-fall.h5").unlink()
        self.assertEqual(hdf5_files.state_attributes(folder, []), {"input": "young"})

    def test_damaged_series_name_the_line(self):
        for line in ("0.2,2,1,x", "0.2,2,1", "0.2,2,1,3,4"):
            self.path.write_text(f"time [s],step,stage,sweeps\n0.1,1,1,2\n{line}\n0.3,3,1,2\n")
            with self.assertRaisesRegex(FileProblem, "line 3"):
                series.read_series(self.path, [])

    def test_friction_is_left_out_where_there_is_none(self):
        case = {"material": [{"friction": 0}, {"friction": 0.0}], "pair": [{"restitution": 0.5}]}
        self.assertTrue(friction.is_frictionless(case))
        for other in ({}, {"material": "damaged"}, case | {"pair": [{"friction": 0.1}]},
                      {"material": [{"friction": 0}, {"friction": 0.3}]}):
            self.assertFalse(friction.is_frictionless(other), other)
        one = numpy.zeros(1)
        array = lambda name: Measured(name, "", "", one)  # noqa: E731
        groups = [Group("mobilisation distribution", one, [array("mobilisation"), array("density")]),
                  Group("force distribution", one, [array("force"), array("normal"), array("tangential")])]
        drawn = series.Series([series.Column(name, "", one, one) for name in ("coordination", "mean mobilisation")])
        friction.leave_friction_out(drawn, groups)
        self.assertEqual([(group.name, [a.name for a in group.arrays]) for group in groups],
                         [("force distribution", ["force", "normal"])])
        self.assertEqual([column.name for column in drawn.columns], ["coordination"])

    def test_log(self):
        self.path.write_text(
            "2026-01-02 03:04:05 tamp 0.1.0 (abc): a b.toml on 3 ranks, results in x\n"
            "2026-01-02 03:04:05 warning: careful\n2026-01-02 03:04:06 warning: careful\n"
            "2026-01-02 03:05:00 settle: ended by rest at t = 0.35 s after 12 steps; and so on\n"
            "2026-01-02 03:05:01 \nSummary\n  WARNING          5 steps stopped\n  packing          no warning here\n")
        log = log_file.read_log(self.path)
        self.assertEqual((log.version, log.revision, log.case, log.ranks), ("0.1.0", "abc", "a b.toml", 3))
        self.assertEqual((log.begin, log.end), ("2026-01-02 03:04:05", "2026-01-02 03:05:01"))
        self.assertEqual(log.warnings, {"careful": 2, "5 steps stopped": 1})
        self.assertEqual(log.stages, [log_file.StageEnd("settle", "rest", 0.35, 12)])
        times = numpy.array([0.1, 0.35, 0.4])
        rows = series.Series([series.Column("time", "s", times, times),
                              series.Column("stage", "", times, numpy.array([1.0, 1, 2]))])
        found = stages.find_stages(rows, {1: "settle"}, log)
        self.assertEqual([(one.name, one.begin, one.end, one.steps) for one in found],
                         [("settle", 0, 0.35, 12), ("stage 2", 0.35, 0.4, None)])


class Drawing(unittest.TestCase):
    def test_thinning_keeps_ends_and_peaks(self):
        x = numpy.arange(100000.0)
        y = numpy.sin(x / 5000)
        y[43210] = 77
        y[60000:70000] = numpy.nan
        thin_x, thin_y = figures.thinned(x, y)
        self.assertLess(thin_x.size, 1500)
        self.assertEqual((thin_x[0], thin_x[-1], numpy.nanmax(thin_y)), (0, 99999, 77))
        self.assertTrue((numpy.diff(thin_x) > 0).all())

    def test_units_have_prefixes_or_powers(self):
        for largest, unit, expected in [(3200, "Pa", (1e3, "kPa")), (2e8, "1/m", (1e8, "10⁸ 1/m")), (0, "1/m", (1, "1/m")),
                                        (5e-5, "", (1e-5, "10⁻⁵")), (0.5, "", (1, "")), (400000, "", (1, ""))]:
            self.assertEqual(figures.scaled_unit(largest, unit), expected)
        self.assertEqual(figures.axis_label("flow", "m^3/s"), "flow [m³/s]")

    def test_log_axes_are_for_positive_numbers_of_many_sizes(self):
        self.assertTrue(figures.spans_decades(numpy.array([0, 1e-6, 1])))
        for values in ([1, 2, 3], [-1, 1e-6, 1], [0, 0], []):
            self.assertFalse(figures.spans_decades(numpy.array(values, dtype=float)))

    def test_only_short_peaks_are_cut_off(self):
        usual = numpy.sin(numpy.arange(1000.0))
        self.assertEqual(figures.cut_peaks([usual, usual + 5]), (None, None))
        for sign in (1, -1):
            spike, end = usual.copy(), usual.copy()
            spike[500] = end[-1] = sign * 100
            cut = figures.cut_peaks([spike, usual])[sign > 0]
            self.assertTrue(1 < sign * cut < 3)
            self.assertIsNone(figures.cut_peaks([spike, usual])[sign < 0])
            self.assertEqual(figures.cut_peaks([end, usual]), (None, None))  # where a curve ends matters
        rare = [numpy.zeros(100)] * 99 + [numpy.ones(100)]
        for curves_of in (rare, [numpy.zeros(9)], [numpy.full(9, numpy.nan)], []):
            self.assertEqual(figures.cut_peaks(curves_of), (None, None))

    def test_every_wall_has_its_figures(self):
        time = numpy.arange(2.0)
        read = series.Series([series.Column(f"wall {name} {kind} {axis}", unit, time, time * (name != "z+"))
                              for name in ("z-", "z+", "a force x") for kind, unit in (("force", "N"), ("torque", "N m"))
                              for axis in "xyz"])
        panels = curves.wall_panels(read)
        self.assertEqual([panel.title for panel in panels], ["Force on z-", "Torque on z-", "Force on z+", "Torque on z+",
                                                             "Force on a force x", "Torque on a force x"])
        self.assertTrue(all(len(panel.columns(read)) == 3 for panel in panels))
        self.assertEqual([panel.is_silent(read) for panel in panels], [False, False, True, True, False, False])
        plots = curves.draw_panels(panels[:2] + panels[4:], read, [], {}, set())
        self.assertEqual(len({plot.svg.split('id="')[1] for plot in plots}), 4)

    def test_names_and_colours_of_a_figure(self):
        figure, axes = figures.new_axes()
        axes.plot([0, 1], [0, 1], color=figures.CURVES[1], gid="curve-0")
        svg = figures.svg_of(figure, 'a "title" <b>', "own")
        self.assertIn("var(--curve-2)", svg)
        self.assertIn('id="own-curve-0"', svg)
        self.assertIn("a &quot;title&quot; &lt;b&gt;", svg)
        self.assertNotRegex(svg, r'id="(?!own-)|url\(#(?!own-)|#1f6fb4|<metadata')

    def test_pictures_are_spread_evenly(self):
        self.assertEqual(pictures.spread(list(range(101)), 5), [0, 25, 50, 75, 100])
        self.assertEqual(pictures.spread([1, 2], 5), [1, 2])
        self.assertEqual(pictures.spread([1, 2, 3], 1), [3])

    def test_coordinates_are_found_by_shape_and_name(self):
        force, edges = Measured("force", "1", "", numpy.arange(4.0)), Measured("overlap edges", "m", "", numpy.arange(4.0))
        group = Group("distribution", numpy.arange(2.0), [], [force, edges])
        four, three = (Measured(name, "", "", numpy.ones((2, count))) for name, count in [("force density", 4), ("overlap", 3)])
        self.assertIs(distributions.coordinate_of(group, four), force)
        self.assertIs(distributions.coordinate_of(group, three), edges)
        self.assertEqual(distributions.positions(edges, 0, 3).tolist(), [0.5, 1.5, 2.5])
        self.assertIsNone(distributions.coordinate_of(group, Measured("x", "", "", numpy.ones((2, 9)))))

    def test_coordinates_over_time_are_axes(self):
        for name, known in distributions.KNOWN.items():
            axis = Measured(known.coordinate, "m", "", numpy.array([[1.0, 2, 3], [0, 0, 0]]))  # none at the last time
            values = Measured("density", "", "", numpy.array([[3.0, 2, 1], [1, 2, 3]]))
            outside = Measured("outside", "", "", numpy.arange(3.0))  # as many times as bins
            group = Group(name, numpy.arange(2.0), [values, axis], [outside])
            self.assertIs(distributions.coordinate_of(group, values), axis)
            self.assertEqual(distributions.positions(axis, 0, 3).tolist(), [1, 2, 3])
            self.assertEqual([plot.title.lower() for plot in distributions.draw_groups([group])], [name])
        rising = Measured("bin centres", "m", "", numpy.array([[1.0, 2, 3], [2, 3, 4]]))
        group = Group("novel distribution", numpy.arange(2.0), [values, rising])
        self.assertIs(distributions.coordinate_of(group, values), rising)

    def test_fields_know_where_they_are(self):
        corners = [Measured("lower", "m", "", numpy.array([[0.0, 0, 0], [0, 0, 0.01]])),
                   Measured("upper", "m", "", numpy.array([[9.0, 9, 9], [0.02, 0, 0.03]]))]
        field = Measured("coordination", "", "contacts a particle", numpy.ones((2, 4, 3, 2)))
        plots = distributions.draw_groups([Group("field", numpy.arange(2.0), [field, *corners])])
        self.assertEqual([plot.title for plot in plots], ["Field: coordination"])
        for label in ("x [mm]", "z [mm]", ">30<", ">10<", ">20<"):
            self.assertIn(label, plots[0].svg)
        self.assertEqual(plots[0].note, "Contacts a particle. Mean over y, at t = 1\u00a0s.")
        self.assertIn("x [cells]", distributions.draw_groups([Group("field", numpy.arange(2.0), [field])])[0].svg)

    def test_stress_of_discs_is_the_mean_of_two_components(self):
        stress = Measured("contact stress", "Pa", "", numpy.tile([4.0, 2, 0, 0, 0, 0], (1, 1, 3, 2, 1)))
        self.assertEqual(distributions.scalar_field(stress, 2)[0].tolist(), [[[3, 3]] * 3])
        self.assertEqual(distributions.scalar_field(stress, 3)[0].tolist(), [[[2, 2]] * 3])
        profile = Group("profile", numpy.zeros(1), [Measured("position", "m", "along y", numpy.array([[1.0, 2, 3]])),
                                                    Measured("contact stress", "Pa", "", stress.values[0, ..., 0, :])])
        plot = distributions.draw_groups([profile])[0]
        self.assertEqual([entry.label for entry in plot.legend], ["xx", "yy"])
        self.assertIn("position along y [m]", plot.svg)

    def test_nothing_counted_is_no_curve(self):
        axis = Measured("overlap", "m", "", numpy.array([[0.2, 0.5, 0.8], [1e-6, 2e-6, 3e-6]]))  # up to 1 m without any
        group = Group("overlap distribution", numpy.array([0.0, 1]),
                      [axis, Measured("density", "1/m", "", numpy.array([[0.0, 0, 0], [3e6, 2e6, 1e6]]))])
        plot = distributions.draw_groups([group])[0]
        self.assertEqual([entry.label for entry in plot.legend], ["t = 1\u00a0s"])
        self.assertEqual(plot.note, "Nothing to show for t = 0\u00a0s.")
        self.assertIn("probability density [10⁶ 1/m]", plot.svg)
        self.assertIn("overlap [µm]", plot.svg)


class Performance(unittest.TestCase):
    def test_parts_add_up_to_the_whole(self):
        report = {"seconds": 10, "parts": {name: {"mean_seconds": value} for name, value in {
            "solve": 6, "sweeps": 3, "exchange": 2, "move": 1.5, "novelty": 0.5}.items()}}
        parts = dict(performance.exclusive_parts(report))
        self.assertEqual(parts, {"sweeps": 3, "exchange": 2, "everything else": 2, "move": 1.5, "solve, the rest": 1,
                                 "novelty": 0.5})

    def test_balance_and_scheme_are_told(self):
        report = {"ranks": 4, "state_hash": "ab", "scheme": "block", "seconds": 2, "waiting_seconds": 0.5, "load_balance": {
            "cost": "counted", "count": 3, "imbalance_before": 1.35, "imbalance_after": 1.04, "busy_imbalance": 1.1}}
        facts = dict(performance.performance_facts(report))
        self.assertEqual(facts["Load balance"],
                         "3 times by counted cost, imbalance 1.35 to 1.04 at last; of time since then 1.1")
        self.assertEqual(facts["Waiting for other ranks"], "25\u00a0%")
        self.assertEqual(performance.hash_text(report), "ab (block scheme on 4 ranks)")
        self.assertEqual(performance.hash_text(report | {"block_ranks": [3, 1, 4]}), "ab (block scheme on 3, then 1, then 4 ranks)")
        self.assertEqual(performance.hash_text(report | {"block_ranks": [1]}), "ab (block scheme on 1 rank)")
        self.assertEqual(performance.hash_text({"state_hash": "ab", "scheme": "phases", "ranks": 4}), "ab")
        self.assertEqual(performance.other_facts(report), [])

    def test_strange_reports_are_no_problem(self):
        for report in ({}, {"seconds": "x", "parts": 3}, {"steps": 0, "seconds": 0, "contact_updates": 5}):
            self.assertIsNone(performance.draw_parts(report))
            performance.performance_facts(report)
        self.assertEqual(performance.other_facts({"new": {"pause_seconds": 75, "flag": True}, "seconds": 1}),
                         [("new.pause_seconds", "1 min 15 s"), ("new.flag", "True")])


if __name__ == "__main__":
    unittest.main()
