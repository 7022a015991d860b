package kv

import (
	"cmp"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Access is how clients reach the servers' memory.
type Access uint8

// The ways.
const (
	OneSided Access = iota // by their interfaces, where they can; see comm.Remote
	Requests               // by the servers' processes
)

var accesses = names.NewEnum[Access]("access", "one-sided", "requests")

// String returns the name.
func (a Access) String() string { return accesses.Name(a) }

// Words implements names.Enumeration.
func (Access) Words() names.Words { return accesses.Words() }

// UnmarshalText reads a way by its name.
func (a *Access) UnmarshalText(name []byte) error { return accesses.Set(a, name) }

// Spec describes a store and the work on it.
type Spec struct {
	Nodes   int     `json:"nodes" range:"2..1024"`
	Ops     int     `json:"size" range:"1..10000000 operations"` // of all clients together
	Seed    uint64  `json:"seed"`
	Options Options `json:"job"`
}

// Options say how the store is used. The zero value of a field means the program's own choice.
type Options struct {
	Servers   int                `json:"servers,omitempty" range:"0..1023"`       // the first ones of the nodes; 0: 1
	Keys      int                `json:"items,omitempty" range:"0..1000000"`      // 0: 1000
	Zipf      float64            `json:"zipf,omitempty" range:"0..3"`             // exponent of a Zipf law over the keys; 0: all alike
	Bytes     int                `json:"item_bytes,omitempty" range:"0|8..65536"` // of a value, a multiple of 8; 0: 128
	Gets      int                `json:"reads,omitempty" range:"0..100"`          // of the operations, relative to the others; all 0: 90, 5 and 5
	Puts      int                `json:"writes,omitempty" range:"0..100"`
	Adds      int                `json:"atomics,omitempty" range:"0..100"`    // to a counter
	ComputeUs float64            `json:"compute_us,omitempty" range:"0..1e7"` // of a client before each operation
	Access    names.Word[Access] `json:"access,omitempty" optional:"yes"`     // "": one-sided where the layer can, else requests
}

// Sizes.
const (
	DefaultOps   = 10_000
	DefaultKeys  = 1000
	DefaultBytes = 128
)

// resolve replaces zero values by the program's own and checks the others.
func (s Spec) resolve() (Spec, error) {
	s.Ops = cmp.Or(s.Ops, DefaultOps)
	if err := bounds.Check("", s); err != nil {
		return s, err
	}
	o := &s.Options
	o.Servers, o.Keys, o.Bytes = cmp.Or(o.Servers, 1), cmp.Or(o.Keys, DefaultKeys), cmp.Or(o.Bytes, DefaultBytes)
	if o.Gets+o.Puts+o.Adds == 0 {
		o.Gets, o.Puts, o.Adds = 90, 5, 5
	}
	switch {
	case o.Servers >= s.Nodes:
		return s, bounds.Wrong("job.servers", o.Servers, "fewer than the %d nodes: the others are clients", s.Nodes)
	case o.Bytes%8 != 0:
		return s, bounds.Wrong("job.item_bytes", o.Bytes, "a multiple of 8")
	}
	return s, nil
}

func (o *Options) compute() sim.Duration { return sim.Microseconds(o.ComputeUs) }

// Assumed work of the host, in instructions and in bytes that are not in the cache: those of a
// hash table with chains of one or two.
var (
	lookup = host.Work{Ints: 200, Read: 64} // a server parses a request and finds its key
	issue  = host.Work{Ints: 100}           // a client composes a request, or finds where a key is
)

// checksum is the work of a client to check n bytes that it has read, and that of one that puts them.
func checksum(n int) host.Work { return host.Work{Ints: int64(n / 8), Read: int64(n)} }
