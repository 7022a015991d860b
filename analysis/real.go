package analysis

import (
	"slices"
	"strings"

	"github.com/sigview/sigview/trace"
)

// StagesOf says in sentences what the stages of messages of real hosts are, from the stamps that they
// have.
func StagesOf(stamps []string) string {
	stamped := func(s string) bool { return slices.Contains(stamps, s) }
	var out []string
	say := func(s string) { out = append(out, s) }
	switch {
	case stamped(trace.StampSched):
		say("Source is from the call of send until the queueing discipline has the message.")
	case stamped(trace.StampHand):
		say("The queueing discipline has no stamp: Source is from the call of send until the driver has the message, and there is no NI.")
	}
	switch {
	case stamped(trace.StampSched) && stamped(trace.StampHand):
		say("NI is from there until the driver has it: queueing discipline and driver.")
		fallthrough
	case stamped(trace.StampHand):
		say("Net is from there until the receiver's kernel has it: cards, wire, interrupt.")
	case stamped(trace.StampSched):
		say("The driver has no stamp: there is no NI, and Net is from the queueing discipline until the receiver's kernel has the message.")
	}
	if stamped(trace.StampKernel) {
		say("Dest is from there until the program has it.")
	}
	if stamped(trace.StampCard) {
		say("Where cards stamp, NI goes on until the card sends the message, Net is from card to card or to the kernel, and Dest begins when the card has it: its interrupt is part of Dest.")
	}
	return strings.Join(out, " ")
}
