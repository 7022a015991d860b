package userspace

import (
	_ "embed"

	"github.com/sigview/sigview/platform"
)

// change names an overlay of the pair's platform, which takes one mechanism
// away or moves it, for counter-experiments.
type change string

const unchanged change = ""

// The overlays that rows name.
const (
	postedLate         change = "BIP's messages by programmed I/O up to 512 B"
	allByDMA           change = "GAM's data always by DMA"
	hugeCache          change = "a second-level cache of 64 MB"
	wholeFirst         change = "FM's packets of 8 KB, so that handlers wait for the whole message"
	stores             change = "stores that are not combined"
	notAtOnce          change = "PM's packets fetched before they are sent"
	manyAtOnce         change = "VMMC-2 with eight messages in progress"
	moreAtOnce         change = "VMMC-2 with sixteen messages in progress"
	slowCopies         change = "copies at four fifths of their rate"
	slowFetch          change = "programmed I/O and DMA to the interface at four fifths of their rate"
	slowWire           change = "network engines and links at four fifths of their rate"
	slowDeposit        change = "DMA to the host at four fifths of its rate"
	notAtOnceSlowFetch change = "PM's packets fetched before they are sent, at four fifths of the rate"
	doubleCycles       change = "control programs that take twice the cycles"
	equalWays          change = "DMA to the host as fast as from it"
	fastLoads          change = "loads that need no round trip of the bus"
	dearDMA            change = "DMA that takes ten times as long to start"
	fastCopies         change = "copies and stores as fast as DMA"
	onePiece           change = "BIP's messages in one piece"
	plainSending       change = "stores that are not combined, packets fetched before they are sent"
)

//go:embed overlays.toml
var overlayFile []byte

var overlays = platform.MustOverlays("papers/userspace/overlays.toml", overlayFile)
