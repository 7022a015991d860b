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

// GiveUpRights gives up nothing.
func GiveUpRights(bool) error { return nil }
