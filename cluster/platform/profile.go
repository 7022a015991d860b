package platform

import (
	"cmp"
	"fmt"

	"github.com/sigview/sigview/comm/amii"
	"github.com/sigview/sigview/comm/bip"
	"github.com/sigview/sigview/comm/datagram"
	"github.com/sigview/sigview/comm/fm"
	"github.com/sigview/sigview/comm/gam"
	"github.com/sigview/sigview/comm/gm"
	"github.com/sigview/sigview/comm/grim"
	"github.com/sigview/sigview/comm/lfc"
	"github.com/sigview/sigview/comm/mpi"
	"github.com/sigview/sigview/comm/nx"
	"github.com/sigview/sigview/comm/pm"
	"github.com/sigview/sigview/comm/rpc"
	"github.com/sigview/sigview/comm/tcp"
	"github.com/sigview/sigview/comm/tpil"
	"github.com/sigview/sigview/comm/trapeze"
	"github.com/sigview/sigview/comm/verbs"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/sim/fabric"
	"github.com/sigview/sigview/sim/host"
	"github.com/sigview/sigview/svm"
)

// Profile is one platform. Every field must be given, except the sections of
// layers.
type Profile struct {
	Name    string       `toml:"name"`
	Title   string       `toml:"title"`                 // one line
	Nodes   int          `toml:"nodes" range:"2..1024"` // of the published machine
	Layer   string       `toml:"layer"`                 // native communication layer
	Host    host.Spec    `toml:"host"`
	Network fabric.Spec  `toml:"network"`
	NI      ni.Spec      `toml:"ni"`
	Clock   Clock        `toml:"clock"`
	Monitor monitor.Spec `toml:"monitor"`

	// Sections of the layers that the platform supports or borrows, at least its
	// native one. TPIL is the library that layers inject data with; SVM and NX hold the
	// costs of shared memory and message passing.
	Trapeze  *trapeze.Spec  `toml:"trapeze"`
	Verbs    *verbs.Spec    `toml:"verbs"`
	VMMC     *vmmc.Spec     `toml:"vmmc"`
	GAM      *gam.Spec      `toml:"gam"`
	AMII     *amii.Spec     `toml:"amii"`
	BIP      *bip.Spec      `toml:"bip"`
	Datagram *datagram.Spec `toml:"datagram"`
	FM       *fm.Spec       `toml:"fm"`
	FM21     *fm.Spec       `toml:"fm21"`
	GM       *gm.Spec       `toml:"gm"`
	LFC      *lfc.Spec      `toml:"lfc"`
	MPI      *mpi.Spec      `toml:"mpi"`
	GRIM     *grim.Spec     `toml:"grim"`
	PM       *pm.Spec       `toml:"pm"`
	RPC      *rpc.Spec      `toml:"rpc"`
	TCP      *tcp.Spec      `toml:"tcp"`
	TPIL     *tpil.Spec     `toml:"tpil"`
	SVM      *SVM           `toml:"svm"`
	NX       *nx.Costs      `toml:"nx"`

	// Borrowed names the platform of each borrowed section, by layer.
	Borrowed map[string]string

	text   string
	source string // the file, for errors
}

// Clock describes the interface's real-time clock.
type Clock struct {
	Hz          uint64  `toml:"hz" range:"1e6..1e9"`
	WidthBits   int     `toml:"width_bits" range:"24..32"`    // a packet's header has room for 32 bits of a stamp
	JitterUs    float64 `toml:"jitter_us" range:"0..1000"`    // largest delay of a stamp by an unloaded interface
	AsymmetryUs float64 `toml:"asymmetry_us" range:"0..1000"` // largest difference between the two directions of an unloaded path
	WarmRounds  int     `toml:"warm_rounds" range:"2..100"`   // rounds before a program starts
}

// SVM holds the host costs of shared virtual memory, and the default of how a
// node notices requests.
type SVM struct {
	svm.Costs
	Service svm.Service `toml:"service"`
}

// FabricSpec returns the specification of the network for a number of nodes.
func (p *Profile) FabricSpec(nodes int) fabric.Spec {
	s := p.Network
	s.Nodes = nodes
	return s
}

// Text returns the profile's file.
func (p *Profile) Text() string { return p.text }

// validate checks relations between fields; decode has checked ranges.
func (p *Profile) validate() error {
	if p.Name == "" || p.Layer == "" {
		return fmt.Errorf("name and layer must not be empty")
	}
	network := p.FabricSpec(2)
	if err := cmp.Or(p.Host.Validate(), network.Validate(), p.NI.Validate(), p.Monitor.Validate()); err != nil {
		return err
	}
	if p.TPIL != nil {
		if err := p.TPIL.Validate(); err != nil {
			return err
		}
	}
	return p.validateLayers()
}
