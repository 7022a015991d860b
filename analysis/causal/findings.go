package causal

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/peers"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/waits"
)

// Finding is a cause of run time.
type Finding struct {
	// Rank counts from 1: outliers first and the Rest last, each group in the order of CostUs.
	Rank     int         `json:"rank"`
	Grade    trace.Grade `json:"grade"`
	Outlier  bool        `json:"outlier"`        // a part of the machine unlike its peers
	Rest     bool        `json:"rest,omitempty"` // told because hardly anything else is
	Cause    string      `json:"cause"`
	Resource string      `json:"resource"`
	Culprit  string      `json:"culprit"`
	Node     *int        `json:"node"`           // of the culprit; nil: several
	At       *int        `json:"at"`             // node whose resource it is; nil: several, or the network
	Port     string      `json:"port,omitempty"` // of the network, for which most of the waiting is, where its name is known
	// Program is that of the culprit, of a run of several.
	Program string `json:"program,omitempty"`
	// FromUs and ToUs are when an event begins and ends; nil of what is so all the time.
	FromUs *float64 `json:"from_us,omitempty"`
	ToUs   *float64 `json:"to_us,omitempty"`
	// CostUs is what a run without it saves, by the critical path or by a replay. LeastUs is half the lesser of the two, MostUs twice
	// the larger: LeastUs <= CostUs <= MostUs.
	CostUs   float64 `json:"cost_us"`
	LeastUs  float64 `json:"least_us"`
	MostUs   float64 `json:"most_us"`
	OnPathUs float64 `json:"on_path_us"`        // on the critical path
	ReplayUs float64 `json:"replay_us"`         // saved by a replay without it; 0: there is none, or it is not credible
	Share    float64 `json:"share_of_run_time"` // CostUs by the explained time, 0 to 1
	// LeastShare and MostShare are the bounds by that time.
	LeastShare float64 `json:"least_share"`
	MostShare  float64 `json:"most_share"`
	// WaitedUs is the whole waiting, most of which may cost nothing.
	WaitedUs float64  `json:"waited_us"`
	Evidence []string `json:"evidence"`
	// Commands show and test the finding.
	Commands []Command `json:"commands"`
	Text     string    `json:"text"`           // a sentence: place, what, when, cost, who waits
	More     string    `json:"more,omitempty"` // what else is known
}

// Brief names the node whose resource it is, the cause and the culprit, as far as they are known. Of an outlier it is what
// the sentence says of it.
func (f Finding) Brief() string {
	if text, _, ok := strings.Cut(f.Text, ": "); ok && f.Outlier {
		return strings.ToLower(text[:1]) + text[1:]
	}
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
	for i := range e.Outliers {
		if x := &e.Outliers[i]; x.certain() || e.disorders(x) || e.matters(x.worth(e.Length()).cost) {
			out = append(out, e.outlier(x))
		}
	}
	if len(out) == 0 && e.Odd != nil {
		out = append(out, e.outlier(&Outlier{Slow: e.Odd}))
	}
	for i := range e.Queues {
		q := &e.Queues[i]
		if (e.matters(q.worth(e.Length()).cost) || e.certain(q, out)) && !e.cramped(q) {
			out = append(out, e.queued(q))
		}
	}
	for i := range e.States {
		s := &e.States[i]
		if e.matters(s.Computing) {
			out = append(out, e.awaited(s))
		}
		// Only pages have homes that could be moved.
		if s.Awaited == sorts[pages].awaited && e.matters(s.FromHot) {
			out = append(out, e.hotHome(s))
		}
	}
	for i := range e.Retries {
		if r := &e.Retries[i]; e.matters(r.Mean) {
			out = append(out, e.triedAgain(r))
		}
	}
	// What stops a node halts ports too.
	if e.matters(e.Halts.worth().cost) && !slices.ContainsFunc(out, func(f Finding) bool { return f.Outlier }) {
		out = append(out, e.halted())
	}
	late := slices.ContainsFunc(out, func(f Finding) bool { return f.Node != nil && isLate(f.Cause) })
	for i := range e.Busy {
		// Of processors that compute, the late one is named already.
		if x := &e.Busy[i]; x.Apart && e.matters(x.OnPath) && !(late && x.Resource == waits.CPU) {
			out = append(out, e.occupied(x))
		}
	}
	// Who holds a lock for long works longer too: the lock says more.
	for i := range out {
		f := &out[i]
		if f.Cause != worksLonger || !f.Outlier {
			continue
		}
		k := slices.IndexFunc(out, func(o Finding) bool {
			return o.Cause == sorts[locks].late && o.Node != nil && *o.Node == *f.Node && 2*o.CostUs >= f.CostUs
		})
		if k >= 0 {
			out[k].Outlier, f.Outlier = true, false
		}
	}
	var beside costs
	for i := range out {
		switch f := &out[i]; {
		case f.Outlier:
		case f.Cause == sorts[barriers].late:
			beside.imbalance = f.CostUs
		case f.set():
			beside.set = max(beside.set, f.CostUs)
		}
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(trueFirst(a.Outlier, b.Outlier), cmp.Compare(b.rank(beside), a.rank(beside)), trueFirst(a.set(), b.set()))
	})
	// Where hardly anything waits, it is told what the run is made of.
	var rest []Finding
	for i := range e.Busy {
		if x := &e.Busy[i]; !x.Apart && len(out)+len(rest) < fewFindings && !(late && x.Resource == waits.CPU) {
			f := e.occupied(x)
			f.Rest = true
			rest = append(rest, f)
		}
	}
	slices.SortStableFunc(rest, func(a, b Finding) int { return cmp.Compare(b.CostUs, a.CostUs) })
	out = append(out, rest...)
	for i := range out {
		out[i].Rank = i + 1
	}
	return out
}

