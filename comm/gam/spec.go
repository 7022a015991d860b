package gam

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/comm/internal/firmware"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/ni"
)

// MaxBytes is the longest message, store and get: callers cut longer ones
// (userspace §4.1).
const MaxBytes = 4096

// Spec is the layer's part of a platform profile.
type Spec struct {
	Tokens       int  `toml:"tokens"`        // requests to one peer that have no reply yet, fewer when kept ones would not fit into the receive ring
	InlineBytes  int  `toml:"inline_bytes"`  // longest data that the host stores into the request queue
	CopyOut      bool `toml:"copy_out"`      // a sender copies data into pinned memory of the library, from which they are fetched
	StageBytes   int  `toml:"stage_bytes"`   // the pinned memory for that
	CopyIn       bool `toml:"copy_in"`       // data land in the slot, and the receiver copies them to where they belong
	AwaitFetch   bool `toml:"await_fetch"`   // a send returns when the interface has fetched its data
	Keep         bool `toml:"keep"`          // messages without data stay in the receive ring, and the host reads them there
	Combining    bool `toml:"combining"`     // the words of a request are stored by cache lines
	RequestWords int  `toml:"request_words"` // stored by the host for a request or reply: its four words, handler, node, length
	MessageWords int  `toml:"message_words"` // loaded by the host for one that has come, the word that says so among them

	Host     HostCosts     `toml:"host"`
	Cycles   Cycles        `toml:"cycles"`
	Firmware firmware.Spec `toml:"firmware"`
}

// HostCosts are what the library costs the host processor beside moving words, in µs.
type HostCosts struct {
	RequestUs float64 `toml:"request_us"` // making a request
	ReplyUs   float64 `toml:"reply_us"`   // making a reply
	ReceiveUs float64 `toml:"receive_us"` // handling a request or reply: dispatch and return
}

// Cycles are what the control program does for messages beside what it does
// for every packet, in cycles of the interface processor.
type Cycles struct {
	SendRequest   int `toml:"send_request"`
	SendReply     int `toml:"send_reply"`
	AcceptRequest int `toml:"accept_request"` // keep the way back, see to a place for the reply
	AcceptReply   int `toml:"accept_reply"`
	Retire        int `toml:"retire"`       // when a packet has left, or the host has it: nothing waits for it
	RetireWords   int `toml:"retire_words"` // loaded from the queues meanwhile
}

// Validate reports the first field that is out of range.
func (s *Spec) Validate() error {
	if err := bounds.Check("gam",
		bounds.Number("tokens", s.Tokens, 1, 1<<12),
		bounds.Number("inline_bytes", s.InlineBytes, 0, MaxBytes),
		bounds.Number("stage_bytes", s.StageBytes, 0, 1<<24),
		bounds.Number("request_words", s.RequestWords, argWords, 64),
		bounds.Number("message_words", s.MessageWords, argWords, 64),
		bounds.Number("host.request_us", s.Host.RequestUs, 0, 1e5),
		bounds.Number("host.reply_us", s.Host.ReplyUs, 0, 1e5),
		bounds.Number("host.receive_us", s.Host.ReceiveUs, 0, 1e5),
		bounds.Number("cycles.send_request", s.Cycles.SendRequest, 0, 1e5),
		bounds.Number("cycles.send_reply", s.Cycles.SendReply, 0, 1e5),
		bounds.Number("cycles.accept_request", s.Cycles.AcceptRequest, 0, 1e5),
		bounds.Number("cycles.accept_reply", s.Cycles.AcceptReply, 0, 1e5),
		bounds.Number("cycles.retire", s.Cycles.Retire, 0, 1e5),
		bounds.Number("cycles.retire_words", s.Cycles.RetireWords, 0, 1e4),
	); err != nil {
		return err
	}
	if err := s.Firmware.Validate("gam.firmware"); err != nil {
		return err
	}
	inline := s.InlineBytes + argBytes
	switch {
	case s.InlineBytes > 0 && !s.CopyIn:
		return fmt.Errorf("gam.inline_bytes is %d, want 0 where gam.copy_in is not set: such data lie in a slot", s.InlineBytes)
	case s.CopyOut && s.StageBytes < s.Firmware.PacketBytes:
		return fmt.Errorf("gam.stage_bytes is %d, want at least gam.firmware.packet_bytes = %d", s.StageBytes, s.Firmware.PacketBytes)
	case inline > s.Firmware.PacketBytes:
		return fmt.Errorf("gam.inline_bytes is %d, want at most gam.firmware.packet_bytes - %d = %d", s.InlineBytes, argBytes, s.Firmware.PacketBytes-argBytes)
	case 4*s.RequestWords+s.InlineBytes > s.Firmware.RequestBytes:
		return fmt.Errorf("gam.firmware.request_bytes is %d, want at least 4·gam.request_words + gam.inline_bytes = %d",
			s.Firmware.RequestBytes, 4*s.RequestWords+s.InlineBytes)
	}
	return nil
}

// Traits says what the layer is (userspace, Tables 1 and 2). The tables give
// its reliability as Library+Copy and network errors as catastrophic, which
// cannot both hold: a copy is made, but nothing is ever sent from it again.
func (s *Spec) Traits() *comm.Traits {
	t := &comm.Traits{
		Name: "gam", Title: "Generic Active Messages: requests and replies with handlers",
		Model: comm.RPC, Control: "Combined",
		IntranodeProtection: true,
		Overflow:            "Prevented", Errors: "Catastrophic", Management: "Static",
		SendPath: "DMA+Copy", ReceivePath: "DMA+Copy", Protection: "Copy", Reliability: "Library+Copy", Notice: "Polling",
		Synchronous: s.CopyOut || s.AwaitFetch, Consumes: true, Anyone: true, MinBytes: 1, MaxBytes: MaxBytes,
	}
	if !s.CopyOut { // the machines of paper logp whose interface reaches user memory
		t.SendPath = "DMA"
	}
	if !s.CopyIn {
		t.ReceivePath = "DMA"
	}
	return t
}

// Payload is the most data that a packet carries, bytes.
func (s *Spec) Payload() int { return s.Firmware.PacketBytes }

// Shape divides the card's queues.
func (s *Spec) Shape(card ni.Spec, probeWords int) ni.Spec {
	card = s.Firmware.Shape(card, probeWords)
	card.BufferBytes += argBytes
	return card
}

// Build loads the layer into a card.
func (s *Spec) Build(card *ni.NIC, nodes int) (comm.Layer, error) { return New(card, *s, nodes) }

// window is how many tokens a node has for each peer: all requests to it and
// all replies, where they stay in its receive ring, have to fit.
func (s *Spec) window(nodes int) (int, error) {
	if !s.Keep {
		return s.Tokens, nil
	}
	n := min(s.Tokens, s.Firmware.ReceiveBuffers/(2*(nodes-1)))
	if n == 0 {
		return 0, fmt.Errorf("gam.firmware.receive_buffers is %d, want at least 2·(nodes - 1) = %d: a request and a reply of every peer have to fit", s.Firmware.ReceiveBuffers, 2*(nodes-1))
	}
	return n, nil
}
