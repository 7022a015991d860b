package main

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sigview/sigview/check/history"
	"github.com/sigview/sigview/check/reliability"
	"github.com/sigview/sigview/cluster/platform"
)

// done is one run.
type done struct {
	at   platform.Place
	sort history.Faults
	seed uint64
	out  history.Outcome
}

// count is what some runs have shown.
type count struct{ runs, sent, lossy, undetected, findings int }

func (c *count) add(x done) {
	c.runs++
	c.sent += x.out.Sent
	if len(x.out.Missing) > 0 {
		c.lossy++
	}
	if x.out.Net.Undetected > 0 {
		c.undetected++
	}
	if len(x.out.Findings) > 0 {
		c.findings++
	}
}

// tally are the counts of all runs, by layer and by sort of faults.
type tally struct {
	total         count
	layers, sorts map[string]*count
	seconds       float64
}

func newTally() *tally { return &tally{layers: map[string]*count{}, sorts: map[string]*count{}} }

func (t *tally) add(x done) {
	t.total.add(x)
	for key, in := range map[string]map[string]*count{x.at.Layer: t.layers, x.sort.String(): t.sorts} {
		if in[key] == nil {
			in[key] = &count{}
		}
		in[key].add(x)
	}
}

// String returns the counts in words.
func (t *tally) String() string {
	return fmt.Sprintf("%d runs in %.0f s, with %d messages, requests, replies and gets: %d have losses that are told or need not be, %d have damage that the checksum misses, %d have findings",
		t.total.runs, t.seconds, t.total.sent, t.total.lossy, t.total.undetected, t.total.findings)
}

// part returns the section of the page.
func (t *tally) part() reliability.Part {
	p := reliability.Here("Histories of layers", "make histories")
	p.Says = "Random programs (messages, gathers, multicasts, requests, stores, gets, and reads and atomic changes of memory of peers, of 2 to 4 nodes) run on every layer of every platform, " +
		"with and without faults of the network. A recorder around the endpoints keeps what was sent and received. " +
		"A finding is something received that was not sent, or twice, or out of order; something missing that no error and no counter tells; " +
		"an error without a fault; a panic; or a program that does not end. " +
		"Layers for which errors are catastrophic need not tell of packets that never came, and lose no more messages than packets were lost. " +
		"When a checksum does not show damage, only streams between other nodes than the receiver's are judged."
	p.Figures = []reliability.Figure{
		{Name: "runs of layers", Value: float64(t.total.runs), AtLeast: reliability.Bound(100_000)},
		{Name: "findings", Value: float64(t.total.findings), AtMost: reliability.Bound(0)},
		{Name: "messages, requests, replies and gets", Value: float64(t.total.sent)},
		{Name: "runs with losses that are told, or need not be", Value: float64(t.total.lossy)},
		{Name: "runs with damage that the checksum misses", Value: float64(t.total.undetected), Note: "judged in part"},
		{Name: "time", Value: t.seconds, Unit: "s"},
	}
	p.Tables = []reliability.Table{table("layer", t.layers), table("faults", t.sorts)}
	return p
}

func table(what string, counts map[string]*count) reliability.Table {
	x := reliability.Table{Title: "Runs by " + what, Columns: []string{what, "runs", "with losses", "damage missed", "findings"}}
	for _, name := range slices.Sorted(maps.Keys(counts)) {
		c := counts[name]
		x.Rows = append(x.Rows, []string{name, fmt.Sprint(c.runs), fmt.Sprint(c.lossy), fmt.Sprint(c.undetected), fmt.Sprint(c.findings)})
	}
	return x
}
