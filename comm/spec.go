package comm

import "github.com/sigview/sigview/ni"

// Spec is a layer's section of a platform profile.
type Spec interface {
	// Validate reports the first field that is out of range, by the name that
	// the profile has for it.
	Validate() error
	// Traits says what the layer is.
	Traits() *Traits
	// Payload is the most data that a packet carries, bytes.
	Payload() int
	// Shape returns the card with its queues divided as the layer wants them;
	// probeWords are the words that a monitor adds to a packet's header.
	Shape(card ni.Spec, probeWords int) ni.Spec
	// Build loads the layer into a card; nodes is how many there are.
	Build(card *ni.NIC, nodes int) (Layer, error)
}
