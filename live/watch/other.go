//go:build !linux

package watch

import (
	"context"
	"errors"
	"runtime"

	"github.com/sigview/sigview/trace"
)

// Run returns an error: only Linux can be watched.
func Run(context.Context, Spec, func(*Look) error) (*trace.Run, error) {
	return nil, errors.New("sigview watch needs Linux, and this is " + runtime.GOOS)
}

// Runs returns an error, as Run does.
func Runs(ctx context.Context, spec Spec, _ int, begun func(*Look) error, _ func(*trace.Run) error) error {
	_, err := Run(ctx, spec, begun)
	return err
}

// Check returns the one need that is not met.
func Check() []Need { return []Need{{"Linux", false, everything}} }

// Granted returns no error: it is not rights that are missing.
func Granted() error { return nil }

// There would be a watch for another host.
type There struct{}

// Serve returns an error: only Linux can be watched.
func Serve(Asked) (*There, error) {
	_, err := Run(context.Background(), Spec{}, nil)
	return nil, err
}

// Follow, Halves, Told, Names and Close are never called.
func (*There) Follow(Phase) error             { return nil }
func (*There) Halves(func(Half)) error        { return nil }
func (*There) Told(func(Half)) (Told, error)  { return Told{}, nil }
func (*There) Names() (map[int]string, error) { return nil, nil }
func (*There) Close() error                   { return nil }

func readRealtime() realtime { return realtime{} }

// GiveUpRights gives up nothing.
func GiveUpRights(bool) error { return nil }
