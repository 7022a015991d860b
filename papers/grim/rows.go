package grim

import "github.com/sigview/sigview/papers/judge"

// Rows returns the checks of the study's rows. No experiment runs before a row is judged.
func Rows(seed uint64) judge.Rows {
	r := &rows{judge.Rows{}, seed, judge.Memory{}}
	for _, add := range []func(){r.others} {
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
	p3L4 = "grim-p3-lanai4"
	p3L9 = "grim-p3-lanai9"
	p4L4 = "grim-p4-lanai4" // in the 32-bit slot
)
