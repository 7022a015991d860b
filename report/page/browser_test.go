package page

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/analysis/compare"
	"github.com/sigview/sigview/analysis/explain"
	"github.com/sigview/sigview/check/testlong"
	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/report"
	"github.com/sigview/sigview/report/internal/browser"
	"github.com/sigview/sigview/sim"
	"github.com/sigview/sigview/trace"
)

// patience is for how long a page may take to do what is asked.
const patience = 30 * time.Second

// tab is a page in a browser.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu    sync.Mutex
	said  []string // on the console
	asked []string // paths
}

// open shows the page of a run in a browser of its own. It skips the test where there is none.
func open(t *testing.T, run *trace.Run) *tab {
	var page bytes.Buffer
	require.NoError(t, Write(&page, run))
	b := show(t, page)
	b.do(chromedp.WaitVisible("#timeline canvas"))
	return b
}

// show shows a page.
func show(t *testing.T, page bytes.Buffer) *tab {
	program := browser.Path(t)
	b := &tab{t: t}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.asked = append(b.asked, q.URL.Path)
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write(page.Bytes())
	}))
	t.Cleanup(server.Close)
	ctx, stop := chromedp.NewExecAllocator(t.Context(), append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.WindowSize(1280, 900))...)
	t.Cleanup(stop)
	b.ctx, stop = chromedp.NewContext(ctx, chromedp.WithListener(b.heard))
	t.Cleanup(stop)
	require.NoError(t, chromedp.Do(b.ctx, chromedp.Navigate("about:blank"))) // the browser ends with the context of the first action
	b.do(chromedp.Navigate(server.URL), chromedp.WaitVisible("#nav .search"))
	return b
}

// heard notes what the page says on the console.
func (b *tab) heard(e any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := e.(type) {
	case *runtime.EventConsoleAPICalled:
		b.said = append(b.said, fmt.Sprint(e.Type, e.Args))
	case *runtime.EventExceptionThrown:
		b.said = append(b.said, fmt.Sprint(e.ExceptionDetails))
	case *log.EventEntryAdded:
		b.said = append(b.said, e.Entry.Text)
	}
}

func (b *tab) do(actions ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	require.NoError(b.t, chromedp.Do(ctx, actions...))
}

// eval returns what an expression comes to, as text.
func (b *tab) eval(expression string) string {
	b.t.Helper()
	ctx, stop := context.WithTimeout(b.ctx, patience)
	defer stop()
	out, err := chromedp.Run(ctx, chromedp.Evaluate[string]("String("+expression+")"))
	require.NoError(b.t, err)
	return out
}

// state waits until the fragment of the address has what is wanted in it, and returns all of it.
func (b *tab) state(names ...string) url.Values {
	b.t.Helper()
	var v url.Values
	require.Eventually(b.t, func() bool {
		var err error
		v, err = url.ParseQuery(strings.TrimPrefix(b.eval("location.hash"), "#"))
		for _, name := range names {
			if err == nil && !v.Has(name) {
				return false
			}
		}
		return err == nil
	}, 10*time.Second, 20*time.Millisecond, "%q in the address", names)
	return v
}

// key presses a key on the page.
func (b *tab) key(keys string) { b.t.Helper(); b.do(chromedp.KeyEvent(keys)) }

