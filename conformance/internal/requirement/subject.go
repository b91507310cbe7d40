package requirement

import (
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/report"
)

// Subject is what a rule derives a requirement from. The requirement needs no id if that is the
// name of the rule behind the operation, and no operation.
type Subject struct {
	Contract *openapi.Contract
	Op       *openapi.Operation
	// Resource is one of the document, for rules of the role RoleHistory. One without operations
	// stands for the operation by itself.
	Resource *resource.Resource
	// Resources are those of the document.
	Resources []*resource.Resource
}

// Row returns a requirement of a level.
func (s *Subject) Row(level report.Level, pointer, rfc, sentence string, values ...any) *Requirement {
	return &Requirement{Level: level, Clause: Clause{Pointer: pointer, RFC: rfc}, Sentence: fmt.Sprintf(sentence, values...)}
}

// Should returns a requirement that rests on an RFC alone.
func (s *Subject) Should(rfc, sentence string, values ...any) *Requirement {
	return s.Row(report.Should, "", rfc, sentence, values...)
}

// Suspect returns a requirement that rests on evidence alone: a sentence, or a name. The evidence is
// nil if only the requirements file asks for the requirement.
func (s *Subject) Suspect(e *report.Evidence, sentence string, values ...any) *Requirement {
	at := s.Op.Pointer
	if e != nil {
		at = e.Place
	}
	return s.Row(report.Suspected, at, "", sentence, values...).On(e)
}

// Missing returns a requirement about a resource that is not there. It is a MUST if the document lists
// 404 or 410, and otherwise a SHOULD. About a part of a resource it is a SHOULD if the document lists
// one of them, and otherwise nil.
func (s *Subject) Missing(whole bool, rfc, sentence string, values ...any) *Requirement {
	for _, status := range []int{http.StatusGone, http.StatusNotFound} {
		if listed := s.Op.Lists(status); listed != nil {
			return s.Row(MustIf(whole), listed.Pointer, rfc, sentence, values...)
		}
	}
	if !whole {
		return nil
	}
	return s.Should(rfc, sentence, values...)
}

// ReadLists returns the documented answer of a status, if the operation reads the resource and lists
// one.
func (s *Subject) ReadLists(status int) *openapi.Response {
	if s.Op != s.Resource.Read {
		return nil
	}
	return s.Op.Lists(status)
}

// Readable returns where the document says that what an operation made can be read by this one: a
// link, or the Location of the answer. It is empty if it does not say so.
func (s *Subject) Readable(by *openapi.Operation) string {
	return cmp.Or(locationOf(by), linkFrom(by, s.Op))
}

// Secret returns a requirement about what is writeOnly in the bodies of operations, with a sentence
// that says that it never comes back.
func (s *Subject) Secret(sentence string, takes ...*openapi.Operation) *Requirement {
	out := s.Should("OpenAPI 3.1, 4.8.24; JSON Schema Validation, 9.4", "%s", sentence)
	for _, op := range takes {
		out.On(s.Contract.KeepsSecrets(op))
	}
	return out
}

// Adder returns the POST that adds items to the list that the operation reads, where no single item
// can be read: below the resource, or at the top level.
func (s *Subject) Adder() *openapi.Operation {
	switch {
	case s.Resource.Make == nil:
		return resource.Adder(s.Contract.Operations, s.Op)
	case s.Resource.IsPart(s.Op):
		return s.Resource.Adder(s.Op)
	}
	return nil
}

// On adds a piece of evidence, if there is one. The requirement has its level without it.
func (r *Requirement) On(e *report.Evidence) *Requirement {
	if r != nil && e != nil {
		r.Evidence = []report.Evidence{*e}
	}
	return r
}

// With sets what the rule reads.
func (r *Requirement) With(args Args) *Requirement {
	if r != nil {
		r.Args = args
	}
	return r
}

// As gives the requirement an id of its own.
func (r *Requirement) As(id string) *Requirement {
	if r != nil {
		r.ID = id
	}
	return r
}

// MustIf returns the level of a requirement that is a MUST on a condition, and else a SHOULD.
func MustIf(must bool) report.Level {
	if must {
		return report.Must
	}
	return report.Should
}

// lifecycles derives the rows about what several requests say together of one thing. A target may
// leave open what became of a resource.
func (d *deriver) lifecycles() {
	for _, r := range append([]*resource.Resource{{}}, d.resources...) {
		d.byRules(true, r)
	}
}

// byRules adds the rows that rules derive by themselves.
func (d *deriver) byRules(history bool, r *resource.Resource) {
	s := &Subject{Contract: d.c, Op: d.op, Resource: r, Resources: d.resources}
	for i := range d.rules {
		rule := &d.rules[i]
		if rule.Derive == nil || history != (rule.Role == RoleHistory) {
			continue
		}
		if q := rule.Derive(s); q != nil {
			d.add(cmp.Or(q.ID, d.op.Slug+"-"+rule.Name), rule.Name, q.Level, q.Clause, q.Args, "%s", q.Sentence)
			d.out[len(d.out)-1].Free = q.Free || history
			for i := range q.Evidence {
				d.evidence(&q.Evidence[i])
			}
		}
	}
}

// linkFrom returns where the document says that an answer names what another operation is
// about. It is empty if no link says so.
func linkFrom(from, op *openapi.Operation) string {
	for _, o := range op.Origins {
		if o.From == from && o.Link != "" && strings.HasPrefix(o.Place, "path/") {
			return o.Link
		}
	}
	return ""
}

// locationOf returns where the document says that an answer has the Location of what was
// made. It is empty if it does not say so.
func locationOf(op *openapi.Operation) string {
	for _, r := range op.Documented(2) {
		for _, h := range r.Headers {
			if hints.Flat(h.Name) == "location" {
				return h.Pointer
			}
		}
	}
	return ""
}
