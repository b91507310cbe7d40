package diagnose

import (
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// tracer writes one JSON line for each checked exchange.
type tracer struct {
	mu sync.Mutex
	w  io.Writer
}

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

// Trace returns a function that writes one line to w for each exchange of a run.
func (e *Explainer) Trace(w io.Writer) func(c *plan.Case, step int, p *judge.Played) {
	t := &tracer{w: w}
	return func(c *plan.Case, step int, p *judge.Played) { t.write(e, c, step, p) }
}

func (t *tracer) write(e *Explainer, c *plan.Case, step int, p *judge.Played) {
	l := line{Case: c.ID, Step: step, Verdict: string(report.Pass), TookUS: p.Exchange.Took.Microseconds()}
	st := e.Shown(p, c.ID)
	l.Request, l.Response, l.Failure = st.Request, st.Response, st.Failure
	if got := p.Checked; got.Reason != nil {
		l.Verdict, l.Reason = string(report.Fail), e.judge.Bound[got.Reason.At].ID
	}
	b, err := json.Marshal(l, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = t.w.Write(append(report.Printable(b), '\n'))
}
