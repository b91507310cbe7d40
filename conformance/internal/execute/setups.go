package execute

import (
	"sync"

	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// setUps remembers why what a case needs could not be made.
type setUps struct {
	mu  sync.Mutex
	why map[*plan.Case]string
}

func (s *setUps) note(c *plan.Case, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.why == nil {
		s.why = map[*plan.Case]string{}
	}
	s.why[c] = "what it needs could not be made: " + err.Error()
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
