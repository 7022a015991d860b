package experiment

import (
	"github.com/sigview/sigview/platform"
	"github.com/sigview/sigview/sim"
)

// Changes of the assessment's machines.
const (
	oneToken     change = "one request at a time"
	fourTokens   change = "four requests at a time"
	manyTokens   change = "room for any number of requests"
	noTurns      change = "arrivals always before requests"
	slowSwitches change = "switches ten times as slow"
	slowLinks    change = "links of a fiftieth of the rate"
	fastWords    change = "words across the bus as fast as from a memory of its own"
	fastCard     change = "an interface processor of four times the clock"
	slowCard     change = "an interface processor of half the clock"
	nearCard     change = "words to and from the card as fast as to a cache"
	farCard      change = "words to and from the card twice as slow"
	slowLibrary  change = "a library twice as slow"
	slowHost     change = "a library that takes 5 µs more for all it does"
	copied       change = "data copied into a pinned area"
	uncopied     change = "data fetched from where they lie"
	evenCopies   change = "copies at one rate"
	hostRoutes   change = "the way looked up by the host"
	tenthWire    change = "a wire of a tenth of the rate"

	// Those that both machines of a comparison have.
	hostRoutesFastCard change = "the way looked up by the host, interface processor of ten times the clock"
	tenfoldCard        change = "interface processor of ten times the clock"
	hostRoutesFreeBus  change = "the way looked up by the host, stores that cost nothing"
	freeBus            change = "stores that cost nothing"

	// Parts of what the slower Meiko differs in.
	slowBusOnly    change = "a bus of 40 MHz, the main processor as it was"
	busWordsOnly   change = "words that take cycles of the bus alone"
	clockedLibrary change = "a library that follows the clock"

	// Parts of what the other Myrinet machine differs in.
	noController change = "no controller of a second-level cache"
	fasterSBus   change = "an SBus of 25 MHz"
)

// Route lookup on the host: some instructions with a table in its cache, and
// two words more to hand over, the way and its length. The card saves most of
// what it spends on a header.
const (
	lookupUs     = 0.3
	lookupWords  = 2
	lookupCycles = 20
)

func lookedUpByHost(p *platform.Profile) {
	p.GAM.Firmware.Cycles.BuildHeader -= lookupCycles
	p.GAM.Host.RequestUs += lookupUs
	p.GAM.Host.ReplyUs += lookupUs
	p.GAM.RequestWords += lookupWords
}

// slowedSwitches stretches links by what passes while a stop is on its way,
// too.
func slowedSwitches(p *platform.Profile) {
	n := &p.Network
	n.SwitchDelay *= 10
	n.SlackBytes, n.StopBytes, n.GoBytes = 10*n.SlackBytes, 10*n.StopBytes, 10*n.GoBytes
}

func machineChanges() changes {
	tokens := func(n int) func(*platform.Profile) { return func(p *platform.Profile) { p.GAM.Tokens = n } }
	clock := func(factor float64) func(*platform.Profile) {
		return func(p *platform.Profile) { p.NI.ClockHz = uint64(factor * float64(p.NI.ClockHz)) }
	}
	words := func(factor float64) func(*platform.Profile) {
		return func(p *platform.Profile) {
			scale(&p.Host.PIOWrite, factor)
			scale(&p.Host.PIOLine, factor)
			scale(&p.Host.PIORead, factor)
		}
	}
	library := func(factor, plusUs float64) func(*platform.Profile) {
		return func(p *platform.Profile) {
			for _, us := range []*float64{&p.GAM.Host.RequestUs, &p.GAM.Host.ReplyUs, &p.GAM.Host.ReceiveUs} {
				*us = float64(*us*factor) + plusUs
			}
		}
	}
	both := func(fs ...func(*platform.Profile)) func(*platform.Profile) {
		return func(p *platform.Profile) {
			for _, f := range fs {
				f(p)
			}
		}
	}
	return changes{
		oneToken:     tokens(1),
		fourTokens:   tokens(4),
		manyTokens:   tokens(1 << 12),
		noTurns:      func(p *platform.Profile) { p.NI.Loop.TakeTurns = false },
		slowSwitches: slowedSwitches,
		slowLinks:    func(p *platform.Profile) { p.Network.LinkRate /= 50 },
		fastWords:    func(p *platform.Profile) { p.NI.Queues.ReadNs, p.NI.Queues.WriteNs = 40, 40 },
		fastCard:     clock(4),
		slowCard:     clock(0.5),
		nearCard:     words(0.25),
		farCard:      words(2),
		slowLibrary:  library(2, 0),
		slowHost:     library(1, 5),
		copied:       func(p *platform.Profile) { p.GAM.CopyOut, p.GAM.StageBytes = true, 4096 },
		uncopied:     func(p *platform.Profile) { p.GAM.CopyOut = false },
		evenCopies:   func(p *platform.Profile) { p.Host.CopyMiss = p.Host.CopyHit },
		hostRoutes:   lookedUpByHost,
		tenthWire:    func(p *platform.Profile) { p.Network.LinkRate /= 10 },

		tenfoldCard:        clock(10),
		hostRoutesFastCard: both(clock(10), lookedUpByHost),
		freeBus:            func(p *platform.Profile) { p.Host.PIOWrite, p.Host.PIOLine = 10*sim.Picosecond, 10*sim.Picosecond },
		hostRoutesFreeBus:  both(func(p *platform.Profile) { p.Host.PIOWrite, p.Host.PIOLine = 10*sim.Picosecond, 10*sim.Picosecond }, lookedUpByHost),

		slowBusOnly: func(p *platform.Profile) {
			const more = 1000.0/40 - 1000.0/45 // ns per cycle of the bus
			p.NI.ClockHz = 40e6
			p.NI.Queues.ReadNs += 3 * more
			p.NI.Queues.WriteNs += 3 * more
			scale(&p.Host.PIOWrite, 45.0/40)
			scale(&p.Host.PIOLine, 45.0/40)
		},
		busWordsOnly: func(p *platform.Profile) { // 310 and 280 ns at 45 MHz
			p.NI.Queues.ReadNs, p.NI.Queues.WriteNs = 310*45.0/40, 280*45.0/40
		},
		clockedLibrary: library(66.0/50, 0),

		noController: func(p *platform.Profile) {
			const crossing = 200 * sim.Nanosecond
			p.Host.PIOWrite -= crossing
			p.Host.PIOLine -= 8 * crossing
			p.Host.PIORead -= crossing
		},
		fasterSBus: clock(25.0 / 20),
	}
}
