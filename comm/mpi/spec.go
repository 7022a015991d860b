package mpi

import (
	"slices"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// Spec is the layer's part of a platform profile.
type Spec struct {
	Over       string `toml:"over"`                             // layer below
	EagerBytes int    `toml:"eager_bytes" range:"0..268435456"` // longest message that follows its envelope at once

	Host Host `toml:"host"`

	// Lower is the section of the layer below. The profile sets it.
	Lower comm.Spec `toml:"-"`
}

// Host is the CPU time of the library besides copies and the layer below.
type Host struct {
	Send    sim.Duration `toml:"send_us" range:"0..1e5"`    // a send: checks, envelope
	Receive sim.Duration `toml:"receive_us" range:"0..1e5"` // a receive: checks, request, its end
	Arrive  sim.Duration `toml:"arrive_us" range:"0..1e5"`  // a packet that has arrived: its kind, what it belongs to
	Match   sim.Duration `toml:"match_us" range:"0..1e5"`   // an element of a queue that is looked at
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("mpi", s); err != nil {
		return err
	}
	if s.Lower == nil {
		return bounds.Wrong("mpi.over", s.Over, "a layer with a section in the profile")
	}
	t := s.Lower.Traits()
	switch least := headBytes + 1; {
	case t.Model != comm.SendReceive || !t.Consumes || !t.Anyone || !t.Promises.Reliable || !t.Promises.Ordered:
		return bounds.Wrong("mpi.over", s.Over, "a layer of sends and receives whose messages arrive once and in order")
	case t.MaxBytes > 0 && t.MaxBytes < least:
		return bounds.Wrong("mpi.over", s.Over, "a layer with messages of at least %d B", least)
	}
	return nil
}

// Payload returns the largest payload of a packet of the layer below.
func (s *Spec) Payload() int { return s.Lower.Payload() }

// Shape returns the card with its queues divided for the layer below.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec { return s.Lower.Shape(card, probeWords) }

// Traits returns the properties of MPI, most of which are those of the layer below.
func (s *Spec) Traits() *comm.Traits {
	t := *s.Lower.Traits()
	t.Name, t.Title = "mpi", "MPI over another layer: eager and rendezvous, matching by source and tag"
	t.Kinds = append(slices.Clone(t.Kinds), trace.Envelope)
	t.Synchronous, t.InPlace, t.Posts, t.MinBytes, t.MaxBytes = true, false, true, 0, 0
	t.Multicasts = false
	return &t
}
