package gam

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// maxMessage is the longest message, store and get: callers cut longer ones
// (userspace §4.1).
const maxMessage = 4096

// Spec is the layer's part of a platform profile.
type Spec struct {
	Tokens       int  `toml:"tokens" range:"1..4096"`       // requests to one peer without reply; fewer if kept ones would not fit into the receive ring
	InlineBytes  int  `toml:"inline_bytes" range:"0..4096"` // longest data that the host stores into the request queue
	CopyOut      bool `toml:"copy_out"`                     // a sender copies data into the library's pinned memory, from which it is fetched
	CopyIn       bool `toml:"copy_in"`                      // data is deposited in the slot, and the receiver copies it to its address
	TakeIn       bool `toml:"take_in"`                      // data wait in the receive ring until the receiver polls for them
	AwaitFetch   bool `toml:"await_fetch"`                  // a send returns when the interface has fetched its data
	Keep         bool `toml:"keep"`                         // messages without data stay in the receive ring, and the host reads them there
	Interrupts   bool `toml:"interrupts,omitempty"`         // arrivals interrupt the host and are handled at once; otherwise by the next call of the layer
	Combining    bool `toml:"combining"`                    // the words of a request are stored by cache lines
	RequestWords int  `toml:"request_words" range:"4..64"`  // stored by the host for a request or reply: its four words, handler, node, length
	MessageWords int  `toml:"message_words" range:"4..64"`  // loaded by the host for one that has arrived, including the word polled

	Host   HostCosts `toml:"host"`
	Cycles Cycles    `toml:"cycles"`

	firmware.Section
}

// HostCosts are the library's CPU times besides moving words.
type HostCosts struct {
	Request sim.Duration `toml:"request_us" range:"0..1e5"` // making a request
	Reply   sim.Duration `toml:"reply_us" range:"0..1e5"`   // making a reply
	Receive sim.Duration `toml:"receive_us" range:"0..1e5"` // handling a request or reply: dispatch and return
}

// Cycles are the control program's costs for messages in addition to those for
// every packet, in cycles of the interface processor.
type Cycles struct {
	SendRequest   int `toml:"send_request" range:"0..1e5"`
	SendReply     int `toml:"send_reply" range:"0..1e5"`
	AcceptRequest int `toml:"accept_request" range:"0..1e5"` // store the return address, reserve memory for the reply
	AcceptReply   int `toml:"accept_reply" range:"0..1e5"`
	Retire        int `toml:"retire" range:"0..1e5"`       // after a packet has left or is visible to the host: nothing waits for it
	RetireWords   int `toml:"retire_words" range:"0..1e4"` // loaded from the queues meanwhile
}

// Validate returns an error that names the first field out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("gam", s); err != nil {
		return err
	}
	packet, request := s.Firmware.PacketBytes, 4*s.RequestWords+s.InlineBytes
	switch {
	case s.InlineBytes > 0 && !s.CopyIn:
		return bounds.Wrong("gam.inline_bytes", s.InlineBytes, "0 without copy_in: inline data lie in a slot")
	case s.TakeIn && !s.CopyIn:
		return bounds.Wrong("gam.take_in", s.TakeIn, "false without copy_in: the data wait for a slot")
	case s.InlineBytes > packet-argBytes:
		return bounds.Wrong("gam.inline_bytes", s.InlineBytes, "at most firmware.packet_bytes - %d = %d", argBytes, packet-argBytes)
	case s.Firmware.RequestBytes < request:
		return bounds.Wrong("gam.firmware.request_bytes", s.Firmware.RequestBytes, "at least 4·request_words + inline_bytes = %d", request)
	}
	return nil
}

// Traits says what the layer is (userspace, Tables 1 and 2). The tables give
// its reliability as Library+Copy and network errors as catastrophic, which
// cannot both hold: a copy is made, but nothing is ever sent from it again.
func (s *Spec) Traits() *comm.Traits {
	t := &comm.Traits{
		Name: "gam", Title: "Generic Active Messages: requests and replies with handlers",
		Model: comm.RPC, Requests: true, Control: "Combined",
		IntranodeProtection: true,
		Overflow:            "Prevented", Errors: "Catastrophic", Management: "Static",
		SendPath: "DMA+Copy", ReceivePath: "DMA+Copy", Protection: "Copy", Reliability: "Library+Copy", Notice: "Polling",
		Promises: comm.Kept, Kinds: []trace.Kind{trace.Reply}, Synchronous: s.CopyOut || s.AwaitFetch, Consumes: true, Anyone: true, MinBytes: 1, MaxBytes: maxMessage,
	}
	if !s.CopyOut { // the machines of paper logp whose interface reaches user memory
		t.SendPath = "DMA"
	}
	if !s.CopyIn {
		t.ReceivePath = "DMA"
	}
	if s.Interrupts {
		t.Notice = "Interrupt"
	}
	return t
}

// Shape divides the card's queues.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec {
	card = s.Section.Shape(card, probeWords)
	card.BufferBytes += argBytes
	return card
}

// window returns how many tokens a node has for each peer. If messages stay in
// the receive ring, all requests to a node and all replies must fit into it.
func (s *Spec) window(nodes int) (int, error) {
	if !s.Keep && !s.TakeIn {
		return s.Tokens, nil
	}
	n := min(s.Tokens, s.Firmware.ReceiveBuffers/(2*(nodes-1)))
	if n == 0 {
		return 0, fmt.Errorf("gam.firmware.receive_buffers is %d, want at least 2·(nodes - 1) = %d: a request and a reply of every peer have to fit", s.Firmware.ReceiveBuffers, 2*(nodes-1))
	}
	return n, nil
}
