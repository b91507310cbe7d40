package judge

import (
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"plantstore/conformance/report"
)

// tracer writes one JSON line for each checked exchange.
type tracer struct {
	mu sync.Mutex
	w  io.Writer
}

func newTracer(w io.Writer) *tracer { return &tracer{w: w} }

// line is one exchange of the trace.
type line struct {
	Case     string       `json:"case"`
	Step     int          `json:"step"`
	Request  report.Bytes `json:"request"`
	Response report.Bytes `json:"response"`
	Failure  string       `json:"failure,omitempty"`
	Verdict  string       `json:"verdict"`
	Reason   string       `json:"reason,omitempty"`
	TookUS   int64        `json:"took_us"`
}

func (t *tracer) write(c interface{ Name() string }, step int, p *played, got *checked, j *Judge) {
	if t.w == nil {
		return
	}
	l := line{Case: c.Name(), Step: step, Verdict: string(report.Pass), TookUS: p.ex.Took.Microseconds()}
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
	_, _ = t.w.Write(append(report.Printable(b), '\n'))
}
