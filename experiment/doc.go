// Package experiment has the experiments on clusters, as functions from a plain
// specification to records: a program under the monitor, the unloaded baseline, the
// monitor's own cost, the error of the global clock, and the LogP parameters and
// bandwidth of communication layers.
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
//
// Files, in reading order:
//   - clocktest.go: the error of the global clock
//   - logp.go: LogP parameters of layers
//   - bandwidth.go: bandwidth of layers
//   - perturb.go: the monitor's own cost
//   - tpil.go: injections into a card
//   - verbs.go: RDMA verbs, as perftest measures them
//   - trust.go: which numbers of a card are published, fitted and assumed
//   - beside.go: programs in both details
//   - sampled.go: windows in full, fast between them
//   - messages.go: messages alone
//   - many.go: many runs side by side
//   - run.go: a program under the monitor
//   - because.go: why a program is stuck or wrong
//   - baseline.go: unloaded latencies
//   - operations.go: operations of programs, one at a time on idle nodes
//   - logp_spec.go: specification of a measurement of LogP parameters
//   - clocktest_spec.go: specification of a clock test
//   - bandwidth_spec.go: specification of a measurement of bandwidth
//   - perturb_spec.go: specification of a perturbation measurement
//   - verbs_spec.go: specification of a measurement of RDMA verbs
//   - places.go: layers on platforms
//   - gang.go: a policy for several programs on the same nodes
//   - build.go: a specification made into a cluster
//   - collect.go: the tables of a run
//   - congestion.go: what switches with buffers have counted
//   - detail.go: the costs of messages for runs in less detail
//   - online.go: what was found while programs run
//   - progress.go: progress of an experiment
//   - validate.go: what can be checked of a run without a cluster
//   - programs_memory.go: programs on shared memory
//   - programs_goal.go: schedules
//   - programs_jobs.go: jobs of data centres
//   - programs_nx.go: programs that pass messages
//   - programs_sockets.go: the file system
//   - known.go: workloads, platforms and layers of this build
//   - programs_patterns.go: synthetic patterns
//   - footprint.go: the memory of a run
//   - programs.go: the programs of a run
//   - spec.go: specification of a run
//   - written.go: seeds and counts as users write them
//   - catalogue.go: names that specifications may use, and the errors of specifications
package experiment
