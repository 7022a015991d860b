package sampled

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// Net numbers the messages of all nodes.
type Net struct {
	edge  func(sent uint64, now sim.Time) (full bool, next uint64)
	sent  uint64
	next  uint64 // number at which edge is called
	full  bool
	pairs int
}

// port is the access of a process in both details.
type port struct {
	deposit.Port // in full
	fast         deposit.Port
	net          *Net
	node         int
	under        int     // bytes and notifications that it has under way in full
	pairs        []*pair // with the nodes to which it has imports
	landed       host.Watch
	waiting      deposit.Waiting
}

// pair is a process with another one to which it sends.
type pair struct {
	port  *port
	peer  int
	under int  // bytes and notifications under way, fast
	used  bool // a message has been sent
}

// redirecting is a port whose interface can redirect deposits.
type redirecting struct {
	*port
	deposit.Redirector
}

// region is memory that is exported in both details.
type region struct {
	port       *port
	full, fast deposit.Export
	senders    []*pair // by node
	notifies   bool
	written    func(deposit.Arrival)
}

// remote is an import of a region of another node in both details.
type remote struct {
	pair       *pair
	region     *region
	full, fast deposit.Import
}
