package goal

// Order tells which operations of a rank may begin.
type Order struct {
	left  []int     // by operation: dependencies that are left
	after [][]int32 // by operation: those that require it
	with  [][]int32 // by operation: those that require that it has begun
}

// NewOrder returns the order of a rank's operations, none of which has begun.
func NewOrder(ops []Op) *Order {
	o := &Order{left: make([]int, len(ops)), after: make([][]int32, len(ops)), with: make([][]int32, len(ops))}
	for i, op := range ops {
		o.left[i] = len(op.Requires) + len(op.Begun)
		for _, on := range op.Requires {
			o.after[on] = append(o.after[on], int32(i))
		}
		for _, on := range op.Begun {
			o.with[on] = append(o.with[on], int32(i))
		}
	}
	return o
}

// First returns the operations that depend on nothing.
func (o *Order) First() (ready []int32) {
	for i, left := range o.left {
		if left == 0 {
			ready = append(ready, int32(i))
		}
	}
	return ready
}

// Began returns the operations that may begin now that one has.
func (o *Order) Began(op int32) []int32 { return o.release(o.with[op]) }

// Ended returns the operations that may begin now that one has ended.
func (o *Order) Ended(op int32) []int32 { return o.release(o.after[op]) }

func (o *Order) release(ops []int32) (ready []int32) {
	for _, i := range ops {
		if o.left[i]--; o.left[i] == 0 {
			ready = append(ready, i)
		}
	}
	return ready
}
