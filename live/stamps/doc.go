// Package stamps sends and receives messages over sockets whose kernel stamps them
// (SO_TIMESTAMPING): when a message enters the queueing discipline (sched), when the driver
// takes it (hand), when the network card sends it (card, where the hardware stamps), when it
// arrives, and, by the caller's own clock, when a program has it. It needs no privileges.
//
// All times are nanoseconds of the system's clock (CLOCK_REALTIME), those of a card in its own.
// Of a message of several packets, the stamps of sending belong to the first packet with UDP and
// to the one with the last byte with TCP, those of arrival to the last one.
//
// A kernel keeps stamps of sending in the socket's error queue, whose memory is bounded and which
// overflows without a word: a caller has to drain it at the latest every 64 messages, and to count
// what is missing. A packet that is sent again is stamped again: only the first stamp counts.
//
// Files, in reading order:
//   - socket_linux.go: opening, sending, receiving, draining
//   - control_linux.go: control messages of the kernel
//   - card_linux.go: what a network card can
//   - other.go: systems without stamps
//   - stamp.go: words that all systems share
package stamps
