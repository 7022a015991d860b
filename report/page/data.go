package page

import (
	"cmp"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/activity"
	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/lanes"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// data is what the script of a page shows. Times are in ns since the begin of the run.
type data struct {
	Dir        string            `json:"dir"`
	Title      string            `json:"title"`
	EndNs      int64             `json:"end_ns"`
	Stages     []string          `json:"stages"`
	Programs   []program         `json:"programs"`
	Kinds      []string          `json:"kinds"`
	Classes    []class           `json:"classes"`
	Lanes      []lane            `json:"lanes"`
	Parts      []string          `json:"parts"` // of nodes, whose doings are known
	Operations []string          `json:"operations"`
	Windows    int               `json:"windows"`
	WidthNs    int64             `json:"width_ns"`
	Phases     []phase           `json:"phases"`
	Events     []event           `json:"events"`
	Findings   []finding         `json:"findings"`
	Packets    packetCount       `json:"packets"`
	Waits      map[string][]wait `json:"waits"` // of packets, by their place among those that are kept; the longest first
	Columns    []head            `json:"columns"`
	Against    string            `json:"against"` // what pairs are compared with: idle or median
	Words      map[string]string `json:"words"`
	Commands   map[string]string `json:"commands"`
	Again      int               `json:"again_s,omitempty"` // when the page is asked for again, 0: never
}

type program struct {
	Tag  trace.Tag `json:"tag"`
	Name string    `json:"name"`
}

// class is a size class, with the means of the stages on idle nodes.
type class struct {
	Name string     `json:"name"`
	Lo   int64      `json:"lo"`
	Hi   int64      `json:"hi"`
	Idle []*float64 `json:"idle"`
}

type lane struct {
	Name string `json:"name"`
	From int    `json:"from"`
	To   int    `json:"to"`
}

type phase struct {
	Name   string `json:"name"`
	FromNs int64  `json:"from_ns"`
	ToNs   int64  `json:"to_ns"`
}

type event struct {
	Text   string `json:"text"`
	Node   int    `json:"node"`
	FromNs int64  `json:"from_ns"`
	ToNs   int64  `json:"to_ns"`
}

type finding struct {
	Text    string   `json:"text"`
	More    string   `json:"more"`
	Outlier bool     `json:"outlier"`
	Share   *float64 `json:"share"`
	Least   *float64 `json:"least"`
	Most    *float64 `json:"most"`
	Node    *int     `json:"node"`
	FromNs  *int64   `json:"from_ns"`
	ToNs    *int64   `json:"to_ns"`
	Packet  *int     `json:"packet"` // the kept one that waits longest
	See     string   `json:"see"`

	named id       // of that packet
	actor waits.ID // of it in the log, if its monitor has not numbered it; else 0
	place place
}

// What a finding is about that names no packet, and no time.
var (
	nobody  = id{sender: -1}
	nowhere = place{from: 1}
)

// packetCount says how many packets of a trace are in the page one by one.
type packetCount struct {
	Kept int   `json:"kept"`
	All  int64 `json:"all"`
}

// wait is a time in which a packet waits.
type wait struct {
	Text   string `json:"text"`
	FromNs int64  `json:"from_ns"`
	ToNs   int64  `json:"to_ns"`
	Node   int    `json:"node"`
	Packet *int   `json:"packet"` // for which it waits, if that is kept
}

// classesOf returns the size classes of the first program, or of the whole run if it has none.
func classesOf(s analysis.Signature, tags []trace.Tag) (out []class) {
	if len(tags) > 0 {
		for _, p := range analysis.Whole(s.ByClass(), tags[0]) {
			c := class{Name: analysis.ClassNames[p.Class], Lo: p.SizeLoBytes + 1, Hi: p.SizeHiBytes}
			for _, st := range trace.RecordedStages() {
				var idle *float64
				if b := p.Stat(st).BaselineNs; b.OK {
					idle = &b.Value
				}
				c.Idle = append(c.Idle, idle)
			}
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		out = []class{{Name: "all packets", Hi: 1 << 40, Idle: make([]*float64, trace.NumStages)}}
	}
	return out
}

// findings are what costs run time.
func findings(causes []causal.Finding) (out []finding) {
	for _, f := range causes {
		x := finding{Text: f.Text, More: f.More, Outlier: f.Outlier, Share: &f.Share, Least: &f.LeastShare, Most: &f.MostShare, Node: cmp.Or(f.At, f.Node), named: nobody, place: nowhere}
		if f.FromUs != nil && f.ToUs != nil {
			from, to := int64(1000**f.FromUs), int64(1000**f.ToUs)
			x.FromNs, x.ToNs = &from, &to
		}
		if x.Node != nil { // all of its time, unless a command knows better
			x.place = place{node: *x.Node, to: math.MaxInt64}
		}
		if c := f.See(); c.Select != "" {
			x.See = c.Line
			x.selected(c.Select)
		}
		out = append(out, x)
	}
	return out
}

// deviations are what deviates from the baseline, where it is not known what costs run time.
func deviations(d analysis.Diagnosis) (out []finding) {
	for _, line := range d.Summary {
		out = append(out, finding{Text: strings.ReplaceAll(line, "`", ""), named: nobody, place: nowhere})
	}
	return out
}

// selected takes from a selection of the views which packet and what time a finding is about.
func (f *finding) selected(text string) {
	f.place.node = -1
	for _, word := range strings.Fields(text) {
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "packet":
			if number, ok := strings.CutPrefix(value, "#"); ok {
				n, _ := strconv.ParseUint(number, 10, 32)
				f.actor = waits.ID(n)
			}
			sender, number, ok := strings.Cut(value, ":")
			a, err1 := strconv.ParseInt(sender, 10, 64)
			b, err2 := strconv.ParseInt(number, 10, 64)
			if ok && err1 == nil && err2 == nil {
				f.named = id{a, b}
			}
		case "from":
			f.place.from, _ = strconv.ParseInt(value, 10, 64)
		case "to":
			f.place.to, _ = strconv.ParseInt(value, 10, 64)
		case "row":
			f.place.node, _ = strconv.Atoi(value)
		}
	}
}

func eventsOf(all []causal.Event) []event {
	out := []event{}
	for _, e := range all {
		out = append(out, event{e.String(), e.Node, e.FromNs, e.ToNs})
	}
	return out
}

func phasesOf(all []activity.Phase) []phase {
	out := []phase{}
	for _, p := range all {
		out = append(out, phase{fmt.Sprintf("phase %d", p.Number), p.From, p.To})
	}
	return out
}

func partNames() (out []string) {
	for p := range lanes.Part(lanes.NumParts) {
		out = append(out, p.String())
	}
	return out
}
