// Package rebuild makes a log of waiting from what the monitors of all nodes have
// recorded: the six instants of every packet and the steps of operations. It knows what
// an analyst knows of a card, not what the model knows: engines serve one packet at a
// time, in the order of the instants at which their service ends, so the service of a
// packet begins when it is ready and the one before has ended.
//
// The processor of an interface runs one handler at a time. Some stamps tell when one begins,
// others that there is something to do; how long handlers take is learned from the shortest
// times until a request is taken up that has waited. So their order is known, and for whom
// each of them worked.
//
// How long a service takes alone is known from the baseline, or guessed from the quickest
// packets. What is beyond it is waiting for a bus that a process of the node uses, if one does
// anything then. Records do not tell which bus. While a program computes it is the memory bus,
// up to the time that others lose on it; otherwise it is the I/O bus if a process has posted
// requests or read the clock, and no longer than that takes.
//
// Files, in reading order:
//   - rebuild.go: a log from the records of a run
//   - cards.go: where packets waited in cards of pipelines
//   - states.go: what cards fetch of queue pairs
//   - packets.go: packets at their sender, in the network, at their receiver
//   - buses.go: what processes of the host do to transfers
//   - processes.go: processes, as far as their operations tell
//   - room.go: packets that wait for room
//   - paces.go: processors of interfaces that are slower than others
//   - firmware.go: what stamps show of the interface processor
//   - builder.go: what is known of a log that is being rebuilt
//   - scribe.go: the intervals of one actor
//   - score.go: a rebuilt account against the model's
//   - alone.go: the time of a service alone
//   - state.go: packets and the handlers of an interface processor
package rebuild
