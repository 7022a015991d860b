package trace

import (
	"bytes"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sigview/sigview/internal/bounds"
)

// ManifestFile is the name of the manifest in a run directory.
const ManifestFile = "run.json"

// Details of runs that are not those of the full model.
const (
	DetailFast    = "fast"    // without packets
	DetailSampled = "sampled" // windows in full, fast between them
	DetailLive    = "live"    // no model: messages between real hosts, stamped by their kernels
	DetailCapture = "capture" // no model: packets of real hosts, captured on the wire
	DetailWatch   = "watch"   // no model: messages of the programs of a real host, seen by its kernel
)

// PlatformFile is the name of the document with all fields of the hardware profile.
const PlatformFile = "platform.json"

// Manifest is run.json: the content of a run directory and its origin.
type Manifest struct {
	SchemaVersion int             `json:"schema_version"`
	ToolVersion   string          `json:"tool_version"`
	Seed          uint64          `json:"seed"`
	Workload      string          `json:"workload"`
	Platform      Platform        `json:"platform"`
	Nodes         int             `json:"nodes" range:"1..4096"`
	Detail        string          `json:"detail,omitempty"`  // one of the details; "": the full model
	Sampled       *Sampled        `json:"sampled,omitempty"` // of a run in sampled detail
	Tags          []Program       `json:"tags"`
	Spec          json.RawMessage `json:"specification"`  // the complete run specification
	Verified      bool            `json:"verified"`       // the program's result was checked and is right
	Verification  string          `json:"verification"`   // how it was checked, with the figure
	Began         time.Time       `json:"began,omitzero"` // of a run of real hosts: when, by node 0's clock
	SimulatedNs   int64           `json:"simulated_ns" range:"0..9007199254740992 ns"`
	EventDigest   string          `json:"event_digest,omitempty"`
	Events        int64           `json:"events,omitempty" range:"0..9007199254740992"` // of the simulation
	Packets       int64           `json:"packets" range:"0..9007199254740992"`          // packets that carry a host request
	// FirmwarePackets counts packets that the interfaces made by themselves,
	// per kind.
	FirmwarePackets map[string]int64 `json:"firmware_packets"`
	Lost            Lost             `json:"lost"`
	Clock           ClockQuality     `json:"clock"`
	Shares          []Shares         `json:"run_time_shares"`
	Stamps          []string         `json:"stamps,omitempty"` // of a run of real hosts: those that messages had
	Cost            *StampCost       `json:"cost,omitempty"`   // of a run of real hosts: what stamping costs
	Seen            []Observed       `json:"seen,omitempty"`   // of a run of programs as they are: what the kernel was doing with messages
	Warnings        []string         `json:"warnings"`
	Files           []File           `json:"files"`                     // filled in when the directory is written
	SHA256          string           `json:"manifest_sha256,omitempty"` // of this document, with zeros in its place; empty but in the document
	// Seeds are those of the runs whose means a run is; nil in the manifest of one run.
	Seeds []uint64 `json:"-"`
}

// Captured reports whether the packets are those of real hosts, captured on the wire.
func (m Manifest) Captured() bool { return m.Detail == DetailCapture }

// Title returns one line that describes the run.
func (m Manifest) Title() string {
	if m.Captured() {
		return fmt.Sprintf("%s captured at %d nodes", m.Workload, m.Nodes)
	}
	if m.Detail == DetailWatch {
		return fmt.Sprintf("%s on %s", m.Workload, m.Platform.Name)
	}
	which := fmt.Sprintf("seed %d", m.Seed)
	if n := len(m.Seeds); n > 1 {
		which = fmt.Sprintf("mean of %d runs, seeds %s", n, SeedsText(m.Seeds))
	}
	return fmt.Sprintf("%s on %s, %d nodes, %s", m.Workload, m.Platform.Name, m.Nodes, which)
}

// RunTimeNs returns the time until the last process of a program ends; the simulated time,
// which ends later if a packet is still on its way, if that is not known.
func (m Manifest) RunTimeNs() (ns int64) {
	for _, p := range m.Tags {
		ns = max(ns, p.RunTimeNs)
	}
	return cmp.Or(ns, m.SimulatedNs)
}

