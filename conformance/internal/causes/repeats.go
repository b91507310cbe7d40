package causes

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

// Repeated returns the member whose value seems to be refused because it was sent before,
// where a valid request is refused in that form and the value is a new number.
func (l *Lab) Repeated() (member string, ok bool) {
	p := &l.failure.Steps[l.failure.Step]
	root := p.Sent.Body.Root()
	if l.run.Judge.Bound[l.failure.At].Rule.Role != requirement.RoleAcceptance || !p.Repeated || root == nil {
		return "", false
	}
	for _, r := range l.run.Target.Facts.Of(l.Case.Op).Repeats {
		for _, m := range root.Members {
			if r.Status != 0 && r.Path == "/"+jsontree.EscapePointer(m.Name) && m.Value.Kind == jsontree.Number {
				return m.Name, true
			}
		}
	}
	return "", false
}

// RefusedRepeats lists the members whose repeated values are refused with the status of the
// failing answer, where invalid requests are refused as they should be.
func (l *Lab) RefusedRepeats() []string {
	p := &l.failure.Steps[l.failure.Step]
	invalid := l.HistoryOf(message.Refuse)
	if p.Answer == nil || p.Answer.Success() || len(invalid.Passed) == 0 || len(invalid.Failed)+len(l.HistoryOf(message.RefuseNotJSON).Failed) > 0 {
		return nil
	}
	var out []string
	for _, r := range l.run.Target.Facts.Of(l.Case.Op).Repeats {
		if r.Status == p.Answer.Status {
			out = append(out, r.Path)
		}
	}
	return out
}

// Repeat returns two valid requests that have one value in common, or nil.
func (l *Lab) Repeat(path string) []plan.Step {
	out := []plan.Step{l.Valid(), l.Valid()}
	v := out[0].Message.At(path)
	if v == nil || !out[1].Message.Set(path, v.Clone()) {
		return nil
	}
	return out
}

// The numbers of pairs start at pairsFrom, and pairsApart is what is between two of them:
// no double and no int32 is equal for two pairs.
const (
	pairsFrom  = 1 << 60
	pairsApart = 1 << 12
)

// Pair returns two valid requests, over different connections, whose numbers were never
// sent and are so far apart.
func (l *Lab) Pair(member string, apart int64) []plan.Step {
	n := pairsFrom + int64(l.run.Target.RetryOf(l.Case))*pairsApart
	out := []plan.Step{l.Valid(), l.Valid()}
	for i := range out {
		out[i].Message.Tree.Set(member, jsontree.NewNumber(strconv.FormatInt(n+int64(i)*apart, 10)))
	}
	out[0].Connection = 1
	return out
}

// Rounds sends several times n requests at the same time, each on a connection of its
// own, and counts the rounds in which one fails. The first is the request that fails;
// beside makes the others.
func (l *Lab) Rounds(n, rounds int, beside func() plan.Step) Tally {
	var steps []plan.Step
	for range rounds {
		for i := range n {
			st := l.Request()
			if i > 0 {
				st = beside()
			}
			st.Connection, st.Parallel = i, true
			steps = append(steps, st)
		}
	}
	own := l.Session()
	defer own.Close()
	played, failures := l.send(own, steps)
	var out Tally
	for from := 0; from+n <= len(played); from += n {
		i := slices.IndexFunc(failures[from:from+n], func(f *judge.Failure) bool { return f != nil })
		if i < 0 {
			out.Passed++
			continue
		}
		out.Failed++
		if out.Example == nil {
			out.Example = failedTogether(failures[from+i], from, n, played)
		}
	}
	out.Cut = out.Failed == 0 && len(played) < len(steps)
	return out
}

// together makes an example of n steps at once. The one that fails comes last, as they
// have no order.
func failedTogether(f *judge.Failure, from, n int, played []judge.Played) *judge.Failure {
	out := *f
	out.Steps = nil
	for i := from; i < from+n; i++ {
		if i != f.Step {
			out.Steps = append(out.Steps, played[i])
		}
	}
	out.Steps = append(out.Steps, played[f.Step])
	out.Step = n - 1
	return &out
}

// Before makes the request that came before the failing one on its connection again, with
// fresh values, and names its case. Again is nil if that is not a case of one request.
func (l *Lab) Before() (again func() plan.Step, name string) {
	name = l.failure.Steps[l.failure.Step].Exchange.After
	c := l.run.Target.Plan.Find(name)
	if c == nil || c.Steps() != 1 {
		return nil, ""
	}
	return func() plan.Step {
		_, steps := l.build(c)
		return plan.Step{Message: steps[0].Message, Of: c.ID}
	}, name
}

