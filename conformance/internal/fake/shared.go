package fake

import "sync"

// Shared has what tests make from a name, such as the plan of a document. It is made once, and no test
// changes it. The zero value is ready to use.
type Shared[T any] struct{ made sync.Map }

// Of returns what belongs to a name, which the first caller makes.
func (s *Shared[T]) Of(name string, first func() T) T {
	made, _ := s.made.LoadOrStore(name, sync.OnceValue(first))
	return made.(func() T)()
}
