package nx

import (
	"cmp"

	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
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

var broadcastNames = names.NewEnum[Broadcast]("broadcast", "separate", "tree", "firmware")

// Broadcasts lists the names of the ways to send to everybody.
func Broadcasts() []string { return broadcastNames.Names() }

func (b Broadcast) String() string { return broadcastNames.Name(b) }

// ParseBroadcast is the inverse of String.
func ParseBroadcast(name string) (Broadcast, error) { return broadcastNames.Parse(name) }

// Costs are what the library takes of the host's processor beside copies,
// requests to the interface and the fetching of entries into the cache.
type Costs struct {
	Call   sim.Duration `toml:"call_us" range:"0..1000"`   // one call of the library: checks, a look at the queues
	Record sim.Duration `toml:"record_us" range:"0..1000"` // handling an entry: matching, counters
}

// Spec describes the processes of one program.
type Spec struct {
	Tag           trace.Tag // that the packets carry
	Broadcast     Broadcast `range:"0..2"`
	Entries       int       `range:"4..64"`               // of a ring; 0: 32
	Slots         int       `range:"2..64"`               // that a sender has at each receiver; 0: 4
	EagerBytes    int       `range:"4096..16777216"`      // longest message that goes into a slot, whole pages; 0: 16 KB
	RedirectBytes int       `range:"1..1073741824"`       // a receive of at least so many bytes is worth a redirection; 0: 512
	HeapBytes     int64     `range:"4096..1099511627776"` // of addresses; 0: 4 GB
	Costs         Costs
}

const (
	defaultHeap = 1 << 32 // addresses; memory comes with use
	minNodes    = 2
	maxNodes    = 1 << 15
)

func (s *Spec) setDefaults() {
	s.Entries = cmp.Or(s.Entries, 32)
	s.Slots = cmp.Or(s.Slots, 4)
	s.EagerBytes = cmp.Or(s.EagerBytes, 16<<10)
	s.RedirectBytes = cmp.Or(s.RedirectBytes, 512)
	s.HeapBytes = cmp.Or(s.HeapBytes, defaultHeap)
}

func (s *Spec) validate() error {
	if err := bounds.Check("nx", s); err != nil {
		return err
	}
	if s.EagerBytes%host.PageBytes != 0 {
		return bounds.Wrong("nx.EagerBytes", s.EagerBytes, "whole pages of %d bytes", host.PageBytes)
	}
	return nil
}

// MaxType is the largest type of a message.
const MaxType = 999_999_999

const pageBytes = host.PageBytes
