package page

import (
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strconv"
	"sync"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/analysis/lanes"
	"github.com/sigview/sigview/docs"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

var (
	//go:embed template.html
	html string
	//go:embed page.js
	script string
	//go:embed src/style.css
	style string
)

var templates = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(html)) })

// Write writes the page of a stored run.
func Write(w io.Writer, run *trace.Run) error { return WriteUnfinished(w, run, 0) }

// WriteUnfinished writes the page of a run as it stands, for which browsers ask again after so many seconds.
func WriteUnfinished(w io.Writer, run *trace.Run, again int) error {
	b := &builder{run: run}
	if err := b.read(); err != nil {
		return err
	}
	b.data.Again = again
	return b.write(w)
}

// WriteDocument writes another document as a page, whose tables can be sorted and searched.
func WriteDocument(w io.Writer, d report.Document) error {
	return execute(w, sheet{Sections: report.Sections(d), Open: true}, empty(), nil)
}

// sheet is what the template fills in. Sections begin with the main heading.
type sheet struct {
	Sections         []report.Section
	Open             bool // all sections are shown from the begin
	Findings         []finding
	Costs            bool   // that is what they are
	Untold           string // why it is not; empty if it is
	Timeline, Matrix bool

	Nodes, Percentiles, Operations template.HTML

	Again        int
	Digest       string
	Style        template.CSS
	Told, Script template.JS
	Bulk         template.HTML
}

// percentiles are those of the stages by size class, of each program.
func percentiles(s analysis.Signature) (out template.HTML) {
	for _, tag := range s.Tags() {
		v := analysis.LatenciesView(analysis.Whole(s.ByClass(), tag)).Pick("class", "stage", "count", "mean_us", "p50_us", "p90_us", "p99_us", "max_us")
		v.Rows = slices.DeleteFunc(v.Rows, func(r []analysis.Cell) bool { return r[1].Value == trace.NetMinusLANai.String() }) // it has none
		v.Note = fmt.Sprintf("Times in µs, of program %d. > and < mark bounds, where packets or bins are too few for more.", tag)
		if len(v.Rows) > 0 {
			out += report.Sortable(v)
		}
	}
	return out
}

// empty is what the script of a page is told that has only words and tables.
func empty() data {
	return data{
		EndNs: 1, Stages: []string{}, Programs: []program{}, Kinds: []string{}, Classes: []class{}, Lanes: []lane{}, Parts: []string{},
		Operations: []string{}, Phases: []phase{}, Events: []event{}, Findings: []finding{}, Waits: map[string][]wait{}, Columns: []head{}, Words: map[string]string{}, Commands: map[string]string{},
	}
}

// execute writes a page.
func execute(w io.Writer, s sheet, d data, c *columns) error {
	d.Title = cmp.Or(d.Title, s.Sections[0].Title)
	for _, word := range docs.Words() {
		d.Words[word.Word] = word.Meaning
	}
	if c != nil && len(c.heads) > 0 {
		d.Columns = c.heads
		bulk, err := c.text()
		if err != nil {
			return err
		}
		s.Bulk = template.HTML(bulk)
	}
	told, err := json.Marshal(d) // which escapes <
	if err != nil {
		return err
	}
	sum := sha256.Sum256([]byte(script))
	s.Digest, s.Style, s.Told, s.Script = base64.StdEncoding.EncodeToString(sum[:]), template.CSS(style), template.JS(told), template.JS(script)
	s.Findings, s.Again = d.Findings, d.Again
	return templates().Execute(w, struct {
		sheet
		Title string
	}{s, d.Title})
}

// builder makes the page of a run.
type builder struct {
	run     *trace.Run
	report  report.Run
	data    data
	costs   bool   // findings are what costs run time
	untold  string // why they are not
	columns columns
	grid    *grid // nil without packets
	kept    []packet
	lanes   *lanes.Lanes
	account *account.Account // nil: it is not known who waited for whom
	path    *lanes.Path
}

