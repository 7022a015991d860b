package trace

import "github.com/sigview/sigview/internal/names"

// Grade says what a finding rests on. A finding with a higher grade replaces one with a
// lower grade about the same packets.
type Grade uint8

// Grades of evidence, the weakest first.
const (
	// Seen: histograms beside a baseline. They show which stage of which packets
	// deviates, and only which resources could be the cause.
	Seen Grade = iota
	// Attributed: a trace shows who waited where, and for whom.
	Attributed
	// Tested: runs with the resource free or faster show how much of it goes away.
	Tested
)

var grades = names.NewEnum[Grade]("grade", "seen", "attributed", "tested")

func (g Grade) String() string { return grades.Name(g) }

// Words returns the names, the weakest grade first.
func (Grade) Words() names.Words { return grades.Words() }

// MarshalText returns the name.
func (g Grade) MarshalText() ([]byte, error) { return []byte(g.String()), nil }

// UnmarshalText reads a grade by its name.
func (g *Grade) UnmarshalText(name []byte) error { return grades.Set(g, name) }
