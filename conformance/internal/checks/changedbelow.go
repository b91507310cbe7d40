package checks

import (
	"net/http"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

var changedBelowScenario = plan.Mutator{
	Name: "changed-below",
	Doc:  "Makes a thing below another one, reads it twice, changes or deletes it below a second one and reads it where it is, because a server may check who owns the second one and look for the thing by its own key alone.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read || len(r.Above) == 0 {
			return
		}
		for _, write := range r.Writes() {
			c := about(openapi.Slug(write.Slug), judges(changedBelow), 1, func(g *plan.Gen, _ int) []plan.Step {
				steps := beside(g, r, r.Above[0])
				return append(steps,
					use(g, s.Op),
					plan.Step{Message: g.Request(write, true), Kind: plan.About, Aside: true, Open: true, From: plan.Above(len(steps) - 1)},
					use(g, s.Op))
			})
			if write.Method == http.MethodDelete {
				c = alone(c)
			}
			add(c)
		}
	},
}

// changedBelow: a request below another resource changes nothing.
var changedBelow = requirement.Rule{
	Name:     "changed-below",
	Rank:     requirement.History,
	Category: report.Security,
	Means:    "what belongs to one parent is changed below another",
	Doc: "After a request that names a thing below another one, an answer that reads it where a POST made it finds it as two answers before that request did. " +
		"A member counts as changed if it has a value of that request now that no server would make by itself, or the value that the answer to that request gave it together with a text that the thing was made with. " +
		"What may go on by itself, such as a state or a time, is not judged otherwise. That the request succeeded is not judged: what is not there may be deleted.",
	Explanation: "A resource that was created below one resource (POST /parents/1/things) is neither changed nor deleted by a request that names it below another one (DELETE /parents/2/things/7).",
	Fix:         "Look for the resource by all keys of the path before you change it, not by the last one alone.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if len(s.Resource.Above) == 0 || s.Op != s.Resource.Read || len(s.Resource.Writes()) == 0 {
			return nil
		}
		return s.Missing(true, "RFC 3986, 3.3; RFC 9110, 15.5.5", "What %s made is not changed by requests that name it below another one.", s.Resource.Make.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || !by.Aside {
			return requirement.None
		}
		e := elsewhere(p, by.Op, by.Sent)
		if e == nil || e.Op != p.Op {
			return requirement.None
		}
		control := steady(p, at)
		switch {
		case control == nil:
			return requirement.None
		case p.Got.Missing():
			return verdictOf(false, p, "a success, because "+by.Op.Name()+" named another one above it")
		case !p.Got.Success():
			return requirement.None
		}
		was, is := answerOf(control), p.Got.Reading.Root()
		if was == nil || is == nil {
			return requirement.None
		}
		return sameBelow(p, by, was, is)
	},
}

// steady returns the last request before a place of the history that read the resource, if it
// and one before it succeeded. Otherwise the resource may be one that can be read once, or is not
// there for long.
func steady(p *requirement.Input, end int) *requirement.TraceStep {
	var last *requirement.TraceStep
	for i := end - 1; i >= 0; i-- {
		e := &p.History[i]
		switch {
		case e.Op != p.Op || e.Aside:
		case !e.Got.Success():
			return nil
		case last != nil:
			return last
		default:
			last = e
		}
	}
	return nil
}

// sameBelow compares the members of a resource with those before a request that named it below
// another resource.
func sameBelow(p *requirement.Input, by *requirement.TraceStep, was, is *jsontree.Value) requirement.Outcome {
	var sent *jsontree.Value
	if by.Sent.Body != nil {
		sent = by.Sent.Body.Root()
	}
	if in := unwrapped(is, sent); in != nil {
		was, is = unwrapped(was, sent), in
	}
	for _, m := range is.Members {
		old := was.Get(m.Name)
		if (obeyed(p, by, sent, m) || old != nil && turned(p, by, m)) && (old == nil || !kept(old, m.Value)) {
			return requirement.Failed("changed "+m.Name, m.Name+" as before "+by.Op.Name()+", which named another one above it", m.Name+" "+shown(p, m.Value))
		}
	}
	return requirement.Passed
}

// obeyed reports whether a member has the value that a request gave it, and no server would
// come to that value by itself.
func obeyed(p *requirement.Input, by *requirement.TraceStep, sent *jsontree.Value, m jsontree.Member) bool {
	given := sent.Get(m.Name)
	if given == nil || !unusual(given) || !kept(given, m.Value) {
		return false
	}
	var schemas []*schema.Schema
	if q := propertyOf(p, m.Name); q != nil {
		schemas = append(schemas, q.Schema)
	}
	if by.Op.Body != nil && by.Op.Body.Shape != nil {
		if q := by.Op.Body.Shape.Schema.Property(m.Name); q != nil {
			schemas = append(schemas, q.Schema)
		}
	}
	for _, s := range schemas {
		if reached(s, given) {
			return false
		}
	}
	return true
}

// reached reports whether a server may come to a value by itself: it is one of few, or a
// time.
func reached(s *schema.Schema, v *jsontree.Value) bool {
	if s.Default != nil || len(s.Enum) > 0 || s.Const != nil || s.Type() == "boolean" {
		return true
	}
	if _, timed := schema.Instant(v.Text); timed && v.Kind == jsontree.String {
		return true
	}
	if s.Items == nil {
		return false
	}
	for _, item := range v.Items {
		if reached(s.Items, item) {
			return true
		}
	}
	return false
}

// turned reports whether the answer to a request gave a member the value that it has now,
// and shows that the request found the resource: it has a text that the resource was made with. A
// value of an enum or a boolean that changed alone may have changed by itself.
func turned(p *requirement.Input, by *requirement.TraceStep, m jsontree.Member) bool {
	q, answer := propertyOf(p, m.Name), answerOf(by)
	if !by.Got.Success() || answer == nil || q == nil || len(q.Schema.Enum) == 0 && q.Schema.Type() != "boolean" || !tells(p, answer) {
		return false
	}
	given := answer.Get(m.Name)
	if given == nil {
		for _, in := range answer.Members {
			if in.Value.Kind == jsontree.Object && given == nil {
				given = in.Value.Get(m.Name)
			}
		}
	}
	return given != nil && jsontree.Equal(given, m.Value)
}
