package explain

import (
	"errors"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/trace/rundir"
)

// ReadWaits reads the tables of who waited for whom: of all of a run, or only what was in a
// period. It returns rundir.ErrNoTable if a run has none.
func ReadWaits(dir string, of *account.Period) (*account.Account, error) {
	if members, err := rundir.Members(dir); err == nil && len(members) > 0 {
		return nil, bounds.Wrong("directory of several runs", dir, "one of them: %s", members[0])
	}
	r := &account.Reader{}
	if of != nil {
		r = account.ReaderOf(*of)
	}
	if err := rundir.Scan(dir, r.Actors); err != nil {
		return nil, err
	}
	if err := rundir.Scan(dir, r.Waits); err != nil {
		return nil, err
	}
	if err := rundir.Scan(dir, r.Holds); err != nil && !errors.Is(err, rundir.ErrNoTable) {
		return nil, err
	}
	return r.Account()
}

// Attributed returns what the table of waiting of a run attributes to each part, nil if it has
// none.
func Attributed(dir string, parts []why.Part) (out []why.Traced, err error) {
	account, err := ReadWaits(dir, nil)
	if errors.Is(err, rundir.ErrNoTable) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	e := causal.Explain(graph.New(account), 0)
	for _, p := range parts {
		onPath, saved := e.Attributed(p)
		out = append(out, why.Traced{OnPathNs: float64(onPath) / 1000, SavedNs: float64(saved) / 1000})
	}
	return out, nil
}
