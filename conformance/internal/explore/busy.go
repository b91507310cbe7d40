package explore

import (
	"sync"

	"plantstore/conformance/internal/openapi"
)

// busyVain is after how many requests in vain the 503 of an operation is taken for its answer.
const busyVain = 3

// busy knows the operations that answer 503 however often a request is sent. Others say so where
// more requests are under way than the target serves (RFC 9110, 15.6.4): it needs no Retry-After.
type busy struct {
	mu   sync.Mutex
	vain map[*openapi.Operation]int
}

// may reports whether a 503 beside other requests may be one about their number.
func (b *busy) may(op *openapi.Operation) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.vain[op] < busyVain
}

// note counts a request that was sent again in vain; one that helped starts the count again.
func (b *busy) note(op *openapi.Operation, again, unavailable bool) {
	if !again {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.vain == nil {
		b.vain = map[*openapi.Operation]int{}
	}
	if b.vain[op]++; !unavailable {
		b.vain[op] = 0
	}
}
