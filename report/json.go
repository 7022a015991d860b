package report

import (
	"bytes"
	"encoding/json"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/trace"
)

// latency is one latency in a JSON document, in µs. The keys that come first
// are always there, null when not known; the others when they say something.
type latency struct {
	MeanUs        *float64 `json:"mean_us"`
	BaselineUs    *float64 `json:"baseline_us"`
	DeviationUs   *float64 `json:"deviation_us"`
	CILoUs        *float64 `json:"ci_lo_us"` // of the mean, 95 %
	CIHiUs        *float64 `json:"ci_hi_us"`
	P50Us         *float64 `json:"p50_us"`
	P90Us         *float64 `json:"p90_us"`
	P99Us         *float64 `json:"p99_us"`
	Count         int64    `json:"count"`
	DeviationLoUs *float64 `json:"deviation_ci_lo_us,omitempty"`
	DeviationHiUs *float64 `json:"deviation_ci_hi_us,omitempty"`
	BaselineFrom  string   `json:"baseline_from,omitempty"`
	BaselineNote  string   `json:"baseline_note,omitempty"`
	P50Bound      string   `json:"p50_bound,omitempty"` // "lower" or "upper": the value is no more than that
	P90Bound      string   `json:"p90_bound,omitempty"`
	P99Bound      string   `json:"p99_bound,omitempty"`
	P50Reason     string   `json:"p50_reason,omitempty"` // why it is null
	P90Reason     string   `json:"p90_reason,omitempty"`
	P99Reason     string   `json:"p99_reason,omitempty"`
	Weak          bool     `json:"weak,omitempty"`
	Note          string   `json:"note,omitempty"`
}

func inUs(v trace.Opt[float64]) *float64 {
	if !v.OK {
		return nil
	}
	us := v.Value / 1000
	return &us
}

func percentileUs(p trace.Percentile) (*float64, string) {
	if !p.Ns.OK {
		return nil, ""
	}
	us := float64(p.Ns.Value) / 1000
	switch {
	case p.LowerBound:
		return &us, "lower"
	case p.UpperBound:
		return &us, "upper"
	}
	return &us, ""
}

func latencyOf(s trace.Stat) latency {
	l := latency{
		MeanUs: inUs(s.MeanNs), BaselineUs: inUs(s.BaselineNs), DeviationUs: inUs(s.DeviationNs),
		CILoUs: inUs(s.CILoNs), CIHiUs: inUs(s.CIHiNs), Count: s.Count,
		DeviationLoUs: inUs(s.DeviationCILoNs), DeviationHiUs: inUs(s.DeviationCIHiNs),
		BaselineFrom: s.BaselineFrom, BaselineNote: s.BaselineNote,
		P50Reason: s.P50.Reason, P90Reason: s.P90.Reason, P99Reason: s.P99.Reason,
		Weak: s.Weak, Note: s.Note,
	}
	l.P50Us, l.P50Bound = percentileUs(s.P50)
	l.P90Us, l.P90Bound = percentileUs(s.P90)
	l.P99Us, l.P99Bound = percentileUs(s.P99)
	return l
}

type latencies struct {
	Source        *latency `json:"source"`
	LANai         *latency `json:"lanai"`
	Net           *latency `json:"net"`
	Dest          *latency `json:"dest"`
	NetMinusLANai *latency `json:"net_minus_lanai"`
}

func latenciesOf(r row) latencies {
	get := func(stage trace.Stage) *latency {
		s, ok := r.stat(stage)
		if !ok {
			return nil
		}
		l := latencyOf(s)
		return &l
	}
	return latencies{
		Source: get(trace.Source), LANai: get(trace.LANai), Net: get(trace.Net),
		Dest: get(trace.Dest), NetMinusLANai: get(trace.NetMinusLANai),
	}
}

type packets struct {
	Tag   trace.Tag `json:"tag"`
	Kind  string    `json:"kind"`
	First *bool     `json:"first"` // null: first and later packets of messages together
}

func packetsOf(r row) packets {
	p := packets{Tag: r.Tag, Kind: r.Kind}
	if r.First.OK {
		p.First = &r.First.Value
	}
	return p
}

type sizeRow struct {
	packets
	SizeLoBytes int64 `json:"size_lo_bytes"`
	SizeHiBytes int64 `json:"size_hi_bytes"`
	Count       int64 `json:"count"`
	latencies
}

type classRow struct {
	packets
	Class       string `json:"class"`
	SizeLoBytes int64  `json:"size_lo_bytes"`
	SizeHiBytes int64  `json:"size_hi_bytes"`
	Count       int64  `json:"count"`
	latencies
}

type pairRow struct {
	packets
	Sender   int64 `json:"sender"`
	Receiver int64 `json:"receiver"`
	Count    int64 `json:"count"`
	latencies
}

type share struct {
	Tag          trace.Tag `json:"tag"`
	Node         int       `json:"node"`
	RunTimeS     float64   `json:"run_time_s"`
	ComputingS   float64   `json:"computing_s"`
	PageWaitS    float64   `json:"page_wait_s"`
	LockS        float64   `json:"lock_s"`
	BarrierS     float64   `json:"barrier_s"`
	MessagingS   float64   `json:"messaging_s"`
	MessageWaitS float64   `json:"message_wait_s"`
	ServiceS     float64   `json:"service_s"`
	DescheduledS float64   `json:"descheduled_s"`
	MonitorS     float64   `json:"monitor_s"`
}

