package judge

import (
	"context"
	"sync"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

// play sends the steps of a case, in sequence or together, on the connections
// they name; connection 0 is own. It ends early, with ok false, where the run
// does or the target asks for more patience than a case has.
func (j *Judge) play(ctx context.Context, c *plan.Case, id plan.Identity, steps []plan.Step, own *exchange.Session) (out []played, ok bool) {
	sessions := map[int]*exchange.Session{0: own}
	defer func() {
		for n, s := range sessions {
			if n != 0 {
				s.Close()
			}
		}
	}()
	out = make([]played, len(steps))
	began := time.Now()
	for from := 0; from < len(steps); {
		to := from + 1
		for steps[from].Parallel && to < len(steps) && steps[to].Parallel {
			to++
		}
		for _, st := range steps[from:to] {
			if sessions[st.Connection] == nil {
				sessions[st.Connection] = j.Client.Session()
			}
			if st.Fresh {
				sessions[st.Connection].Fresh()
			}
		}
		var group sync.WaitGroup
		for i := from; i < to; i++ {
			send := func() {
				st := steps[i]
				e := j.send(ctx, sessions[st.Connection], st.Message, c.Class.Slug, c.ID, ownerOf(c, id, i))
				out[i] = played{step: st, ex: e}
			}
			if to-from == 1 {
				send()
				continue
			}
			group.Add(1)
			go func() { defer group.Done(); send() }()
		}
		group.Wait()
		for i := from; i < to; i++ {
			if out[i].ex == nil {
				return out[:i], false
			}
		}
		slow := to >= sequenceLeast && time.Since(began) > sequenceTime
		if slow || transport(out[to-1].ex) && len(steps) > 1 {
			out = out[:to]
			break
		}
		from = to
	}
	j.readAll(c, out)
	return out, true
}

// readAll classifies requests and answers, and marks values used before.
func (j *Judge) readAll(c *plan.Case, out []played) {
	used := map[string]int{}
	for i := range out {
		p := &out[i]
		p.sent = j.Endpoint.Classify(p.step.Message, p.ex.Request)
		p.got = j.read(c.Op, p.ex)
		for _, v := range identityOf(c.Op, p.sent) {
			used[v]++
		}
	}
	seen := map[string]bool{}
	for i := range out {
		for _, v := range identityOf(c.Op, out[i].sent) {
			// Beside each other nobody is first.
			if seen[v] || out[i].step.Parallel && used[v] > 1 {
				out[i].sent.Reused = true
			}
			seen[v] = true
		}
	}
}

// identityOf lists the identity values of a request as texts.
func identityOf(op *contract.Operation, s *requirement.Sent) []string {
	if s.Body == nil {
		return nil
	}
	var out []string
	for _, m := range plan.Values(op, s.Body.Root()) {
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

func ownerOf(c *plan.Case, id plan.Identity, step int) string {
	b := make([]byte, 0, len(c.ID)+16)
	b = append(b, c.ID...)
	for _, n := range []int{id.Twin, id.Neighbour, step} {
		b = append(b, '#', byte('0'+n%10), byte('0'+n/10%10), byte('0'+n/100%10), byte('0'+n/1000%10), byte('0'+n/10000%10))
	}
	return string(b)
}
