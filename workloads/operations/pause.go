package operations

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/host"
)

// gap is the least time between two operations. A pause is up to twice as long.
const gap = 400 * sim.Microsecond

// pause idles until the packets of the last operation, and the work after them, are over.
func pause(c *host.Context, random *sim.Stream) { c.Sleep(gap + random.Upto(gap)) }
