package causal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Finding is a cause of run time.
type Finding struct {
	// Rank counts from 1, in the order of CostUs.
	Rank     int         `json:"rank"`
	Grade    trace.Grade `json:"grade"`
	Cause    string      `json:"cause"`
	Resource string      `json:"resource"`
	Culprit  string      `json:"culprit"`
	Node     *int        `json:"node"`           // of the culprit; nil: several
	At       *int        `json:"at"`             // node whose resource it is; nil: several, or the network
	Port     string      `json:"port,omitempty"` // of the network, for which most of the waiting is, where its name is known
	// Share is CostUs by the explained time, 0 to 1.
	CostUs   float64 `json:"cost_us"`    // of a resource: the second of the next two, or their middle if that is more
	OnPathUs float64 `json:"on_path_us"` // on the critical path
	ReplayUs float64 `json:"replay_us"`  // saved by a replay without it
	Share    float64 `json:"share_of_run_time"`
	// WaitedUs is the whole waiting, most of which may cost nothing.
	WaitedUs float64  `json:"waited_us"`
	Evidence []string `json:"evidence"`
	// Commands show and test the finding.
	Commands []Command `json:"commands"`
	Text     string    `json:"text"`
}

// Brief names the node whose resource it is, the cause and the culprit, as far as they are known.
func (f Finding) Brief() string {
	text := f.Cause
	if f.At != nil {
		text = fmt.Sprintf("node %d: %s", *f.At, text)
	}
	if f.Culprit != nobody {
		text += ", mostly for " + f.Culprit
	}
	return text
}

// nobody is the culprit of waits that end without an actor that ends them.
const nobody = "nobody known"

// material is the share of the run time from which on a cost is a finding.
const material = 0.01

