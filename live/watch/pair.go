package watch

import (
	"net/netip"

	"github.com/sigview/sigview/analysis/collect"
	"github.com/sigview/sigview/live"
)

// Asked is what a host is asked to watch for another one.
type Asked struct {
	Ports     []int        `json:"ports,omitempty"` // none: all between both
	Every     int          `json:"every"`           // of blocks of each flow one in so many
	Boot      string       `json:"boot"`            // of the host that asks
	Addresses []netip.Addr `json:"addresses"`       // of the same
	Apart     [2]uint16    `json:"-"`               // ports of the connections between both watches, over TCP and UDP
}

// Told is what a host has counted of messages that it has sent to the other one.
type Told struct {
	Names      map[int]string    `json:"names"`           // of programs that have sent, by number
	Counts     []uint64          `json:"counts"`          // by what has become of them; none before the end
	Drops      map[string]uint64 `json:"drops,omitempty"` // datagrams that its kernel has dropped, by its name of the reason
	UnsureNs   int64             `json:"unsure_ns"`       // error of its times between its two clocks
	Histograms []ToldHistogram   `json:"-"`
}

// ToldHistogram has Source and NI of messages of one sort.
type ToldHistogram struct {
	Key    uint32       `json:"key"`
	Bytes  uint64       `json:"bytes"`
	Stages [2]ToldStage `json:"stages"`
}

// ToldStage is a histogram without empty bins.
type ToldStage struct {
	Sum  uint64         `json:"sum_ns"`
	Bins map[int]uint32 `json:"bins"`
}

// Phase is what a watch follows.
type Phase uint8

// The phases, of which each may follow each.
const (
	Follows Phase = iota // all messages
	Ends                 // those on their way
	Rests                // none
	Tells                // as before; it tells what it has counted so far
)

// Other is the watch of another host. After it has failed it hands over nothing more.
type Other interface {
	// Host describes the host, Addresses are its own, and Boot tells whether it is this one.
	Host() (host live.Host, addresses []netip.Addr, boot string)
	// Apart are ports of the connections between both watches, over TCP and UDP.
	Apart() [2]uint16
	// Follow lets it follow what is in a phase, and returns when it is so.
	Follow(Phase)
	// Take returns the halves that have come since the last call.
	Take() []Half
	// Convert converts a time of it to one of this host, in ns since 1970, with a bound of the error, and Ready
	// reports whether that is final.
	Convert(at int64) (own, bound int64)
	Ready(at int64) bool
	// Names are those of its programs that have sent, by number, so far.
	Names() map[int]string
	// Failed returns why it has ended by itself, nil so far if it has not.
	Failed() error
	// Tell lets it tell what it has counted so far, and makes times ready up to now. Names and Counts are empty if it has failed.
	Tell() Told
	// Translated says how addresses are translated on the way between both; "": they are not.
	Translated() string
	// End ends it, and returns what it has told. The error is why it has ended before.
	End() (Told, error)
	// Enter enters the clocks into the records of a run that began at a time in ns since 1970.
	Enter(to *collect.Records, origin int64)
}

// pairing is how two hosts are watched together.
type pairing struct {
	serves    bool // the other one joins
	every     int  // of blocks of a flow one in so many is joined
	addresses []netip.Addr
	apart     [2]uint16
	here      bool // the other one is another network namespace of this host
}

// realtime is the system's clock less the monotonic one, in ns, and how much that may be wrong.
type realtime struct{ ns, unsure int64 }
