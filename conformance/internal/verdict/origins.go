package verdict

import (
	"sync"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/request"
	"plantstore/conformance/internal/rule"
)

// Origins remembers which request sent which fresh value.
type Origins struct {
	mu sync.Mutex
	by map[originKey]sending
	// sent has every short value, fresh or not.
	sent map[originKey]bool
}

// sending is the request that sent a value, and what identifies the
// resource that it was about.
type sending struct{ request, numbers string }

type originKey struct {
	op          *contract.Operation
	path, value string
}

// shared marks a value that several requests sent. It proves nothing.
const shared = "\x00shared"

// Note records the fresh values of a request body, also those inside unknown members: a
// server that merges objects takes them for its own.
func (o *Origins) Note(op *contract.Operation, tree *jsontree.Value, sender string) {
	values := request.Values(op, tree)
	this := sending{sender, numbersOf(values)}
	for _, m := range values {
		o.use(keyOf(op, m))
	}
	for _, m := range append(values, request.Nested(op, tree)...) {
		if m.Value.Kind != jsontree.String || !generate.IsFresh(m.Value.Text) {
			continue
		}
		k := originKey{op, "/" + jsontree.EscapePointer(m.Name), m.Value.Text}
		o.mu.Lock()
		if o.by == nil {
			o.by = map[originKey]sending{}
		}
		if old, ok := o.by[k]; ok && old.request != sender {
			o.by[k] = sending{request: shared}
		} else {
			o.by[k] = this
		}
		o.mu.Unlock()
	}
}

// longestUsed bounds the values that are remembered to have been sent, in bytes.
const longestUsed = 64

func keyOf(op *contract.Operation, m jsontree.Member) originKey {
	text := m.Value.Text
	if m.Value.Kind == jsontree.Number {
		text = jsontree.Canonical(text)
	}
	return originKey{op, "/" + jsontree.EscapePointer(m.Name), text}
}

func (o *Origins) use(k originKey) {
	if len(k.value) > longestUsed {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.sent == nil {
		o.sent = map[originKey]bool{}
	}
	o.sent[k] = true
}

// Used reports whether a request of this run sent the value of a member, if it is short.
func (o *Origins) Used(op *contract.Operation, m jsontree.Member) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.sent[keyOf(op, m)]
}

// numbersOf writes the numbers of a request body, equal ones in the same way. Two
// requests with the same numbers may be about the same resource.
func numbersOf(values []jsontree.Member) string {
	var out []byte
	for _, m := range values {
		if m.Value.Kind == jsontree.Number {
			out = append(append(append(out, m.Name...), '='), jsontree.Canonical(m.Value.Text)...)
		}
	}
	return string(out)
}

// origin reports which request sent a value of the answer to s.
func (o *Origins) origin(s *subject, path, value string) rule.Origin {
	o.mu.Lock()
	by, known := o.by[originKey{s.op, path, value}]
	o.mu.Unlock()
	switch {
	case !known || by.request == shared:
		return rule.NoOrigin
	case by.request == s.sender:
		return rule.OwnRequest
	case s.sent.Body != nil && by.numbers != "" && by.numbers == numbersOf(request.Values(s.op, s.sent.Body.Root())):
		return rule.SameResource
	}
	return rule.OtherRequest
}

// Unknown reports whether no request of this run sent the value.
func (o *Origins) Unknown(op *contract.Operation, m jsontree.Member) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	_, known := o.by[originKey{op, "/" + jsontree.EscapePointer(m.Name), m.Value.Text}]
	return !known
}
