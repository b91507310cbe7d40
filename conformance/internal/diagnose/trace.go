package diagnose

import (
	"io"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// tracer writes one JSON line for each checked exchange.
type tracer struct {
	mu    sync.Mutex
	w     io.Writer
	shown map[*exchange.Request]bool // requests of the set-up that were written
}

// line is one exchange of the trace.
type line struct {
	Case     string       `json:"case"`
	Step     int          `json:"step"`
	SetUp    bool         `json:"set_up,omitzero"` // it came before the step, which needs it
	Request  report.Bytes `json:"request"`
	Response report.Bytes `json:"response"`
	Failure  string       `json:"failure,omitempty"`
	Verdict  string       `json:"verdict"`
	Reason   string       `json:"reason,omitempty"`
	TookUS   int64        `json:"took_us"`
}

// Trace returns a function that writes one line to w for each exchange of a run.
func (e *Explainer) Trace(w io.Writer) func(c *plan.Case, step int, p *judge.Played) {
	t := &tracer{w: w, shown: map[*exchange.Request]bool{}}
	return func(c *plan.Case, step int, p *judge.Played) { t.write(e, c, step, p) }
}

func (t *tracer) write(e *Explainer, c *plan.Case, step int, p *judge.Played) {
	for i := range p.Before {
		t.setUp(e, c, step, &p.Before[i])
	}
	l := line{Case: c.ID, Step: step, Verdict: string(report.Pass), TookUS: p.Exchange.Took.Microseconds()}
	st := e.Shown(p, c.ID)
	l.Request, l.Response, l.Failure = st.Request, st.Response, st.Failure
	if got := p.Checked; got.Reason != nil {
		l.Verdict, l.Reason = string(report.Fail), e.judge.Bound[got.Reason.At].ID
	}
	t.print(l)
}

// setUp writes a request that came before a step because that needs it, once for all that share it.
func (t *tracer) setUp(e *Explainer, c *plan.Case, step int, p *judge.Played) {
	t.mu.Lock()
	known := t.shown[p.Exchange.Request]
	t.shown[p.Exchange.Request] = true
	t.mu.Unlock()
	if known {
		return
	}
	st := e.Shown(p, c.ID)
	t.print(line{Case: c.ID, Step: step, SetUp: true, Request: st.Request, Response: st.Response, Verdict: string(report.Pass), TookUS: p.Exchange.Took.Microseconds()})
}

func (t *tracer) print(l line) {
	b, err := json.Marshal(l, json.Deterministic(true), jsontext.AllowInvalidUTF8(true))
	if err != nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	_, _ = t.w.Write(append(report.Printable(b), '\n'))
}