// fewFindings are so few that busy places are told that are not apart from others.
const fewFindings = 3

// certain reports whether a queue is told whatever it costs: losses, unless one of the outliers names their place, and a ring that is
// full or a rate that is kept for much of the path, as a replay without it keeps the engine behind it as busy.
func (e *Explanation) certain(q *Queue, outliers []Finding) bool {
	switch q.Resource {
	case waits.Timer:
		return e.matters(q.Waited) && !slices.ContainsFunc(outliers, func(f Finding) bool { return f.Resource == waits.Timer.String() })
	case waits.Ring, waits.Pace:
		return float64(q.OnPath) >= busyShare*float64(e.Length())
	}
	return false
}

// cramped reports whether a queue is because of an outlier with too little room, whose finding has its cost.
func (e *Explanation) cramped(q *Queue) bool {
	at := where(q)
	return at != nil && slices.ContainsFunc(e.Outliers, func(x Outlier) bool {
		return x.Slow != nil && x.Slow.Room() && x.Slow.Resource == q.Resource && x.Slow.Node == *at
	})
}

// isLate reports whether a cause is that others wait for a process that computes.
func isLate(cause string) bool {
	for _, s := range sorts {
		if s.late == cause {
			return true
		}
	}
	return false
}

// costs are those of findings beside which others are ordered, in µs; 0: there is none.
type costs struct {
	imbalance float64 // at barriers
	set       float64 // the largest of what is set too small
}

// pausing is the cause of ports that pause frames halt.
const pausing = "pause frames"

// set reports whether what is awaited is room or a rate that somebody sets: windows, receive buffers, thresholds of pause frames, marks of
// congestion.
func (f *Finding) set() bool {
	return f.Cause == pausing || !f.Outlier && slices.Contains([]string{waits.Window.String(), waits.Ring.String(), waits.Pace.String()}, f.Resource)
}

// settles is how many times as much a busy engine or a late sender may cost as what is set too small, to come after it.
const settles = 8

