package judge

import (
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/report"
)

// tracer writes one JSON line for each checked exchange.
type tracer struct {
	mu sync.Mutex
	w  io.Writer
}

func newTracer(w io.Writer) *tracer { return &tracer{w: w} }

// line is one exchange of the trace. Opinion is what libopenapi-validator says
// of the answer where it differs from the exact judge.
type line struct {
	Case     string       `json:"case"`
	Step     int          `json:"step"`
	Request  report.Bytes `json:"request"`
	Response report.Bytes `json:"response"`
	Failure  string       `json:"failure,omitempty"`
	Verdict  string       `json:"verdict"`
	Reason   string       `json:"reason,omitempty"`
	Opinion  string       `json:"opinion,omitempty"`
	TookUS   int64        `json:"took_us"`
}

func (t *tracer) write(c interface{ Name() string }, step int, p *played, got *checked, j *Judge) {
	opinion := j.secondOpinion(p)
	if t.w == nil {
		return
	}
	l := line{Case: c.Name(), Step: step, Verdict: string(report.Pass), Opinion: opinion, TookUS: p.ex.Took.Microseconds()}
	st := j.shown(p, c.Name())
	l.Request, l.Response, l.Failure = st.Request, st.Response, st.Failure
	if got.reason != nil {
		l.Verdict, l.Reason = string(report.Fail), j.bound[got.reason.at].req.ID
	}
	b, err := json.Marshal(l, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = t.w.Write(append(b, '\n'))
}

// secondOpinion asks the adopted validator about an answer, and words a
// difference from the exact judge.
func (j *Judge) secondOpinion(p *played) string {
	if p.got == nil || p.got.Form == nil || p.got.Reading == nil || p.ex.Response.ContentErr != nil {
		return ""
	}
	exact := p.got.Reading.Kind != contract.NotJSON && len(p.got.Reading.Violations) == 0 && p.got.Reading.Sound()
	o := j.Contract.Opinion(p.step.Message.Op, p.got.Status, p.ex.Response.Get("Content-Type"), p.ex.Response.Content, exact)
	switch {
	case o.OK == exact:
		return ""
	case o.OK:
		return "libopenapi-validator accepts what the exact judge refuses"
	}
	return "libopenapi-validator refuses what the exact judge accepts: " + o.Why
}