type finding struct {
	Tag         trace.Tag      `json:"tag"`
	Class       string         `json:"class"`
	Stage       string         `json:"stage"`
	Level       analysis.Level `json:"level"`
	Packets     int64          `json:"packets"`
	DeviationUs *float64       `json:"deviation_us"`
	LoUs        *float64       `json:"deviation_ci_lo_us"`
	HiUs        *float64       `json:"deviation_ci_hi_us"`
	Certainty   string         `json:"certainty"`
	Meaning     string         `json:"meaning,omitempty"`
	Warnings    []string       `json:"warnings,omitempty"`
}

type runDoc struct {
	SchemaVersion   int                `json:"schema_version"`
	ToolVersion     string             `json:"tool_version"`
	Seed            uint64             `json:"seed"`
	Workload        string             `json:"workload"`
	Platform        string             `json:"platform"`
	PlatformDigest  string             `json:"platform_digest"`
	Nodes           int                `json:"nodes"`
	Tags            []trace.Program    `json:"tags"`
	Verified        bool               `json:"verified"`
	Verification    string             `json:"verification"`
	SimulatedS      float64            `json:"simulated_s"`
	Packets         int64              `json:"packets"`
	FirmwarePackets map[string]int64   `json:"firmware_packets"`
	Lost            trace.Lost         `json:"lost"`
	Clock           trace.ClockQuality `json:"clock"`
	RunTimeShares   []share            `json:"run_time_shares"`
	Summary         []string           `json:"summary"`
	Findings        []finding          `json:"findings"`
	Warnings        []string           `json:"warnings"`
	Signature       []sizeRow          `json:"signature"`
	Classes         []classRow         `json:"classes"`
	Pairs           []pairRow          `json:"pairs"`
	Operations      []operationDoc     `json:"operations"`
}

// JSON is the run as one JSON document. Lists are never null.
func JSON(r Run) ([]byte, error) {
	m := r.Manifest
	d := runDoc{
		SchemaVersion: trace.SchemaVersion, ToolVersion: m.ToolVersion, Seed: m.Seed, Workload: m.Workload,
		Platform: m.Platform.Name, PlatformDigest: m.Platform.Digest, Nodes: m.Nodes, Tags: list(m.Tags),
		Verified: m.Verified, Verification: m.Verification, SimulatedS: float64(m.SimulatedNs) / 1e9,
		Packets: m.Packets, FirmwarePackets: m.FirmwarePackets, Lost: m.Lost, Clock: m.Clock,
		RunTimeShares: []share{}, Summary: list(r.Diagnosis.Summary), Findings: []finding{}, Warnings: list(r.warnings()),
		Signature: []sizeRow{}, Classes: []classRow{}, Pairs: []pairRow{},
		Operations: operationDocs(r.Operations),
	}
	if d.FirmwarePackets == nil {
		d.FirmwarePackets = map[string]int64{}
	}
	for _, x := range bySize(r.Signature) {
		d.Signature = append(d.Signature, sizeRow{packetsOf(x), x.SizeLoBytes, x.SizeHiBytes, x.count(), latenciesOf(x)})
	}
	for _, x := range byClass(r.Signature) {
		d.Classes = append(d.Classes, classRow{packetsOf(x), x.class, x.SizeLoBytes, x.SizeHiBytes, x.count(), latenciesOf(x)})
	}
	for _, x := range byPair(r.Signature) {
		d.Pairs = append(d.Pairs, pairRow{packetsOf(x), x.sender, x.receiver, x.count(), latenciesOf(x)})
	}
	for _, s := range m.Shares {
		d.RunTimeShares = append(d.RunTimeShares, shareOf(s))
	}
	for _, f := range r.Diagnosis.Findings {
		x := finding{
			Tag: f.Tag, Class: f.Class, Stage: f.Stage.String(), Level: f.Level, Packets: f.Packets,
			LoUs: inUs(f.CILoNs), HiUs: inUs(f.CIHiNs), Certainty: f.Certainty, Meaning: f.Meaning, Warnings: f.Warnings,
		}
		if f.BaselineNs.OK {
			x.DeviationUs = inUs(trace.Some(f.DeviationNs))
		}
		d.Findings = append(d.Findings, x)
	}
	return encode(d)
}

func shareOf(s trace.Shares) share {
	sec := func(ns int64) float64 { return float64(ns) / 1e9 }
	return share{
		Tag: s.Tag, Node: s.Node, RunTimeS: sec(s.RunTimeNs), ComputingS: sec(s.ComputingNs), PageWaitS: sec(s.PageWaitNs),
		LockS: sec(s.LockNs), BarrierS: sec(s.BarrierNs),
		MessagingS: sec(s.MessagingNs), MessageWaitS: sec(s.MessageWaitNs), ServiceS: sec(s.ServiceNs),
		DescheduledS: sec(s.DescheduledNs), MonitorS: sec(s.MonitorNs),
	}
}

// warnings are the manifest's and the signature's, each once.
func (r Run) warnings() []string {
	var out []string
	seen := map[string]bool{}
	for _, list := range [][]string{r.Manifest.Warnings, r.Diagnosis.Warnings} {
		for _, w := range list {
			if !seen[w] {
				seen[w] = true
				out = append(out, w)
			}
		}
	}
	return out
}

func list[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
