package trace

import "fmt"

// Predecessor is the kind and size class of the packet that another one follows: the
// packet before it at the sender's interface, of the same program and to the same node,
// if it had not left when the other's request was first seen. Later packets of a message
// always follow the one before. The zero value is none.
type Predecessor uint8

// NumPredecessors is the number of values of a Predecessor.
const NumPredecessors = 1 + int(NumKinds)*sizeClasses

const sizeClasses = 4 // as many as Classes has

// After returns the predecessor of a kind and a size class, an index of Classes.
func After(k Kind, class int) Predecessor { return Predecessor(1 + int(k)*sizeClasses + class) }

// Kind returns the predecessor's kind, false for none.
func (p Predecessor) Kind() (Kind, bool) { return Kind((int(p) - 1) / sizeClasses), p != 0 }

// String returns the kind and the size class, or "none".
func (p Predecessor) String() string {
	k, ok := p.Kind()
	if !ok {
		return "none"
	}
	return fmt.Sprintf("%v %s", k, Classes()[(int(p)-1)%sizeClasses])
}

// Sequence is a kind of packets with the kind of their predecessors.
type Sequence struct{ Kind, After Kind }

func (s Sequence) String() string { return fmt.Sprintf("%v after %v", s.Kind, s.After) }

// ParsePredecessor is the inverse of String.
func ParsePredecessor(name string) (Predecessor, error) {
	for p := range NumPredecessors {
		if Predecessor(p).String() == name {
			return Predecessor(p), nil
		}
	}
	return 0, fmt.Errorf("predecessor: %q, wanted none or a packet kind with a size class", name)
}
