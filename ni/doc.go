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
package ni
