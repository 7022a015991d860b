package platform

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/check/boundstest"
	"github.com/sigview/sigview/internal/bounds"
)

// TestEveryNumberOfAProfileHasARange pokes every number of every section of all
// profiles. Counts show that no part of a layer's section is passed over.
func TestEveryNumberOfAProfileHasARange(t *testing.T) {
	numbers := map[string]int{"gm": 26, "lfc": 22, "pm": 23, "trapeze": 21}
	for _, name := range Names() {
		p, err := Load(name)
		require.NoError(t, err)
		network := p.FabricSpec(2)
		boundstest.Refuses(t, "host", &p.Host, p.Host.Validate)
		boundstest.Refuses(t, "network", &network, network.Validate)
		boundstest.Refuses(t, "ni", &p.NI, p.NI.Validate)
		boundstest.Refuses(t, "monitor", &p.Monitor, p.Monitor.Validate)
		for _, l := range p.layers() {
			if l.spec != nil {
				found := boundstest.Refuses(t, l.name, l.spec, l.spec.Validate)
				if want, ok := numbers[l.name]; ok {
					require.Equal(t, want, found, "%s of %s", l.name, name)
				}
			}
		}
		boundstest.Refuses(t, "clock", &p.Clock, func() error { return bounds.Check("clock", &p.Clock) })
		if p.SVM != nil {
			boundstest.Refuses(t, "svm", &p.SVM.Costs, func() error { return bounds.Check("svm", &p.SVM.Costs) })
		}
		if p.NX != nil {
			boundstest.Refuses(t, "nx", p.NX, func() error { return bounds.Check("nx", p.NX) })
		}
	}
}
