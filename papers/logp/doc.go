// Package logp measures the rows of the assessment of network interfaces by the
// LogP model.
package logp
