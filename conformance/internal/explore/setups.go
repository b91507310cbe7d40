package explore

import (
	"context"
	"slices"
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// SetUp is a request that came before others because they need it, with its answer.
type SetUp struct {
	Message  *message.Message
	Exchange *exchange.Exchange
}

// SetUps are the requests of the set-up of one case: whoever repeats the case needs them too.
type SetUps struct {
	mu   sync.Mutex
	list []SetUp
}

type setUpsKey struct{}

// Noting returns a context whose requests of the set-up are noted. So are those that made a resource
// which several cases share.
func Noting(ctx context.Context) (context.Context, *SetUps) {
	s := &SetUps{}
	return context.WithValue(ctx, setUpsKey{}, s), s
}

// Take returns what was noted since the last call.
func (s *SetUps) Take() []SetUp {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.list
	s.list = nil
	return out
}

// noted adds requests to those of the context, if it notes them.
func noted(ctx context.Context, list ...SetUp) {
	if s, is := ctx.Value(setUpsKey{}).(*SetUps); is {
		s.mu.Lock()
		defer s.mu.Unlock()
		for _, one := range list {
			if !slices.ContainsFunc(s.list, func(o SetUp) bool { return o.Exchange == one.Exchange }) {
				s.list = append(s.list, one) // several requests may share it
			}
		}
	}
}

// madeFor returns the requests that made the values which the requests of an operation share.
func (k *shared) madeFor(op *openapi.Operation) []SetUp {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.by[op])
}

// madeBy remembers the requests that made the shared values of an operation.
func (k *shared) madeBy(op *openapi.Operation, list []SetUp) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.by[op] = list
}
