package team

import (
	"github.com/sigview/sigview/comm/deposit"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
)

// Team is a program with a process on each node.
type Team struct {
	Members []*Member
	name    string
	engine  *sim.Engine
	begun   sim.Time
	ended   sim.Time
	running int
	done    func()
	stopped error // what ended the program early
	wrong   error // the first result that was
	others  int   // results that were wrong, beside the first
}

// Member is a process of a team.
type Member struct {
	ID      int
	Port    deposit.Port
	Space   *host.Space
	X       *host.Context // since its program began
	Tell    trace.Instrument
	Numbers trace.Numbers
	Wake    host.Watch // fires when something has arrived

	team   *Team
	host   *host.Host
	words  host.Addr // those of a page that are not in use yet
	outs   host.Addr // buffers to send from, used in turn
	stride int
	next   int
}