// rank returns by what findings are ordered: their cost, of a busy engine and of a late sender half of that, of a device all of its path.
// An engine may be as busy as it has to be, and who is late may serve the others, while what others wait for need not be; a device
// need take hardly any time. What somebody has set comes before them, since it need not be so. Homes that serve late come before the
// imbalance at barriers: that is the program's, and in part because of them.
func (f *Finding) rank(beside costs) float64 {
	if f.Cause == sorts[pages].late {
		return f.CostUs + beside.imbalance
	}
	rank := f.CostUs
	switch busy := strings.HasPrefix(f.Cause, busyPlace); {
	case busy && f.Resource == waits.Device.String():
		rank = f.OnPathUs
	case busy || f.Cause == sorts[messages].late:
		rank = f.CostUs / 2
	default:
		return rank
	}
	if f.CostUs <= settles*beside.set {
		return min(rank, beside.set)
	}
	return rank
}

// trueFirst compares two of which one may be so.
func trueFirst(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// Shares of the run time from which on a late process, the late holder of a lock, and a processor that works longer are outliers:
// programs are never quite even. LU on four nodes waits a fifth of its time for the last one.
const lateFrom, holdsFrom, worksFrom = 0.25, 0.2, 0.03

// matters reports whether a cost in ps is a finding.
func (e *Explanation) matters(cost int64) bool { return float64(cost) >= material*float64(e.Length()) }

// Doubted names the resources without whose queues a replay saves more than is credible, and a finding's worth at least.
func (e *Explanation) Doubted() (out []string) {
	for i := range e.Queues {
		if q := &e.Queues[i]; e.matters(q.Saved) && q.worth(e.Length()).replay == 0 {
			out = append(out, noun(q.Resource))
		}
	}
	return out
}

// Length returns the explained time in ps.
func (e *Explanation) Length() int64 { return e.To - e.From }

// priced returns a finding with its figures.
func (e *Explanation) priced(w worth, onPath, waited int64) Finding {
	us := func(ps int64) float64 { return float64(ps) / 1e6 }
	w = w.widened(e.Length())
	return Finding{
		Grade: trace.Attributed, CostUs: us(w.cost), LeastUs: us(w.least), MostUs: us(w.most), OnPathUs: us(onPath), ReplayUs: us(w.replay),
		Share: e.share(w.cost), LeastShare: e.share(w.least), MostShare: e.share(w.most), WaitedUs: us(waited),
	}
}

// share returns a time in ps by that which is explained.
func (e *Explanation) share(ps int64) float64 { return float64(ps) / float64(max(e.Length(), 1)) }

// costs says what a run without a cause saves.
func (e *Explanation) costs(w worth) string {
	w = w.widened(e.Length())
	if w.hidden {
		return fmt.Sprintf("at most %s of the run time (%s)", span(w.most), percent(w.most, e.Length()))
	}
	text := fmt.Sprintf("%s of the run time (%s)", span(w.cost), percent(w.cost, e.Length()))
	if w.least < w.most {
		text = fmt.Sprintf("%s of the run time (%s to %s)", span(w.cost), percent(w.least, e.Length()), percent(w.most, e.Length()))
	}
	return text
}

// queued makes the finding of a queue.
func (e *Explanation) queued(q *Queue) Finding {
	w := q.worth(e.Length())
	if q.Resource == waits.Timer && !e.matters(w.cost) {
		w = e.hidden(w)
	}
	f := e.priced(w, q.OnPath, q.Waited)
	f.Cause, f.Resource = pattern(q), q.Resource.String()
	// Holders say for whom, Roots what those are held up by themselves.
	f.Culprit, f.Node, f.Program = e.culprit(q.Holders)
	f.At = where(q)
	for _, w := range q.Worst {
		f.Evidence = append(f.Evidence, e.wait(w))
	}
	whom := ", mostly for " + f.Culprit
	switch {
	case q.Resource == waits.Pace:
		whom = ""
	case f.Culprit == nobody:
		whom = "; what ends the waits is in no log"
	}
	f.Text = fmt.Sprintf("%s: %s%s.", capital(placed(f)), e.costs(w), whom)
	var more []string
	say := func(format string, args ...any) { more = append(more, fmt.Sprintf(format, args...)) }
	switch {
	case w.hidden:
		say(itDecides)
	case w.replay == 0 && q.Saved > w.most:
		say("The cost is what it has on the critical path: a replay without it saves more than is credible, and a run decides (sigview why).")
	}
	if through, text := e.through(q); text != "" {
		f.Port = through
		more = append(more, strings.TrimSpace(text))
	}
	f.Commands = e.commands(q.Worst, q.Resource, &f)
	if q.Switching > 0 {
		say("Of it, the processor turns from one process to another for %s.", span(q.Switching))
	}
	if q.Depth > 0 {
		say("The receive ring of node %d refuses packets when it has %d.", *f.At, q.Depth)
	}
	if root := e.roots(q); root != "" {
		more = append(more, root)
	}
	f.More = strings.Join(more, " ")
	return f
}

// longestFrom is the least share of all waiting of which Longest tells.
const longestFrom = 0.1

// Longest says at which places packets wait longest, and for whom, of a log that does not tell what that costs.
func (e *Explanation) Longest() (out []string) {
	list, all := slices.Clone(e.Queues), int64(0)
	slices.SortStableFunc(list, func(a, b Queue) int { return cmp.Compare(b.Waited, a.Waited) })
	for i := range list {
		all += list[i].Waited
	}
	for i := range list {
		q := &list[i]
		if float64(q.Waited) < longestFrom*float64(all) || q.Waited == 0 {
			break
		}
		whom, _, _ := e.culprit(q.Holders)
		out = append(out, fmt.Sprintf("%s: %s of waiting added up (%s of all), mostly for %s.",
			capital(placed(Finding{Cause: pattern(q), At: where(q)})), span(q.Waited), percent(q.Waited, all), whom))
	}
	for _, x := range e.Events {
		out = append(out, capital(x.String())+".")
	}
	return out
}

// placed names the cause of a finding and the node whose resource it is, as far as it is known.
func placed(f Finding) string {
	if f.At == nil {
		return f.Cause
	}
	return fmt.Sprintf("%s of node %d", f.Cause, *f.At)
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

// awaited makes the finding of processes that wait for the computation of others.
func (e *Explanation) awaited(s *State) Finding {
	culprit, node, program := e.culprit(s.Culprits)
	if node == nil {
		node = e.foremost(s.Culprits)
	}
	var longest *int
	if node == nil {
		longest = s.longest()
	}
	if longest != nil {
		node, culprit = longest, fmt.Sprintf("%s, longest for those of node %d", culprit, *longest)
	}
	w := e.late(s.Computing, node)
	if s.Awaited == sorts[messages].awaited { // who is late may serve the others
		w.least = 0
	}
	f := e.priced(w, 0, s.Length())
	f.Cause, f.Resource = s.Late, waits.Event.String()
	f.Culprit, f.Node, f.Program = culprit, node, program
	// Who holds a lock longest may do so by chance. Of two nodes, either may be the one that is unlike the other, and who sends messages late may serve the others.
	from := lateFrom
	switch {
	case s.Awaited == sorts[locks].awaited:
		from = holdsFrom
	case s.Awaited == sorts[barriers].awaited && f.Node != nil && e.works(*f.Node):
		from = worksFrom
	}
	f.Outlier = f.Node != nil && longest == nil && e.Crowd.Nodes > 2 && f.Share >= from && s.Awaited != sorts[messages].awaited
	f.Commands = e.commands(s.Worst, waits.Event, &f)
	for _, w := range s.Worst {
		f.Evidence = append(f.Evidence, e.wait(w))
	}
	because := ""
	if f.Outlier {
		because = fmt.Sprintf(" because of node %d", *f.Node)
	}
	meanwhile := "while another computes, mostly"
	if len(s.Culprits) > 0 && e.Class(s.Culprits[0].Who).Type == waits.Handler {
		meanwhile = "until requests are noticed, mostly by"
	}
	f.Text = fmt.Sprintf("%s%s: a process waits on average %s %s %s.", capital(s.Late), because, e.costs(w), meanwhile, f.Culprit)
	f.More = fmt.Sprintf("In all it waits %s for %s.", span(s.Length()), s.Awaited)
	if node, times, ok := peers.Most(e.Received); ok && s.Awaited == sorts[messages].awaited {
		f.At = &node
		f.More += fmt.Sprintf(" Node %d receives %.1f times as many packets as any other.", node, times)
	}
	return f
}

// works reports whether a node's processor works longer than those of others.
func (e *Explanation) works(node int) bool {
	return slices.ContainsFunc(e.Outliers, func(x Outlier) bool { return x.Slow != nil && x.Slow.Works && x.Slow.Node == node })
}

// disorders reports whether an outlier may be what puts a program out of step: a processor that works longer, or an event.
func (e *Explanation) disorders(x *Outlier) bool {
	return (x.Gap != nil || x.Slow != nil && x.Slow.Works) && e.disordered()
}

// disordered reports whether the processes of a program of messages compute in turn: all are late for others, and no node more than
// any other.
func (e *Explanation) disordered() bool {
	return slices.ContainsFunc(e.States, func(s State) bool {
		return s.Awaited == sorts[messages].awaited && e.share(s.Computing) >= lateFrom && e.foremost(s.Culprits) == nil
	})
}

// late estimates the worth of computing that others wait for: for how long they do on average, in ps, and at most all that
// the processor of the node that is to blame, if one is, has on the critical path.
func (e *Explanation) late(computing int64, node *int) worth {
	w := worth{cost: computing, least: computing, most: computing}
	if node != nil {
		w.most = max(computing, e.Computed[*node])
	}
	return w
}

// foremost returns the node that has twice as large a share as any other, nil if none has.
func (e *Explanation) foremost(shares []Share) *int {
	nodes, _ := parts(shares, func(s Share) int { return e.Node(s.Who) })
	if len(nodes) < 2 || nodes[0].weight < 2*nodes[1].weight {
		return nil
	}
	return &nodes[0].key
}

// hotHome makes the finding of processes that fetch most pages from one node.
func (e *Explanation) hotHome(s *State) Finding {
	longest := []Wait{s.Hottest}
	w := e.hot(s)
	f := e.priced(w, 0, s.FromHot)
	f.Outlier, f.Cause, f.Resource, f.Node, f.At = s.Sole, "a hot home", waits.Event.String(), &s.Hot, &s.Hot
	f.Culprit = fmt.Sprintf("the pages of node %d", s.Hot)
	f.Commands, f.Evidence = e.commands(longest, waits.Event, &f), []string{e.wait(s.Hottest)}
	f.Text = fmt.Sprintf("Node %d is the home of most pages: a process waits on average %s for them, itself or because one for which it waits does.", s.Hot, e.costs(w))
	f.More = "Homes at the nodes that use the pages would save most of it."
	return f
}

// hot estimates the worth of a hot home: what processes wait for it on average, at least what that is beyond the shortest
// wait each time, as other homes take that too, and at most all that the critical path has at its node.
func (e *Explanation) hot(s *State) worth {
	w := worth{cost: s.FromHot, least: s.Beyond, most: s.FromHot}
	for _, p := range e.Nodes {
		if p.Number == s.Hot {
			w.most = max(w.most, p.Length())
		}
	}
	return w
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
	case waits.Pace:
		return "senders slowed by marks of congestion"
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
// its node if most of that part is of one, and its program in a run of several.
func (e *Explanation) culprit(shares []Share) (name string, node *int, program string) {
	classes, whole := parts(shares, func(s Share) account.Class { return e.Class(s.Who) })
	if len(classes) == 0 {
		return nobody, nil, ""
	}
	top := classes[0]
	name = top.key.String()
	if tag := int(top.key.Tag); tag < len(e.Tags) {
		program = e.Tags[tag]
		name += " of " + program
	}
	name += fmt.Sprintf(" (%s)", percent(top.weight, whole))
	// Of the node only the shares of the chosen class decide.
	shares = slices.DeleteFunc(slices.Clone(shares), func(s Share) bool { return e.Class(s.Who) != top.key })
	if nodes, all := parts(shares, func(s Share) int { return e.Node(s.Who) }); 2*nodes[0].weight > all {
		node = &nodes[0].key
		name += fmt.Sprintf(" of node %d", *node)
	}
	return name, node, program
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
