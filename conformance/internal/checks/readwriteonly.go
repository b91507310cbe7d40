package checks

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

var readOnlyKeptScenario = plan.Mutator{
	Name: "read-only-kept",
	Doc:  "Sends values of readOnly members and reads the thing, because a server may bind a whole body to what it stores. It may ignore or refuse them.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read {
			return
		}
		for _, write := range r.TakesReadOnly() {
			add(about(openapi.Slug(write.Slug), judges(readOnlyKept), 1, func(g *plan.Gen, _ int) []plan.Step {
				m, read := withReadOnly(g, write), simplest(g, s.Op)
				if write == r.Make {
					return open(0, row(m, read))
				}
				return open(1, row(simplest(g, r.Make), m, read))
			}))
		}
	},
}

// withReadOnly returns a request with values of its own for the readOnly members.
func withReadOnly(g *plan.Gen, op *openapi.Operation) *message.Message {
	m := simplest(g, op)
	for _, p := range op.ReadOnly() {
		m.Set("/"+jsontree.EscapePointer(p.Name), g.BaselineValue(p.Schema))
	}
	return m
}

// readOnlyKept: the server sets readOnly members, whatever a client sends.
var readOnlyKept = requirement.Rule{
	Name:        "read-only-kept",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a client can change a member that is readOnly",
	Doc:         "An answer that reads what an accepted request wrote does not have the value that the request gave to a readOnly member. Keys, and values that a server may make too, are not judged, nor is a value that was read before.",
	Explanation: "A value that a client sends for a readOnly member is not stored. The server may ignore it or refuse the request.",
	Fix:         "Copy only the members that clients may set from the body to what you store.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Read || len(s.Resource.TakesReadOnly()) == 0 {
			return nil
		}
		return s.Should("OpenAPI 3.1, 4.8.24; JSON Schema Validation, 9.4", "What a client sends for a readOnly member is not stored.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || !p.Got.Success() {
			return requirement.None
		}
		sent := written(p, by)
		is, was := unwrapped(p.Got.Reading.Root(), sent), lastRead(p, 0, at)
		if is == nil {
			return requirement.None
		}
		out := requirement.None
		for _, q := range by.Op.ReadOnly() {
			v, now := sent.Get(q.Name), is.Get(q.Name)
			switch {
			case v == nil || now == nil || !unusual(v) || jsontree.Equal(v, was.Get(q.Name)):
			case kept(v, now):
				return requirement.Failed("taken "+q.Name, q.Name+" as the server sets it, because it is readOnly", q.Name+" "+shown(p, now)+", as "+by.Op.Name()+" sent it")
			default:
				out = requirement.Passed
			}
		}
		return out
	},
}

// writeOnly: a member that is writeOnly does not come back.
var writeOnly = requirement.Rule{
	Name:        "write-only",
	Rank:        requirement.Advice,
	Category:    report.Security,
	Means:       "an answer shows a member that is writeOnly",
	Line:        "keepsWriteOnly",
	Doc:         "An answer has no member at the Path of Key, which the document makes writeOnly. \"*\" in the path stands for any index or name.",
	Explanation: "The response does not contain this member, which the document makes writeOnly, such as a password.",
	Fix:         "Leave the member out of what you write: make one type for requests and another for responses.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !judged(p) || p.Got.Reading.Root() == nil {
			return requirement.None
		}
		path := p.Requirement.Args.Key.Path
		if hasMember(p.Got.Reading.Root(), strings.Split(path, "/")[1:]) {
			return requirement.Failed("write-only", "no "+path, "the writeOnly "+path+" in "+describe(p))
		}
		return requirement.Passed
	},
}

// has reports whether a value has something at a path.
func hasMember(v *jsontree.Value, path []string) bool {
	if len(path) == 0 {
		return true
	}
	if path[0] != "*" {
		name, ok := jsontree.UnescapePointer(path[0])
		below := v.Get(name)
		return ok && below != nil && hasMember(below, path[1:])
	}
	for _, item := range v.Items {
		if hasMember(item, path[1:]) {
			return true
		}
	}
	for _, m := range v.Members {
		if hasMember(m.Value, path[1:]) {
			return true
		}
	}
	return false
}

