package diagnose

import (
	"bytes"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// script returns commands that repeat the requests of a case about one thing in a shell
// with curl and jq. The key of the resource comes from the answer to the first one. It is
// empty where that cannot be written.
func (e *Explainer) script(f *judge.Failure) string {
	steps := withBefore(f.Steps)
	if len(steps) == 1 {
		return e.target.Endpoint.Curl(steps[0].Step.Message)
	}
	if len(steps) > len(f.Steps) && slices.ContainsFunc(f.Steps, func(p judge.Played) bool {
		_, conditional := p.Step.From.(plan.Condition)
		return conditional || p.Step.Resource > 0
	}) {
		return "" // they name steps and things by their numbers
	}
	var out []string
	keys := map[int]string{}
	for i := range steps {
		step := steps[i].Step
		m, res, named := step.Message, step.Resource, step.Kind.Names()
		command, from := e.target.Endpoint.Curl(m), ""
		if i > 0 && named && keys[res] != "" {
			command = withKey(command, m, keys[res], variable(res))
		}
		_, above := step.From.(plan.Above)
		if above || step.Kind == plan.Refers {
			return "" // two keys of one path, or one in a body
		}
		if _, alike := step.From.(plan.Alike); alike && !strings.Contains(command, "${") {
			return "" // another key, which the shell would have to make
		}
		if i == 0 || !named && res > 0 {
			if keys[res], from = e.named(steps, i); from == "" && (i > 0 || !e.chosen(steps)) {
				return ""
			}
		}
		c, conditional := step.From.(plan.Condition)
		if command == "" || strings.HasPrefix(command, "printf") || m.Bound["header/If-Match"] != nil && !conditional {
			return ""
		}
		if conditional && c.Dated() && !c.Older {
			return "" // the time of another thing
		} else if conditional && !c.Dated() {
			tag := steps[c.Step].Exchange.Response.Get("ETag")
			before, after, has := strings.Cut(c.As.Value(tag), tag)
			if c.As == plan.AsOther && !has {
				return "" // a part of the tag
			}
			command = strings.Replace(command, "'"+c.Field+": "+before+tag+after+"'", `"`+c.Field+`: `+strings.ReplaceAll(before, `"`, `\"`)+`$etag"`, 1)
		}
		switch {
		case from != "":
			command = variable(res) + "=$(" + silent(command, from) + from + ")"
		case tagged(steps, i):
			command = "etag=$(" + strings.Replace(command, "curl -i", "curl -s -o /dev/null -D -", 1) + ` | sed -n 's/^[Ee][Tt][Aa][Gg]: //p' | tr -d '\r')`
		}
		out = append(out, command)
	}
	return strings.Join(out, "\n")
}

// withBefore returns steps with the requests of the set-up before the steps that need them. All are
// about the resource that the first one makes.
func withBefore(steps []judge.Played) []judge.Played {
	var out []judge.Played
	for i, p := range steps {
		for _, b := range p.Before {
			if len(out) > 0 {
				b.Step.Kind = plan.About
			}
			out = append(out, b)
		}
		if i == 0 && len(out) > 0 {
			p.Step.Kind = plan.About
		}
		out = append(out, p)
	}
	return out
}

// variable names the variable of a shell with the key of a resource.
func variable(res int) string {
	if res > 0 {
		return fmt.Sprintf("key%d", res+1)
	}
	return "key"
}

// silent makes curl print only what a filter reads: the fields of the answer, or the body.
func silent(command, filter string) string {
	if strings.Contains(filter, "ocation") {
		return strings.Replace(command, "curl -i", "curl -s -o /dev/null -D -", 1)
	}
	return strings.Replace(command, "curl -i", "curl -s", 1)
}

// tagged reports whether a later step needs the entity tag of a step.
func tagged(steps []judge.Played, i int) bool {
	for _, st := range steps[i+1:] {
		if c, conditional := st.Step.From.(plan.Condition); conditional && !c.Dated() && c.Step == i && strings.Contains(c.As.Value("tag"), "tag") {
			return true
		}
	}
	return false
}

// named returns the key of the resource that a step makes, and the filter that takes it out of
// the answer which it got. The filter is empty if the key is not in it.
func (e *Explainer) named(steps []judge.Played, at int) (key, filter string) {
	by := &steps[at]
	above := len(openapi.Expressions(by.Step.Message.Op.Path))
	names := slices.IndexFunc(steps[at+1:], func(p judge.Played) bool {
		return p.Step.Resource == by.Step.Resource && len(openapi.Expressions(p.Step.Message.Op.Path)) > above
	})
	if names < 0 || by.Exchange.Response == nil || len(by.Step.Message.Bound) > 0 {
		return "", "" // what the first request is about may be deleted by now
	}
	v := steps[at+1+names].Step.Message.Key()
	if v == nil {
		return "", ""
	}
	if strings.HasSuffix(by.Exchange.Response.Get("Location"), "/"+v.Text) {
		return v.Text, ` | sed -n 's/^[Ll]ocation: .*\///p' | tr -d '\r'`
	}
	doc, err := jsontree.Parse(by.Exchange.Response.Content)
	if err != nil {
		return "", ""
	}
	doc.Root.Walk(func(pointer string, at *jsontree.Value) {
		if filter == "" && at.Text == v.Text && (at.Kind == jsontree.String || at.Kind == jsontree.Number) {
			filter = " | jq -r '" + jqPath(pointer) + "'"
		}
	})
	return v.Text, filter
}

// chosen reports whether the first request puts a thing at a path that the run made up, and all others are
// about it or what is below it: their commands need nothing of an answer.
func (e *Explainer) chosen(steps []judge.Played) bool {
	op, address := steps[0].Step.Message.Op, pathOf(&steps[0])
	return op.Method == http.MethodPut && e.target.Facts.Of(op).MakesUp() && address != "" && !slices.ContainsFunc(steps[1:], func(p judge.Played) bool { return !strings.HasPrefix(pathOf(&p)+"/", address+"/") })
}

// pathOf returns the path of a request as it was sent.
func pathOf(p *judge.Played) string {
	_, rest, _ := strings.Cut(string(p.Exchange.Request.Head), " ")
	target, _, _ := strings.Cut(rest, " ")
	path, _, _ := strings.Cut(target, "?")
	return path
}

// jqPath writes a JSON pointer as a path of jq.
func jqPath(pointer string) string {
	var b strings.Builder
	for _, token := range strings.Split(pointer, "/")[1:] {
		plain, _ := jsontree.UnescapePointer(token)
		fmt.Fprintf(&b, "[%q]", plain)
	}
	return "." + b.String()
}

// withKey writes the variable instead of the key: in the path of the address, or else in
// the only other place of the command that has it. It returns an empty text if no such
// place is found.
func withKey(command string, m *message.Message, key, variable string) string {
	before, rest, found := strings.Cut(command, "-X "+m.Op.Method+" ")
	if !found || rest == "" {
		return ""
	}
	mark := rest[:1]
	address, behind, closed := strings.Cut(rest[1:], mark)
	i := strings.LastIndex(address, "/"+key)
	if !closed || mark != "'" && mark != `"` {
		return ""
	}
	switch {
	case i >= 0:
		end := address[i+1+len(key):]
		if end != "" && end[0] != '/' && end[0] != '?' {
			variable = "{" + variable + "}" // a key that is like the other one
		}
		return before + "-X " + m.Op.Method + ` "` + address[:i] + "/$" + variable + end + `"` + behind
	case !tied(m, key):
		return command // a list of such things
	case strings.Count(command, key) != 1:
		return ""
	case strings.Contains(address, key):
		return before + "-X " + m.Op.Method + ` "` + strings.Replace(address, key, "$"+variable, 1) + `"` + behind
	}
	return strings.Replace(command, key, `'"$`+variable+`"'`, 1) // between two quoted words
}

// tied reports whether a request names the resource with a key outside its path.
func tied(m *message.Message, key string) bool {
	for place, v := range m.Bound {
		if !strings.HasPrefix(place, "path/") && v.Text == key {
			return true
		}
	}
	return false
}

// Shown returns a step for people and files. All bytes of an exchange become text
// here, so that no secret is shown.
func (e *Explainer) Shown(p *judge.Played, caseID string) report.Step {
	shown := e.target.Endpoint.Shown(p.Step.Message, caseID)
	st := report.Step{Connection: p.Step.Connection + 1, Parallel: p.Step.Parallel, IdleMS: p.Step.Idle.Milliseconds(), Case: p.Step.Of, Await: shown.AwaitContinue, Cuts: shown.Cuts}
	st.TraceID = message.TraceID(shown.Head)
	wire := append(append([]byte(nil), shown.Head...), shown.Body...)
	st.Request = shortened(e.judge.Redactor.Own(wire), len(shown.Head)+2*limits.Kept)
	if p.Exchange == nil {
		return st
	}
	hide := e.judge.Redactor.And(e.presented(p.Step.Message)...)
	if r := p.Exchange.Response; r != nil {
		head, more := first(r.Head, e.judge.Reach())
		body, rest := first(legible(r, hide), e.judge.Reach())
		rest += p.Left
		if more > 0 { // what follows would look like a part of the headers
			rest, body = more+len(body)+rest, nil
		}
		st.Response = shortened(hide.Bytes(slices.Concat(head, body), rest > 0), min(len(head), 2*limits.Kept)+limits.Kept)
		st.Response.Cut += rest
	} else {
		came, rest := first(p.Exchange.Received, e.judge.Reach())
		st.Response = shortened(hide.Bytes(came, true), limits.Kept)
		st.Response.Cut += rest
	}
	if p.Exchange.Failure != nil {
		st.Failure = hide.Text(p.Exchange.Failure.Error())
	}
	return st
}

// first returns the first bytes of b, at most most, and the number of the others.
func first(b []byte, maximum int) (head []byte, rest int) {
	if len(b) <= maximum {
		return b, 0
	}
	return b[:maximum], len(b) - maximum
}

// maxUncoded bounds how much of an encoded body is examined.
const maxUncoded = 64 << 10

// legible returns the body of an answer as it came. If the body hides a secret in a
// content coding, it is returned decoded.
func legible(r *exchange.Response, hide *redact.Redactor) []byte {
	if len(r.Content) == 0 || bytes.Equal(r.Content, r.Body) {
		return r.Body
	}
	if plain, _ := first(r.Content, maxUncoded); !bytes.Equal(hide.Bytes(plain, true), plain) {
		return r.Content
	}
	return r.Body
}

// presented returns the credentials of a message that were made from the token and
// may be too short for their parts to be recognised.
func (e *Explainer) presented(m *message.Message) []redact.Secret {
	var out []redact.Secret
	for _, c := range m.Credentials {
		if !strings.Contains(c.Show, "CONFORMANCE_TOKEN") {
			continue
		}
		value, show := c.Value(e.target.Endpoint.Credential(c.Scheme)), e.target.Endpoint.Shows(c)
		if scheme, rest, found := strings.Cut(value, " "); found && strings.HasPrefix(show, scheme+" ") {
			value, show = strings.TrimSpace(rest), strings.TrimPrefix(show, scheme+" ")
		}
		if len(value) > 2 {
			out = append(out, redact.Secret{Value: value, Shown: show})
		}
	}
	return out
}

// shortened returns the first n bytes, and counts the others.
func shortened(b []byte, n int) report.Bytes {
	if len(b) <= n {
		return report.Bytes{Data: b}
	}
	return report.Bytes{Data: b[:n], Cut: len(b) - n}
}

// Hide removes secrets from a text that a target sent.
func (e *Explainer) Hide(s string) string { return e.judge.Redactor.Text(s) }

// Own removes secrets from a text about what this suite sent.
func (e *Explainer) Own(s string) string { return string(e.judge.Redactor.Own([]byte(s))) }

// storyText bounds a body in a line of a story, in bytes.
const storyText = 80

// story tells a failure that several requests show, of the set-up too: a line for each request,
// with what was expected of the last one.
func (e *Explainer) story(f *judge.Failure) []string {
	steps := withBefore(f.Steps)
	if len(steps) == 1 {
		return nil
	}
	var out []string
	for i := range steps {
		p := &steps[i]
		line := e.asked(p) + " is answered with " + e.answered(p)
		if i == len(steps)-1 {
			line += "; expected " + e.Own(f.Outcome.Expected)
		}
		out = append(out, line)
	}
	return out
}

// asked writes a request on one line: what it is about and what it carries.
func (e *Explainer) asked(p *judge.Played) string {
	head, _, _ := strings.Cut(string(p.Exchange.Request.Head), " HTTP/")
	out := p.Step.Message.Op.Name() + ": " + head
	if p.Step.Message.Other {
		out += " as another principal"
	}
	if c, conditional := p.Step.From.(plan.Condition); conditional {
		out += fmt.Sprintf(", %s of step %d%s", c.Field, c.Step+1, c.As)
		if c.Older {
			out += " less a day"
		}
	}
	if body := p.Step.Message.Body(); len(body) > 0 {
		out += " " + jsontree.Cut(visible(body), storyText)
	}
	return e.Own(out)
}

// answered writes an answer on one line.
func (e *Explainer) answered(p *judge.Played) string {
	r := p.Exchange.Response
	if r == nil {
		return "no answer"
	}
	out := fmt.Sprint(r.Status)
	if t := http.StatusText(r.Status); t != "" {
		out += " " + t
	}
	if len(r.Content) > 0 {
		out += " " + jsontree.Cut(visible(r.Content), storyText)
	}
	return e.Hide(out)
}
