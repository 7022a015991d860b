// Package views has the ten views. A view is a small type in the table of views: it keeps the state
// that it alone needs, draws it, and does the actions that mean something in it.
//
// Files, in reading order:
//   - parts.go: what the parts of a node do over time
//   - views.go: the table of views
//   - spans.go: operations, and where their time goes
//   - waterfall.go: one operation with its steps and packets
//   - percentiles.go: latencies by percentile
//   - signature.go: packets and latencies by size
//   - overview.go: a run at a glance
//   - nodes.go: the table of nodes
//   - timeline.go: packets over time
//   - ruler.go: two marks in the time of a run
//   - packet.go: all about one packet
//   - why.go: the answer of a test
//   - nodetime.go: run time by node
//   - matrix.go: pairs of nodes
//   - blocks.go: pairs of blocks of nodes
//   - logp.go: measurements of layers
//   - logp_plot.go: the plot of a measurement
//   - series.go: curves of a measurement
//   - icicle.go: the time of nodes in parts of parts
//   - histogram.go: packets by size and latency
//   - findings.go: the list of findings
//   - compare.go: what differs between two runs
//   - clock.go: the global clock
//   - view.go: what a view is, and the parts that views share
//   - blocked.go: who waited for whom
package views
