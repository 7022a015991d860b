// Package watch measures the messages of programs as they are, on this host, in the four stages of the
// monitor, and makes a run of them that everything else reads as one of the model. The kernel runs small
// programs (BPF) where a message passes, which count in histograms; nothing of a message but headers and
// lengths is read. It needs Linux 6.1 and the capabilities CAP_BPF and CAP_PERFMON.
//
// A message is what one call of send gives to a socket of TCP or UDP. Its instants are: T1 the call has the socket (over
// UDP: the call begins), T2 the packet with its last byte enters the queueing discipline, T3 and T4 the driver takes that, T5 it
// arrives at the receiving host, T6 a program has read the byte. If one of the ends is on another host, the
// stages of this one are measured. Node 0 stands for all clients and node 1 for all servers; the server has the
// lower port. Each program that sends has a tag.
//
// The programs in the kernel are bpf/watch.bpf.c under two licences, BSD and GPL. `make bpf` compiles them;
// bpf/watch.o is the result, without what debuggers need.
//
// Files, in reading order:
//   - watch_linux.go: from a specification to a run
//   - budget_linux.go: when messages are followed
//   - looking_linux.go: when the calls that send datagrams are looked at
//   - there_linux.go: a watch for another host
//   - pair_linux.go: the side of the kernel of two hosts that are watched together
//   - causes_linux.go: what the kernel was seen to do with all messages
//   - check_linux.go: what this host gives
//   - rights_linux.go: rights that are given up
//   - kernel_linux.go: the programs in the kernel, and what they have counted
//   - probes_linux.go: where the programs run, by what the kernel has
//   - cgroup_linux.go: control groups that are asked for
//   - look.go: a watch that goes on
//   - longest.go: where the slowest messages were longest
//   - seen.go: what the kernel was seen to do with samples
//   - file.go: from joined messages to a run
//   - join.go: both halves of each message
//   - datagrams.go: the same over UDP
//   - run.go: from counts to the tables of a run
//   - other.go: systems other than Linux
//   - fine.go: percentiles and histograms of a run by the kernel's bins
//   - slowest.go: the messages that took longest
//   - bins.go: histograms of the kernel
//   - across.go: what became of messages between two hosts
//   - counters.go: what became of messages
//   - check.go: what a watch needs
//   - spec.go: what to watch
//   - pair.go: what two hosts that are watched together ask and tell
//   - half.go: what one of them knows of a message
package watch
