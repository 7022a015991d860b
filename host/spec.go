package host

import (
	"fmt"

	"github.com/sigview/sigview/sim"
)

// Spec describes one host. Costs of a communication library are not in it:
// they belong to the layer.
type Spec struct {
	CPUs       int      // processors of the node
	Clock      sim.Freq // of the CPU
	CacheLine  int      // bytes
	L2         int      // bytes of the outermost cache; programs size their misses with it
	WordBytes  int      // bytes of one programmed-I/O access
	Ops        Ops
	MemBus     sim.Rate     // bytes/s that the memory bus carries for all its clients
	MemRead    sim.Rate     // bytes/s of a CPU that only reads and always misses
	MemWrite   sim.Rate     // bytes/s of a CPU that only writes and always misses
	CopyHit    sim.Rate     // bytes/s copied when source and destination are cached
	CopyMiss   sim.Rate     // bytes/s copied when neither is
	WriteFill  bool         // a write that misses reads the line first: twice the bus traffic
	IOBus      sim.Rate     // peak bytes/s of the I/O bus
	IOSetup    sim.Duration // the bus is held for this before the data of each transaction
	IOBurst    int          // most bytes of one bus transaction of a DMA; 0: any length
	PIOWrite   sim.Duration // one word stored to the device, the bus held
	PIOLine    sim.Duration // one cache line of combined stores, the bus held
	PIORead    sim.Duration // one word loaded from the device, the bus held
	PollNotice sim.Duration // from a spinning CPU's word being set to its seeing that: a miss
	Interrupt  Interrupt
	Quantum    sim.Duration // time slice of programs that share a CPU; 0: run until they block
	SwitchTime sim.Duration // CPU time of changing from one program to another
	Gang       bool         // all hosts begin their time slices at the same instants, so that a program runs everywhere at once
}

// Ops is the CPU time of operations whose operands are in the cache.
type Ops struct {
	Flop  sim.Duration // one floating-point operation
	Int   sim.Duration // one integer operation
	Load  sim.Duration // one load
	Store sim.Duration // one store
}

// Interrupt is what an interrupt costs around its service.
type Interrupt struct {
	Delivery sim.Duration // from the device's line to the CPU's stopping; the program still runs
	Entry    sim.Duration // CPU time until the service process runs
	Return   sim.Duration // CPU time from the end of service to the program's going on
}

// Uncontended gives resources infinite capacity, to show by their absence what
// they cause. Every client still runs at its own limit.
type Uncontended struct {
	MemBus bool
	IOBus  bool // PCI or SBus
	CPU    bool // each context has a CPU of its own: service steals nothing
}

// Validate checks every field and names the first bad one below path, its value
// and what was wanted.
func (s *Spec) Validate(path string) error {
	if s.CPUs < 1 || s.CPUs > 64 {
		return bad(path, "CPUs", s.CPUs, "1 to 64")
	}
	if s.Clock.Num == 0 || s.Clock.Den == 0 {
		return bad(path, "Clock", s.Clock, "a positive frequency")
	}
	if s.CacheLine < 8 || s.CacheLine > 512 || s.CacheLine&(s.CacheLine-1) != 0 {
		return bad(path, "CacheLine", s.CacheLine, "a power of two from 8 to 512 bytes")
	}
	if s.L2 < 0 {
		return bad(path, "L2", s.L2, "a size in bytes")
	}
	if s.WordBytes != 4 && s.WordBytes != 8 {
		return bad(path, "WordBytes", s.WordBytes, "4 or 8 bytes")
	}
	if s.IOBurst != 0 && s.IOBurst < s.WordBytes {
		return bad(path, "IOBurst", s.IOBurst, "0 or at least a word")
	}
	for _, r := range []struct {
		field string
		rate  sim.Rate
	}{
		{"MemBus", s.MemBus}, {"MemRead", s.MemRead}, {"MemWrite", s.MemWrite},
		{"CopyHit", s.CopyHit}, {"CopyMiss", s.CopyMiss}, {"IOBus", s.IOBus},
	} {
		if r.rate < minRate || r.rate > maxRate {
			return bad(path, r.field, r.rate, fmt.Sprintf("%d to %d bytes/s", minRate, maxRate))
		}
	}
	return s.validateTimes(path)
}

func (s *Spec) validateTimes(path string) error {
	for _, d := range []struct {
		field string
		d     sim.Duration
		least sim.Duration
	}{
		{"Ops.Flop", s.Ops.Flop, 0}, {"Ops.Int", s.Ops.Int, 0},
		{"Ops.Load", s.Ops.Load, 0}, {"Ops.Store", s.Ops.Store, 0},
		{"IOSetup", s.IOSetup, 0},
		{"PIOWrite", s.PIOWrite, 1}, {"PIOLine", s.PIOLine, 1}, {"PIORead", s.PIORead, 1},
		{"PollNotice", s.PollNotice, 0},
		{"Interrupt.Delivery", s.Interrupt.Delivery, 0},
		{"Interrupt.Entry", s.Interrupt.Entry, 0},
		{"Interrupt.Return", s.Interrupt.Return, 0},
		{"Quantum", s.Quantum, 0}, {"SwitchTime", s.SwitchTime, 0},
	} {
		if d.d < d.least || d.d > maxCost {
			return bad(path, d.field, d.d, fmt.Sprintf("%v to %v", d.least, maxCost))
		}
	}
	return nil
}

// Sane ranges: outside them a unit has been mistaken.
const (
	minRate sim.Rate = 1e6
	maxRate sim.Rate = 1e12
	maxCost          = 10 * sim.Second
)

func bad(path, field string, value any, want string) error {
	if path != "" {
		field = path + "." + field
	}
	return fmt.Errorf("%s: %v, want %s", field, value, want)
}
