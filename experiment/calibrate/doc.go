// Package calibrate fits a platform of the model to measurements of real hosts: the stages of a
// run of messages (package live) and, if there are any, LogP parameters. The platform is that of
// the layer datagram, in which the interface stands for the kernel.
//
// Each stage is taken as a straight line over the size of messages: a time for each message and a time for each byte. The
// line is the one whose relative errors at the medians have the least squares, neither of its
// parts below 0. Medians are taken because the model has no tails: what disturbs a host now and
// then is not modelled. Then the model runs with these numbers, and the numbers are corrected by
// what its own lines are off, until they meet.
//
// From stages alone it cannot be seen which part of Dest is the wake of the receiver, and for how long a
// sender is busy after its message has left. Both follow from the overheads o_r and o_s.
//
// Of four or more sizes, every second one between the first and the last is held out: the fit does not see
// it, and the result says how well the model meets it. Other runs can be predicted, of round trips or
// at a rate.
//
// A card with RDMA verbs and its host are fitted to listings of perftest: the pipeline and the ways over PCIe, as far as the listings
// tell them apart, by the least squares of relative errors up to 1 KB. Everything longer is predicted.
//
// Files, in reading order:
//   - card.go: from listings to a card and its host
//   - calibrate.go: from runs to a platform and its residuals
//   - fit.go: lines, and the numbers of the platform
//   - model.go: stages and parameters of the model
//   - observed.go: what was measured
package calibrate
