package logp

import (
	_ "embed"

	"github.com/sigview/sigview/platform"
)

// change names an overlay of a machine, which takes one mechanism away or moves
// it, for counter-experiments.
type change string

const unchanged change = ""

// The overlays that rows name.
const (
	oneToken     change = "one request at a time"
	fourTokens   change = "four requests at a time"
	manyTokens   change = "room for any number of requests"
	noTurns      change = "arrivals always before requests"
	slowSwitches change = "switches ten times as slow"
	slowLinks    change = "links of a fiftieth of the rate"
	fastWords    change = "words across the bus as fast as from a memory of its own"
	fastCard     change = "an interface processor of four times the clock"
	slowCard     change = "an interface processor of half the clock"
	nearCard     change = "words to and from the card as fast as to a cache"
	farCard      change = "words to and from the card twice as slow"
	slowLibrary  change = "a library twice as slow"
	slowHost     change = "a library that takes 5 µs more for all it does"
	copied       change = "data copied into a pinned area"
	uncopied     change = "data fetched from where they lie"
	evenCopies   change = "copies at one rate"
	hostRoutes   change = "the way looked up by the host"
	tenthWire    change = "a wire of a tenth of the rate"

	// Those that both machines of a comparison have.
	hostRoutesFastCard change = "the way looked up by the host, interface processor of ten times the clock"
	tenfoldCard        change = "interface processor of ten times the clock"
	hostRoutesFreeBus  change = "the way looked up by the host, stores that cost nothing"
	freeBus            change = "stores that cost nothing"

	// Parts of what the slower Meiko differs in.
	slowBusOnly    change = "a bus of 40 MHz, the main processor as it was"
	busWordsOnly   change = "words that take cycles of the bus alone"
	clockedLibrary change = "a library that follows the clock"

	// Parts of what the other Myrinet machine differs in.
	noController change = "no controller of a second-level cache"
	fasterSBus   change = "an SBus of 25 MHz"
)

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/logp/overlays.toml", overlayFile)
