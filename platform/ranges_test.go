package platform

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sigview/sigview/internal/bounds"
	"github.com/sigview/sigview/internal/bounds/boundstest"
)

// TestEveryNumberOfAProfileHasARange pokes every number of every section of all
// profiles.
func TestEveryNumberOfAProfileHasARange(t *testing.T) {
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
				boundstest.Refuses(t, l.name, l.spec, l.spec.Validate)
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
