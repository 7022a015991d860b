package svm

import (
	"fmt"
	"math"
	"sort"

	"github.com/sigview/sigview/internal/names"
)

// Homes is how homes are assigned to the pages of a region.
type Homes uint8

// Home placements.
const (
	Blocks     Homes = iota // equal runs of consecutive pages, node 0 first
	RoundRobin              // page i of the region at node i mod N
	FirstTouch              // the first node to fault on a page
	Single                  // node 0, as when one process allocates all memory
	numHomes
)

var homesNames = names.NewEnum[Homes]("home policy", "block", "round-robin", "first-touch", "single")

// String returns the name.
func (h Homes) String() string { return homesNames.Name(h) }

// UnmarshalText reads a Homes by its name.
func (h *Homes) UnmarshalText(name []byte) error { return homesNames.Set(h, name) }

// Words returns the names.
func (Homes) Words() names.Words { return homesNames.Words() }

// region is an allocation: whole pages with one home placement.
type region struct {
	first Page
	pages int
	homes Homes
	block int // pages per node, for Blocks
}

// Layout is the shared address space: its regions and the homes of their pages.
// All nodes have the same one, and it does not change after they are created.
type Layout struct {
	nodes   int
	regions []region
	pages   int
}

const maxPages = min(1<<30, math.MaxInt/PageSize)

// NewLayout returns an empty address space for the given number of nodes.
func NewLayout(nodes int) (*Layout, error) {
	if nodes < 1 || nodes > 1<<16-1 {
		return nil, fmt.Errorf("svm: nodes = %d, want 1 to %d", nodes, 1<<16-1)
	}
	return &Layout{nodes: nodes}, nil
}

// Nodes returns the number of nodes.
func (l *Layout) Nodes() int { return l.nodes }

// Pages returns the number of pages allocated so far.
func (l *Layout) Pages() int { return l.pages }

// holds reports whether n bytes at a lie inside the shared memory.
func (l *Layout) holds(a Addr, n int) bool {
	return a >= 0 && int64(a)+int64(n) <= int64(l.pages)*PageSize
}

// Alloc reserves bytes of shared memory, rounded up to whole pages, and returns
// the address of the first. With Blocks the pages are divided evenly and the
// last node gets the remainder.
func (l *Layout) Alloc(bytes int, homes Homes) (Addr, error) {
	if homes >= numHomes {
		return 0, fmt.Errorf("svm: allocation with homes = %d, want blocks, round-robin, first-touch or single", uint8(homes))
	}
	if bytes <= 0 || (bytes-1)/PageSize >= maxPages-l.pages {
		return 0, fmt.Errorf("svm: allocation of %d bytes, want 1 to %d", bytes, (maxPages-l.pages)*PageSize)
	}
	pages := (bytes + PageSize - 1) / PageSize
	r := region{first: Page(l.pages), pages: pages, homes: homes, block: (pages + l.nodes - 1) / l.nodes}
	l.regions = append(l.regions, r)
	l.pages += pages
	return Addr(r.first) * PageSize, nil
}

// Home returns a page's home and true, or for a FirstTouch page the node that
// keeps its directory entry, and false.
func (l *Layout) Home(p Page) (node int, fixed bool) {
	i := sort.Search(len(l.regions), func(i int) bool { return l.regions[i].first > p }) - 1
	if i < 0 || int(p) >= l.pages {
		panic(fmt.Sprintf("svm: page %d lies outside the %d pages of shared memory", p, l.pages))
	}
	r := &l.regions[i]
	index := int(p - r.first)
	switch r.homes {
	case Blocks:
		return index / r.block, true
	case RoundRobin:
		return index % l.nodes, true
	case Single:
		return 0, true
	default:
		return index % l.nodes, false
	}
}

// Addr is a byte address in the shared memory.
type Addr int64

// Page returns the page that holds the address.
func (a Addr) Page() Page { return Page(a / PageSize) }

// Offset returns the offset of the address within its page.
func (a Addr) Offset() int { return int(a % PageSize) }
