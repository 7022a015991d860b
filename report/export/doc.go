// Package export writes directories of runs, measurements and sweeps in the forms of
// other tools: Parquet, CSV, HdrHistogram logs and percentiles, a trace for Perfetto, a
// schedule in GOAL, a connection matrix for csg-htsim. Every file says of what it is.
//
// Tables of packets are written batch by batch, so that they may be larger than memory.
//
// Files, in reading order:
//   - export.go: the files of each form
//   - figures.go: directories of measurements and sweeps
//   - tables.go: tables as Parquet and CSV
//   - histograms.go: HdrHistogram logs and percentiles
//   - merged.go: several traced runs for Perfetto
//   - timeline.go: a traced run for Perfetto
//   - forest.go: operations within operations
//   - pieces.go: packets and engines on tracks
//   - schedule.go: what a traced run computes and sends, as a schedule
//   - connections.go: who sends how much to whom, for csg-htsim
//   - scene.go: the nodes of a trace
//   - read.go: tables of the run
//   - spec.go: what to export
package export
