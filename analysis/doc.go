// Package analysis computes a performance signature from the records of interfaces,
// compares it with a baseline, says in words what deviates and names candidates
// for the cause, and compares two runs. It works offline, on snapshots or on the tables of a run
// directory. It knows no model, so that the records may come from real hosts.
//
// A View is a table whose rows, columns and figures are chosen once. Reports in
// every format and the terminal draw the same views. Views, charts and the diagnosis
// are made of Packets: the rows of a table that differ only in the stage.
//
// Files, in reading order:
//   - windows.go: windows of a sampled run
//   - packets_view.go: views of packets by size, class, pair and kind
//   - change_view.go: the view of changes
//   - runtime.go: the view of where run time went
//   - nodes.go: sums of packets by node, and the view of nodes
//   - operations_view.go: views of operations and phases
//   - gaps_view.go: the view of records that the nodes lost
//   - online_view.go: the view of what was found while the program ran
//   - congestion.go: switches with buffers: crowded and halted ports, flows that lost packets
//   - observed.go: what a kernel was seen to do
//   - clock_view.go: the view of the global clock by node
//   - columns.go: columns of a view
//   - view.go: what a view is, its part for a display, and how it becomes JSON or CSV
//   - change.go: two runs, stage by stage at the same packet sizes
//   - mean.go: several runs as one
//   - differs.go: in which fields the origins of two runs differ
//   - work.go: fields that say what work is done
//   - story.go: the diagnosis in a sentence
//   - diagnose.go: what deviates from the baseline, in words
//   - clock_error.go: by how much clocks make means wrong
//   - real.go: what the stages of real hosts are
//   - stagename.go: what people call the stages
//   - operations.go: sums over operations and phases
//   - times.go: durations in bins
//   - packets.go: the rows of a signature with their latencies side by side
//   - level.go: above, below, within or unclear
//   - pool.go: pooled latencies of groups of packets
//   - cluster.go: standard errors by pairs of nodes, and the rows of pairs
//   - baseline_json.go: a baseline as it is cached
//   - idle.go: what the packets of operations take on idle nodes beyond single messages
//   - baseline.go: the unloaded latencies of any packet size, and deviations from them
//   - exact.go: percentiles from the packets of a trace
//   - signature.go: the signature from the histograms of a run
//   - estimate.go: a mean with its standard error and interval
//   - figures.go: how numbers are written
package analysis
