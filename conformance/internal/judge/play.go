package judge

import (
	"context"
	"strconv"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/parallel"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/request"
)

// play sends the steps of a case, in sequence or together, on the connections
// they name; connection 0 is own. Each answer is waited for as try says. It ends
// early, with ok false, where the run does or the target asks for more patience
// than a case has.
func (j *Judge) play(ctx context.Context, c *plan.Case, id generate.Identity, steps []plan.Step, own *exchange.Session, try tries) (out []played, ok bool) {
	lines := connections{own: own, try: try}
	defer lines.close()
	out = make([]played, len(steps))
	began := time.Now()
	used := reuse{op: c.Op, seen: map[string]bool{}, count: map[string]int{}}
	failed := false
	for from := 0; from < len(steps); {
		to := from + 1
		for steps[from].Parallel && to < len(steps) && steps[to].Parallel {
			to++
		}
		for i := from; i < to; i++ {
			s := lines.session(j.Client, steps[i].Connection)
			if steps[i].Fresh {
				s.Fresh()
			}
			out[i] = played{step: steps[i], owner: ownerOf(c, id, i)}
		}
		if to-from == 1 {
			j.playStep(ctx, c, &out[from], &lines)
		} else {
			var group parallel.Group
			for i := from; i < to; i++ {
				group.Go(func() { j.playStep(ctx, c, &out[i], &lines) })
			}
			group.Wait()
		}
		for i := from; i < to; i++ {
			if out[i].ex == nil {
				return out[:i], false
			}
		}
		for i := from; i < to; i++ {
			out[i].sent = j.Endpoint.Classify(out[i].step.Message, out[i].ex.Request)
		}
		if len(steps) > 1 {
			used.mark(out[from:to])
		}
		for i := from; i < to; i++ {
			if !j.weigh(ctx, c, id, &out[i], &failed) {
				return out[:i], false
			}
		}
		slow := to >= sequenceLeast && time.Since(began) > sequenceTime && (c.Draw > 0 || j.late())
		if slow || transport(out[to-1].ex) && len(steps) > 1 {
			out = out[:to]
			break
		}
		from = to
	}
	return out, true
}

// playStep sends one step; its connection is open in lines.
func (j *Judge) playStep(ctx context.Context, c *plan.Case, p *played, lines *connections) {
	s := lines.session(j.Client, p.step.Connection)
	if lines.try == whole {
		p.ex = j.send(ctx, s, p.step.Message, c.ID, p.owner)
		return
	}
	wait := j.hangs.patience(c, j.Timeout, j.pace.justifies())
	if p.ex = j.sendWithin(ctx, s, p.step.Message, c.ID, p.owner, wait); hung(p.ex) {
		j.hangs.timedOut(c.Class.Slug, wait, int(lines.try))
	}
}

// tries says how long a case waits for an answer: whole, the time that the user
// gives one; else what the pace of the target justifies, one of so many workers.
type tries int

const whole tries = 0

// connections are those of one case: number 0 is its worker's own, further ones
// are made when first asked for.
type connections struct {
	try     tries
	own     *exchange.Session
	further map[int]*exchange.Session
}

func (l *connections) session(client *exchange.Client, n int) *exchange.Session {
	if n == 0 {
		return l.own
	}
	if l.further == nil {
		l.further = map[int]*exchange.Session{}
	}
	if l.further[n] == nil {
		l.further[n] = client.Session()
	}
	return l.further[n]
}

// close ends the further connections.
func (l *connections) close() {
	for _, s := range l.further {
		s.Close()
	}
}

// weigh checks what came, while its bytes are there, and keeps of them what a
// report shows. Behind a step that failed nothing is checked. It is false where
// the run ends first.
func (j *Judge) weigh(ctx context.Context, c *plan.Case, id generate.Identity, p *played, failed *bool) bool {
	if *failed {
		j.lighten(p)
		return true
	}
	leave, ok := j.flight.enter(ctx, p.ex)
	if !ok {
		return false
	}
	defer leave()
	p.got = j.read(c.Op, p.ex)
	s := &subject{op: c.Op, class: c.Class.Slug, place: c.Class.Place.Path, owner: p.owner, sent: p.sent, ex: p.ex, got: p.got}
	got := j.check(s, j.aims[c])
	p.checked = &got
	p.repeated = got.reason != nil && p.got != nil && p.sent.Body != nil && j.facts.of(c.Op).looksRepeated(p.got, p.sent, id)
	j.answers.note(c.ID, p)
	j.lighten(p)
	*failed = got.reason != nil
	return true
}

// reuse marks requests that repeat a value of an earlier one.
type reuse struct {
	op    *contract.Operation
	seen  map[string]bool
	count map[string]int
}

// mark goes on with steps that were sent one after the other, or together.
func (u *reuse) mark(out []played) {
	for i := range out {
		if out[i].mayStore() {
			for _, v := range identityOf(u.op, out[i].sent) {
				u.count[v]++
			}
		}
	}
	for i := range out {
		for _, v := range identityOf(u.op, out[i].sent) {
			// Beside each other nobody is first.
			if u.seen[v] || out[i].step.Parallel && u.count[v] > 1 {
				out[i].sent.Reused = true
			}
			u.seen[v] = u.seen[v] || out[i].mayStore()
		}
	}
}

// mayStore tells whether a request may have left something behind: what must be
// refused leaves its values free.
func (p *played) mayStore() bool {
	d := p.sent.Duty()
	return !d.Refuses() && d != request.RefuseCredential || p.ex.Failure == nil && p.ex.Response.Status/100 == 2
}

// identityOf lists the identity values of a request as texts.
func identityOf(op *contract.Operation, s *request.Sent) []string {
	if s.Body == nil {
		return nil
	}
	var out []string
	for _, m := range request.Values(op, s.Body.Root()) {
		text := m.Value.Text
		if n, whole := jsontree.Int64(text); whole && m.Value.Kind == jsontree.Number {
			text = string(jsontree.NewInt(n).Emit())
		}
		out = append(out, m.Name+"\x00"+text)
	}
	return out
}

// transport tells whether an exchange ended without an answer in a way that an
// innocent neighbour may suffer.
func transport(e *exchange.Exchange) bool {
	if e == nil || e.Failure == nil {
		return false
	}
	switch e.Failure.Kind {
	case exchange.Malformed, exchange.TooLarge:
		return false
	}
	return true
}

func ownerOf(c *plan.Case, id generate.Identity, step int) string {
	b := make([]byte, 0, 96)
	b = append(b, c.ID...)
	for _, n := range [...]int{id.Twin, id.Neighbour, step} {
		b = strconv.AppendInt(append(b, '#'), int64(n), 10)
	}
	return string(b)
}
