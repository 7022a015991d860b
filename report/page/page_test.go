package page

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
)

// recorded makes a traced run of four nodes, of which one stalls, in a directory.
func recorded(t testing.TB, level monitor.Trace) *trace.Run {
	spec := experiment.DefaultRun("hotspot")
	spec.Nodes, spec.Trace = 4, level
	spec.Faults.Stalls = []experiment.Stall{{Node: 2, At: sim.Time(2 * sim.Millisecond), For: 4 * sim.Millisecond}}
	return stored(t, spec)
}

// sorted is a run of a program with operations, and with a node that takes no packets for a while.
func sorted(t testing.TB) *trace.Run {
	spec := experiment.DefaultRun("radix")
	spec.Nodes, spec.Size, spec.Trace = 4, 4096, experiment.TraceWaits
	spec.Faults.Stalls = []experiment.Stall{{Node: 2, At: sim.Time(2 * sim.Millisecond), For: 4 * sim.Millisecond}}
	return stored(t, spec)
}

// stored makes a run in a directory.
func stored(t testing.TB, spec experiment.RunSpec) *trace.Run {
	made, err := experiment.Run(t.Context(), spec, nil)
	require.NoError(t, err)
	dir := t.TempDir() + "/run"
	require.NoError(t, rundir.WriteRun(t.Context(), dir, *made))
	run, err := explain.ReadSummary(dir)
	require.NoError(t, err)
	return &run
}

// told is what a page tells its script, read by other means than those that wrote it.
type told struct {
	page    string
	data    map[string]any
	columns map[string][]int64
}

func element(t testing.TB, page, id string) string {
	m := regexp.MustCompile(`(?s)<script type="[a-z/-]+" id="` + id + `">(.*?)</script>`).FindStringSubmatch(page)
	require.NotNil(t, m, id)
	return m[1]
}

func read(t testing.TB, run *trace.Run) told {
	var b bytes.Buffer
	require.NoError(t, Write(&b, run))
	out := told{page: b.String(), columns: map[string][]int64{}}
	require.NoError(t, json.Unmarshal([]byte(element(t, out.page, "data")), &out.data))
	packed, err := base64.StdEncoding.DecodeString(element(t, out.page, "bulk"))
	require.NoError(t, err)
	if len(packed) == 0 {
		require.Empty(t, out.data["columns"])
		return out
	}
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	require.NoError(t, err)
	next := func() (v uint64) {
		for shift := 0; ; shift += 7 {
			b := raw[0]
			raw = raw[1:]
			v |= uint64(b&127) << shift
			if b < 128 {
				return v
			}
		}
	}
	signed := func() int64 { v := next(); return int64(v>>1) ^ -int64(v&1) }
	for _, h := range out.data["columns"].([]any) {
		head := h.([]any)
		name, before := head[0].(string), int64(0)
		for range int(head[2].(float64)) {
			v := int64(0)
			switch head[1] {
			case "u8":
				v = int64(raw[0])
				raw = raw[1:]
			case "varint":
				v = int64(next())
			case "zigzag":
				v = signed()
			case "delta":
				before += signed()
				v = before
			default:
				require.Fail(t, "coding", head[1])
			}
			out.columns[name] = append(out.columns[name], v)
		}
	}
	require.Empty(t, raw)
	return out
}

// TestPacketsBelongToTheirOperations: each packet that is told has the name, the node and the time of the operation that its record names.
func TestPacketsBelongToTheirOperations(t *testing.T) {
	run := sorted(t)
	page := read(t, run)
	spans := map[int64]trace.SpanRow{} // one program
	require.NoError(t, rundir.Scan(run.Dir, func(rows []trace.SpanRow) error {
		for _, r := range rows {
			spans[r.Span] = r
		}
		return nil
	}))
	belong := 0
	for i, span := range page.columns["p_span"] {
		r, known := spans[span]
		op := page.columns["p_op"][i]
		require.Equal(t, known && span > 0, op > 0)
		if op == 0 {
			continue
		}
		belong++
		require.Equal(t, r.Operation, page.data["operations"].([]any)[op-1])
		require.Equal(t, r.Node, page.columns["p_op_node"][i])
		require.Equal(t, r.DurationNs, page.columns["p_op_ns"][i])
		require.Equal(t, r.BeginNs, page.columns["p_at0"][i]+page.columns["p_op_at"][i])
	}
	require.Greater(t, belong, 100)
}

