package trace

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
)

// SweepFile is the name of the manifest of a sweep, many runs with their results in tables.
const SweepFile = "sweep.json"

// SweepManifest describes a sweep: the file that asked for it, and what became of its runs.
type SweepManifest struct {
	SchemaVersion int            `json:"schema_version"`
	ToolVersion   string         `json:"tool_version"`
	Name          string         `json:"name"`
	File          string         `json:"file"` // the text that describes the sweep
	Seeds         []uint64       `json:"seeds"`
	Runs          int64          `json:"runs"` // with those that failed
	Failed        []SweepFailure `json:"failed"`
	Skipped       []SweepSkip    `json:"skipped"`
	Files         []File         `json:"files"`
	SHA256        string         `json:"manifest_sha256,omitempty"` // as in Manifest
}

// Labels say of what sweep a file is. The digest is the SHA-256 of the text that describes it.
func (m SweepManifest) Labels() []Label {
	sum := sha256.Sum256([]byte(m.File))
	return []Label{
		{"sigview.tool_version", m.ToolVersion},
		{"sigview.sweep", m.Name},
		{"sigview.specification_digest", hex.EncodeToString(sum[:])},
	}
}

// SweepFailure is a run that ended with an error, or whose program had a wrong result.
type SweepFailure struct {
	Run   string `json:"run"`
	Title string `json:"title"`
	Error string `json:"error"`
}

// SweepSkip are combinations that cannot work, of all seeds, and the reason.
type SweepSkip struct {
	Combinations []string `json:"combinations"`
	Reason       string   `json:"reason"`
}

func (s SweepSkip) String() string {
	others := ""
	if n := len(s.Combinations); n > 1 {
		others = fmt.Sprintf(", and %d more", n-1)
	}
	return s.Combinations[0] + others + ": " + s.Reason
}

// Encode returns the manifest as indented JSON.
func (m SweepManifest) Encode() ([]byte, error) {
	m.SHA256 = unsealed
	text, err := json.MarshalIndent(m, "", "  ")
	return seal(append(text, '\n')), err
}

// DecodeSweep reads the manifest of a sweep.
func DecodeSweep(data []byte) (m SweepManifest, err error) {
	if err := json.Unmarshal(data, &m); err != nil {
		return m, fmt.Errorf("%s: %w", SweepFile, undecoded(err))
	}
	if len(m.Files) == 0 {
		return m, fmt.Errorf("%s: files: missing, wanted the manifest of a sweep", SweepFile)
	}
	if err := cmp.Or(CheckVersion(m.SchemaVersion), checkFiles(m.Files), checkSeal(data, m.SHA256)); err != nil {
		return m, fmt.Errorf("%s: %w", SweepFile, err)
	}
	m.SHA256 = ""
	return m, nil
}

// SweepKey says which run of a sweep a row is of. The platform and the layer are in the
// path of the file, where readers of partitioned tables find them.
type SweepKey struct {
	Run          string     `col:"run" named:"yes" doc:"directory of the run in runs/"`
	Workload     string     `col:"workload" named:"yes" key:"workload" doc:"programs, joined by +"`
	Nodes        int64      `col:"nodes" range:"1.." key:"nodes" doc:"nodes of the cluster"`
	Size         Opt[int64] `col:"size" range:"1.." key:"size" doc:"problem size in the program's unit; null for patterns and for several programs"`
	MessageBytes Opt[int64] `col:"message_bytes" key:"message_bytes" unit:"B" doc:"bytes of a pattern's messages; null for other programs"`
	Uncontended  string     `col:"uncontended" key:"uncontended" doc:"resources with infinite capacity, joined by commas"`
	Seed         int64      `col:"seed" key:"seed" doc:"seed of all random numbers"`
}

// What became of a run of a sweep.
const (
	RunFinished = "finished"
	RunWrong    = "wrong result"
	RunFailed   = "failed"
)

// SweepRow is one run of a sweep. Shares and latencies are null in a run that failed.
type SweepRow struct {
	SweepKey
	State string `col:"state" key:"state" doc:"finished; wrong result: the program's check failed; failed: the run ended with an error and has no figures"`
	Error string `col:"error" key:"error,omit" doc:"what went wrong; empty if nothing did"`

	RunTimeNs Opt[int64] `col:"run_time_ns" key:"run_time_us" unit:"ns" doc:"until the last process ended"`
	SweepShares
	SweepCounts
	Source SweepStage `col:"source" key:"source" doc:"Source latency of all packets"`
	LANai  SweepStage `col:"lanai" key:"lanai" doc:"LANai latency of all packets"`
	Net    SweepStage `col:"net" key:"net" doc:"Net latency of all packets"`
	Dest   SweepStage `col:"dest" key:"dest" doc:"Dest latency of all packets"`

	EventDigest    string `col:"event_digest" key:"event_digest" doc:"digest of all events: equal digests mean equal runs"`
	PlatformDigest string `col:"platform_digest" doc:"digest of the hardware profile"`
	ToolVersion    string `col:"tool_version" doc:"the version of sigview that made the run"`
	Specification  string `col:"specification" doc:"the whole specification, as JSON"`
}

