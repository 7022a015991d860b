package experiment

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sigview/sigview/analysis/bench"
	"github.com/sigview/sigview/experiment/measure"
	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/names"
)

// PerturbSpec asks for the monitor's own cost: the same programs under five
// firmware builds.
type PerturbSpec struct {
	Platform string        `json:"platform"`
	Seed     uint64        `json:"seed" range:"0.."`
	Sizes    []int64       `json:"sizes" range:"1.. byte"` // message sizes in bytes; empty: 4 B to 4 MB
	Tests    []PerturbTest `json:"tests"`                  // empty: all
	Programs []string      `json:"workloads"`              // applications to time; empty: all there are
	Traced   bool          `json:"traced"`                 // also the full build that traces everything
}

// Validate checks the specification.
func (s PerturbSpec) Validate(known Catalogue) error {
	for _, w := range s.Programs {
		if err := known.check(w, s.Platform, ""); err != nil {
			return err
		}
	}
	if len(s.Programs) > 0 && !s.measures(perturbApplications) {
		return wrong("workloads", strings.Join(s.Programs, ","), "applications among the tests")
	}
	return cmp.Or(known.checkPlace(s.Platform, ""), bounds.Check("", s), once("size", "size", s.Sizes), once("tests", "test", s.Tests))
}

// firmware is a build with what it traces.
type firmware struct {
	build Build
	trace Trace
}

// String returns the name of the build, with what it traces.
func (f firmware) String() string {
	if f.trace != "" {
		return f.build.String() + " and trace"
	}
	return f.build.String()
}

func (f firmware) record() bench.Firmware {
	return bench.Firmware{Build: f.build.String(), Trace: string(f.trace)}
}

// firmwares lists what is compared.
func (s PerturbSpec) firmwares() (all []firmware) {
	for _, b := range Builds() {
		all = append(all, firmware{build: b})
	}
	if s.Traced {
		all = append(all, firmware{BuildFull, TraceAll})
	}
	return all
}

// PerturbTest is a part of a perturbation measurement: a message program, or applications.
type PerturbTest = names.Word[perturbTests]

type perturbTests struct{}

func (perturbTests) Words() names.Words {
	return names.NewWords("test", append(PerturbTests(), perturbApplications)...)
}

const perturbApplications = "applications"

// PerturbTests lists the message programs of a perturbation measurement.
func PerturbTests() []string { return []string{measure.Stream, measure.PingPong, measure.Simultaneous} }

// measures reports whether a part is measured.
func (s PerturbSpec) measures(test string) bool {
	return len(s.Tests) == 0 || slices.Contains(s.Tests, PerturbTest(test))
}
