package host

import (
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace/waits"
)

// Host is one computer.
type Host struct {
	engine   *sim.Engine
	pool     *sim.Pool
	log      *waits.Log
	spec     *Spec
	free     Uncontended
	gang     bool               // time slices begin at the same instants on all hosts
	loose    int                // words of combined stores that the CPU may hold back
	short    [][32]sim.Duration // by route: to store few words
	queue    []*Context         // ready contexts, highest level first, each level in order of arrival
	stats    Stats
	lastHeld [2]held    // by direction
	cpus     []*Context // context that has each CPU
	last     []*Context // program that each CPU ran last
	name     string
	contexts []*Context
	phase    sim.Duration // offset into the first time slice
	turned   func(*Context)
	cache    cache
	node     int32 // in the log
	quick    bool  // programs that begin now; see Quicken
}

// held is a transfer with the set-up of its bus transactions.
type held struct {
	bytes       int
	total       int64
	limit, rate sim.Rate
}

// Stats counts events and transfers of the CPUs.
type Stats struct {
	Interrupts uint64 // interrupts that reached a CPU
	Coalesced  uint64 // raised while one was pending for the same context
	Absorbed   uint64 // arrived while their service process was running: no entry
	Switches   uint64 // switches from one program to another
	Copied     uint64 // bytes copied
	Stored     uint64 // words stored by programmed I/O
	Loaded     uint64 // words loaded by programmed I/O
	Overtaken  uint64 // words that their announcement may have overtaken
}

// Indices of the capacities in a host's pool.
const (
	MemBus = iota // memory bus
	IOBus         // I/O bus
	SRAM          // memory of the network interface, infinite until the interface sets it
)

// The same as masks, for flows.
const (
	OnMemBus = 1 << MemBus
	OnIOBus  = 1 << IOBus
	OnSRAM   = 1 << SRAM
)

// Context is a process on a host. Unless stated otherwise, only its own process
// may call its methods.
//
// Its process runs only while the context has a CPU. Each call that takes time
// sets a burst and parks the process. Losing the CPU pauses the burst, getting
// it back continues it, and its end resumes the process in the same event.
type Context struct {
	host      *Host
	proc      *sim.Proc
	state     state
	level     Level
	burst     burst
	done      bool // the burst has ended
	leading   bool // lead is being spent
	preempted bool // waits for a CPU that a higher level has
	fresh     bool // the flow has not been started
	noticing  bool // it spun, and the word has changed
	quick     bool // see Quicken
	cpu       int  // or -1

	lead  sim.Duration // CPU time to spend before the burst continues: switch, interrupt entry
	left  sim.Duration // rest of a timed burst
	begun sim.Time     // when the timer was started
	gen   uint64       // of the timer
	flow  sim.Flow
	move  move

	account account
	watch   *Watch // watch that it waits for
	next    *Context
	timeout uint64 // generation of the timeout
	nap     Watch  // that never fires
	expired bool

	raised  bool // an interrupt is being delivered
	pending bool // an interrupt has arrived and is not served
	entered bool // an interrupt entered the service process: the return is due

	owner    *Context   // program that the context serves, if it is bound to one
	bound    []*Context // contexts that wait for this program's turn
	slice    sim.Time   // start of the time slice
	sliceGen uint64     // of the event that ends it
	sliced   bool       // such an event is pending

	held   sim.Duration
	heldAt sim.Time

	// For the log.
	actor  waits.ID
	raiser waits.ID       // of the interrupt that is being delivered
	lacks  waits.Resource // for which it waits; 0: for what others do
}

// Level is the priority of a context: a higher one preempts a lower one.
type Level uint8

// Levels.
const (
	Application Level = iota // programs; those of one host share its CPUs by time slices
	Handler                  // service processes, started by interrupts
)

// state is whether a context needs a CPU.
type state uint8

const (
	ready   state = iota // has a CPU or waits in the queue for one
	blocked              // needs none
	ended
)

// burst is the type of a context's use of the CPU until its process continues.
type burst uint8

const (
	none  burst = iota // its process is running, in no time
	timed              // keeps the CPU for a time
	flow               // keeps the CPU until a flow is complete
	spin               // keeps the CPU until a signal
	sleep              // is blocked until a signal
)

// move is what a flow burst moves.
type move struct {
	bytes int64
	limit sim.Rate
	uses  uint32
}

// Events of a context.
const (
	opTimer = iota
	opFlow
	opInterrupt
	opTimeout
	opSlice
)
