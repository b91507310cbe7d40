package diagnose

import (
	"fmt"
	"net/http"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// storyText bounds a body in a line of a story, in bytes.
const storyText = 80

// story tells a failure of a case about one thing: a line for each request, with what
// was expected of the last one.
func (e *Explainer) story(g *Finding) []string {
	f := g.Failure
	if g.Case.Class.Phase != plan.Lifecycle {
		return nil
	}
	var out []string
	for i := range f.Steps {
		p := &f.Steps[i]
		line := e.asked(p) + " is answered with " + e.answered(p)
		if i == len(f.Steps)-1 {
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
	if c := p.Step.Condition; c != nil {
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