// TestFiguresAreThoseOfTheReport: what the script adds up is what the report says.
func TestFiguresAreThoseOfTheReport(t *testing.T) {
	run := recorded(t, experiment.TraceWaits)
	page := read(t, run)
	n := len(page.data["classes"].([]any))
	sum := func(name string, class int) (sum float64) {
		for i, v := range page.columns[name] {
			if i%n == class {
				sum += float64(v)
			}
		}
		return sum
	}
	checked := 0
	for i, p := range analysis.Whole(analysis.Of(*run).ByClass(), 0) {
		for st, names := range [trace.NumStages][2]string{{"sent", "source"}, {"sent", "lanai"}, {"received", "net"}, {"received", "dest"}} {
			s := p.Stat(trace.Stage(st))
			if s.Count == 0 {
				continue
			}
			require.InDelta(t, float64(s.Count), sum(names[0], i), 0, "packets of class %d", i)
			// The interfaces sum in ticks of their clocks.
			require.InEpsilon(t, s.MeanNs.Value, sum(names[1], i)/sum(names[0], i), 0.01, "%s of class %d", names[1], i)
			checked++
		}
	}
	require.Greater(t, checked, 3)
	e, err := explain.Explain(run.Dir, explain.Question{Top: 50})
	require.NoError(t, err)
	require.NotEmpty(t, e.Findings)
	for i, f := range page.data["findings"].([]any) {
		f := f.(map[string]any)
		require.Equal(t, e.Findings[i].Text, f["text"])
		require.InDelta(t, e.Findings[i].Share, f["share"], 1e-12)
	}
	require.Len(t, page.columns["p_at0"], int(page.data["packets"].(map[string]any)["kept"].(float64)))
}

// TestTimeAtNodes: packets times time in a stage is the sum of their latencies.
func TestTimeAtNodes(t *testing.T) {
	run := recorded(t, experiment.TraceAll)
	page := read(t, run)
	for st, name := range []string{"source", "lanai", "net", "dest"} {
		busy, all := 0.0, 0.0
		for _, v := range page.columns[fmt.Sprintf("busy%d", st)] {
			busy += float64(v)
		}
		for _, v := range page.columns[name] {
			all += float64(v)
		}
		require.InEpsilon(t, all, busy, 0.02, name)
	}
}

// TestPacketsOneByOne: those of a short trace are all there, with their instants.
func TestPacketsOneByOne(t *testing.T) {
	run := recorded(t, experiment.TraceAll)
	page := read(t, run)
	type key struct{ sender, number int64 }
	at := map[key][6]int64{}
	for i := range page.columns["p_at0"] {
		var instants [6]int64
		t := page.columns["p_at0"][i]
		for n := range instants {
			if page.columns["p_mask"][i]>>n&1 == 1 {
				if n > 0 {
					t += page.columns[fmt.Sprintf("p_at%d", n)][i]
				}
				instants[n] = t
			}
		}
		at[key{page.columns["p_sender"][i], page.columns["p_number"][i]}] = instants
	}
	rows := 0
	require.NoError(t, rundir.Scan(run.Dir, func(batch []trace.PacketRow) error {
		for _, r := range batch {
			rows++
			require.Equal(t, [6]int64{r.T1Ns.Value, r.T2Ns.Value, r.T3Ns.Value, r.T4Ns.Value, r.T5Ns.Value, r.T6Ns.Value}, at[key{r.Sender, r.Number}])
		}
		return nil
	}))
	require.Len(t, at, rows)
}

// TestStalledNodeStandsOut: the finding names it, and its place in time is where its packet is.
func TestStalledNodeStandsOut(t *testing.T) {
	page := read(t, recorded(t, experiment.TraceWaits))
	first := page.data["findings"].([]any)[0].(map[string]any)
	require.Contains(t, first["text"], "2")
	require.NotNil(t, first["packet"])
	require.NotEmpty(t, page.data["waits"].(map[string]any)[fmt.Sprint(first["packet"])])
}

