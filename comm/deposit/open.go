package deposit

import (
	"fmt"

	"github.com/sigview/sigview/comm"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/trace"
)

// Open gives the processes of a program, one on each node, ports on the nodes'
// layer; name and number of the node name their memory. It takes no simulated time.
func Open(nodes []Node, name string, tag trace.Tag) ([]Port, error) {
	ports := make([]Port, len(nodes))
	for i, n := range nodes {
		space := host.NewSpace(fmt.Sprintf("%s%d", name, i), n.Frames)
		native, ok := n.Layer.(Native)
		if !ok {
			return nil, fmt.Errorf("deposit: layer %s", n.Layer.Traits().Name)
		}
		ports[i] = native.OpenPort(space, tag)
	}
	return ports, nil
}

var _ comm.Layer
