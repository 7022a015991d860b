package paramserver

import (
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/workloads/internal/vectors"
)

// run is the program of a worker.
func (w *worker) run() {
	for w.step = range w.spec.Options.Steps {
		w.Tell.Phase(computing)
		w.X.Compute(host.Work{Time: w.spec.Options.compute()})
		w.known += w.vectors.Total(w.step)
		w.Tell.Phase(exchanging)
		w.span = w.Numbers.Next()
		w.Tell.Begin(w.span, opPushPull, stepPush, 0)
		w.exchange()
		w.Tell.End(w.span)
	}
	w.Tell.Phase("")
}

// exchange sends the gradient to all servers and takes the parameters that come, whichever can move.
func (w *worker) exchange() {
	clear(w.sent)
	clear(w.come)
	pushing := true
	for {
		left, moved, pushes := false, false, false
		for i := range w.servers {
			moved = w.take(i) || moved
			moved = w.push(i) || moved
			left = left || w.more(i, w.come[i])
			pushes = pushes || w.more(i, w.sent[i])
		}
		switch {
		case !left:
			return
		case pushing && !pushes:
			pushing = false
			w.Tell.Step(w.span, stepPull)
		case !moved:
			w.Wait("parameters, or room at a server")
		}
	}
}

// chunk returns a chunk of a server's shard.
func (w *worker) chunk(server, number int) (first, bytes int) {
	return w.servers[server].shard.chunk(number, w.longest())
}

// more reports whether a server's shard has a chunk of that number.
func (w *worker) more(server, number int) bool {
	_, bytes := w.chunk(server, number)
	return bytes > 0
}

// push sends a server the next chunk of the gradient, if there is one and room for it. The gradient is in
// memory: to put a chunk where it is sent from takes no time.
func (w *worker) push(server int) bool {
	first, n := w.chunk(server, w.sent[server])
	if n == 0 || !w.to[server].Room() {
		return false
	}
	w.sent[server]++
	w.vectors.Fill(w.bytes[:n], w.step, w.number, first)
	at := w.Buffer()
	w.Space.WriteAt(at, w.bytes[:n])
	w.to[server].Send(at, n, trace.Meta{Kind: trace.Request, Span: w.span})
	return true
}

// take compares a chunk of the parameters, if one has come.
func (w *worker) take(server int) bool {
	if !w.from[server].Ready() {
		return false
	}
	first, want := w.chunk(server, w.come[server])
	w.come[server]++
	at, n := w.from[server].Front()
	w.Read(n)
	w.Space.ReadAt(at, w.bytes[:n])
	w.from[server].Free()
	if n != want {
		w.Wrong("worker %d, step %d: %d B of parameters from %d on, want %d", w.ID, w.step, n, first, want)
	} else if err := w.vectors.Differs(w.bytes[:n], w.known, first); err != nil {
		w.Wrong("worker %d, step %d: %v", w.ID, w.step, err)
	}
	w.compared += int64(n / vectors.ElementBytes)
	return true
}
