package svm

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the expected parts of testdata/*.txt")

// TestScenarios runs the files of testdata: a command on a line that starts
// with "> ", below it what the protocol did.
func TestScenarios(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			got := runScenario(t, string(text))
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(got), 0o644))
				return
			}
			require.Equal(t, string(text), got)
		})
	}
}

func runScenario(t *testing.T, text string) string {
	var out strings.Builder
	w := &world{t: t}
	sc := bufio.NewScanner(strings.NewReader(text))
	blank := false
	for sc.Scan() {
		line := sc.Text()
		switch {
		case strings.HasPrefix(line, "#"):
			if blank {
				fmt.Fprintln(&out)
			}
			blank = false
			fmt.Fprintln(&out, line)
		case line == "":
			blank = true
		case strings.HasPrefix(line, "> "):
			if blank {
				fmt.Fprintln(&out)
			}
			blank = false
			fmt.Fprintln(&out, line)
			w.out = &out
			w.run(strings.Fields(line[2:]))
		}
	}
	return out.String()
}

// world is a system whose messages wait until a scenario delivers them.
type world struct {
	t       *testing.T
	out     *strings.Builder
	layout  *Layout
	migrate bool
	pool    *Pool
	nodes   []*Node
	queue   []Message // in the order they were sent
	retry   []func()  // what each node's program does when woken
}

func (w *world) printf(format string, args ...any) { fmt.Fprintf(w.out, "  "+format+"\n", args...) }

func (w *world) run(f []string) {
	num := func(i int) int {
		v, err := strconv.Atoi(f[i])
		require.NoError(w.t, err, "%v", f)
		return v
	}
	switch f[0] {
	case "nodes":
		l, err := NewLayout(num(1))
		require.NoError(w.t, err)
		w.layout, w.pool = l, NewPool()
		w.retry = make([]func(), num(1))
	case "migrate":
		w.migrate = true
	case "alloc":
		homes := map[string]Homes{"blocks": Blocks, "round-robin": RoundRobin, "first-touch": FirstTouch}[f[2]]
		_, err := w.layout.Alloc(num(1)*PageSize, homes)
		require.NoError(w.t, err)
	case "read":
		w.access(num(1), Page(num(2)), num(3), -1)
	case "write":
		w.access(num(1), Page(num(2)), num(3), num(4))
	case "acquire":
		w.sync(num(1), "has lock "+f[2], func(o *Out) bool { return w.node(num(1)).Acquire(uint32(num(2)), 0, o) })
	case "release":
		w.sync(num(1), "", func(o *Out) bool { w.node(num(1)).Release(uint32(num(2)), 0, o); return true })
	case "barrier":
		w.sync(num(1), "passes barrier "+f[2], func(o *Out) bool { return w.node(num(1)).Arrive(uint32(num(2)), 0, o) })
	case "deliver":
		w.deliver(f[1:])
	case "state":
		w.state(num(1))
	case "frames":
		s := w.pool.Stats()
		w.printf("frames live=%d shared=%d", s.Live, s.Shared)
	default:
		w.t.Fatalf("unknown command %v", f)
	}
}

func (w *world) node(i int) *Node {
	for len(w.nodes) < w.layout.nodes {
		n, err := NewNode(len(w.nodes), w.layout, w.pool)
		require.NoError(w.t, err)
		if w.migrate {
			n.Migrate()
		}
		w.nodes = append(w.nodes, n)
	}
	return w.nodes[i]
}

func (w *world) access(node int, p Page, word, value int) {
	var try func()
	try = func() {
		var o Out
		ok := w.node(node).Access(p, value >= 0, 0, &o)
		w.flush(node, &o)
		if !ok {
			w.printf("node %d waits for page %d", node, p)
			w.retry[node] = try
			return
		}
		b := w.node(node).Frame(p).Bytes()
		if value >= 0 {
			b[word*WordSize] = byte(value)
			w.printf("node %d wrote page %d word %d = %d", node, p, word, value)
		} else {
			w.printf("node %d read page %d word %d = %d", node, p, word, b[word*WordSize])
		}
	}
	try()
}

func (w *world) sync(node int, done string, op func(*Out) bool) {
	var o Out
	ok := op(&o)
	w.flush(node, &o)
	say := func() {
		if done != "" {
			w.printf("node %d %s", node, done)
		}
	}
	if ok {
		say()
		return
	}
	w.printf("node %d waits", node)
	w.retry[node] = say
}

func (w *world) flush(node int, o *Out) {
	for _, m := range o.Messages {
		w.printf("%v", m)
	}
	w.queue = append(w.queue, o.Messages...)
	if o.Wake {
		again := w.retry[node]
		w.retry[node] = nil
		if again != nil {
			again()
		}
	}
}

// deliver takes "all", or "FROM TO" for the oldest message of that link.
func (w *world) deliver(f []string) {
	if f[0] == "all" {
		for len(w.queue) > 0 {
			w.step(0)
		}
		return
	}
	from, _ := strconv.Atoi(f[0])
	to, _ := strconv.Atoi(f[1])
	i := slices.IndexFunc(w.queue, func(m Message) bool { return m.From == from && m.To == to })
	require.GreaterOrEqual(w.t, i, 0, "nothing from %d to %d", from, to)
	w.step(i)
}

// step delivers by way of the wire's form, so that it is exercised too.
func (w *world) step(i int) {
	m := w.queue[i]
	w.queue = slices.Delete(w.queue, i, i+1)
	d := m
	if m.Frame == nil { // a page is sent by itself
		d = Message{}
		require.NoError(w.t, d.Decode(m.Append(nil), m.From, m.To, w.layout.nodes))
	}
	require.Equal(w.t, m.String(), d.String())
	w.printf("-- %d->%d %v arrives", d.From, d.To, d.Kind)
	var o Out
	if err := w.node(d.To).Step(&d, &o); err != nil {
		w.printf("error: %v", err)
	}
	w.flush(d.To, &o)
}

func (w *world) state(i int) {
	n := w.node(i)
	var pages []string
	for p := range Page(w.layout.pages) {
		e := *n.pages.at(p)
		s := fmt.Sprintf("%d:%v", p, e.state)
		if e.extra != 0 {
			x := n.extra.list[e.extra-1]
			if len(x.required) > 0 {
				s += " required=" + versions(x.required)
			}
			if len(x.applied) > 0 {
				s += " applied=" + versions(x.applied)
			}
			if len(x.waiters) > 0 {
				s += fmt.Sprintf(" waiters=%d", len(x.waiters))
			}
		}
		pages = append(pages, s)
	}
	w.printf("node %d epoch=%d time=%s dirty=%d [%s]", i, n.epoch, versions(n.seen.time(nil)), len(n.dirty), strings.Join(pages, ", "))
}
