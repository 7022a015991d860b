package experiment

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPoliciesAreLogged: the log of waiting is whole, and the run is the same with and
// without it, while a policy changes homes, the order of requests or the scheduler.
func TestPoliciesAreLogged(t *testing.T) {
	homes := smallRun("ocean", 4)
	homes.Policies = []Policy{MigrateHomes}
	require.NoError(t, homes.Memory.Homes.UnmarshalText([]byte("single")))
	throttle := DefaultRun("hotspot")
	throttle.Nodes, throttle.Policies = 16, []Policy{Throttle}
	throttle.Pattern = PatternSpec{Count: 40, GapUs: 20, Skew: 0.5}
	gang := DefaultRun("lu+lu")
	gang.Nodes, gang.Policies = 4, []Policy{Coschedule}
	for _, s := range []RunSpec{homes, throttle, gang} {
		t.Run(string(s.Policies[0]), func(t *testing.T) {
			if testing.Short() && s.Policies[0] == Coschedule {
				t.Skip("several seconds")
			}
			s.Build = BuildFull
			logOf(t, s)
			require.NotEmpty(t, findings(t, s))
		})
	}
}

// findings runs a program and returns what its policies have acted on.
func findings(t *testing.T, s RunSpec) []string {
	t.Helper()
	r := mustRun(t, s)
	run, err := r.tables(r.cluster)
	require.NoError(t, err)
	var out []string
	for _, o := range run.Online {
		out = append(out, o.Action)
	}
	return out
}
