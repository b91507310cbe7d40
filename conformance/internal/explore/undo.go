package explore

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
)

// opposites are the requests that may undo one: of its path, with the value that was read before;
// of its operation, with other values of switches; what deletes what it made or makes what it
// deleted; and its neighbours without a body of their own.
func (t *Target) opposites(m *message.Message) [][]*message.Message {
	var out [][]*message.Message
	add := func(list ...*message.Message) {
		if len(list) > 0 {
			out = append(out, list)
		}
	}
	add(t.kept.restoring(t, m)...)
	for _, other := range switched(m, 2*mostVariants) {
		add(other)
	}
	add(t.deleting(m)...)
	above, _ := parent(m.Op.Path)
	for _, op := range t.Contract.Operations {
		if op == m.Op.First() || reads(op) || t.Unasked[op] {
			continue
		}
		same := op.Path == m.Op.Path && (op.Method == http.MethodDelete) != (m.Op.Method == http.MethodDelete)
		beside, literal := parent(op.Path)
		if same || literal && beside == above && above != "" && op.Method == m.Op.Method && !t.Reach.Gives(op) {
			add(about(t.Baseline(t.Fresh(op)), m))
		}
	}
	return out
}

// about puts the values of the path of another message into one.
func about(m, other *message.Message) *message.Message {
	for _, name := range openapi.Expressions(m.Op.Path) {
		if v := other.At(openapi.PathPlace(name)); v != nil {
			m.Set(openapi.PathPlace(name), v.Clone())
		}
	}
	return m
}

// parent returns a path without its last segment, and whether that is a literal one.
func parent(path string) (above string, literal bool) {
	path = strings.TrimSuffix(path, "/")
	i := strings.LastIndexByte(path, '/')
	if i < 0 {
		return "", false
	}
	return path[:i], !strings.Contains(path[i:], "{")
}

// mostLate is the lateness of operations whose names suggest a disruption.
const mostLate = 2

// lateness orders operations by the harm that they may do: last come those that change
// something, give nothing that others need, and are about no thing of the run.
func (t *Target) lateness(op *openapi.Operation) int {
	op = op.First()
	switch {
	case reads(op) || t.Contract == nil:
		return 0
	case t.Wary[op]:
		return mostLate
	case t.Reach.OfOwn(op) || t.Reach.Gives(op) || t.fills(op):
		return 0
	}
	return 1
}

// fills reports whether an operation adds to a collection.
func (t *Target) fills(op *openapi.Operation) bool {
	path := strings.TrimSuffix(op.Path, "/")
	return op.Method == http.MethodPost && slices.ContainsFunc(t.Contract.Operations, func(o *openapi.Operation) bool {
		return strings.HasPrefix(o.Path, path+"/{") || o.Method == http.MethodGet && strings.TrimSuffix(o.Path, "/") == path && givesList(o)
	})
}

// turnOn undoes what a request did that was accepted, if it turned others off.
func (t *Target) turnOn(ctx context.Context, s Session, m *message.Message, e *exchange.Exchange) {
	off := t.Facts.Of(m.Op.First()).Off
	if off == nil || !Accepted(m.Op, e) {
		return
	}
	for _, undo := range off.undo {
		t.now(ctx, s, undo, t.Timeout)
	}
}
