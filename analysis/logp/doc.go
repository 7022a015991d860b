// Package logp turns samples of message costs into LogP parameters with 95 %
// confidence intervals and residuals. It knows no model: the samples may come
// from a simulation or from real hosts.
//
// There are four methods: the signature of message cost over burst length M
// and spin time Δ (Culler et al., section 3), the code fragments of the study
// of user-space layers (Araki et al., section 4.1), the time of bulk transfers (Culler
// et al., section 4), and trains and round trips over sizes that it chooses (Kielmann et
// al., section 3).
//
// A parameter that the samples do not determine is not identifiable, and says why. No
// parameter is ever NaN or negative.
//
// # Intervals
//
// Errors of different measurements are taken as independent: variances add
// in sums and differences. Where two parameters share a measurement (o_r and L
// both use o_s + o_r), each is computed from the measurements themselves,
// because differences of parameters would count the shared error twice.
//
// If readings scatter about their law by more than their own intervals allow, the
// result's interval is wider. For exact readings it is that of their scatter, which is
// zero if they fit. Weights follow the size of a time and not its noise: see columns.
//
// Files, in reading order:
//   - parameterized.go: parameters as functions of message size, by a search for sizes
//   - signature.go: parameters from message cost over burst length and spin time
//   - fragments.go: parameters from gaps with a spin at either end
//   - loops.go: the loops of code fragments
//   - lift.go: the overhead from gaps that a spin lifts
//   - regimes.go: send-only, transition and steady state of a curve
//   - bulk.go: bulk transfers over sizes
//   - logp.go: the result of a method
//   - sampler.go: a mean sampled until it is accurate
//   - reading.go: values with errors, their mean and the line through them
//   - estimate.go: a parameter, or why it is not identifiable
package logp
