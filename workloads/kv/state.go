package kv

import (
	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/team"
)

// KV is a program on all nodes.
type KV struct {
	team.Team
	spec    Spec
	keys    keys
	servers []*server
	clients []*client
	left    int     // clients that have not ended
	events  []Event // in the order of their ends
	clock   int     // of beginnings and ends
	again   uint64  // reads repeated because the value was being written
	refused uint64  // locks that another client had, or versions that it had changed
}

// server holds a part of the keys in its memory: for each a version, a checksum and the value,
// and apart from these its counter.
type server struct {
	*KV
	*team.Member
	items    host.Addr
	counters host.Addr
	export   deposit.Export // of the items
	sessions []session
	ready    ring.Ring[int] // sessions with a request
}

// session is a client at a server.
type session struct{ requests, replies *team.Lane }

// client is the program of a node.
type client struct {
	*KV
	*team.Member
	number   int
	requests []*team.Lane // to each server
	replies  []*team.Lane
	choice   sim.Stream
	puts     int
	span     trace.Span
	bytes    []byte // of a value

	remote   comm.Remote // nil: by requests
	into     []deposit.Import
	line     host.Addr // what is read
	versions []uint64  // as last seen, by key
}

// Places in an item.
const (
	versionAt = 0
	sumAt     = 8
	valueAt   = 16
)

// locked is the bit of a version that says that a client writes the value.
const locked = 1

// itemBytes is the distance of two items.
func (k *KV) itemBytes() int { return team.Stride(valueAt + k.spec.Options.Bytes) }

// home returns the server of a key.
func (k *KV) home(key int) *server { return k.servers[key%len(k.servers)] }

// item returns the address of a key's item at its server.
func (s *server) item(key int) host.Addr {
	return s.items + host.Addr(key/len(s.servers)*s.itemBytes())
}

func (s *server) counter(key int) host.Addr {
	return s.counters + host.Addr(8*(key/len(s.servers)))
}

// operating is the phase of all nodes.
const operating = "operations"

// Steps of an operation beside those of all requests.
const (
	stepLock   trace.Step = "lock"   // until the client has the lock of the value
	stepData   trace.Step = "data"   // until the value is read, written or changed
	stepUnlock trace.Step = "unlock" // until the value can be read
)
