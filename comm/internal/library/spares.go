package library

// Spares keeps values for reuse. The zero value has none.
type Spares[T any] []*T

// Get returns v in memory of a spare value, or in new memory if there is none.
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
