package nx

import (
	"fmt"

	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Broadcast is a way to send to everybody.
type Broadcast uint8

// The ways to send to everybody.
const (
	Separate Broadcast = iota // one send after the other
	Tree                      // from node to node
	Firmware                  // one request, fetched once and injected for everybody
	broadcasts
)

var broadcastNames = [broadcasts]string{"separate", "tree", "firmware"}

// Broadcasts lists the names of the ways to send to everybody.
func Broadcasts() []string { return broadcastNames[:] }

func (b Broadcast) String() string {
	if b < broadcasts {
		return broadcastNames[b]
	}
	return fmt.Sprintf("broadcast(%d)", uint8(b))
}

// ParseBroadcast is the inverse of String.
func ParseBroadcast(name string) (Broadcast, error) {
	for b, n := range broadcastNames {
		if n == name {
			return Broadcast(b), nil
		}
	}
	return 0, fmt.Errorf("nx: broadcast %q, want one of %v", name, broadcastNames)
}

// Costs are what the library takes of the host's processor beside copies,
// requests to the interface and the fetching of entries into the cache.
type Costs struct {
	Call   sim.Duration // one call: checks, a look at the queues
	Record sim.Duration // handling an entry: matching, counters
}

// Spec describes the processes of one program.
type Spec struct {
	Tag           trace.Tag // that the packets carry
	Broadcast     Broadcast
	Entries       int // of a ring; 0: 32
	Slots         int // that a sender has at each receiver; 0: 4
	EagerBytes    int // longest message that goes into a slot, whole pages; 0: 16 KB
	RedirectBytes int // a receive of at least so many bytes is worth a redirection; 0: 512
	HeapBytes     int64
	Costs         Costs
}

// Node is what one node brings.
type Node struct {
	Host   *host.Host
	Frames *host.Frames
	VMMC   *vmmc.Node
}

const (
	defaultHeap = 1 << 32 // addresses; memory comes with use
	minNodes    = 2
	maxNodes    = 1 << 15
)

func (s *Spec) setDefaults() {
	if s.Entries == 0 {
		s.Entries = 32
	}
	if s.Slots == 0 {
		s.Slots = 4
	}
	if s.EagerBytes == 0 {
		s.EagerBytes = 16 << 10
	}
	if s.RedirectBytes == 0 {
		s.RedirectBytes = 512
	}
	if s.HeapBytes == 0 {
		s.HeapBytes = defaultHeap
	}
}

func (s *Spec) validate() error {
	for _, f := range []struct {
		name          string
		value, lo, hi int64
	}{
		{"Broadcast", int64(s.Broadcast), 0, int64(broadcasts) - 1},
		{"Entries", int64(s.Entries), 4, host.PageBytes / entryBytes},
		{"Slots", int64(s.Slots), 2, 64},
		{"EagerBytes", int64(s.EagerBytes), host.PageBytes, 1 << 24},
		{"RedirectBytes", int64(s.RedirectBytes), 1, 1 << 30},
		{"HeapBytes", s.HeapBytes, host.PageBytes, 1 << 40},
		{"Costs.Call", int64(s.Costs.Call), 0, int64(sim.Second)},
		{"Costs.Record", int64(s.Costs.Record), 0, int64(sim.Second)},
	} {
		if f.value < f.lo || f.value > f.hi {
			return fmt.Errorf("nx: Spec.%s = %d, want %d to %d", f.name, f.value, f.lo, f.hi)
		}
	}
	if s.EagerBytes%host.PageBytes != 0 {
		return fmt.Errorf("nx: Spec.EagerBytes = %d, want whole pages of %d", s.EagerBytes, host.PageBytes)
	}
	return nil
}
