package execute

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// The reasons why the steps of a case are not sent, or not all, beside those of the
// set-up.
var (
	errStopped = errors.New(ImpatientReason) // or the run ended
	errOthers  = errors.New("it could change what the run did not make")
)

// unplayed returns the record of a case that Play gave up with an error.
func unplayed(ctx context.Context, err error) *judge.Record {
	switch {
	case ctx.Err() != nil:
		return &judge.Record{Why: EndedReason}
	case errors.Is(err, errOthers), errors.Is(err, errNoLife):
		return &judge.Record{State: judge.Inapplicable, Why: err.Error()}
	}
	return &judge.Record{Why: err.Error()}
}

// others reports whether a step would change or delete a thing that the run did not
// make: its path has a valid value, and not the one of the case.
func others(op *openapi.Operation, steps []plan.Step) bool {
	if op.Method != http.MethodDelete && op.Method != http.MethodPut && op.Method != http.MethodPatch {
		return false
	}
	for _, st := range steps {
		for path, own := range st.Message.Bound {
			v := st.Message.At(path)
			if !strings.HasPrefix(path, "path/") || v == nil || own.Kind == jsontree.Null || jsontree.Equal(v, own) {
				continue
			}
			if r := st.Message.Reading(); r == nil || r.Kind < openapi.Invalid {
				return true
			}
		}
	}
	return false
}

func messagesOf(steps []plan.Step) []*message.Message {
	out := make([]*message.Message, len(steps))
	for i := range steps {
		out[i] = steps[i].Message
	}
	return out
}