// SeedsText writes seeds in ascending order, neighbours as a range: 1..5,8.
func SeedsText(seeds []uint64) string {
	var parts []string
	for i := 0; i < len(seeds); {
		j := i
		for j+1 < len(seeds) && seeds[j+1] == seeds[j]+1 {
			j++
		}
		if text := strconv.FormatUint(seeds[i], 10); i == j {
			parts = append(parts, text)
		} else {
			parts = append(parts, fmt.Sprintf("%s..%d", text, seeds[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// Real reports whether the run is one of real hosts.
func (m Manifest) Real() bool {
	return m.Detail == DetailLive || m.Detail == DetailWatch || m.Captured()
}

// Program returns the name of a tag's program.
func (m Manifest) Program(tag Tag) string {
	for _, p := range m.Tags {
		if p.Tag == tag {
			return p.Name
		}
	}
	return "no name"
}

// Platform names the hardware profile and the digest of its content.
type Platform struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
	// Borrowed is the platform whose section of the run's layer the profile has
	// borrowed, if any.
	Borrowed string `json:"borrowed,omitempty"`
}

// Program describes the program of a tag and its outcome.
type Program struct {
	Tag          Tag    `json:"tag"`
	Name         string `json:"name"`
	RunTimeNs    int64  `json:"run_time_ns" range:"0..9007199254740992 ns"` // until its last process ended
	Verified     bool   `json:"verified"`
	Verification string `json:"verification"`
}

// Sampled says of which part of a run its figures are, and how near its run time is. Its run time and simulated time are
// estimates, its Packets and all other counts are those of the part in full.
type Sampled struct {
	Windows     int64   `json:"windows" range:"1.."`
	Fraction    float64 `json:"fraction" range:"0..1"`                         // of the messages, that are in full
	Messages    int64   `json:"messages" range:"0..9007199254740992"`          // of the whole run
	Packets     int64   `json:"packets" range:"0..9007199254740992"`           // of the whole run, by estimate
	RunTimeLoNs int64   `json:"run_time_lo_ns" range:"0..9007199254740992 ns"` // of its 95 % interval
	RunTimeHiNs int64   `json:"run_time_hi_ns" range:"0..9007199254740992 ns"`
	FastNs      int64   `json:"fast_run_time_ns" range:"0..9007199254740992 ns"` // of the run if all messages are fast
}

// Lost counts all packets that did not arrive, were repeated, or were recorded
// less exactly than the tables suggest.
type Lost struct {
	Dropped       int64 `json:"dropped" range:"0..9007199254740992"`       // packets that left an interface and never reached another
	Corrupted     int64 `json:"corrupted" range:"0..9007199254740992"`     // packets that the checksum refused
	Undetected    int64 `json:"undetected" range:"0..9007199254740992"`    // corrupted packets that the checksum let through
	Retransmitted int64 `json:"retransmitted" range:"0..9007199254740992"` // packets sent again
	Resets        int64 `json:"resets" range:"0..9007199254740992"`        // forward resets of the network
	Saturated     int64 `json:"saturated" range:"0..9007199254740992"`     // recordings that found their counter full
	TopBin        int64 `json:"top_bin" range:"0..9007199254740992"`       // recordings in a histogram's top bin
	Negative      int64 `json:"negative" range:"0..9007199254740992"`      // negative latencies (clock error), filed in the lowest bin
	Oversize      int64 `json:"oversize" range:"0..9007199254740992"`      // packets longer than the largest size bin, filed there
	Unconverted   int64 `json:"unconverted" range:"0..9007199254740992"`   // Net latencies without a clock table to convert them
	NotRecorded   int64 `json:"not_recorded" range:"0..9007199254740992"`  // packets for which the histograms had no room
	TraceRecords  int64 `json:"trace_records" range:"0..9007199254740992"` // trace records that found no room, or no clock table
	Spans         int64 `json:"spans" range:"0..9007199254740992"`         // operations whose begin or end was not recorded

	// Of networks whose switches have buffers.
	Overflowed int64 `json:"overflowed,omitempty" range:"0..9007199254740992"` // of those dropped, for want of room in a switch
	Unreceived int64 `json:"unreceived,omitempty" range:"0..9007199254740992"` // of those dropped, for want of room in a receiver
	Marked     int64 `json:"marked,omitempty" range:"0..9007199254740992"`     // marks that switches have set (ECN)
	Pauses     int64 `json:"pauses,omitempty" range:"0..9007199254740992"`     // pause frames that switches have sent
	PausedNs   int64 `json:"paused_ns,omitempty" range:"0..9007199254740992"`  // for how long ports were halted, all ports added up
	NotReady   int64 `json:"not_ready,omitempty" range:"0..9007199254740992"`  // messages that found no receive buffer, and were sent again
}

// Plus returns the sum of two counts.
func (l Lost) Plus(o Lost) Lost {
	return Lost{
		l.Dropped + o.Dropped, l.Corrupted + o.Corrupted, l.Undetected + o.Undetected, l.Retransmitted + o.Retransmitted,
		l.Resets + o.Resets, l.Saturated + o.Saturated, l.TopBin + o.TopBin, l.Negative + o.Negative, l.Oversize + o.Oversize,
		l.Unconverted + o.Unconverted, l.NotRecorded + o.NotRecorded, l.TraceRecords + o.TraceRecords, l.Spans + o.Spans,
		l.Overflowed + o.Overflowed, l.Unreceived + o.Unreceived, l.Marked + o.Marked, l.Pauses + o.Pauses, l.PausedNs + o.PausedNs, l.NotReady + o.NotReady,
	}
}

// ClockQuality describes the accuracy of the global clock. Null means not
// measured.
type ClockQuality struct {
	Estimator       string   `json:"estimator"`
	Rounds          int64    `json:"rounds" range:"0..9007199254740992"`
	Messages        int64    `json:"messages" range:"0..9007199254740992"`
	MaxErrorNs      *float64 `json:"max_error_ns" range:"0.."`
	P99ErrorNs      *float64 `json:"p99_error_ns" range:"0.."`
	MedianBoundNs   *float64 `json:"median_bound_ns" range:"0.."`
	BoundCoverage   *float64 `json:"bound_coverage" range:"0..1"` // share of conversions whose bound held
	MessagesPerHour *float64 `json:"messages_per_hour" range:"0.."`
}

// Shares splits the run time of one program on one node. They sum to the run
// time.
type Shares struct {
	Tag           Tag   `json:"tag"`
	Node          int   `json:"node"`
	RunTimeNs     int64 `json:"run_time_ns" range:"0..9007199254740992 ns"`
	ComputingNs   int64 `json:"computing_ns" range:"0..9007199254740992 ns"`
	PageWaitNs    int64 `json:"page_wait_ns" range:"0..9007199254740992 ns"`
	LockNs        int64 `json:"lock_ns" range:"0..9007199254740992 ns"`
	BarrierNs     int64 `json:"barrier_ns" range:"0..9007199254740992 ns"`
	MessagingNs   int64 `json:"messaging_ns" range:"0..9007199254740992 ns"`    // inside the communication library
	MessageWaitNs int64 `json:"message_wait_ns" range:"0..9007199254740992 ns"` // until a message arrives or may be sent
	ServiceNs     int64 `json:"service_ns" range:"0..9007199254740992 ns"`      // serving other nodes
	DescheduledNs int64 `json:"descheduled_ns" range:"0..9007199254740992 ns"`
	MonitorNs     int64 `json:"monitor_ns" range:"0..9007199254740992 ns"`
}

// File is one file of the run directory beside the manifest.
type File struct {
	Name   string `json:"name"`
	Rows   *int64 `json:"rows" range:"0..9007199254740992"` // null when the file is no table
	Bytes  int64  `json:"bytes" range:"0..9007199254740992"`
	SHA256 string `json:"sha256"`
}

// Rows returns how many rows the run's directory has of a table, 0 if it has no such table.
func (m *Manifest) Rows(of Row) int64 {
	for _, f := range m.Files {
		if name, _, _ := strings.Cut(f.Name, "."); name == of.TableName() && f.Rows != nil {
			return *f.Rows
		}
	}
	return 0
}

// Sum returns the sum of the shares.
func (s Shares) Sum() int64 {
	return s.ComputingNs + s.PageWaitNs + s.LockNs + s.BarrierNs + s.MessagingNs + s.MessageWaitNs +
		s.ServiceNs + s.DescheduledNs + s.MonitorNs
}

// sharesSlackNs allows for rounding each of nine shares to a nanosecond.
const sharesSlackNs = 9

// mostCount is the largest count, and time in nanoseconds: beyond it, JSON readers round.
const mostCount int64 = 1 << 53

// Check returns an error that names the field, its value and what was wanted.
func (m Manifest) Check() error {
	if err := CheckVersion(m.SchemaVersion); err != nil {
		return err
	}
	switch {
	case m.ToolVersion == "":
		return fmt.Errorf("tool_version: empty, wanted the tool's version")
	case m.Workload == "":
		return fmt.Errorf("workload: empty, wanted its name")
	case m.Platform.Name == "" || m.Platform.Digest == "":
		return fmt.Errorf("platform: name %q, digest %q, wanted both", m.Platform.Name, m.Platform.Digest)
	case !json.Valid(m.Spec) || !strings.HasPrefix(strings.TrimSpace(string(m.Spec)), "{"):
		return fmt.Errorf("specification: %.40q, wanted a JSON object", m.Spec)
	}
	numbers := m
	numbers.Spec = nil // a text
	if err := bounds.Check("", numbers); err != nil {
		return errors.New(err.Error()) // the run is bad, not the command line
	}
	for name, n := range m.FirmwarePackets {
		if k, err := ParseKind(name); err != nil || k.CarriesRequest() || n < 0 || n > mostCount {
			return fmt.Errorf("firmware_packets: %s: %d, wanted kinds that the interface makes by itself, 0 to %d", name, n, mostCount)
		}
	}
	for i, p := range m.Tags {
		if slices.ContainsFunc(m.Tags[:i], func(q Program) bool { return q.Tag == p.Tag }) {
			return fmt.Errorf("tags: tag %d is there twice", p.Tag)
		}
	}
	if err := checkFiles(m.Files); err != nil {
		return err
	}
	for _, s := range m.Shares {
		if s.Node < 0 || s.Node >= m.Nodes {
			return fmt.Errorf("run_time_shares: node %d, wanted 0 to %d", s.Node, m.Nodes-1)
		}
		if d := s.Sum() - s.RunTimeNs; d < -sharesSlackNs || d > sharesSlackNs {
			return fmt.Errorf("run_time_shares: node %d: the shares sum to %d ns, wanted the run time, %d ns", s.Node, s.Sum(), s.RunTimeNs)
		}
	}
	return nil
}

func checkFiles(files []File) error {
	seen := map[string]bool{}
	for _, f := range files {
		if _, err := hex.DecodeString(f.SHA256); err != nil || len(f.SHA256) != len(unsealed) {
			return fmt.Errorf("files: %.40q: sha256 %.80q, wanted %d hexadecimal digits", f.Name, f.SHA256, len(unsealed))
		}
		if seen[f.Name] {
			return fmt.Errorf("files: %.40q is there twice", f.Name)
		}
		seen[f.Name] = true
		if err := bounds.Check("files", f); err != nil {
			return errors.New(err.Error())
		}
	}
	return nil
}

// Encode returns the manifest as indented JSON.
func (m Manifest) Encode() ([]byte, error) {
	m.SHA256 = unsealed
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestFile, err)
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(m); err != nil {
		return nil, fmt.Errorf("%s: %w", ManifestFile, err)
	}
	return seal(b.Bytes()), nil
}

// DecodeManifest reads and checks a manifest. It checks the version first, so a
// newer file is rejected for its version and not for unknown keys.
func DecodeManifest(data []byte) (Manifest, error) {
	var head struct {
		SchemaVersion *int `json:"schema_version"`
	}
	fail := func(err error) (Manifest, error) { return Manifest{}, fmt.Errorf("%s: %w", ManifestFile, err) }
	if err := json.Unmarshal(data, &head); err != nil {
		return fail(undecoded(err))
	}
	if head.SchemaVersion == nil {
		return fail(fmt.Errorf("schema_version: missing, wanted 1 to %d: not the manifest of a run", SchemaVersion))
	}
	if err := CheckVersion(*head.SchemaVersion); err != nil {
		return fail(err)
	}
	var m Manifest
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&m); err != nil {
		return fail(undecoded(err))
	}
	if err := cmp.Or(m.Check(), checkSeal(data, m.SHA256)); err != nil {
		return fail(err)
	}
	m.SHA256 = ""
	return m, nil
}

// undecoded returns an error of a document's decoder in the words of its fields.
func undecoded(err error) error {
	var other *json.UnmarshalTypeError
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &other):
		return fmt.Errorf("%s is a %s, wanted another value", other.Field, other.Value)
	case errors.As(err, &syntax):
		return fmt.Errorf("not a whole JSON document: %w", err)
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// CheckVersion returns an error for a schema version that this program cannot
// read.
func CheckVersion(version int) error {
	switch {
	case version > SchemaVersion:
		return fmt.Errorf("schema version %d is newer than %d, the newest this program reads", version, SchemaVersion)
	case version < 1:
		return fmt.Errorf("schema version %d, wanted 1 to %d", version, SchemaVersion)
	}
	return nil
}
