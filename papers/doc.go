// Package papers sets published figures beside the model's. Validate measures
// the rows of all papers; papers/shrimp, papers/userspace and papers/logp each
// say how the rows of one paper are measured.
//
// # How rows are written
//
// A paper's package has one file per theme, whose first function adds its rows,
// each in one to three lines: the row's id, the name of the experiment, the
// measure, and for a row that needs one the counter-experiment with its measure.
// A last argument states what is tested in words, with its thresholds, where the
// published row does not; the page shows it.
//
//	r.Of("sh-clk-1s", "clocks set right once", r.bed(testbed.Spec{Nodes: 8}, drifted))
//	r.Versus("sh-clk-alg", "clock packets of start-up", started(none, inTurn), "queries lost on the way", started(trace.ClockQuery, inTurn))
//
// Rows that differ in a name, a machine or a size are a loop over a table.
//
// A measure returns a judge.Measured and no error:
//
//   - of a bed: func(*testbed.Bed) judge.Measured. Errors stick to the bed, and
//     the wrapper (beds.On) asks for them once. What a program calls and what may
//     fail goes through Bed.Keep or Bed.Fail.
//   - of an experiment that several rows read: judge.Using(experiment, f). Such an
//     experiment is a field made by judge.Once, or judge.Memo for each setting.
//   - of two experiments: judge.Both(one, other, f).
//   - of several experiments or beds: judge.Run of a function with a
//     judge.Session, by judge.Get and beds.Use. The first error ends it, as it
//     does that of a call within judge.Must.
//
// A parameter of a measure is an argument of the function that returns it. What
// is the same statement about several layers is judge.Every.
//
// Packages userspace and logp measure all their rows in sessions that share
// results (judge.Recall) and know the change of the platform, so that a
// counter-experiment is the same measure in a session with a change.
//
// A statement about figures is judge.All of claims, as judge.Near, judge.Above or
// judge.Ordered: these make the note of the figures' names and values, and the
// criterion of the names and the threshold. A statement that no figure makes is
// judge.States of its criterion and what was seen.
//
// A counter-experiment that changes the machine names an overlay of the paper's
// overlays.toml: fields of the profile, set ("gam.tokens = 1") or relative to it
// ("*0.8", "/50", "+0.3", "-20"). What TOML cannot say is testbed.Spec.Profile.
//
// Thresholds stand once, beside the function that uses them, in the published
// table (within_pct) or as a named constant with its source.
package papers
