package main

import (
	"context"
	"sync"
	"time"

	"github.com/sigview/sigview/experiment"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// watchInto is watch for a command that makes a directory: beside it others find how far it is. Without a directory it is
// watch.
func (a *app) watchInto(dir string) (experiment.Watch, func()) {
	shown, clear := a.watch()
	if dir == "" {
		return shown, clear
	}
	n := noteProgress(dir)
	return func(p experiment.Progress) { shown.Report(p); n.note(p) }, func() { clear(); n.end() }
}

const (
	noteEvery = time.Second
	// firstLook is when the tables of an unfinished run are made first, and lookShare the most of the time that is
	// spent on it: they are made on the run's own goroutine.
	firstLook = 2 * time.Second
	lookShare = 20
)

// notes tell others how far a directory is that is being made. A command that ends within a second leaves none, and
// one that cannot write them goes on without.
type notes struct {
	stop    context.CancelFunc
	stopped sync.WaitGroup

	lock  sync.Mutex
	last  experiment.Progress
	since time.Time  // of what is being done
	look  time.Time  // at the tables next
	run   *trace.Run // as it stands, not yet shown
}

// noteProgress begins to tell others of a directory. Its end has to be called before the directory appears.
func noteProgress(dir string) *notes {
	now := time.Now()
	ctx, stop := context.WithCancel(context.Background())
	n := &notes{stop: stop, since: now, look: now.Add(firstLook)}
	n.last.Stage = "begun"
	n.stopped.Go(func() { n.write(ctx, dir) })
	return n
}

// note takes notice of progress. It is a Watch.
func (n *notes) note(p experiment.Progress) {
	n.lock.Lock()
	defer n.lock.Unlock()
	now := time.Now()
	if p.Total != n.last.Total {
		n.since = now
	}
	n.last = p
	if p.Look == nil || now.Before(n.look) {
		return
	}
	if run, err := p.Look(); err == nil {
		n.run = run
	}
	n.look = time.Now().Add(max(lookShare*time.Since(now), firstLook))
}

// write writes what was noted every second, until the end.
func (n *notes) write(ctx context.Context, dir string) {
	tick := time.NewTicker(noteEvery)
	defer tick.Stop()
	var u *rundir.Underway
	defer func() {
		if u != nil {
			_ = u.End()
		}
	}()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if u == nil {
			var err error
			if u, err = rundir.Begin(dir); err != nil {
				return
			}
		}
		p, run := n.take()
		if run != nil {
			_ = u.Show(ctx, *run)
		}
		if u.Tell(p) != nil {
			return
		}
	}
}

// take returns what is new.
func (n *notes) take() (p rundir.Progress, run *trace.Run) {
	n.lock.Lock()
	defer n.lock.Unlock()
	run, n.run = n.run, nil
	p.Text, p.Left = doing(n.last), timeLeft(n.last, time.Since(n.since))
	if n.last.Total > 0 {
		share := float64(n.last.Done) / float64(n.last.Total)
		p.Share = &share
	}
	return p, run
}

// end removes the notes. It may be called again.
func (n *notes) end() {
	n.stop()
	n.stopped.Wait()
}