// Findings returns what costs run time, the largest first.
func (e *Explanation) Findings() []Finding {
	var out []Finding
	for i := range e.Queues {
		q := &e.Queues[i]
		if share := float64(q.Cost()) / float64(e.Length()); share >= material {
			out = append(out, e.queued(q, share))
		}
	}
	for i := range e.Slow {
		s := &e.Slow[i]
		if share := float64(s.Cost()) / float64(e.Length()); share >= material {
			out = append(out, e.slowed(s, share))
		}
	}
	for i := range e.States {
		s := &e.States[i]
		if share := float64(s.Computing) / float64(e.Length()); share >= material {
			out = append(out, e.awaited(s, share))
		}
		// Only pages have homes that could be moved.
		if share := float64(s.FromHot) / float64(e.Length()); s.Awaited == sorts[pages].awaited && share >= material {
			out = append(out, e.hotHome(s, share))
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int { return cmp.Compare(b.CostUs, a.CostUs) })
	for i := range out {
		out[i].Rank = i + 1
	}
	return out
}

// Length returns the explained time in ps.
func (e *Explanation) Length() int64 { return e.To - e.From }

// queued makes the finding of a queue.
func (e *Explanation) queued(q *Queue, share float64) Finding {
	f := Finding{
		Grade: trace.Attributed, Cause: pattern(q), Resource: q.Resource.String(),
		CostUs: float64(q.Cost()) / 1e6, OnPathUs: float64(q.OnPath) / 1e6, ReplayUs: float64(q.Saved) / 1e6,
		Share: share, WaitedUs: float64(q.Waited) / 1e6,
	}
	// Holders say for whom, Roots what those are held up by themselves.
	f.Culprit, f.Node = e.culprit(q.Holders)
	f.Commands = e.commands(q.Worst, q.Resource)
	f.At = where(q)
	for _, w := range q.Worst {
		f.Evidence = append(f.Evidence, e.wait(w))
	}
	whom := "those that wait do so mostly for " + f.Culprit
	if f.Culprit == nobody {
		whom = "what ends the waits is in no log"
	}
	f.Text = fmt.Sprintf("%s has %s of the run time (%s) on the critical path; %s. A replay without it saves %s. All packets and processes together wait %s.",
		capital(f.Cause), percent(q.OnPath, e.Length()), span(q.OnPath), whom, percent(q.Saved, e.Length()), span(q.Waited))
	if through, text := e.through(q); text != "" {
		f.Port, f.Text = through, f.Text+text
	}
	if q.Switching > 0 {
		f.Text += fmt.Sprintf(" Of the time on the path, the processor turns from one process to another for %s.", span(q.Switching))
	}
	if q.Depth > 0 {
		f.Text += fmt.Sprintf(" The receive ring of node %d refuses packets when it has %d.", *f.At, q.Depth)
	}
	if root := e.roots(q); root != "" {
		f.Text += " " + root
	}
	return f
}

// where returns the node that has most of a queue, nil if none has.
func where(q *Queue) *int {
	var all, most int64
	for i, s := range q.At {
		// Spots on the critical path are ranked by that, others by all waiting.
		n := s.Waited
		if q.OnPath > 0 {
			n = s.OnPath
		}
		all += n
		if i == 0 {
			most = n
		}
	}
	if 2*most <= all {
		return nil
	}
	// The first spot is the largest.
	return &q.At[0].Node
}

// slowed makes the finding of a place that serves slower than the same of other nodes.
func (e *Explanation) slowed(s *Slow, share float64) Finding {
	f := Finding{
		Grade: trace.Attributed, Cause: "a slow " + noun(s.Resource), Resource: s.Resource.String(),
		Culprit: fmt.Sprintf("the %s of node %d", noun(s.Resource), s.Node), Node: &s.Node, At: &s.Node,
		CostUs: float64(s.Cost()) / 1e6, OnPathUs: float64(s.OnPath) / 1e6, ReplayUs: float64(s.Saved) / 1e6, Share: share,
	}
	f.Commands = e.commands(nil, s.Resource)
	f.Text = fmt.Sprintf("The %s of node %d serves packets of the same size %.1f times as long as those of other nodes, for %s (%s of the run time) on the critical path. A replay in which it is as fast saves %s. The engine itself or the bus behind it is slow.",
		noun(s.Resource), s.Node, s.Ratio, span(s.OnPath), percent(s.OnPath, e.Length()), percent(s.Saved, e.Length()))
	return f
}

// awaited makes the finding of processes that wait for the computation of others.
func (e *Explanation) awaited(s *State, share float64) Finding {
	cost := float64(s.Computing) / 1e6
	f := Finding{
		Grade: trace.Attributed, Cause: s.Late, Resource: waits.Event.String(),
		CostUs: cost, Share: share, WaitedUs: float64(s.Length()) / 1e6,
	}
	f.Culprit, f.Node = e.culprit(s.Culprits)
	f.Commands = e.commands(s.Worst, waits.Event)
	for _, w := range s.Worst {
		f.Evidence = append(f.Evidence, e.wait(w))
	}
	f.Text = fmt.Sprintf("%s: a process waits %s (%s of the run time) on average while another computes, mostly %s. In all it waits %s for %s.",
		capital(s.Late), span(s.Computing), percent(s.Computing, e.Length()), f.Culprit, span(s.Length()), s.Awaited)
	return f
}

// hotHome makes the finding of processes that fetch most pages from one node.
func (e *Explanation) hotHome(s *State, share float64) Finding {
	longest := []Wait{s.Hottest}
	return Finding{
		Grade: trace.Attributed, Cause: "a hot home", Resource: waits.Event.String(),
		Culprit: fmt.Sprintf("the pages of node %d", s.Hot), Node: &s.Hot, At: &s.Hot,
		Commands: e.commands(longest, waits.Event), Evidence: []string{e.wait(s.Hottest)}, CostUs: float64(s.FromHot) / 1e6, Share: share, WaitedUs: float64(s.FromHot) / 1e6,
		Text: fmt.Sprintf("A hot home: a process waits %s (%s of the run time) on average for pages of node %d, itself or because one for which it waits does. Homes at the nodes that use the pages would save most of it.",
			span(s.FromHot), percent(s.FromHot, e.Length()), s.Hot),
	}
}

// pattern names what sort of waiting a queue is.
func pattern(q *Queue) string {
	switch q.Resource {
	case waits.Slot:
		return "build-up of the request queue for the send slots"
	case waits.Ring:
		return "receivers without room"
	case waits.Window:
		return "exhausted windows"
	case waits.Timer:
		return "packets lost and sent again after a timeout"
	case waits.Port:
		// Most wait behind a packet to another receiver, which they would not meet with a queue for each.
		if 2*q.Elsewhere > q.Waited {
			return "head-of-line blocking in the network"
		}
		return "incast in the network"
	case waits.MemBus, waits.IOBus, waits.SRAM:
		return "contention for the " + noun(q.Resource)
	}
	return "the queue at the " + noun(q.Resource)
}

// weight is what a share counts: time on the critical path, if any of the shares is there.
func weight(shares []Share) func(Share) int64 {
	if slices.ContainsFunc(shares, func(s Share) bool { return s.OnPath > 0 }) {
		return func(s Share) int64 { return s.OnPath }
	}
	return func(s Share) int64 { return s.Waited }
}

// part is a share of several that belong together.
type part[K comparable] struct {
	key    K
	weight int64
}

// parts sums the weights of shares by a key, the largest first.
func parts[K comparable](shares []Share, key func(Share) K) (out []part[K], whole int64) {
	of := weight(shares)
	for _, s := range shares {
		whole += of(s)
		// There are few keys, so a search through all takes little.
		i := slices.IndexFunc(out, func(p part[K]) bool { return p.key == key(s) })
		if i < 0 {
			i = len(out)
			out = append(out, part[K]{key: key(s)})
		}
		out[i].weight += of(s)
	}
	slices.SortStableFunc(out, func(a, b part[K]) int { return cmp.Compare(b.weight, a.weight) })
	return out, whole
}

// culprit names the class that is responsible for the largest part of the waiting, and
// its node if most of that part is of one.
func (e *Explanation) culprit(shares []Share) (name string, node *int) {
	classes, whole := parts(shares, func(s Share) account.Class { return e.Class(s.Who) })
	if len(classes) == 0 {
		return nobody, nil
	}
	top := classes[0]
	name = fmt.Sprintf("%s (%s)", top.key, percent(top.weight, whole))
	// Of the node only the shares of the chosen class decide.
	shares = slices.DeleteFunc(slices.Clone(shares), func(s Share) bool { return e.Class(s.Who) != top.key })
	if nodes, all := parts(shares, func(s Share) int { return e.Node(s.Who) }); 2*nodes[0].weight > all {
		node = &nodes[0].key
		name += fmt.Sprintf(" of node %d", *node)
	}
	return name, node
}

// roots says what the holders of a queue were doing, if that was not using its resource.
func (e *Explanation) roots(q *Queue) string {
	list, whole := parts(q.Roots, func(s Share) waits.Resource { return s.Resource })
	var out []string
	for _, p := range list[:min(len(list), 3)] {
		// Less than a twentieth is not said.
		if 20*p.weight >= whole && whole > 0 {
			out = append(out, fmt.Sprintf("the %s (%s)", noun(p.key), percent(p.weight, whole)))
		}
	}
	if len(out) == 0 {
		return ""
	}
	return "Meanwhile the actors at the ends of the chains are at " + strings.Join(out, ", ") + "."
}

// wait describes one wait.
func (e *Explanation) wait(w Wait) string {
	text := fmt.Sprintf("%s waits %s from %s on", e.Name(w.Actor), span(w.End-w.Begin), span(w.Begin))
	if w.Holder != 0 {
		text += ", at last for " + e.Name(w.Holder)
	}
	return text
}

// capital writes the first letter of s large. s begins with an ASCII letter.
func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// AttributedShare is the part of all waiting whose holder is in the log.
func (e *Explanation) AttributedShare() float64 {
	// Without waiting nothing is left to attribute.
	if e.Waited == 0 {
		return 1
	}
	return float64(e.Known) / float64(e.Waited)
}
