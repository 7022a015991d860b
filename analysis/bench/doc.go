// Package bench holds what measuring communication layers gives: LogP
// parameters and bandwidths, as records that are printed, drawn and stored.
// It knows no model: the figures may come from real hosts.
package bench