// read reads what the page shows.
func (b *builder) read() error {
	m := &b.run.Manifest
	b.data = empty()
	d := &b.data
	traced := m.Rows(trace.PacketRow{}) > 0 && m.Nodes > 0
	var err error
	if traced {
		err = b.explain() // before the report, which finds in the user's cache directory what a long log tells
	}
	if err == nil {
		b.report, err = report.OfStored(b.run, false)
	}
	if err != nil {
		return err
	}
	d.Dir, d.Title, d.EndNs = b.run.Dir, m.Title(), max(m.SimulatedNs, 1)
	if !b.costs {
		d.Findings = deviations(b.report.Diagnosis)
	}
	d.Classes = classesOf(b.report.Signature, b.report.Signature.Tags())
	d.Commands["view"] = "sigview view " + b.run.Dir
	for _, st := range trace.RecordedStages() {
		d.Stages = append(d.Stages, analysis.StageName(st, m.Real()))
	}
	for _, t := range m.Tags {
		d.Programs = append(d.Programs, program{t.Tag, t.Name})
	}
	if !traced {
		if cells, ok := judged(b.report.Signature, m.Nodes); ok && m.Nodes <= mostLanes {
			for n := range m.Nodes {
				d.Lanes = append(d.Lanes, lane{fmt.Sprintf("node %d", n), n, n})
			}
			d.Against = "idle"
			addPairs(&b.columns, cells)
		}
		return nil
	}
	if err := b.packets(); err != nil {
		return err
	}
	b.waits()
	return nil
}

// explain reads who waited for whom and the program's operations.
func (b *builder) explain() error {
	m := &b.run.Manifest
	var err error
	if n := m.Rows(trace.WaitRow{}); n > 0 && n <= explain.LongTrace {
		if b.account, err = explain.ReadWaits(b.run.Dir, nil); err != nil {
			return err
		}
	}
	brief, err := explain.ExplainBriefly(b.run.Dir, *b.run, b.account)
	if err == nil && b.account == nil && len(brief.Findings) == 0 { // a page is made to be passed on: it may take as long as sigview trace
		var all *explain.Brief
		if all, err = explain.AllCauses(b.run.Dir, *b.run); err == nil {
			brief.Findings, brief.Events = all.Findings, all.Events
		}
	}
	if err != nil {
		return err
	}
	b.data.Phases, b.data.Events = phasesOf(brief.Activity.Phases), eventsOf(brief.Events)
	if len(brief.Findings) > 0 {
		b.data.Findings, b.costs = findings(brief.Findings), true
	} else {
		b.untold = brief.Note
	}
	l := lanes.New(m.Nodes)
	seen := map[string]bool{}
	err = rundir.Scan(b.run.Dir, func(rows []trace.SpanRow) error {
		l.AddSpans(rows)
		for i := range rows {
			if s := &rows[i]; s.Parent == 0 && s.Operation != string(trace.OpPhase) && !seen[s.Operation] {
				seen[s.Operation] = true
				b.data.Operations = append(b.data.Operations, s.Operation)
			}
		}
		return nil
	})
	if err != nil && !errors.Is(err, rundir.ErrNoTable) {
		return err
	}
	l.Done()
	b.lanes = l
	if b.account == nil {
		return nil
	}
	b.lanes = l.With(b.account)
	b.path = lanes.NewPath(m.Nodes)
	graph.New(b.account).Path(1000*m.RunTimeNs(), func(s graph.Segment) { b.path.Add(b.account, s) })
	b.path.Done()
	b.data.Parts = partNames()
	return nil
}

