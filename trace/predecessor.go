package trace

import "fmt"

// Predecessor is the kind and size class of the packet that another one follows: the
// packet before it at the sender's interface, of the same program and to the same node,
// if it had not left when the other's request was first seen. A later packet of a message
// follows the one before, of kind SameMessage. The zero value is none.
type Predecessor uint8

// NumPredecessors is the number of values of a Predecessor.
const NumPredecessors = 1 + (int(SameMessage)+1)*sizeClasses

// SameMessage stands for the kind of a predecessor that is of the same message.
const SameMessage = NumKinds

const sizeClasses = 4 // as many as Classes has

const sameMessage = "same-message"

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
	name := k.String()
	if k == SameMessage {
		name = sameMessage
	}
	return name + " " + Classes()[(int(p)-1)%sizeClasses]
}

// Sequence is a kind of packets with the kind of their predecessors.
type Sequence struct{ Kind, After Kind }

func (s Sequence) String() string {
	if s.After == SameMessage {
		return fmt.Sprintf("%v after %s", s.Kind, sameMessage)
	}
	return fmt.Sprintf("%v after %v", s.Kind, s.After)
}

// ParsePredecessor is the inverse of String.
func ParsePredecessor(name string) (Predecessor, error) {
	for p := range NumPredecessors {
		if Predecessor(p).String() == name {
			return Predecessor(p), nil
		}
	}
	return 0, fmt.Errorf("predecessor: %q, wanted none or a packet kind with a size class", name)
}