// TestHostileNames: nothing that a run holds ends an element or begins a script.
func TestHostileNames(t *testing.T) {
	run := recorded(t, experiment.TraceAll)
	const evil = `</script><script>alert(1)</script><img src=x onerror=alert(2)>"'<!--`
	run.Manifest.Workload, run.Manifest.Tags[0].Name = evil, evil
	run.Manifest.Warnings = append(run.Manifest.Warnings, evil)
	page := read(t, run).page
	require.NotContains(t, page, "<script>alert")
	require.NotContains(t, page, "<img")
	require.Equal(t, 3, strings.Count(page, "<script"))
}

// TestRunWithoutTrace: a page without a timeline.
func TestRunWithoutTrace(t *testing.T) {
	page := read(t, recorded(t, ""))
	require.NotContains(t, page.page, `id="timeline"`)
	require.Contains(t, page.page, `id="nodes"`)
	require.NotContains(t, page.columns, "busy0")
}

// TestFindingsOfPacketsWithoutNumbers: a finding of a packet that its monitor has not numbered, as an acknowledgement, is
// shown by the packet that waits longest for it, or for which it waits, not by the longest one at the place.
func TestFindingsOfPacketsWithoutNumbers(t *testing.T) {
	waiting := func(from, to int64, holder waits.ID) account.Piece {
		return account.Piece{Begin: from, End: to, Holder: holder, What: waits.Waiting}
	}
	of := func(number int64) waits.Actor { return waits.Actor{Type: waits.Packet, Number: number} }
	b := builder{account: &account.Account{
		Actors: []waits.Actor{{}, of(0), of(1), of(2), of(-1), of(-1), of(-1)},
		Pieces: []account.Piece{
			waiting(0, 10, 4), waiting(10, 99, 1), // packet 0
			waiting(0, 40, 4),                   // packet 1
			waiting(0, 30, 1),                   // packet 2
			waiting(0, 500, 5),                  // actor 4
			waiting(0, 7, 3), waiting(7, 20, 4), // actor 5
		},
		First: []int32{0, 0, 2, 3, 4, 5, 7, 7},
	}}
	for number := range int64(3) {
		p := packet{ns: 100 - number}
		p.Number = number
		b.kept = append(b.kept, p)
	}
	for actor, want := range map[int]int{4: 1, 5: 2, 6: 0} { // the last one waits for nobody, and nobody for it
		f := finding{named: nobody, place: place{to: math.MaxInt64}}
		f.selected(fmt.Sprintf("row=0 from=0 to=1000 packet=#%d details=on", actor))
		b.data.Findings = append(b.data.Findings[:0], f)
		b.data.Waits = map[string][]wait{}
		b.waits()
		require.NotNil(t, b.data.Findings[0].Packet)
		require.Equal(t, want, *b.data.Findings[0].Packet, "actor %d", actor)
	}
}

// TestKeeperKeepsTheSlowest checks the choice against sorting all.
func TestKeeperKeepsTheSlowest(t *testing.T) {
	k := newKeeper(100_000, []place{{node: 1, from: 5000, to: 6000}}, map[id]bool{{1, 77}: true})
	var all []int64
	for i := range int64(100_000) {
		begin := i * 10
		took := (i*7919)%50_021 + 1
		all = append(all, took)
		k.add(&trace.PacketRow{Sender: i % 4, Number: i, T3Ns: trace.Some(begin), T5Ns: trace.Some(begin + took)})
	}
	slices.Sort(all)
	var slows []int64
	nears, named := 0, 0
	list := k.done()
	for i, p := range list {
		if p.why&slow != 0 {
			slows = append(slows, p.ns)
		}
		if p.why&near != 0 {
			nears++
		}
		if p.Number == 77 {
			named++
		}
		require.True(t, i == 0 || list[i-1].from <= p.from)
	}
	slices.Sort(slows)
	require.Equal(t, all[len(all)-mostSlow:], slows)
	require.Equal(t, mostNear+1, nears)
	require.Equal(t, 1, named)
	require.LessOrEqual(t, len(list), mostPackets+mostSlow+mostNear)
}