// packets reads the trace.
func (b *builder) packets() error {
	m, d := &b.run.Manifest, &b.data
	var his []int64
	for _, c := range d.Classes {
		his = append(his, c.Hi)
	}
	b.grid = newGrid(m, his)
	var places []place
	named := map[id]bool{}
	for i := range d.Findings {
		if f := &d.Findings[i]; f.place.to >= f.place.from {
			places = append(places, f.place)
			named[f.named] = true
		}
	}
	d.Packets.All = m.Rows(trace.PacketRow{})
	k := newKeeper(d.Packets.All, places, named)
	err := explain.ScanPackets(b.run.Dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		for i := range rows {
			b.grid.add(&rows[i])
			k.add(&rows[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	b.kept = k.done()
	if d.Operations, err = belong(b.run.Dir, b.kept, d.Operations); err != nil {
		return err
	}
	d.Packets.Kept = len(b.kept)
	d.Windows, d.WidthNs = b.grid.windows, b.grid.width
	for l := range b.grid.lanes {
		from, to := b.grid.members(l)
		d.Lanes = append(d.Lanes, lane{b.grid.name(l), from, to})
	}
	b.grid.write(&b.columns)
	b.grid.doings(&b.columns, b.lanes, b.path, d.Operations)
	cells, ok := judged(b.report.Signature, m.Nodes)
	if d.Against = "idle"; !ok || b.grid.block > 1 {
		cells, d.Against = b.grid.compared(), "median"
	}
	addPairs(&b.columns, cells)
	kinds, tags := map[string]int64{}, map[trace.Tag]int64{}
	for i, p := range d.Programs {
		tags[p.Tag] = int64(i)
	}
	for i := range b.kept {
		if _, known := kinds[b.kept[i].Kind]; !known {
			kinds[b.kept[i].Kind] = int64(len(d.Kinds))
			d.Kinds = append(d.Kinds, b.kept[i].Kind)
		}
	}
	write(&b.columns, b.kept, kinds, tags)
	return nil
}

// Room for what packets waited for.
const (
	mostWaiting = 300 // packets
	mostWaits   = 4   // of each
)

// waits says what packets of findings and the slowest waited for.
func (b *builder) waits() {
	place := map[id]int{}
	for i := range b.kept {
		place[b.kept[i].id()] = i
	}
	actors := map[int]waits.ID{} // by places
	if b.account != nil {
		for n := range b.account.Actors {
			x := &b.account.Actors[n]
			if at, ok := place[id{int64(x.Node), x.Number}]; ok && x.Type.IsPacket() {
				actors[at] = waits.ID(n)
			}
		}
	}
	var wanted []int
	for i := range b.data.Findings {
		f := &b.data.Findings[i]
		at, ok := place[f.named]
		if !ok && f.actor != 0 && b.account != nil {
			at, ok = b.held(b.account.ID(f.actor), actors)
		}
		if !ok {
			at, ok = b.longest(f.place)
		}
		if ok {
			f.Packet = &at
			wanted = append(wanted, at)
		}
	}
	if b.account == nil {
		return
	}
	var slowest []int
	for i := range b.kept {
		if b.kept[i].why&(slow|near) != 0 {
			slowest = append(slowest, i)
		}
	}
	slices.SortStableFunc(slowest, func(i, j int) int { return cmp.Compare(b.kept[j].ns, b.kept[i].ns) })
	wanted = append(wanted, slowest...)
	for _, at := range wanted[:min(len(wanted), mostWaiting)] {
		key := strconv.Itoa(at)
		if _, known := b.data.Waits[key]; known || actors[at] == 0 {
			continue
		}
		list := []wait{}
		for _, p := range b.account.Waits(actors[at]) {
			if len(list) == mostWaits {
				break
			}
			list = append(list, b.wait(actors[at], p, place))
		}
		b.data.Waits[key] = list
	}
}

// held returns the kept packet that waits longest for an actor, or that the actor waits for.
func (b *builder) held(by waits.ID, actors map[int]waits.ID) (held int, ok bool) {
	most := int64(0)
	for at, own := range actors {
		for _, pair := range [][2]waits.ID{{own, by}, {by, own}} {
			for _, p := range b.account.Waits(pair[0]) {
				if p.Holder != pair[1] {
					continue
				}
				if p.Length() > most || p.Length() == most && at < held {
					held, most, ok = at, p.Length(), true
				}
				break
			}
		}
	}
	return held, ok
}

// longest returns the kept packet that takes longest at a place.
func (b *builder) longest(at place) (longest int, ok bool) {
	for i := range b.kept {
		if p := &b.kept[i]; at.has(p) && (!ok || p.ns > b.kept[longest].ns) {
			longest, ok = i, true
		}
	}
	return longest, ok
}

func (b *builder) wait(of waits.ID, p account.Piece, place map[id]int) wait {
	a := b.account
	chain := a.Chain(of, p.Begin)
	w := wait{Text: fmt.Sprintf("%s for %s", analysis.Time(float64(p.Length())/1e3), a.ChainText(chain)), FromNs: p.Begin / 1000, ToNs: p.End / 1000, Node: int(p.Instance)}
	if p.Resource == waits.Port {
		w.Node = int(a.Actors[of].Node)
	}
	if len(chain) > 1 {
		x := &a.Actors[chain[1].Actor]
		if at, ok := place[id{int64(x.Node), x.Number}]; ok && x.Type.IsPacket() {
			w.Packet = &at
		}
	}
	return w
}

func (b *builder) write(w io.Writer) error {
	sections, operations := report.Sections(b.report), template.HTML("")
	if i := slices.IndexFunc(sections, func(s report.Section) bool { return s.Title == "Operations" }); i >= 0 {
		operations = sections[i].Body
		sections = slices.Delete(sections, i, i+1)
	}
	var table template.HTML
	if v := nodes(&b.run.Manifest, b.data.Stages, b.grid); len(v.Columns) > 1 { // something is known of them
		table = report.Sortable(v)
	}
	return execute(w, sheet{
		Sections: sections, Percentiles: percentiles(b.report.Signature), Operations: operations, Nodes: table, Costs: b.costs, Untold: b.untold, Timeline: b.grid != nil, Matrix: len(b.data.Lanes) > 1 && len(b.data.Lanes) <= mostLanes,
	}, b.data, &b.columns)
}
