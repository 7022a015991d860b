// Package live measures messages between real hosts in the four stages of the monitor, from the
// stamps of their kernels, and makes a run of them that everything else reads as one of the model.
//
// The instants of a message are: T1 the program calls send (in an open loop: the time at which it was
// to call), T2 the message enters the queueing discipline, T3 and T4 the driver takes it, T5 the
// receiver's kernel has it, T6 the receiver's program has it. So Source is the system call until the
// queueing discipline, NI that and the driver, Net the card, the wire and the other card until its
// kernel has run, and Dest the wait for the program.
//
// An End is one node of a run: threads that send by a plan, and that receive, answer and record. A
// Collector joins what all ends have recorded, in bounded memory. Ends are in this process (Loopback),
// or with agents on other hosts (package live/agent).
//
// Files, in reading order:
//   - logp.go: LogP parameters
//   - apart.go: the clocks of two hosts, for those who measure something else
//   - between.go: a run between this host and others
//   - mirror.go: samples of them, with an end that reacts
//   - loopback.go: a run between two ends on this host
//   - cost.go: what stamping costs
//   - exchange.go: nodes exchange messages
//   - sockets.go: from sockets that peers do not know to an end
//   - run.go: from what ends have recorded to the tables of a run
//   - collector.go: both halves of each message, and what is missing
//   - probe.go: queries of node 0 to other nodes, for their clocks
//   - clock.go: the clocks of other nodes, from probes
//   - rivals.go: the estimators of package clock on the same probes
//   - steps.go: a system clock that is set
//   - drive.go: what an end does in each pattern
//   - end.go: one node
//   - allowance.go: how much an end sends that another one asks for
//   - thread_linux.go: threads on processors of their own
//   - thread_other.go: other systems
//   - link.go: messages between two ends
//   - record.go: what ends record
//   - spec.go: what to measure
//   - schedule.go: the messages of another run
//   - header.go: the first bytes of a message
//   - host_linux.go: what Linux tells of it
//   - host_other.go: other systems
//   - host.go: the host in words, and its interfaces
package live
