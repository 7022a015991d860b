// Package experiment holds what one can do with a cluster as functions from a
// plain specification to records: run a program under the monitor, measure
// the unloaded baseline, the monitor's own cost, the error of the global
// clock, the LogP parameters and the bandwidth of communication layers.
//
// A front end fills a specification, validates it, calls the function and
// prints the records:
//
//	spec := experiment.DefaultRun("fft")
//	spec.Nodes = 16
//	if err := spec.Validate(experiment.Known()); err != nil { ... }
//	run, err := experiment.Run(ctx, spec, nil) // *trace.Run
//
// The same specification gives the same records, bit for bit. A cancelled
// context ends an experiment with the context's error and no records.
package experiment
