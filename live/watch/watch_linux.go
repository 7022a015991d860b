package watch

import (
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
// begun, if there is one, when it watches. It returns an error if the host does not let it watch, which says what is
// missing; if the command cannot be run; or if no message was seen.
func Run(ctx context.Context, spec Spec, begun func()) (*trace.Run, error) {
	if missing := lacking(); len(missing) > 0 {
		return nil, missing
	}
	k, err := load(spec)
	if err != nil {
		return nil, err
	}
	defer k.Close()
	if err := k.attach(); err != nil {
		return nil, err
	}
	r := &result{spec: spec, began: time.Now(), origin: monotonic(), packets: trace.NewJoiner()}
	end := throttles(spec.Cgroups)
	if begun != nil {
		begun()
	}
	if err := k.follow(ctx, r); err != nil {
		return nil, err
	}
	r.took = time.Since(r.began)
	end(&r.seen)
	if err := k.read(r); err != nil {
		return nil, err
	}
	return r.tables()
}

// monotonic returns the time of the clock that the kernel's programs read, in ns.
func monotonic() int64 {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_MONOTONIC, &t) // there is one on every Linux
	return t.Nano()
}

// follow takes samples until the watch is to end.
func (k *kernel) follow(ctx context.Context, r *result) error {
	if r.spec.For > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, r.spec.For)
		defer cancel()
	}
	ended, err := k.start(ctx, r.spec.Command)
	if err != nil {
		return err
	}
	b := newBudget(r.spec.Budget, r.began)
	defer func() { r.warnings = append(r.warnings, b.warnings(time.Since(r.began), time.Now())...) }()
	tick := time.NewTicker(between)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			if err := errors.Join(k.drain(r.take), k.keep(b)); err != nil {
				return err
			}
		case err := <-ended:
			if err != nil && ctx.Err() == nil {
				r.warnings = append(r.warnings, fmt.Sprintf("%s: %v", r.spec.Command[0], err))
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

// patience is how long a command may go on when it has been interrupted.
const patience = 5 * time.Second

// start runs a command, if there is one, which is watched with its children. It is interrupted when ctx ends.
func (k *kernel) start(ctx context.Context, command []string) (ended chan error, err error) {
	ended = make(chan error, 1)
	if len(command) == 0 {
		return ended, nil
	}
	c := exec.CommandContext(ctx, command[0], command[1:]...)
	c.Stdin, c.Stdout, c.Stderr = os.Stdin, os.Stderr, os.Stderr
	c.Cancel = func() error { return c.Process.Signal(unix.SIGINT) }
	c.WaitDelay = patience
	// A child of a process that is watched is watched from its first instruction.
	self := uint32(os.Getpid())
	if err := k.PIDs.Put(self, uint8(1)); err != nil {
		return nil, err
	}
	err = errors.Join(c.Start(), k.PIDs.Delete(self))
	if err != nil {
		return nil, err
	}
	go func() { ended <- c.Wait() }()
	return ended, nil
}

// read takes what the kernel has counted.
func (k *kernel) read(r *result) (err error) {
	if err = k.detach(); err != nil {
		return err
	}
	if err = k.drain(r.take); err != nil {
		return err
	}
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
	if err = k.rest(&r.counts, r.histograms); err != nil {
		return err
	}
	r.programs, err = k.names()
	return err
}
