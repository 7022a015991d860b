package logp

import "github.com/sigview/sigview/papers/judge"

// Rows says how the rows of the assessment are measured. Nothing runs before a
// row is judged.
func Rows(seed uint64) judge.Rows {
	r, a := &rows{judge.Rows{}}, newAssessment(seed)
	r.assessMachines(a)
	r.assessMessages(a)
	r.assessParameters(a)
	r.assessShape(a)
	r.assessMethod(a)
	r.assessVariants(a)
	r.assessCauses(a)
	r.assessPatterns(a)
	r.assessBulk(a)
	r.assessRPC(a)
	return r.Rows
}

// rows are the checks.
type rows struct{ judge.Rows }

var value, holds = judge.Value, judge.Holds
