package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sigview/sigview/trace"
)

// between is how often samples are taken from the kernel.
const between = 100 * time.Millisecond

// Run watches until ctx ends, the time is over, or the command has ended. It then returns what was seen. It calls
// begun, if there is one, when it watches and before the command begins; from then on it needs no rights. It returns
// the error of begun; or an error if the host does not let it watch, which says what is missing; if the command
// cannot be run; or if no message was seen. It returns a CommandError beside the run if the command has failed.
func Run(ctx context.Context, spec Spec, begun func(*Look) error) (run *trace.Run, err error) {
	err = Runs(ctx, spec, 1, begun, func(r *trace.Run) error {
		run = r
		return nil
	})
	return run, err
}

// Runs is as Run, and then watches again without a gap, so many times in all. It calls keep with what was seen each
// time. Of a command that fails the run is kept, and the first CommandError is returned after all runs. Messages that are on their way at the end of one run count in the next one.
func Runs(ctx context.Context, spec Spec, runs int, begun func(*Look) error, keep func(*trace.Run) error) error {
	if spec.Other != nil {
		defer func() { _, _ = spec.Other.End() }() // at the latest
	}
	if err := Granted(); err != nil {
		return err
	}
	if spec.Other != nil {
		spec.with = pairingOf(spec)
	}
	for _, pid := range spec.PIDs {
		if _, err := os.Stat(fmt.Sprintf("/proc/%d", pid)); err != nil {
			return fmt.Errorf("--pid is %d, and no process has that number", pid)
		}
	}
	k, err := load(spec)
	if err != nil {
		return err
	}
	defer k.Close()
	if spec.Other != nil {
		k.joining = newJoining(spec.Other)
	}
	if err := k.attach(); err != nil {
		return err
	}
	look := &Look{spec: spec, began: time.Now(), read: k.soFar, show: k.show, count: k.counts, open: &k.open}
	defer look.end()
	if begun != nil {
		if err := begun(look); err != nil {
			return err
		}
	}
	before := new(result)
	var failed *CommandError
	for i := range runs {
		r := &result{spec: spec, began: time.Now(), origin: monotonic(), packets: trace.NewJoiner(), joining: k.joining}
		if r.tags = before.tags; r.tags == nil { // programs have the same ones in all runs
			r.tags = r.newTags()
		}
		if err := k.once(ctx, r, before.counts.messages(), i == runs-1); err != nil {
			return err
		}
		if runs > 1 && ctx.Err() != nil {
			return ctx.Err() // a part of a run is not one
		}
		all := r.counted()
		r.less(before)
		before = all
		if i < runs-1 {
			r.counts.pending = r.counts.missing()
		}
		run, err := r.tables()
		if err != nil {
			return r.unseen(err)
		}
		if err := keep(run); err != nil {
			return err
		}
		failed = cmp.Or(failed, r.failed)
	}
	if failed != nil {
		return failed
	}
	return nil
}

// once watches one run, the last one or not.
func (k *kernel) once(ctx context.Context, r *result, seen uint64, last bool) error {
	if _, follows := k.open.read(); !follows { // the run before has ended in a break
		if err := cmp.Or(k.detach(), k.attach()); err != nil {
			return err
		}
	}
	end := throttles(r.spec.Cgroups)
	if err := k.follow(ctx, r, seen); err != nil {
		return err
	}
	r.took = time.Since(r.began)
	end(&r.seen)
	return k.read(r, last)
}

// monotonic returns the time of the clock that the kernel's programs read, in ns.
func monotonic() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // there is one on every Linux
	return t.Nano()
}

