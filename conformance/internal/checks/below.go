package checks

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/rule"
)

// elsewhere returns the request of the history that read the thing where it is, if a
// request names it below another one, or nil.
func elsewhere(p *rule.Input, op *openapi.Operation, sent *message.Sent) *rule.Earlier {
	for i := range p.History {
		e := &p.History[i]
		if !e.Reads() || e.Aside || !e.Got.Success() || e.Op.Path == "" {
			continue
		}
		names, own := openapi.Expressions(e.Op.Path), openapi.Expressions(op.Path)
		if len(names) < 2 || len(own) < len(names) || sent.Body == nil || e.Sent.Body == nil {
			continue
		}
		same := func(i int) bool {
			a, b := e.Sent.Body.At(openapi.PathPlace(names[i])), sent.Body.At(openapi.PathPlace(own[i]))
			return a != nil && b != nil && a.Text == b.Text
		}
		n := len(names) - 1
		if !same(n) {
			continue
		}
		for i := range n {
			if !same(i) {
				return e
			}
		}
	}
	return nil
}

// maker returns the request of the history that made the things which an operation reads or
// lists: the POST to their collection.
func maker(p *rule.Input) *rule.Earlier {
	path := strings.TrimSuffix(p.Op.Path, "/")
	for i := len(p.History) - 1; i >= 0; i-- {
		e := &p.History[i]
		above := strings.TrimSuffix(e.Op.Path, "/")
		rest, below := strings.CutPrefix(path, above)
		if e.Op.Method == http.MethodPost && below && (rest == "" || strings.Count(rest, "/") == 1) && e.Got.Success() {
			return e
		}
	}
	return nil
}

// tells reports whether an object has a text with which a request of the case made a thing
// of its kind.
func tells(p *rule.Input, v *jsontree.Value) bool {
	by := maker(p)
	if by == nil || by.Sent.Body == nil || v == nil {
		return false
	}
	sent := by.Sent.Body.Root()
	in := unwrapped(v, sent)
	for _, m := range message.Values(by.Op, sent) {
		q, is := by.Op.Body.Shape.Schema.Property(m.Name), in.Get(m.Name)
		own := q != nil && q.Schema.Default == nil && openapi.Refers(m.Name) == "" && m.Value.Kind == jsontree.String && len(m.Value.Text) > leastText
		if own && is != nil && kept(m.Value, is) {
			return true
		}
	}
	return false
}
