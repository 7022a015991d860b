// Package rebuild makes a log of waiting from what the monitors of all nodes have
// recorded: the six instants of every packet and the steps of operations. It knows what
// an analyst knows of a card, not what the model knows: engines serve one packet at a
// time, in the order of the instants at which their service ends, so the service of a
// packet begins when it is ready and the one before has ended.
//
// How long a service takes alone is known from the baseline, or guessed from the quickest
// packets. What is beyond it is waiting: for the processor as far as stamps show that it
// worked for others, and otherwise for a bus that a program of the node uses. Records do
// not tell which bus. It is the I/O bus if the program has posted requests or read the clock
// meanwhile, and no longer than that takes.
//
// Files, in reading order:
//   - rebuild.go: a log from the records of a run
//   - packets.go: packets at their sender, in the network, at their receiver
//   - processes.go: processes, as far as their operations tell
//   - firmware.go: what stamps show of the interface processor
//   - scribe.go: the intervals of one actor
//   - score.go: a rebuilt account against the model's
//   - state.go: packets and nodes as far as they are known
//   - alone.go: the time of a service alone
package rebuild