// follow takes samples until the run is to end. Seen is how many messages were followed before.
func (k *kernel) follow(ctx context.Context, r *result, seen uint64) error {
	if r.spec.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.spec.For)
		defer cancel()
	}
	ended, err := k.run(ctx, r.spec)
	if err != nil {
		return err
	}
	b := newBudget(r.spec.Budget, r.began)
	b.seen = seen
	defer func() { r.warnings = append(r.warnings, b.warnings(time.Since(r.began), time.Now())...) }()
	tick := time.NewTicker(between)
	defer tick.Stop()
	k.share(&r.seen)
	defer k.share(nil)
	for {
		select {
		case <-tick.C:
			if err := errors.Join(k.takes(r), k.Variables["slow"].Set(r.slowest.from()), k.keep(b), k.look(time.Now())); err != nil {
				return err
			}
		case err := <-ended:
			if err != nil && ctx.Err() == nil {
				r.failed = &CommandError{r.spec.Command[0], err}
				r.warnings = append(r.warnings, r.failed.Error())
			}
			return nil
		case <-ctx.Done():
			if len(r.spec.Command) == 0 {
				return nil
			}
			// It has been told to end, and does.
			<-ended
			return nil
		}
	}
}

// takes takes samples, and joins what both hosts have told.
func (k *kernel) takes(r *result) error {
	k.shared.Lock()
	defer k.shared.Unlock()
	return errors.Join(k.drain(r.take), k.join(r))
}

// share lets others see what samples show; nil: they do no longer.
func (k *kernel) share(s *seen) {
	k.shared.Lock()
	defer k.shared.Unlock()
	k.sees = s
}

// show adds what samples show so far.
func (k *kernel) show(to *seen) {
	k.shared.Lock()
	defer k.shared.Unlock()
	if k.sees != nil {
		to.times = k.sees.copied()
	}
}

// patience is how long a command may go on when it has been interrupted.
const patience = 5 * time.Second

// run runs a command, if there is one, which is watched with its children. It is interrupted when ctx ends.
func (k *kernel) run(ctx context.Context, spec Spec) (ended chan error, err error) {
	command := spec.Command
	ended = make(chan error, 1)
	if len(command) == 0 {
		return ended, nil
	}
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	if !spec.Silent {
		c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stderr, os.Stderr
	}
	c.Cancel = func() error { return c.Process.Signal(unix.SIGINT) }
	c.WaitDelay = patience
	// A child of a process that is watched is watched from its first instruction.
	self := uint32(os.Getpid())
	if err := k.Maps["pids"].Put(self, uint8(1)); err != nil {
		return nil, err
	}
	err = errors.Join(c.Start(), k.Maps["pids"].Delete(self))
	if err != nil {
		return nil, err
	}
	go func() { ended <- c.Wait() }()
	return ended, nil
}

// read takes what the kernel has counted, at the end of a run and maybe of the watch.
func (k *kernel) read(r *result, last bool) error {
	if !last {
		if err := cmp.Or(k.drain(r.take), k.join(r)); err != nil {
			return err
		}
		if k.joining != nil {
			k.joining.end(r, false)
		}
		return k.soFar(r)
	}
	if k.joining != nil { // what is on its way may still arrive
		if err := k.shut(); err != nil {
			return err
		}
		time.Sleep(ends)
	}
	if err := k.detach(); err != nil {
		return err
	}
	if err := cmp.Or(k.drain(r.take), k.join(r)); err != nil {
		return err
	}
	if k.joining != nil {
		return k.endJoined(r)
	}
	return cmp.Or(k.soFar(r), k.rest(&r.counts, r.histograms))
}

// soFar takes what the kernel has counted up to now, apart from samples.
func (k *kernel) soFar(r *result) (err error) {
	if r.counts, err = k.counts(); err != nil {
		return err
	}
	if err = k.causes(&r.seen); err != nil {
		return err
	}
	if r.counts.drops, err = k.dropped(); err != nil {
		return err
	}
	if r.histograms, err = k.histograms(); err != nil {
		return err
	}
	if r.programs, err = k.names(); err != nil || k.joining == nil {
		return err
	}
	r.joining, r.tags = k.joining, r.newTags()
	k.joining.into(r)
	return nil
}
