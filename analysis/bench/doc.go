// Package bench holds the results of measurements of communication layers: LogP
// parameters, bandwidths, the cost of a monitor, injections and RDMA verbs, as records that are printed, drawn and stored. It knows
// no model: the figures may come from real hosts.
//
// Files, in reading order:
//   - read.go: directories of measurements
//   - parameterized_views.go: parameterized LogP as tables
//   - views.go: the records as tables for people
//   - perturb_views.go: the cost of a monitor as tables
//   - rows.go: the records as rows of files
//   - measured.go: records made of what the methods of LogP have measured
//   - logp.go: LogP parameters of a layer on a platform
//   - bandwidth.go: bandwidth by message size
//   - perturb.go: what a monitor costs
//   - injection.go: how fast a host brings data into its card
//   - verbs.go: RDMA verbs, as perftest lists them
//   - listing.go: listings of perftest
//   - card.go: a card fitted to a listing, and how well
//   - calibration.go: a platform fitted to real hosts, and how well
//   - place.go: where something was measured
//   - digits.go: how figures are written
package bench
