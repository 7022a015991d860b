package radix

import (
	"fmt"
	"slices"

	"github.com/sigview/sigview/svm"
	"github.com/sigview/sigview/workloads/internal/shared"
)

// Result returns the sorted keys from shared memory.
func (s *Sort) Result(m *svm.System) ([]uint32, error) {
	out := make([]uint32, s.spec.Keys)
	return out, m.Snapshot(s.sorted(), shared.Bytes(out))
}

// Verify checks that the result is in order, and that it equals the input sorted
// by other means.
func (s *Sort) Verify(m *svm.System) (how string, wrong error) {
	return "in order, and the keys of the input, as sorted by other means", s.check(m)
}

func (s *Sort) check(m *svm.System) error {
	if s.damage != nil {
		return s.damage
	}
	got, err := s.Result(m)
	if err != nil {
		return err
	}
	for i := 1; i < len(got); i++ {
		if got[i] < got[i-1] {
			return fmt.Errorf("radix: key %d is %d after %d, want them in order", i, got[i], got[i-1])
		}
	}
	want := s.input()
	slices.Sort(want)
	for i, k := range want {
		if got[i] != k {
			return fmt.Errorf("radix: key %d is %d, want %d: the keys are in order, but not those of the input", i, got[i], k)
		}
	}
	return nil
}
