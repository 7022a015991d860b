package bench

import (
	"fmt"
	"strings"

	"github.com/sigview/sigview/analysis/logp"
)

// LogP is the LogP parameters of a layer on a platform. Results that differ in a field with the tag work:"yes"
// measure different things, and are not compared.
type LogP struct {
	Place
	Method string `json:"method" work:"yes"`
	// Operation is the operation of Parameters: a request of a few words with its reply, or a message by send
	// and receive. Their times are not comparable.
	Operation string `json:"operation,omitempty" work:"yes"`
	Pattern   string `json:"pattern" work:"yes"`
	Pair      *Pair  `json:"pair,omitempty"` // of the pattern pair
	// Peers is the number of nodes that receive requests (one-to-many) or send them
	// (many-to-one), or the number of pairs at once (all-pairs).
	Peers   int    `json:"peers" work:"yes"`
	Monitor string `json:"monitor" work:"yes"`
	Noise   string `json:"noise" work:"no"`
	// Sockets are those of messages between real hosts.
	Sockets Sockets `json:"sockets,omitzero"`

	// Parameters are those of small messages; of a sweep, those of its first size.
	Parameters logp.Params   `json:"parameters"`
	Idle       logp.Estimate `json:"idle_us"`
	// GapRatio is the gap relative to that of one pair, which is also measured.
	GapRatio *logp.Estimate `json:"gap_ratio,omitempty"`
	OneToOne *logp.Params   `json:"one_to_one,omitempty"`
	Sizes    []Size         `json:"sizes"`

	Parameterized *Parameterized `json:"plogp,omitempty"`

	Points    []logp.Point    `json:"points,omitempty"` // of a signature
	Curves    []logp.Curve    `json:"curves,omitempty"`
	Bulk      *Lines          `json:"bulk,omitempty"`
	Residuals []logp.Residual `json:"residuals"`
	Warnings  []string        `json:"warnings"`

	Consistency []Agreement `json:"consistency,omitempty"`
}

// Sockets is how messages between real hosts were sent and received.
type Sockets struct {
	Wait       string `json:"wait" work:"yes"`                         // of receivers
	CPUs       []int  `json:"cpus" work:"no"`                          // of the ends, by node; empty: any
	BufferKB   int    `json:"buffer_KB" work:"no"`                     // that sockets ask for, each direction
	Congestion string `json:"congestion_control,omitempty" work:"yes"` // of TCP
}

// String returns the settings in words.
func (s *Sockets) String() string {
	text := fmt.Sprintf("receivers %s, buffers of %d KB", s.Wait, s.BufferKB)
	if len(s.CPUs) > 0 {
		text += fmt.Sprintf(", ends on processors %s", strings.Trim(fmt.Sprint(s.CPUs), "[]"))
	}
	if s.Congestion != "" {
		text += ", congestion control " + s.Congestion
	}
	return text
}

// Pair is the two nodes that were measured, and the switches on the route between them.
type Pair struct {
	Nodes    [2]int `json:"nodes"`
	Switches int    `json:"switches"`
}

// String returns the nodes and the switches between them in words.
func (p *Pair) String() string {
	between := fmt.Sprintf("%d switches", p.Switches)
	if p.Switches == 1 {
		between = "1 switch"
	}
	return fmt.Sprintf("nodes %d and %d, %s between them", p.Nodes[0], p.Nodes[1], between)
}

// RequestOf and MessageOf return names of operations, for LogP.Operation.
func RequestOf(words int) string { return fmt.Sprintf("request of %d words", words) }
func MessageOf(bytes int) string { return fmt.Sprintf("message of %d B", bytes) }

// Size is the result at one message size: parameters of a sweep, or figures of bulk transfers.
type Size struct {
	SizeBytes int `json:"size_bytes"`
	*logp.Params
	*Bulk
	Idle *logp.Estimate `json:"idle_us,omitempty"`
	// Saturation is the gap by saturation. Rounds is the number of round trips of either kind. Only
	// parameterized LogP has them.
	Saturation *logp.Estimate `json:"saturation_g_us,omitempty"`
	Rounds     int            `json:"rounds,omitempty"`
	// Sender and Receiver are the gaps from which the parameters were taken.
	Sender   []logp.Gap `json:"sender,omitempty"`
	Receiver []logp.Gap `json:"receiver,omitempty"`
	// Points and Curves are the signature of bulk transfers that have one.
	Points   []logp.Point `json:"points,omitempty"`
	Curves   []logp.Curve `json:"curves,omitempty"`
	Warnings []string     `json:"warnings,omitempty"`
}

// Parameterized is the results of parameterized LogP that are not of one size.
type Parameterized struct {
	Constants logp.Search   `json:"constants"`
	G0        logp.Estimate `json:"g0_us"` // gap of empty messages
	L         logp.Estimate `json:"L_us"`  // time of the first bit from process to process
	// Bandwidth is m/g(m) of the largest size: 1/G of LogGP.
	Bandwidth logp.Estimate `json:"bandwidth_MBps"`
	Trains    []int         `json:"trains"` // messages of each train for g(0)
	Costs     []Cost        `json:"costs"`
	Swapped   Swapped       `json:"swapped"`
	OneWay    *OneWay       `json:"one_way,omitempty"`
}

// Cost is the time and the messages that a part of a measurement took on the measured machine.
type Cost struct {
	Part     string  `json:"part"`
	TookS    float64 `json:"took_s"`   // simulated time
	Messages int64   `json:"messages"` // of both sides
	Bytes    int64   `json:"bytes"`
}

// Swapped is the parameters with the roles of the two nodes swapped.
type Swapped struct {
	G0    logp.Estimate `json:"g0_us"`
	L     logp.Estimate `json:"L_us"`
	Sizes []Size        `json:"sizes"`
}

// OneWay is the time of a short message in each direction by the monitors' global clock: from the entry of its
// request into the send queue until its data are in the receiver's memory. HalfRTT is half the round trip of
// empty messages. It has the library's time as well.
type OneWay struct {
	SizeBytes int           `json:"size_bytes"`
	Messages  int           `json:"messages"` // each way
	There     logp.Estimate `json:"there_us"`
	Back      logp.Estimate `json:"back_us"`
	HalfRTT   logp.Estimate `json:"half_rtt_us"`
}

// Bulk has the figures of bulk transfers of one size, Lines the lines through all sizes.
type (
	Bulk  = logp.BulkFigures
	Lines = logp.Lines
)

// Agreement compares one quantity measured in two ways in the same run: by LogP, and by the monitor's stages or
// the host's times.
type Agreement struct {
	Of      string  `json:"of"`
	LogPUs  float64 `json:"logp_us"`
	OtherUs float64 `json:"instrument_us"`
	// From is how the other figure was computed.
	From string `json:"instrument"`
	// OffPct is the relative difference of the other figure from LogP's, in per cent.
	OffPct float64 `json:"off_pct"`
}

// NewAgreement compares two times in µs. OffPct is 0 if LogP's time is.
func NewAgreement(of string, logpUs, otherUs float64, from string) Agreement {
	a := Agreement{Of: of, LogPUs: logpUs, OtherUs: otherUs, From: from}
	if logpUs != 0 {
		a.OffPct = 100 * (otherUs - logpUs) / logpUs
	}
	return a
}
