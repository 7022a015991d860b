package library

// Spares are values that are to be used again. The zero value has none.
type Spares[T any] []*T

// Get returns a value in the memory of a spare one or, if there is none, in new memory.
func (s *Spares[T]) Get(value T) (x *T) {
	if k := len(*s); k > 0 {
		x, *s = (*s)[k-1], (*s)[:k-1]
	} else {
		x = new(T)
	}
	*x = value
	return x
}

// Put adds a value that is no longer in use.
func (s *Spares[T]) Put(x *T) { *s = append(*s, x) }
