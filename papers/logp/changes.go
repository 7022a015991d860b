package logp

import (
	_ "embed"

	"github.com/sigview/sigview/platform"
)

// The machines of the LogP assessment (logp, Table 2, sections 3.4 and 5), by
// the names of their profiles.
const (
	paragon   = "paragon"
	meiko     = "meiko"
	meiko50   = "meiko50"
	myrinet   = "myrinet"
	myrinet10 = "myrinet10"
	sunRPC    = "sun-rpc"
)

// assessed are the three machines that all figures are given for.
var assessed = []string{paragon, meiko, myrinet}

// change names an overlay of machines, which takes one mechanism away or moves
// it, for counter-experiments.
type change string

// Overlays that several rows name.
const (
	unchanged    change = ""
	oneToken     change = "one request at a time"
	fourTokens   change = "four requests at a time"
	slowSwitches change = "switches ten times as slow"
	slowLinks    change = "links of a fiftieth of the rate"
	fastWords    change = "words across the bus as fast as from a memory of its own"
	slowCard     change = "an interface processor of half the clock"
	slowLibrary  change = "a library twice as slow"
	uncopied     change = "data fetched from where they lie"
	hostRoutes   change = "the way looked up by the host"
)

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/logp/overlays.toml", overlayFile)
