package causes

import (
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
)

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
