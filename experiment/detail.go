package experiment

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/comm/fast"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/usercache"
	"github.com/sigview/sigview/trace"
)

// costs are the costs of messages at a place, by size.
type costs struct {
	*fast.Params
	Digest string // of the parameters
	Cached bool   // measured by an earlier run
}

// costsKey is all that determines the costs, beside the program.
type costsKey struct {
	Platform string // digest
	Layer    string
	Build    Build
	Seed     uint64
	Sizes    []int
}

// usedCosts has the costs that this process has used, by JSON of their keys.
var usedCosts sync.Map

// costsOf returns the costs of messages at a place under a firmware build: from this process, from
// the user's cache, or measured by the full model and then cached.
func costsOf(ctx context.Context, p platform.Place, build Build, watch Watch) (costs, error) {
	key := costsKey{p.Digest(), p.Layer, build, DefaultSeed, measure.DepositSizes()}
	id, err := json.Marshal(key)
	if err != nil {
		return costs{}, err
	}
	if c, ok := usedCosts.Load(string(id)); ok {
		return c.(costs), nil
	}
	c := costs{Params: &fast.Params{}, Cached: true}
	cache := usercache.Open("costs")
	if !cache.Get(key, c.Params) || c.Validate() != nil {
		s := measure.New(ctx, p, key.Seed)
		s.Monitor = build
		s.Done = watch.Counting(len(key.Sizes), "sizes")
		if c.Params, err = s.Deposits(key.Sizes); err != nil {
			return costs{}, err
		}
		c.Cached = false
		cache.Put(key, c.Params)
	}
	text, err := json.Marshal(c.Params)
	if err != nil {
		return costs{}, err
	}
	c.Digest = usercache.Digest(text)
	usedCosts.Store(string(id), c)
	return c, nil
}

// costsFile is the document of a fast run with the costs of messages.
const costsFile = "loggp.json"

// warning says in a run what it is.
func (c *costs) warning(p platform.Place, s RunSpec) string {
	how := "for this run"
	if c.Cached {
		how = "by an earlier run"
	}
	what := "detail fast: messages cost what LogGP says, so there are no packets, no stages and no signature"
	if s.Detail != DetailFast {
		what = fmt.Sprintf("detail %v: between the windows messages cost what LogGP says", s.Detail)
	}
	return fmt.Sprintf("%s. The full model measured the parameters of %v under monitor %v %s (digest %s, file %s)", what, p, s.Build, how, c.Digest, costsFile)
}

// document is the costs as a file of the run.
func (c *costs) document() (trace.Extra, error) {
	data, err := json.MarshalIndent(c.Params, "", "  ")
	return trace.Extra{Name: costsFile, Data: data}, err
}
