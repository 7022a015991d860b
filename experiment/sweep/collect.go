package sweep

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sigview/sigview/internal/version"
	"github.com/sigview/sigview/trace"
	"github.com/sigview/sigview/trace/rundir"
)

// Collect makes the tables of a sweep whose runs have all ended. The error says how many have
// not. It returns the manifest, which lists the runs that failed.
func Collect(ctx context.Context, p *Plan, dir string) (m trace.SweepManifest, err error) {
	d := store(dir)
	if st := Look(p, dir); st.Missing > 0 {
		return m, fmt.Errorf("%s: %d of %d runs have not ended", dir, st.Missing, st.Runs)
	}
	if err := d.sweepUp(); err != nil {
		return m, err
	}
	m = trace.SweepManifest{
		ToolVersion: version.Tool(), Name: p.Name, File: p.Text, Seeds: p.Seeds,
		Runs: int64(len(p.Cells) * len(p.Seeds)), Failed: []trace.SweepFailure{}, Skipped: p.Skipped,
	}
	err = rundir.WriteSweep(ctx, dir, &m, func(yield func(rundir.SweepPart) bool) {
		for _, place := range p.places() {
			part := rundir.SweepPart{SweepPlace: place}
			part.Runs = func(yield func(rundir.SweepRun, error) bool) {
				for _, c := range p.Cells {
					if c.place() != place {
						continue
					}
					for _, seed := range p.Seeds {
						run, err := d.read(item{c, seed})
						if run.Row.State != trace.RunFinished {
							m.Failed = append(m.Failed, trace.SweepFailure{Run: run.Row.Run, Title: item{c, seed}.title(), Error: run.Row.Error})
						}
						if !yield(run, err) {
							return
						}
					}
				}
			}
			if !yield(part) {
				return
			}
		}
	})
	return m, err
}

func (c Cell) place() trace.SweepPlace {
	return trace.SweepPlace{Platform: c.Platform.Name, Layer: c.Spec.Layer}
}

// places returns the platforms and layers of the cells, sorted.
func (p *Plan) places() []trace.SweepPlace {
	var out []trace.SweepPlace
	for _, c := range p.Cells {
		if !slices.Contains(out, c.place()) {
			out = append(out, c.place())
		}
	}
	slices.SortFunc(out, func(a, b trace.SweepPlace) int {
		return cmp.Or(strings.Compare(a.Platform, b.Platform), strings.Compare(a.Layer, b.Layer))
	})
	return out
}

// read returns the rows of a run that has ended.
func (d store) read(r item) (out rundir.SweepRun, err error) {
	if why, failed := d.failure(r.Cell, r.seed); failed && !d.finished(r.Cell, r.seed) {
		spec := r.Spec
		spec.Seed = r.seed
		text, err := json.Marshal(spec)
		first, _, _ := strings.Cut(why, "\n") // a stack may follow
		out.Row = trace.SweepRow{
			SweepKey: r.key(), State: trace.RunFailed, Error: first, PlatformDigest: r.Platform.Digest,
			ToolVersion: version.Tool(), Specification: string(text),
		}
		return out, err
	}
	run, err := rundir.ReadSummary(d.run(r.Cell, r.seed))
	if err != nil {
		return out, err
	}
	out.Row = r.row(&run)
	for _, s := range run.Signature {
		out.Signature = append(out.Signature, trace.SweepSignatureRow{
			SweepKey: out.Row.SweepKey, Program: run.Manifest.Program(s.Tag), SignatureRow: s,
		})
	}
	return out, nil
}
