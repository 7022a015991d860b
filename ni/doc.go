// Package ni models a programmable network interface: its processor with the
// polled main loop, the DMA engines, SRAM and the queues between them.
//
// The hardware is separate from what runs on it. A communication layer brings
// a control program (Program), reserved packet kinds are served by a Service
// at high priority, and a monitor observes the six instants of every packet
// as a Probe. Each of them pays for its own processor cycles with Spend.
//
// A handler runs to completion and occupies the processor. It executes when the
// main loop notices its event. The cycles that it spends advance a cursor from
// that time; engines and timers that it starts begin at the cursor. A handler
// sees the state of the time at which it begins.
//
// # The six instants
//
// The interface itself calls the probe. A control program only names the packet:
//
//	t1  the request appears        Begin, for each packet made of the request
//	t2  the data is in SRAM        HostDMA with a Record, or Loaded
//	t3  the S engine starts        Send with a Record
//	t4  the S engine ends          the same, and not before t2
//	t5  the last word has arrived  between Demultiplex and Received
//	t6  the data is in host memory HostDMA with a Packet, or Stored
//
// Begin, Loaded (data that came with the request) and Stored (a packet that the
// processor itself passes to the host) are separate calls for the probe, because no
// engine is involved.
//
// Files, in reading order:
//   - new.go: building an interface and attaching it
//   - pipeline.go: cards without a main loop
//   - loop.go: the main loop
//   - settle.go: steps without events
//   - dma.go: the H engines, between host memory and SRAM
//   - net.go: the S and R engines, to and from the network
//   - instants.go: calls of the probe
//   - processor.go: time on the interface processor
//   - waits.go: what packets wait for, in a log
//   - stages.go: the same, on cards without a main loop
//   - nic.go: the state of an interface
//   - program.go: software on the interface: control program, service, probe
//   - events.go: hardware events of the main loop
//   - transfer.go: one host DMA
//   - record.go: the record of an outgoing packet
//   - header.go: the packet header's bits and words
//   - sram.go: allocation of the interface's memory
//   - spec.go: the interface section of a profile
package ni
