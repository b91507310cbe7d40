package execute

import (
	"net/http"
	"strings"
	"sync"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// setUps remembers why what a case needs could not be made.
type setUps struct {
	mu  sync.Mutex
	why map[*plan.Case]string
	// other are the cases that could change another thing than their own.
	other map[*plan.Case]bool
}

func (s *setUps) note(c *plan.Case, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.why == nil {
		s.why = map[*plan.Case]string{}
	}
	s.why[c] = "what it needs could not be made: " + err.Error()
}

// noteOther notes a case that is not sent because it could change another thing than
// its own.
func (s *setUps) noteOther(c *plan.Case) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.other == nil {
		s.other = map[*plan.Case]bool{}
	}
	s.other[c] = true
}

// another reports whether a case was not sent for that reason.
func (s *setUps) another(c *plan.Case) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.other[c]
}

// others reports whether a step would change or delete a thing that the run did not
// make: its path has a valid value, and not the one of the case.
func others(op *contract.Operation, steps []plan.Step) bool {
	if op.Method != http.MethodDelete && op.Method != http.MethodPut && op.Method != http.MethodPatch {
		return false
	}
	for _, st := range steps {
		for path, own := range st.Message.Bound {
			v := st.Message.At(path)
			if !strings.HasPrefix(path, "path/") || v == nil || own.Kind == jsontree.Null || jsontree.Equal(v, own) {
				continue
			}
			if r := st.Message.Reading(); r == nil || r.Kind < contract.Invalid {
				return true
			}
		}
	}
	return false
}

// failed returns why, or an empty string.
func (s *setUps) failed(c *plan.Case) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.why[c]
}

func messagesOf(steps []plan.Step) []*request.Message {
	out := make([]*request.Message, len(steps))
	for i := range steps {
		out[i] = steps[i].Message
	}
	return out
}
