package history

import (
	"fmt"

	"github.com/sigview/sigview/cluster/testbed"
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/sim/fabric"
)

// evidence is what a run leaves to be judged.
type evidence struct {
	log     *Log
	whole   bool // the program has ended
	net     fabric.Stats
	faults  bool   // of the network are specified, or have happened
	counted uint64 // losses that the layer's counters tell
	traits  *comm.Traits
	misled  []bool // by node: it has received damage that the checksum does not show
}

func evidenceOf(b *testbed.Testbed, log *Log, whole bool) evidence {
	e := evidence{log: log, whole: whole, net: b.Net.Stats(), counted: b.Lost(), traits: b.Place.Traits}
	network := b.Net.Spec()
	e.faults = network.Faults.Any() || e.net.Severed > 0
	for i := range b.Nodes {
		e.misled = append(e.misled, b.Net.Misled(i) > 0)
	}
	return e
}

// judge returns what nothing explains, and what is missing and explained: by an error, by a counter, or by
// packets that the network has lost unseen if the layer's traits say that it does not repair any.
func (e *evidence) judge() (found, missing []string) {
	v := e.log.Judge()
	for _, w := range v.Wrong {
		if !e.doubtful(w.Stream) {
			found = append(found, w.String())
		}
	}
	if e.net.Undetected > 0 { // what was not sent again was not missed
		return found, nil
	}
	faultless := !e.faults && e.traits.Promises.Reliable
	for _, err := range e.log.Errors {
		if faultless {
			found = append(found, fmt.Sprintf("an error without a fault: %v", err))
		}
	}
	if most := e.losses(); uint64(v.Holes) > most {
		found = append(found, fmt.Sprintf("%d are missing before others that have come, and at most %d can be lost", v.Holes, most))
	}
	switch told := len(e.log.Errors) > 0 || e.counted > 0 || e.traits.Errors == "Catastrophic" && e.net.Dropped > 0; {
	case told && !faultless:
		missing = v.Missing
	case !e.whole && len(v.Missing) == 0:
		found = append(found, "all has arrived, and the program does not end")
	default:
		found = append(found, v.Missing...)
	}
	return found, missing
}

// doubtful reports whether damage that no checksum shows may have changed what a stream carries: one of its
// nodes has received some, or any node, which may have sent it on in a multicast or changed a word.
func (e *evidence) doubtful(s Stream) bool {
	for node, misled := range e.misled {
		if misled && (node == s.From || node == s.To || s.Sort == Multicasts || s.Sort == Words) {
			return true
		}
	}
	return false
}

// losses returns how many messages can be lost: those that the layer counts and, if it does not repair
// losses, one for each packet that the network has lost or damaged.
func (e *evidence) losses() uint64 {
	if e.traits.Errors != "Catastrophic" {
		return e.counted
	}
	return e.counted + e.net.Dropped + e.net.ResetLost + e.net.Detected
}
