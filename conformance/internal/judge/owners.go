package judge

import (
	"sync"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
)

// owners remembers which request sent which value with a nonce.
type owners struct {
	mu sync.Mutex
	by map[ownerKey]string
}

type ownerKey struct {
	op          *contract.Operation
	path, value string
}

// shared marks a value that several requests sent: it proves nothing.
const shared = "\x00shared"

// note records the nonce values of a request body.
func (o *owners) note(op *contract.Operation, tree *jsontree.Value, owner string) {
	for _, m := range plan.Values(op, tree) {
		if m.Value.Kind != jsontree.String || !nonce(m.Value.Text) {
			continue
		}
		k := ownerKey{op, "/" + jsontree.EscapePointer(m.Name), m.Value.Text}
		o.mu.Lock()
		if o.by == nil {
			o.by = map[ownerKey]string{}
		}
		if old, ok := o.by[k]; ok && old != owner {
			o.by[k] = shared
		} else {
			o.by[k] = owner
		}
		o.mu.Unlock()
	}
}

// find names the request that sent a value; own is true for this very one, and
// for a value that several sent.
func (o *owners) find(op *contract.Operation, path, value, owner string) (string, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	by := o.by[ownerKey{op, path, value}]
	if by == shared {
		return "", false
	}
	return by, by == owner
}

// nonce tells whether a text is one of our fresh words: 6 to 64 letters and
// digits, a letter first, a digit at least.
func nonce(s string) bool {
	if len(s) < 6 || len(s) > 64 {
		return false
	}
	digit := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			digit = true
			if i == 0 {
				return false
			}
		case c < 'a' || c > 'z':
			return false
		}
	}
	return digit
}

// unknown tells whether nobody sent a value in this run.
func (o *owners) unknown(op *contract.Operation, m jsontree.Member) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, known := o.by[ownerKey{op, "/" + jsontree.EscapePointer(m.Name), m.Value.Text}]
	return !known
}
