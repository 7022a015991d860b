// Package papers sets published figures beside the model's. Validate measures
// the rows of all papers; papers/shrimp, papers/userspace, papers/logp, papers/plogp, papers/grim and
// papers/modern each say how the rows of one paper are measured.
//
// # How rows are written
//
// A paper's package has one file per theme, whose first function adds its rows,
// each in one to three lines: the row's id, the name of the experiment, the
// measure, and for a row that needs one the counter-experiment with its measure.
// The optional last argument states in words what is tested, with its thresholds.
// The page shows it.
//
//	r.Of("sh-clk-1s", "clocks set right once", r.testbed(testbed.Spec{Nodes: 8}, drifted))
//	r.Versus("sh-clk-alg", "clock packets of start-up", started(none, inTurn), "queries lost on the way", started(trace.ClockQuery, inTurn))
//
// Rows that differ in a name, a machine or a size are a loop over a table.
//
// A measure returns a judge.Measured and no error:
//
//   - of a testbed: func(*testbed.Testbed) judge.Measured. Errors stick to the testbed, and
//     the wrapper (testbeds.On) returns the first. Programs report errors by Testbed.Keep
//     or Testbed.Fail.
//   - of an experiment that several rows read: judge.Using(experiment, f). Such an
//     experiment is a field made by judge.Once, or judge.Memo for each setting.
//   - of two experiments: judge.Both(one, other, f).
//   - of several experiments or testbeds: judge.Run of a function with a
//     judge.Session, by judge.Get and testbeds.Use. The first error ends it, also one
//     passed to judge.Must.
//
// A parameter of a measure is an argument of the function that returns it. The
// same statement about several layers is judge.Every.
//
// Packages userspace and logp measure all their rows in sessions that share
// results (judge.Recall) and hold the change of the platform. A
// counter-experiment is then the same measure in a session with a change.
//
// A statement about figures is judge.All of claims such as judge.Near, judge.Above
// or judge.Ordered. The note lists the figures' names and values, and the criterion
// their names and the threshold. A statement without figures is judge.States of its
// criterion and of what was seen.
//
// A counter-experiment that changes the machine names an overlay of the paper's
// overlays.toml: fields of the profile, set ("gam.tokens = 1") or relative to it
// ("*0.8", "/50", "+0.3", "-20"). What TOML cannot say is testbed.Spec.Profile.
//
// Each threshold is written once: beside the function that uses it, in the published
// table (within_pct), or as a named constant with its source.
package papers
