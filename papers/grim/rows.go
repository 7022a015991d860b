package grim

import (
	_ "embed"

	"github.com/sigview/sigview/cluster/platform"
	"github.com/sigview/sigview/papers/judge"
)

// Rows returns the checks of the study's rows. No experiment runs before a row is judged.
func Rows(seed uint64) judge.Rows {
	r := &rows{judge.Rows{}, seed, judge.Memory{}}
	for _, add := range []func(){r.hosts, r.stores, r.mechanisms, r.injection, r.slots, r.links, r.ejection, r.others, r.rivals, r.steps, r.transfers, r.designs, r.benchmarks, r.settings, r.modes, r.results} {
		add()
	}
	return r.Rows
}

// rows holds the checks, and what they share.
type rows struct {
	judge.Rows
	seed  uint64
	known judge.Memory
}

// The platforms of the study.
const (
	pproL9 = "grim-ppro-lanai9"
	p3L4   = "grim-p3-lanai4"
	p3L9   = "grim-p3-lanai9"
	p3PMC  = "grim-p3-lanai4-pmc"
	p4L4   = "grim-p4-lanai4" // in the 32-bit slot
	p4L9   = "grim-p4-lanai9" // in the 64-bit slot
)

// profile returns a platform changed by an overlay; overlay "" changes nothing.
func (r *rows) profile(name, overlay string) *platform.Profile {
	return judge.Recall(r.known, func() *platform.Profile {
		p := judge.Must(platform.Load(name))
		return judge.Must(p.With(overlays.Of(overlay)))
	}, "profile", name, overlay)
}

// loaded returns a platform as it is.
func loaded(on string) *platform.Profile { return judge.Must(platform.Load(on)) }

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/grim/overlays.toml", overlayFile)

const (
	kb = 1 << 10
	mb = 1 << 20
)

// machine is a platform of the study, changed by an overlay.
type machine struct{ name, overlay string }

// of returns a platform as it is.
func of(name string) machine { return machine{name, ""} }

// measure makes a measure of a function that recalls results.
func measure(f func() judge.Measured) judge.Measure {
	return judge.Run(func(*judge.Session) judge.Measured { return f() })
}
