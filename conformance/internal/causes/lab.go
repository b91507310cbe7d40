package causes

import (
	"context"
	"slices"
	"strings"
	"time"

	"plantstore/conformance/internal/client"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/limits"
)

// Lab sends the requests of experiments about one failure, and counts them.
type Lab struct {
	Case    *plan.Case
	ctx     context.Context
	run     *execute.Run
	failure *judge.Failure // as it was first seen
	example *judge.Failure // as small as it got
	left    int
	end     time.Time
	alone   *Tally
	rows    *Rows
	late    bool // it passed after a pause
	wrongs  int  // how many credentials were made up
}

// Tally counts what an experiment saw. The last failure is kept as an example.
type Tally struct {
	Failed, Passed int
	Example        *judge.Failure
	// Cut reports whether the budget ended, or an answer was missing, before all was sent.
	Cut bool
}

// Always reports whether the failure came every time, at least so often.
func (t Tally) Always(minimum int) bool { return !t.Cut && t.Failed >= minimum && t.Passed == 0 }

// Never reports whether it did not come, in at least so many tries.
func (t Tally) Never(minimum int) bool { return !t.Cut && t.Passed >= minimum && t.Failed == 0 }

func (l *Lab) spent() bool {
	return l.left <= 0 || l.ctx.Err() != nil || l.run.Lost() || time.Now().After(l.end)
}

// Request returns the request that fails, with values that no other request has.
func (l *Lab) Request() plan.Step {
	_, steps := l.build(l.Case)
	if l.run.Judge.Bound[l.failure.At].Rule.Role == requirement.RoleBelonging && l.Case.Class.Expected == message.Accept && len(l.example.Steps) == 1 {
		// Only values that no other request has show whose answer came.
		return l.Valid()
	}
	m := steps[min(l.failure.Step, len(steps)-1)].Message
	if m.Framing == message.Pieces || m.Framing == message.HeadPieces || m.Framing == message.ManyPieces {
		m = m.Clone()
		m.Framing = message.Length // its pauses take time, and rarely matter
	}
	return plan.Step{Message: m}
}

// Example returns the steps of the smallest example with such values, the failing one
// last.
func (l *Lab) Example() []plan.Step {
	_, all := l.build(l.Case)
	var out []plan.Step
	for i := range l.example.Steps {
		at := slices.IndexFunc(l.failure.Steps, func(p judge.Played) bool { return p.Step.Message == l.example.Steps[i].Step.Message })
		if at < 0 || at >= len(all) {
			return []plan.Step{l.Request()}
		}
		out = append(out, all[at])
	}
	return out
}

// build returns the steps of a case with fresh values, and whose these are.
func (l *Lab) build(c *plan.Case) (plan.Identity, []plan.Step) {
	id := l.run.Target.Identity(l.run.Target.RetryOf(c))
	steps := l.run.Build(c, id)
	return id, steps
}

// Valid returns a baseline request.
func (l *Lab) Valid() plan.Step {
	return plan.Step{Message: l.run.Target.Baseline(l.run.Target.Fresh(l.Case.Op))}
}

// Refused returns a request of the operation that this target refused as expected. It
// has no message if no such case was tried.
func (l *Lab) Refused(expected message.Expectation) plan.Step {
	for c, r := range l.run.Records() {
		if c.Op == l.Case.Op && c.Class.Expected == expected && c.Steps() == 1 && c.Class.Phase != plan.Heavy && r.State == judge.Tried && len(r.Failures) == 0 {
			m := l.run.Target.Plan.Build(c, l.run.Target.Identity(l.run.Target.RetryOf(c)))[0].Message
			return plan.Step{Message: m, Of: c.ID}
		}
	}
	return plan.Step{}
}

