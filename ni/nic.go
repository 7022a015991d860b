package ni

import (
	"github.com/sigview/sigview/clock"
	"github.com/sigview/sigview/internal/ring"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace/waits"
)

// NIC is one network interface card: processor, engines, queues and memory. What most steps use is
// together in the first cache lines, three of them for a look of the main loop, because with many
// nodes each line is a miss.
type NIC struct {
	engine  *sim.Engine
	spec    *Spec
	program Program

	// Times.
	due       sim.Time // of the next step without an event, or earlier
	look      sim.Time // the scheduled poll
	awaits    sim.Time // the latest event of a poll, or Never
	own       sim.Time // of the scheduled poll if it has no event, else Never
	head      sim.Time // when the head comes that is expected, or Never
	tail      sim.Time // end of the insertion, if the network does not report it, else Never
	starts    sim.Time // of the bytes of a host DMA without an event, or Never
	cur       sim.Time // the cursor: the time within the running handler
	busyUntil sim.Time
	began     sim.Time // the running handler

	// State.
	pending    uint32 // a bit for each source
	served     source // source served last
	scheduled  bool   // a poll is scheduled
	serving    bool   // a handler runs
	reached    bool   // by it the idle loop has made tests
	alone      bool   // some steps need no event
	noisy      bool   // the probe's steps need events
	sending    bool
	again      bool // the packet being sent is sent again
	working    bool // a core of its own does the probe's deferred work
	awaited    bool // the program waits for SendIdle
	sramShared bool
	refused    bool // the network waits for room
	flushing   bool // a forward reset is being handled

	probe    Probe
	test     sim.Duration // one test of a source
	loopTime sim.Duration
	phase    sim.Stream // of the main loop
	log      *waits.Log
	requests int // entries of the request queue that are not taken up
	free     Uncontended

	stats      Stats
	inserting  *Record  // of the packet that leaves at the tail
	insertEnd  sim.Time // of the packet being sent, if nothing blocks it
	starting   *DMA     // the host DMA that starts without an event, or nil
	ring       int      // receive buffers, or cells of the pool of a card of pipelines
	buffers    int      // of these that are free
	receiving  int      // that packets have which are arriving
	queues     [numSources]ring.Ring[event]
	hostActive int
	met        sim.Time // the latest expected head that has an event
	moving     []*DMA   // host DMAs in progress
	sendQueue  ring.Ring[outbound]
	net        *fabric.Net
	host       *host.Host
	rtc        *clock.Oscillator
	bus        sim.Stream // arbitration before a host DMA

	// Constants.
	check        sim.Time     // between inline checks
	brief        sim.Duration // to insert the few bytes whose end the loop stays ready for
	period       uint64       // of the processor, 2^-32 ps, rounded up
	short        int          // cycle counts for which that is exact: those below
	netRate      sim.Rate
	hostSetup    sim.Duration // the shortest
	hostJitter   sim.Duration
	toNI, toHost sim.Rate
	latency      [2]sim.Duration // of the host's bus, by direction
	transfers    int             // of an H engine at a time
	ordered      bool            // what goes to host memory arrives in order
	reserved     uint64          // a bit for each packet kind of the service
	discreet     Discreet        // the program, if it is one
	preview      Previewer       // the program, if it is one and handles heads
	id           int
	cycle        sim.Freq
	sramBus      sim.Rate

	queueRead, queueWrite sim.Duration // one access to queues in host memory

	engines [2]engine // H engines by direction, if there are two
	links   [2]link   // directions of a bus that keeps order
	name    string
	service Service
	sram    SRAM
	timers  [2]timer
	stores  ring.Ring[store]          // requests that are on their way across the bus
	across  ring.Ring[Posted]         // requests that have arrived and are not taken up
	heads   map[uint64]*fabric.Packet // packets whose first bytes are coming, by number
	headed  uint64                    // number of the latest one
	ledger
}

// link is a direction of the host's bus: until when transfers have it, and for whom the last of them is.
type link struct {
	free sim.Time
	last waits.ID
}

// engine is an H engine: how many transfers it has at a time, at most NIC.transfers, and those that wait.
type engine struct {
	active int
	queue  ring.Ring[*DMA] // transfers that wait
	last   waits.ID        // for whom the last of them is, or the one in progress
}

// Stats counts the work of an interface.
type Stats struct {
	Busy        sim.Duration // processor time spent in handlers
	Handlers    [numSources]uint64
	HostDMAs    uint64
	HostQueued  uint64 // host DMAs that waited for the engine
	NetQueued   uint64 // packets that waited for the S engine
	Refused     uint64 // packet heads that found no receive buffer
	Flushed     uint64 // packets lost to forward resets
	RequestsMax int    // longest request queue
	Diagnostics Diagnostics
}

// Diagnostics are sums of differences of true instants, which firmware cannot
// observe, over packets that carry a host request: first transmissions, and all
// arrivals.
type Diagnostics struct {
	Sent         uint64
	FetchToStart sim.Duration // t3 - t2
	Arrived      uint64
	EndToArrival sim.Duration // t5 - t4
}

// outbound is a packet that waits for the S engine.
type outbound struct {
	packet *fabric.Packet
	record *Record
}