// SweepShares split the run time of a process, on average over processes.
type SweepShares struct {
	ComputingNs   Opt[float64] `col:"computing_ns" key:"computing_us" unit:"ns" doc:"of the run time of a process on average: computing"`
	PageWaitNs    Opt[float64] `col:"page_wait_ns" key:"page_wait_us" unit:"ns" doc:"waiting for pages"`
	LockNs        Opt[float64] `col:"lock_ns" key:"lock_us" unit:"ns" doc:"waiting for locks"`
	BarrierNs     Opt[float64] `col:"barrier_ns" key:"barrier_us" unit:"ns" doc:"waiting at barriers"`
	MessagingNs   Opt[float64] `col:"messaging_ns" key:"messaging_us" unit:"ns" doc:"inside the communication library"`
	MessageWaitNs Opt[float64] `col:"message_wait_ns" key:"message_wait_us" unit:"ns" doc:"until a message arrives or may be sent"`
	ServiceNs     Opt[float64] `col:"service_ns" key:"service_us" unit:"ns" doc:"serving other nodes"`
	DescheduledNs Opt[float64] `col:"descheduled_ns" key:"descheduled_us" unit:"ns" doc:"another process has the processor"`
	MonitorNs     Opt[float64] `col:"monitor_ns" key:"monitor_us" unit:"ns" doc:"the monitor's own cost"`
}

// SweepCounts are what a run has counted.
type SweepCounts struct {
	Events        Opt[int64] `col:"events" key:"events" doc:"events of the simulation"`
	Packets       Opt[int64] `col:"packets" key:"packets" doc:"packets that carry a host request"`
	Dropped       Opt[int64] `col:"dropped" key:"dropped" doc:"packets that left an interface and never reached another"`
	Corrupted     Opt[int64] `col:"corrupted" key:"corrupted" doc:"packets that the checksum refused"`
	Undetected    Opt[int64] `col:"undetected" key:"undetected" doc:"corrupted packets that the checksum let through"`
	Retransmitted Opt[int64] `col:"retransmitted" key:"retransmitted" doc:"packets sent again"`
	Resets        Opt[int64] `col:"resets" key:"resets" doc:"forward resets of the network"`
	NotRecorded   Opt[int64] `col:"not_recorded" key:"not_recorded" doc:"packets for which the histograms had no room"`
}

// SweepStage is a latency of all packets of a run.
type SweepStage struct {
	MeanNs     Opt[float64] `col:"mean_ns" key:"mean_us" unit:"ns" doc:"mean"`
	BaselineNs Opt[float64] `col:"baseline_ns" key:"baseline_us" unit:"ns" doc:"mean of the same packets on idle nodes"`
}

// Stage returns one of the four latencies.
func (r *SweepRow) Stage(s Stage) *SweepStage {
	return map[Stage]*SweepStage{Source: &r.Source, LANai: &r.LANai, Net: &r.Net, Dest: &r.Dest}[s]
}

// TableName implements Row.
func (SweepRow) TableName() string { return "sweep" }

// Conditions implements the interface of that name.
func (r SweepRow) Conditions() error {
	ok := r.State == RunFinished
	return cmp.Or(
		oneOf("state", r.State, RunFinished, RunWrong, RunFailed),
		when(ok != (r.Error == ""), "error: %q of a run that has state %q", r.Error, r.State),
		when(ok && !r.RunTimeNs.OK, "run_time_ns: null of a run that has state %q, wanted a time", r.State))
}

func when(wrong bool, format string, args ...any) error {
	if wrong {
		return fmt.Errorf(format, args...)
	}
	return nil
}

// SweepSignatureRow is one row of the signature of a run of a sweep.
type SweepSignatureRow struct {
	SweepKey
	Program string `col:"program" doc:"the program that sent the packets"`
	SignatureRow
}

// TableName implements Row.
func (SweepSignatureRow) TableName() string { return "sweep_signature" }

// SweepPlace says in which files of a sweep a run is.
type SweepPlace struct {
	Platform string `json:"platform" col:"platform" doc:"hardware profile"`
	Layer    string `json:"layer" col:"layer" doc:"communication layer"`
}

// SweepRun is a run of a sweep with its place.
type SweepRun struct {
	SweepPlace
	SweepRow
}
