package plogp

import (
	"context"
	"fmt"

	"github.com/sigview/sigview/analysis/logp"
	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/papers/judge"
	"github.com/sigview/sigview/workloads/microbench"
)

// The paper's platforms, and its library.
const (
	myrinet = "das-myrinet"
	wan     = "das-wan"
	mpi     = "mpi"
)

// asked is a measurement by the fast method.
type asked struct {
	platform, layer string
	search          logp.Search
	saturate        bool
}

// whole asks for all that the paper measures on a platform.
func whole(platform string) asked { return asked{platform, mpi, logp.Published(), true} }

// upTo asks for sizes up to 2^k and none between them.
func upTo(platform, layer string, k int) asked {
	a := asked{platform, layer, logp.Published(), false}
	a.search.Exponent, a.search.MostExponent, a.search.LeastStep = k, k, 1<<30
	return a
}

// with returns the measurement with other constants.
func (a asked) with(change func(*logp.Search)) asked {
	change(&a.search)
	return a
}

// rows holds the checks, and the measurements that they share.
type rows struct {
	judge.Rows
	seed uint64
	fast func(asked) func(context.Context) (measure.Fast, error)
}

func (r rows) subject(ctx context.Context, platform, layer string) (*measure.Subject, error) {
	p, err := place(platform, layer)
	return measure.New(ctx, p, r.seed), err
}

func place(name, layer string) (platform.Place, error) {
	p, err := platform.Load(name)
	if err != nil {
		return platform.Place{}, err
	}
	return p.At(layer)
}

func (r rows) run(ctx context.Context, a asked) (measure.Fast, error) {
	s, err := r.subject(ctx, a.platform, a.layer)
	if err != nil {
		return measure.Fast{}, err
	}
	s.Search = a.search
	f, err := s.Fast(false, a.saturate)
	if err != nil {
		err = fmt.Errorf("%s on %s: %w", a.layer, a.platform, err)
	}
	return f, err
}

// of makes a measure of the result of a measurement.
func (r rows) of(a asked, f func(measure.Fast) judge.Measured) judge.Measure {
	return judge.Using(r.fast(a), f)
}

// pair runs f with the programs that measure two nodes, on a cluster of its own.
func pair[T any](s *judge.Session, r rows, platform, layer string, most int, f func(*microbench.Pair) (T, error)) T {
	x := judge.Must(r.subject(s.Context(), platform, layer))
	c := judge.Must(x.Cluster(2))
	defer c.Engine.Close()
	p := judge.Must(c.Pair(0, 1, most))
	return judge.Must(f(p))
}

// at returns the figures of a size.
func at(f measure.Fast, bytes int) logp.Sized {
	for _, s := range f.Sizes {
		if s.Bytes == bytes {
			return s
		}
	}
	return logp.Sized{}
}
