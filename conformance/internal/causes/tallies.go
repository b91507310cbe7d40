package causes

import (
	"strings"

	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/internal/limits"
)

// AboutCredential reports whether the failure is a wrong credential that is accepted.
func (l *Lab) AboutCredential() bool {
	return l.run.Judge.Bound[l.failure.At].Rule.Role == requirement.RoleCredentialRefusal
}

// Exchanged reports whether the failure is an answer with values that are not those of its
// request.
func (l *Lab) Exchanged() bool { return l.about(l.failure.At) }

// answeredFor reports whether the answer to a request has, instead of its own value of a
// member, the one that another request sent.
func answeredFor(p, other *judge.Played) bool {
	if p.Answer == nil || p.Answer.Reading.Root() == nil || other.Sent.Body == nil || other.Sent.Body.Root() == nil {
		return false
	}
	for _, m := range p.Answer.Reading.Root().Members {
		foreign := other.Sent.Body.Root().Get(m.Name)
		if foreign == nil || foreign.Text == "" || m.Value.Text != foreign.Text {
			continue
		}
		if own := sent(p, m.Name); own == nil || own.Text != foreign.Text {
			return true
		}
	}
	return false
}

// sent returns a member that a request has; nil if it has none, or is not JSON.
func sent(p *judge.Played, name string) *jsontree.Value {
	if p.Sent.Body == nil || p.Sent.Body.Root() == nil {
		return nil
	}
	return p.Sent.Body.Root().Get(name)
}

// InTurn sends steps one after the other and reports whether the answer to the last one
// has the values of the one before. The failure is the example.
func (l *Lab) InTurn(steps []plan.Step) (*judge.Failure, bool) {
	own := l.Session()
	defer own.Close()
	played, list := l.send(own, steps)
	last := len(steps) - 1
	if len(played) < len(steps) || !answeredFor(&played[last], &played[last-1]) {
		return nil, false
	}
	if why := played[last].Checked.Reason; list[last] == nil && why != nil && l.about(why.At) {
		// A text that was made longer is not known as that of the request before.
		list[last] = &judge.Failure{Finding: *why, Step: last, Defects: 1, Steps: played}
	}
	return list[last], list[last] != nil
}

// about reports whether a requirement is about the values of answers.
func (l *Lab) about(at int) bool {
	role := l.run.Judge.Bound[at].Rule.Role
	return role == requirement.RoleBelonging || role == requirement.RoleEcho
}

// Sized returns a baseline request with a body of so many bytes. It has no message if no
// text of a baseline request may be so long.
func (l *Lab) Sized(bytes int) plan.Step {
	out := l.Valid()
	if out.Message.Tree == nil {
		return plan.Step{}
	}
	more := bytes - len(out.Message.Body())
	for _, v := range message.Values(l.Case.Op, out.Message.Tree) {
		if more < 0 || v.Value.Kind != jsontree.String {
			continue
		}
		changed := out.Message.Clone()
		changed.Tree.Set(v.Name, jsontree.NewString(v.Value.Text+strings.Repeat("q", more)))
		if len(changed.Reading().Violations) == 0 {
			return plan.Step{Message: changed}
		}
	}
	return plan.Step{}
}

// Counted sends the request on one connection until it has failed three times, and returns
// the places where it did. Then it sends half as many as lie between two of these, goes on
// with a new connection, and returns the first place on that one where it fails; 0 if it
// does not.
func (l *Lab) Counted() (at []int, elsewhere int) {
	own := l.Session()
	defer own.Close()
	for place := 1; place <= limits.CauseLong && len(at) < 3; place++ {
		switch failed, ok := l.fails(own); {
		case !ok:
			return at, 0
		case failed:
			at = append(at, place)
		}
	}
	if len(at) < 3 {
		return at, 0
	}
	n := at[1] - at[0]
	for range n - n/2 {
		if failed, ok := l.fails(own); failed || !ok {
			return at, 0
		}
	}
	other := l.Session()
	defer other.Close()
	for place := 1; place <= n; place++ {
		switch failed, ok := l.fails(other); {
		case !ok:
			return at, 0
		case failed:
			return at, place
		}
	}
	return at, 0
}

// fails sends the request once more on a connection.
func (l *Lab) fails(own explore.Session) (failed, ok bool) {
	var t Tally
	l.Last(own, []plan.Step{l.Request()}, &t)
	return t.Failed > 0, !t.Cut
}

// Rows are requests one after the other, first on one connection, then on another, and
// then each on a new one.
type Rows struct {
	List []Shot
	// Cut reports whether an answer was missing, or the budget ended.
	Cut bool
}

// Shot is one request of a row. Row 0 has a new connection for each request.
type Shot struct {
	Row, Place int // counted from 1
	Failure    *judge.Failure
}

// Rows sends the request that fails again and again.
func (l *Lab) Rows() *Rows {
	if l.rows != nil {
		return l.rows
	}
	l.rows = &Rows{}
	if !l.Dropped() {
		l.row(1, limits.CauseRow)
		if len(l.rows.Failed()) > 0 {
			l.row(2, limits.CauseRow-1) // of another length: what counts all requests fails elsewhere
		}
	}
	for !l.rows.Cut {
		maximum, failed := limits.CauseRows, len(l.rows.Failed())
		if failed == 0 {
			maximum = limits.CauseSearch
		}
		if len(l.rows.List) >= maximum || failed >= limits.CauseSeen {
			break
		}
		own := l.Session()
		l.shoot(own, 0, 1)
		own.Close()
	}
	return l.rows
}

// row sends requests on one connection.
func (l *Lab) row(number, n int) {
	own := l.Session()
	defer own.Close()
	for place := 1; place <= n && !l.rows.Cut; place++ {
		l.shoot(own, number, place)
	}
}

func (l *Lab) shoot(own explore.Session, row, place int) {
	var t Tally
	l.Last(own, []plan.Step{l.Request()}, &t)
	l.rows.Cut = l.rows.Cut || t.Cut
	if !t.Cut {
		l.rows.List = append(l.rows.List, Shot{row, place, t.Example})
	}
}

// Failed returns the places in the list that failed, counted from 1.
func (r *Rows) Failed() []int {
	var out []int
	for i, s := range r.List {
		if s.Failure != nil {
			out = append(out, i+1)
		}
	}
	return out
}

// On returns the places on one connection that failed.
func (r *Rows) On(row int) []int {
	var out []int
	for _, s := range r.List {
		if s.Row == row && s.Failure != nil {
			out = append(out, s.Place)
		}
	}
	return out
}

// outside is an integer that neither an int32 nor an int64 holds.
const outside = "9223372036854775808"

// Outside returns a baseline request with an integer that its format does not hold. It has
// no message if no member has such a format.
func (l *Lab) Outside() plan.Step {
	out := l.Valid()
	if out.Message.Tree == nil {
		return plan.Step{}
	}
	for _, v := range message.Values(l.Case.Op, out.Message.Tree) {
		if v.Value.Kind != jsontree.Number {
			continue
		}
		changed := out.Message.Clone()
		changed.Tree.Set(v.Name, jsontree.NewNumber(outside))
		if len(changed.Reading().Violations) > 0 {
			return plan.Step{Message: changed}
		}
	}
	return plan.Step{}
}
