package platform

import (
	"cmp"
	"fmt"

	"github.com/sigview/sigview/comm/amii"
	"github.com/sigview/sigview/comm/bip"
	"github.com/sigview/sigview/comm/fm"
	"github.com/sigview/sigview/comm/gam"
	"github.com/sigview/sigview/comm/pm"
	"github.com/sigview/sigview/comm/rpc"
	"github.com/sigview/sigview/comm/vmmc"
	"github.com/sigview/sigview/fabric"
	"github.com/sigview/sigview/host"
	"github.com/sigview/sigview/monitor"
	"github.com/sigview/sigview/ni"
	"github.com/sigview/sigview/nx"
	"github.com/sigview/sigview/svm"
)

// Profile is one platform. Every field has to be given.
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

	// Layers that the platform has figures for, or that it borrows; at least its
	// native one. Shared memory and message passing need sections of their own.
	VMMC *vmmc.Spec `toml:"vmmc"`
	GAM  *gam.Spec  `toml:"gam"`
	AMII *amii.Spec `toml:"amii"`
	BIP  *bip.Spec  `toml:"bip"`
	FM   *fm.Spec   `toml:"fm"`
	FM21 *fm.Spec   `toml:"fm21"`
	PM   *pm.Spec   `toml:"pm"`
	RPC  *rpc.Spec  `toml:"rpc"`
	SVM  *SVM       `toml:"svm"`
	NX   *nx.Costs  `toml:"nx"`

	// Borrowed names the platform of each section that is borrowed, by layer.
	Borrowed map[string]string

	text   string
	source string // the file, for errors
}

// Clock describes the interface's real-time clock.
type Clock struct {
	Hz          uint64  `toml:"hz" range:"1e6..1e9"`
	WidthBits   int     `toml:"width_bits" range:"24..64"`
	JitterUs    float64 `toml:"jitter_us" range:"0..1000"`    // latest stamp of an unloaded interface
	AsymmetryUs float64 `toml:"asymmetry_us" range:"0..1000"` // largest difference of the two directions of an unloaded path
	WarmRounds  int     `toml:"warm_rounds" range:"2..100"`   // rounds before a program starts
}

// SVM holds what shared virtual memory costs the host, and how a node learns of
// requests when a run does not say.
type SVM struct {
	svm.Costs
	Service svm.Service `toml:"service"`
}

// FabricSpec returns the network of that many nodes.
func (p *Profile) FabricSpec(nodes int) fabric.Spec {
	s := p.Network
	s.Nodes = nodes
	return s
}

// Text returns the profile's file.
func (p *Profile) Text() string { return p.text }

// validate checks relations of fields; decode has checked ranges.
func (p *Profile) validate() error {
	if p.Name == "" || p.Layer == "" {
		return fmt.Errorf("name and layer must not be empty")
	}
	network := p.FabricSpec(2)
	if err := cmp.Or(p.Host.Validate(), network.Validate(), p.NI.Validate(), p.Monitor.Validate()); err != nil {
		return err
	}
	return p.validateLayers()
}
