package comm

import "github.com/sigview/sigview/ni"

// Spec is a layer's section of a platform profile.
type Spec interface {
	// Validate returns an error that names the first field out of range, as in
	// the profile.
	Validate() error
	// Traits returns the properties of the layer.
	Traits() *Traits
	// Payload returns the largest payload of a packet, in bytes.
	Payload() int
	// Shape returns the card with its queues divided for the layer; probeWords
	// is the number of words that a monitor adds to a packet's header.
	Shape(card ni.Spec, probeWords int) ni.Spec
	// Build loads the layer into a card of a cluster with so many nodes.
	Build(card *ni.NIC, nodes int) (Layer, error)
}
