// Package report shows a run, the comparison of two runs, why a program waits, measurements of layers, and many runs as
// text for a terminal, Markdown, self-contained HTML, or JSON. All are pure functions:
// the same result gives the same bytes.
//
// Files, in reading order:
//   - stored.go: the report of a run in its directory
//   - run.go: the report of a run
//   - ci.go: comparisons as JUnit and as annotations of GitHub Actions
//   - diff.go: the report of a comparison
//   - why.go: the report of what a program waits for
//   - trace.go: the report of who waited for whom
//   - waterfall.go: the way from one run time to another
//   - facts.go: how a run was made
//   - way.go: the mean way of packets through the stages
//   - timeline.go: packets on their way over time
//   - pictures.go: further charts of a run
//   - logp.go: the report of LogP parameters
//   - bandwidth.go: the report of bandwidths
//   - perturb.go: the report of what a monitor costs
//   - injection.go: the report of injections
//   - verbs.go: the report of RDMA verbs
//   - calibration.go: the report of a platform fitted to real hosts
//   - sweep.go: the report of many runs
//   - sweep_charts.go: small charts of many runs
//   - tables.go: tables of other measurements
//   - charts.go: the charts of all reports
//   - markdown.go: a document as a Markdown page
//   - text.go: a document for a terminal
//   - brief.go: as much of it as fits into some lines
//   - html.go: a document as a page
//   - fragment.go: parts of a document as HTML
//   - document.go: what a document is made of
package report
