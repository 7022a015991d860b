package explain

import (
	"errors"
	"fmt"

	"github.com/sigview/sigview/analysis/causal"
	"github.com/sigview/sigview/analysis/causal/account"
	"github.com/sigview/sigview/analysis/causal/graph"
	"github.com/sigview/sigview/analysis/causal/rebuild"
	"github.com/sigview/sigview/analysis/why"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
	"github.com/sigview/sigview/trace/waits"
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

// account returns who waited for whom in a run: by the model's table, or rebuilt from the
// records of its monitors. It notes which, and how well they agree if the run has both. With
// records of packets alone nobody is known to wait.
func (t *Trace) account(dir string, from rebuild.Trace, q Question) (*account.Account, error) {
	known, err := q.Account, error(nil)
	if known == nil {
		known, err = ReadWaits(dir, nil)
	}
	if err != nil && !errors.Is(err, rundir.ErrNoTable) || err == nil && !q.Records {
		return known, err
	}
	if len(from.Steps) == 0 { // what processes did is made of their operations
		if q.Records || t.Manifest.Rows(trace.PacketRow{}) == 0 {
			return nil, untold(dir)
		}
		t.Mute, t.Bare = true, true
		return account.Resolve(waits.NewLog())
	}
	err = ScanPackets(dir, rundir.WholeTrace, func(rows []trace.PacketRow) error {
		from.Packets = append(from.Packets, rows...)
		return nil
	})
	if err == nil && len(from.Packets) == 0 {
		err = untold(dir)
	}
	if err != nil {
		return nil, err
	}
	t.Rebuilt, t.LeftOut, t.Mute = true, from.Partial(), !from.Tells()
	rebuilt, err := account.Resolve(rebuild.Log(from))
	if err == nil && known != nil {
		s := rebuild.Compare(known, rebuilt)
		t.Score = &s
	}
	return rebuilt, err
}

// untold says that a run has nothing that tells who waited for whom.
func untold(dir string) error {
	return fmt.Errorf("%s has no table of waiting, and no trace of packets and operations to rebuild it from: record it with sigview run --trace=waits", dir)
}