// writeOnlyEchoed: what a request gives to a writeOnly member is not in its answer.
var writeOnlyEchoed = requirement.Rule{
	Name:        "write-only-echoed",
	Rank:        requirement.Advice,
	Category:    report.Security,
	Means:       "an answer repeats the value of a member that is writeOnly",
	Line:        "keepsWriteOnly",
	Doc:         "The success of a valid request does not have the value that the request gave to a writeOnly member, although the schema of the answer lets it have further members. Where that schema names the member, write-only judges it.",
	Explanation: "The response to a request does not contain what the request gave to a writeOnly member, such as a password.",
	Fix:         "Leave the member out of what you write: make one type for requests and another for responses.",
	Check: func(p *requirement.Input) requirement.Outcome {
		if !p.Got.Success() || p.Sent.Body == nil || p.Sent.Body.Kind >= schema.Invalid {
			return requirement.None
		}
		return returned(p, p.Op, p.Sent.Body.Root())
	},
}

// writeOnlyKept: what a request gave to a writeOnly member is not read afterwards.
var writeOnlyKept = requirement.Rule{
	Name:        "write-only-kept",
	Rank:        requirement.History,
	Category:    report.Security,
	Means:       "a read shows the value of a member that is writeOnly",
	Line:        "keepsWriteOnly",
	Doc:         "An answer that reads a thing does not have the value that an accepted request gave to a writeOnly member, although the schema of the answer lets it have further members.",
	Explanation: "Reading a resource does not show what a client gave to a writeOnly member, such as a password.",
	Fix:         "Leave the member out of what you write: make one type for requests and another for responses.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Read {
			return nil
		}
		takes := slices.DeleteFunc([]*openapi.Operation{s.Resource.Make, s.Resource.Replace, s.Resource.Patch}, func(op *openapi.Operation) bool {
			return op == nil || !requirement.LeavesSecrets(op, s.Op)
		})
		if len(takes) == 0 {
			return nil
		}
		return s.Secret("What a client sends for a writeOnly member is not read.", takes...)
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		out := requirement.None
		for i := range p.History {
			e := &p.History[i]
			sent := written(p, e)
			if !p.Got.Success() || sent == nil {
				continue
			}
			switch one := returned(p, e.Op, sent); one {
			case requirement.None:
			case requirement.Passed:
				out = requirement.Passed
			default:
				return one
			}
		}
		return out
	},
}

// returned judges whether an answer about a resource has a writeOnly value with which a request
// made or changed it, where the answer's schema says nothing of that member.
func returned(p *requirement.Input, op *openapi.Operation, sent *jsontree.Value) requirement.Outcome {
	root := p.Got.Reading.Root()
	is := unwrapped(root, sent)
	switch {
	case root == nil || root.Kind != jsontree.Object || sent == nil:
		return requirement.None
	case is == nil:
		is = root
	}
	of := answerSchemaOf(p, root, is)
	out := requirement.None
	for _, place := range op.WriteOnly() {
		given := sent.At(place)
		if given == nil || !unusual(given) || !of.Leaves(place) {
			continue
		}
		if now := is.At(place); now != nil && jsontree.Equal(given, now) {
			return requirement.Failed("returned "+place, "no "+place+", which is writeOnly in what "+op.Name()+" takes", place+" as it was sent, in "+describe(p))
		}
		out = requirement.Passed
	}
	return out
}

// answerSchemaOf returns the schema of the object in an answer that holds the resource, or nil if
// the document says nothing of it.
func answerSchemaOf(p *requirement.Input, root, is *jsontree.Value) *schema.Schema {
	if p.Got.Form == nil || p.Got.Form.Shape == nil {
		return nil
	}
	s := p.Got.Form.Shape.Schema
	if is == root {
		return s
	}
	for _, m := range root.Members {
		if q := s.Property(m.Name); m.Value == is && q != nil {
			return q.Schema
		}
	}
	return nil
}
