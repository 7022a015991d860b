package tpil

import (
	"encoding/json"
	"sync"
)

// sizes are what Tune measures: all words up to two blocks, then powers of two and the sizes
// half-way between them.
func sizes() (out []int) {
	for n := 4; n < 128; n += 4 {
		out = append(out, n)
	}
	for n := 128; n < longest; n *= 2 {
		out = append(out, n, n+n/2)
	}
	return append(out, longest)
}

const longest = 1 << 20

// Tune measures every mechanism of the host at each of Sizes and returns the plan with the
// fastest of each.
// A machine that has been tuned in this process is not measured again.
func Tune(m Machine) (Plan, error) {
	key, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	once, _ := tuned.LoadOrStore(string(key), sync.OnceValues(m.tune))
	return once.(func() (Plan, error))()
}

// tuned holds functions that return the plans of machines, by the machine as JSON.
var tuned sync.Map

func (m Machine) tune() (plan Plan, err error) {
	for _, n := range sizes() {
		best, least := Word, 0.0
		for _, how := range Mechanisms(&m.Host) {
			if !m.TPIL.Takes(how) {
				continue
			}
			s, err := m.Measure(how, n, 1)
			if err != nil {
				return nil, err
			}
			if us := s.Took.Us(); least == 0 || us < least {
				best, least = how, us
			}
		}
		if len(plan) == 0 || plan[len(plan)-1].By != best {
			plan = append(plan, Entry{n, best})
		}
	}
	return plan, nil
}