// drag moves the pressed mouse over a part of an element, given by shares of its width and height.
func (b *tab) drag(selector string, x0, y0, x1, y1 float64) {
	b.t.Helper()
	b.eval(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({block: "center"})`, selector))
	box := strings.Split(b.eval(fmt.Sprintf(`(r => [r.left, r.top, r.width, r.height].join())(document.querySelector(%q).getBoundingClientRect())`, selector)), ",")
	var r [4]float64
	for i := range r {
		var err error
		r[i], err = strconv.ParseFloat(box[i], 64)
		require.NoError(b.t, err)
	}
	b.do(chromedp.DragAndDropXY(r[0]+x0*r[2], r[1]+y0*r[3], r[0]+x1*r[2], r[1]+y1*r[3], 5))
}

// done checks what was never to happen.
func (b *tab) done() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	require.Empty(b.t, b.said, "on the console")
	for _, path := range b.asked {
		require.Contains(b.t, []string{"/", "/favicon.ico"}, path)
	}
}

// stalled is a run with a node that takes no packets for a while.
func stalled(t testing.TB) *trace.Run { return recorded(t, experiment.TraceWaits) }

// TestFindingLeadsToItsPacket: one action shows where and when a finding is, and who waited for whom.
func TestFindingLeadsToItsPacket(t *testing.T) {
	b := open(t, stalled(t))
	b.do(chromedp.Click(`[data-finding="0"]`))
	v := b.state("finding", "packet", "from", "to", "lane")
	require.Equal(t, "0", v.Get("finding"))
	require.Equal(t, "2", v.Get("lane"), "the node that stalls")
	text := b.eval(`document.querySelector("#timeline").innerText`)
	require.Contains(t, text, "T1")
	require.Contains(t, text, "T6")
	require.Contains(t, text, "sigview view")
	// Back leads to the whole run again.
	b.do(chromedp.NavigateBack())
	require.Eventually(t, func() bool { return b.eval("location.hash.includes('finding')") == "false" }, 5*time.Second, 20*time.Millisecond)
	b.done()
}

// TestDifferenceLeadsToItsPlace: the address that a comparison has for the largest part of a difference shows the node, the time and the packet in the
// page of the run.
func TestDifferenceLeadsToItsPlace(t *testing.T) {
	calm := experiment.DefaultRun("hotspot")
	calm.Nodes, calm.Trace = 4, experiment.TraceWaits
	slow := stalled(t)
	first := compared(t, stored(t, calm), slow).Causes.Shifts[0]
	require.True(t, first.Outlier)
	require.Empty(t, first.SeeA, "no node stalls there")
	b := open(t, slow)
	b.eval(fmt.Sprintf(`location.hash = "select=" + encodeURIComponent(%q)`, first.SeeB))
	require.Eventually(t, func() bool {
		text := b.eval(`document.querySelector("#timeline").innerText`)
		return strings.Contains(text, "T6") && strings.Contains(text, "row=2") && strings.Contains(text, "packet=")
	}, 5*time.Second, 20*time.Millisecond)
	// Nonsense shows the whole run.
	b.eval(`location.hash = "select=row%3D99+from%3Dx+packet%3D%3A"`)
	require.Eventually(t, func() bool {
		return !strings.Contains(b.eval(`document.querySelector("#timeline").innerText`), "row=")
	}, 5*time.Second, 20*time.Millisecond)
	b.done()
}

// compared says what changed between two runs, and why.
func compared(t testing.TB, a, b *trace.Run) report.Diff {
	var sides [2]compare.Side
	for i, run := range []*trace.Run{a, b} {
		var err error
		sides[i], err = explain.Side(run.Dir)
		require.NoError(t, err)
	}
	causes, err := explain.Differ(sides[0], sides[1])
	require.NoError(t, err)
	return report.Diff{Comparison: compare.Compare(sides[0], sides[1], compare.LeastPackets), Causes: causes}
}

// TestQuestions: three actions at the most lead to the answer of what people ask of a run, whether it has eight nodes or a thousand.
func TestQuestions(t *testing.T) {
	for _, nodes := range []int{8, 64, 256, 1024} {
		t.Run(fmt.Sprintf("%d nodes", nodes), func(t *testing.T) {
			if nodes > 64 {
				testlong.Only(t, "runs of many nodes")
			}
			bad := min(nodes-3, 7)
			spec := experiment.DefaultRun("allreduce")
			spec.Nodes, spec.Size, spec.Trace = nodes, 512, experiment.TraceWaits
			spec.Job.Algorithm, spec.Job.Steps = "tree", 1
			good := stored(t, spec)
			spec.Faults.Stalls = []experiment.Stall{{Node: bad, At: sim.Time(20 * sim.Microsecond), For: 2 * sim.Millisecond}}
			slow := stored(t, spec)
			two := func(a, b *trace.Run) *tab {
				var page bytes.Buffer
				require.NoError(t, WriteDocument(&page, compared(t, a, b)))
				return show(t, page)
			}
			stalls := fmt.Sprintf(`node %d takes no packets`, bad)
			press := func(b *tab) { b.key("a"); b.key("n") } // two
			for _, q := range []struct {
				question, in, answer string
				b                    *tab
			}{
				{"why is it slower?", "#part0", stalls + ` .*\+`, two(good, slow)},
				{"did the change help?", "#part0", stalls + ` .*[−-]`, two(slow, good)},
				{"where is the limit?", "#findings", "(?i)contention|queue|at work", open(t, good)},
			} {
				require.Regexp(t, q.answer, q.b.eval(`document.querySelector("`+q.in+`").textContent`), q.question)
				q.b.done()
			}
			b := open(t, slow)
			for _, q := range []struct {
				question, in, answer string
				do                   func(b *tab)
			}{
				{"which node is it?", "#findings", fmt.Sprintf(`(?s)^.{0,80}ode %d\b`, bad), nil},
				{"is it the network?", "#way", `Net [\d.]+`, nil},
				{"which packet is the worst?", "#timeline", "Number 1 of the slowest", press},
				{"what is that operation?", "#timeline", "Part of: all reduce of node", press},
				{"whom do I wait for?", "#timeline", "What it waited for", func(b *tab) { b.do(chromedp.Click(`[data-finding="0"]`)) }},
			} {
				b.do(chromedp.Evaluate[chromedp.Void](`location.hash = ""; document.activeElement.blur()`))
				if q.do != nil {
					q.do(b)
				}
				require.Eventually(t, func() bool {
					return regexp.MustCompile(q.answer).MatchString(b.eval(`document.querySelector("` + q.in + `").textContent`))
				}, 5*time.Second, 20*time.Millisecond, q.question)
			}
			b.done()
		})
	}
}

// TestPacketLeadsToItsOperation: two keys and a press lead from the run to the slowest packet and to the time of the operation that it is part of.
func TestPacketLeadsToItsOperation(t *testing.T) {
	b := open(t, sorted(t))
	b.key("a")
	b.key("n")
	b.state("packet")
	require.Contains(t, b.eval(`document.querySelector("#timeline").innerText`), "Part of: ")
	b.eval(`[...document.querySelectorAll("#timeline button")].find(x => x.textContent === "Show it").click()`)
	b.state("packet", "lane", "from", "to")
	b.done()
}

// TestRowsLead: rows of tables lead to the node, to the slowest packet of the operation, and to the time of the event that they are about.
func TestRowsLead(t *testing.T) {
	press := func(b *tab, row string) {
		b.eval(`document.querySelector('` + row + `').click()`)
	}
	b := open(t, sorted(t))
	press(b, `#nodes tr[data-node="3"]`)
	require.Equal(t, "3", b.state("lane").Get("lane"))
	press(b, `#operations tr[data-operation="barrier"]`)
	b.state("packet")
	require.Contains(t, b.eval(`document.querySelector("#timeline").innerText`), "Part of: barrier")
	press(b, `#all tr[data-from]`)
	require.Eventually(t, func() bool { return b.state("lane", "from", "to").Get("lane") == "2" }, 5*time.Second, 20*time.Millisecond)
	b.done()
}

// TestAreaOfTheTimeline: a dragged area has the packets of its time and nodes, all of them in all of it.
func TestAreaOfTheTimeline(t *testing.T) {
	run := stalled(t)
	b := open(t, run)
	b.drag("#timeline canvas", 0.2, 0.2, 0.999, 0.9)
	b.state("area", "lanes")
	b.eval(fmt.Sprintf(`location.hash = "area=0-%d&lanes=0-%d"`, run.Manifest.SimulatedNs, run.Manifest.Nodes-1))
	sum := fmt.Sprint(run.Manifest.Packets)
	require.Eventually(t, func() bool {
		return strings.Contains(strings.ReplaceAll(b.eval(`document.querySelector("#timeline").innerText`), ",", ""), sum)
	}, 5*time.Second, 50*time.Millisecond, "all %s packets", sum)
	b.done()
}

// TestZoomAndKeys: keys do what they do in the terminal.
func TestZoomAndKeys(t *testing.T) {
	b := open(t, stalled(t))
	b.key("+")
	b.state("from", "to")
	b.key("a")
	b.key("s")
	require.Equal(t, "source", b.state("stage").Get("stage"))
	b.key("n")
	first := b.state("packet").Get("packet")
	b.key("n")
	require.Eventually(t, func() bool { return b.state("packet").Get("packet") != first }, 5*time.Second, 20*time.Millisecond)
	b.key("N")
	require.Eventually(t, func() bool { return b.state("packet").Get("packet") == first }, 5*time.Second, 20*time.Millisecond)
	for _, open := range []string{"true", "false"} {
		b.key("?")
		require.Eventually(t, func() bool { return b.eval(`document.querySelector("dialog").open`) == open }, 5*time.Second, 20*time.Millisecond)
	}
	b.key("T")
	require.NotEmpty(t, b.state("theme").Get("theme"))
	b.done()
}

// TestSearch: what is typed finds a node, and Enter leads there.
func TestSearch(t *testing.T) {
	b := open(t, stalled(t))
	b.key("/")
	require.Eventually(t, func() bool { return b.eval(`document.activeElement.type`) == "search" }, 5*time.Second, 20*time.Millisecond)
	b.eval(`document.activeElement.value = ""`) // this browser types the slash too
	b.do(chromedp.SendKeys("#nav input", "node 3"))
	require.Eventually(t, func() bool { return strings.Contains(b.eval(`document.querySelector("#found").innerText`), "node 3") }, 5*time.Second, 20*time.Millisecond)
	b.do(chromedp.SendKeys("#nav input", kb.Enter))
	require.Equal(t, "3", b.state("lane").Get("lane"))
	b.done()
}

// TestTablesAreSorted: a heading sorts by its figures, and another press turns the order.
func TestTablesAreSorted(t *testing.T) {
	b := open(t, stalled(t))
	const column = `[...document.querySelectorAll("#nodes tbody tr")].map(r => r.cells[1].dataset.v).join()`
	press := func() []string {
		b.eval(`document.querySelectorAll("#nodes th button")[1].click()`)
		time.Sleep(100 * time.Millisecond)
		return strings.Split(b.eval(column), ",")
	}
	down := press()
	up := press()
	require.Len(t, down, 4)
	for i := range down {
		require.Equal(t, down[i], up[len(up)-1-i])
	}
	b.done()
}

// TestSizesOfScreens: nothing but tables is wider than the screen.
func TestSizesOfScreens(t *testing.T) {
	b := open(t, stalled(t))
	for _, width := range []int64{390, 1280, 2560} {
		b.do(chromedp.EmulateViewport(width, 900))
		require.LessOrEqual(t, b.eval(`document.documentElement.scrollWidth`), fmt.Sprint(width), "at %d", width)
	}
	b.done()
}

// TestHostileNamesInABrowser: they are text.
func TestHostileNamesInABrowser(t *testing.T) {
	run := recorded(t, monitor.Trace(experiment.TraceAll))
	const evil = `</script><script>window.hit=1</script><img src=x onerror="window.hit=2">`
	run.Manifest.Workload, run.Manifest.Tags[0].Name = evil, evil
	b := open(t, run)
	require.Equal(t, "undefined", b.eval("window.hit"))
	require.Equal(t, "0", b.eval(`document.querySelectorAll("img").length`))
	b.done()
}
