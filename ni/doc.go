// Package ni models a programmable network interface: its processor with the
// polled main loop, the DMA engines, SRAM and the queues between them.
//
// The hardware is separate from what runs on it. A communication layer brings
// a control program (Program), reserved packet kinds are served by a Service
// at high priority, and a monitor observes the six instants of every packet
// as a Probe. Each of them pays for its own processor cycles with Spend.
//
// A handler runs to completion and occupies the processor. It executes at the
// moment the main loop notices its event; the cycles it spends move a cursor
// ahead of that moment, and what it starts (an engine, a timer) starts at the
// cursor. The state a handler sees is that of the moment it begins.
//
// # The six instants
//
// The card itself calls the probe. A control program does its work and names the
// packet:
//
//	t1  the request appears        Begin, for each packet made of the request
//	t2  the data is in SRAM        HostDMA with a Record, or Loaded
//	t3  the S engine starts        Send with a Record
//	t4  the S engine ends          the same, and not before t2
//	t5  the last word has arrived  between Demultiplex and Received
//	t6  the data is in host memory HostDMA with a Packet, or Stored
//
// Only Begin, Loaded (data that came with the request) and Stored (a packet that the
// processor itself hands to the host) are calls for the probe: no engine is at work
// there.
//
// Files, in reading order:
//   - new.go: a card and what it is attached to
//   - loop.go: the main loop
//   - dma.go: the H engine, between host memory and SRAM
//   - net.go: the S and R engines, to and from the network
//   - instants.go: calls of the probe
//   - processor.go: time on the interface processor
//   - nic.go: what a card keeps
//   - program.go: what runs on a card: control program, service, probe
//   - events.go: what the hardware tells the main loop
//   - transfer.go: one host DMA
//   - record.go: one packet on its way out
//   - header.go: the packet header's bits and words
//   - sram.go: who holds which part of the card's memory
//   - spec.go: a card as a profile describes it
package ni