// Recased reports whether a header field of a request differs from that of a baseline
// request in nothing but case.
func (l *Lab) Recased(m *message.Message) bool {
	lines := func(m *message.Message) []string {
		return strings.Split(string(l.run.Target.Endpoint.Wire(m, l.Case.ID).Head), "\r\n")
	}
	usual := lines(l.Valid().Message)
	return slices.ContainsFunc(lines(m), func(line string) bool {
		return !slices.Contains(usual, line) && slices.ContainsFunc(usual, func(u string) bool { return strings.EqualFold(u, line) })
	})
}

// Session opens a connection of its own for an experiment. The caller closes it.
func (l *Lab) Session() explore.Session { return l.run.Target.Client.Session() }

// Dropped reports whether the failure is a connection that ended. A client sends such
// a request again if the connection was used before, so only new ones show it.
func (l *Lab) Dropped() bool {
	e := l.failure.Steps[len(l.failure.Steps)-1].Exchange
	return e != nil && e.Failure != nil && e.Failure.Kind != exchange.Malformed
}

// Connections is how many connections the target serves at the same time, as far as an
// experiment needs to know.
func (l *Lab) Connections() int {
	if n := l.run.Target.Facts.Connections; n < limits.Probed {
		return max(n, 1)
	}
	return limits.CauseInFlight
}

// Pause waits.
func (l *Lab) Pause(d time.Duration) { client.Pause(l.ctx, d) }

// Last sends steps on a session, and says whether the last one fails.
func (l *Lab) Last(own explore.Session, steps []plan.Step, into *Tally) {
	played, list := l.send(own, steps)
	into.count(played, list, len(steps))
}

// count counts whether the last of n steps failed.
func (t *Tally) count(played []judge.Played, list []*judge.Failure, n int) {
	switch {
	case len(played) < n:
		t.Cut = true
	case list[n-1] != nil:
		t.Failed++
		t.Example = list[n-1]
	default:
		t.Passed++
	}
}

// Once is Last with connections that nothing else uses.
func (l *Lab) Once(steps []plan.Step, into *Tally) {
	own := l.Session()
	defer own.Close()
	l.Last(own, steps, into)
}

// send sends steps, and returns for each the failure that it shows, or nil.
func (l *Lab) send(own explore.Session, steps []plan.Step) ([]judge.Played, []*judge.Failure) {
	return l.sendAs(l.Case, l.run.Target.Identity(l.run.Target.RetryOf(l.Case)), own, steps)
}

// sendAs is send with the steps of a case.
func (l *Lab) sendAs(c *plan.Case, id plan.Identity, own explore.Session, steps []plan.Step) ([]judge.Played, []*judge.Failure) {
	if l.spent() {
		return nil, nil
	}
	l.left -= len(steps)
	try := execute.Whole
	if l.run.Timeouts(c.Op) {
		try = execute.Doubtful // that was confirmed: an experiment only says what a failure needs
	}
	played, err := l.run.Play(l.ctx, c, id, steps, own, try)
	if err != nil {
		return nil, nil
	}
	out := make([]*judge.Failure, len(played))
	for i := range played {
		p := &played[i]
		if p.Checked == nil {
			l.run.Judge.Check(c, id, p)
		}
		for _, f := range p.Checked.Failed() {
			if l.same(f.At) {
				out[i] = &judge.Failure{Finding: f, Step: i, Defects: 1, Steps: played[:i+1], Identity: id}
				break
			}
		}
	}
	return played, out
}

// same reports whether a failure of a requirement shows the same fault. A value that
// comes back wrong may turn out to be that of another request.
func (l *Lab) same(at int) bool {
	was, now := l.run.Judge.Bound[l.failure.At].Rule, l.run.Judge.Bound[at].Rule
	return at == l.failure.At || was == now || was.Role == requirement.RoleEcho && now.Role == requirement.RoleBelonging
}

// Alone sends the request a few times, each time on a new connection.
func (l *Lab) Alone() Tally {
	if l.alone == nil {
		var out Tally
		for range limits.CauseAlone {
			l.Once([]plan.Step{l.Request()}, &out)
		}
		l.alone = &out
	}
	return *l.alone
}