// tokenVariable stands for the credential where a shell would write a request.
const tokenVariable = "$CONFORMANCE_TOKEN"

// Wrong returns a baseline request with a wrong credential that no request before had:
// where the failing one has its own. It has no message if that carries none.
func (l *Lab) Wrong() plan.Step {
	m := l.Request().Message
	if len(m.Credentials) == 0 {
		return plan.Step{}
	}
	l.wrongs++
	word := "unseen" + strconv.Itoa(l.wrongs)
	list := slices.Clone(m.Credentials)
	before, _, made := strings.Cut(list[0].Show, "$")
	if !made {
		before += "-"
	}
	list[0].Show = before + word
	list[0].Value = func(string) string { return before + word }
	out := l.Valid()
	out.Message.Credentials = list
	return out
}

// AsLong returns a baseline request with a credential of one letter again and again. It is
// as long as the right one and a number of letters more, or fewer. The step has no message
// if the credential is not one that a header field has to the letter.
func (l *Lab) AsLong(letter string, more int) plan.Step {
	return l.credential(func(token string) string {
		return strings.Repeat(letter, max(0, len(token)+more))
	}, func() string {
		same := `$(printf %s "$CONFORMANCE_TOKEN" | tr -c '' ` + letter + ")"
		if more < 0 {
			return strings.Replace(same, tokenVariable, "${CONFORMANCE_TOKEN%"+strings.Repeat("?", -more)+"}", 1)
		}
		return same + strings.Repeat(letter, more)
	})
}

// Padded returns a baseline request with the right credential and a number of further
// blanks behind the scheme, which RFC 9110 allows.
func (l *Lab) Padded(blanks int) plan.Step {
	return l.credential(func(token string) string { return strings.Repeat(" ", blanks) + token },
		func() string { return strings.Repeat(" ", blanks) + tokenVariable })
}

// credential returns a baseline request whose only credential is changed.
func (l *Lab) credential(value func(token string) string, show func() string) plan.Step {
	a := l.run.Target.Endpoint.Auth(l.Case.Op)
	if a == nil {
		return plan.Step{}
	}
	valid := a.Valid()
	if len(valid) != 1 || valid[0].In != "" || strings.Count(valid[0].Show, tokenVariable) != 1 || strings.Contains(valid[0].Show, "$(") {
		return plan.Step{}
	}
	p := valid[0]
	before, behind, _ := strings.Cut(p.Show, tokenVariable)
	p.Show = before + show() + behind
	p.Value = func(token string) string { return before + value(token) + behind }
	out := l.Valid()
	out.Message.Credentials = []message.Presented{p}
	return out
}

// Earlier lists the cases in which the requirement was judged and kept before it failed for
// the first time in the run, the latest one first.
func (l *Lab) Earlier() []*plan.Case {
	h := l.History()
	if len(h.Failed) == 0 {
		return nil
	}
	from := First(h.Failed).Sent
	var out []*plan.Case
	for c, r := range l.run.Records() {
		if l.judged(c, r) && c.Class.Phase != plan.Scenarios && r.Sent < from && r.Passed.Has(l.failure.At) && !r.FailedAt(l.failure.At) {
			out = append(out, c)
		}
	}
	slices.SortStableFunc(out, func(a, b *plan.Case) int {
		return cmp.Compare(l.run.Record(b).Sent, l.run.Record(a).Sent)
	})
	return out
}

// Resend sends those requests of a case again that are of the failing kind: with a
// credential of their own if that has one. They have fresh values, a connection of their
// own, and come one after the other. It returns how many were sent and how many fail now.
func (l *Lab) Resend(c *plan.Case) (sent, failed int, ok bool) {
	own := l.Session()
	defer own.Close()
	id, all := l.build(c)
	with := len(l.Request().Message.Credentials) > 0
	var steps []plan.Step
	for _, st := range all {
		if with == (len(st.Message.Credentials) > 0) {
			steps = append(steps, plan.Step{Message: st.Message})
		}
	}
	if len(steps) == 0 {
		return 0, 0, true
	}
	played, list := l.sendAs(c, id, own, steps)
	for i, f := range list {
		// A value that is sent again may be refused for that, and another requirement may
		// have failed before, too.
		if f != nil && f.At == l.failure.At && !played[i].Repeated {
			failed++
		}
	}
	return len(steps), failed, len(played) == len(steps)
}

// judged reports whether an operation's case was sent and judged.
func (l *Lab) judged(c *plan.Case, r *judge.Record) bool {
	return r.State == judge.Tried && r.Sent > 0 && c.Op == l.Case.Op
}
