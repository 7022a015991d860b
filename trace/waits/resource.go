package waits

import "github.com/sigview/sigview/internal/names"

// Resource is what an actor uses or waits for.
type Resource uint8

// Resources, from the host outwards. The instance of a resource is its node, unless the
// comment says otherwise.
const (
	CPU       Resource = iota // a processor of the host
	MemBus                    // memory bus
	IOBus                     // I/O bus
	Request                   // the request queue: taken up by the interface processor once a send slot is free
	Slot                      // send slot: a message that the control program has in progress
	Window                    // send buffer, or room in the peer's window
	Order                     // an earlier packet of the same message or sender
	Processor                 // the interface processor
	HostDMA                   // the H engine, between host memory and SRAM
	SRAM                      // the interface's internal bus
	SEngine                   // the S engine, into the network
	Port                      // a link with its switch port; instance: the channel
	Ring                      // the receive ring: the receiver has no room
	Event                     // what another process or a packet does: an arrival, a lock, a page
	Timer                     // a timeout
	Pipeline                  // a stage of a card of pipelines; stages serve several at a time
	Cache                     // state of a queue pair, or a translation, that the card fetches from host memory
	Pace                      // the rate at which a sender may send after marks of congestion
	Device                    // a device of the host, such as a disk

	NumResources = iota // how many there are
)

var resources = names.NewEnum[Resource]("resource",
	"cpu", "memory_bus", "io_bus", "request_queue", "send_slot", "window", "order", "interface_processor",
	"host_dma", "sram_bus", "s_engine", "port", "receive_ring", "event", "timer", "card_pipeline", "card_cache",
	"sending_rate", "device")

func (r Resource) String() string { return resources.Name(r) }

// ParseResource returns the resource of that name, the inverse of String.
func ParseResource(name string) (Resource, error) { return resources.Parse(name) }

// Shared reports whether a resource serves all at once, each at a part of its rate.
func (r Resource) Shared() bool { return r == MemBus || r == IOBus || r == SRAM }

// Single reports whether an instance of a resource serves one actor at a time, in an
// interval of service.
func (r Resource) Single() bool { return r == Processor || r == HostDMA || r == SEngine || r == Port }

// Serves reports whether who has a resource is served by it, even while it does something
// else too: the processor works for packets that have gone on, and bytes pass a bus before
// the time that the log gives to their service.
func (r Resource) Serves() bool { return r == Processor || r.Shared() }

// What is what an actor does in an interval.
type What uint8

// What an actor does.
const (
	Service What = iota // served by the resource, at the rate that it has alone
	Waiting             // it could be served, but another actor is
	Idle                // nothing serves it, and nobody is in its way: a poll's phase, the delivery of an interrupt
)

var whats = names.NewEnum[What]("interval", "service", "waiting", "idle")

func (w What) String() string { return whats.Name(w) }

// ParseWhat returns the type of interval of that name, the inverse of String.
func ParseWhat(name string) (What, error) { return whats.Parse(name) }
