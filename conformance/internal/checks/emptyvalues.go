package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

var long = plan.Mutator{
	Name: "long",
	Doc:  "Makes, replaces and puts things with texts and lists that are as long as they may be, or long where the document has no limit, and reads them, because a store may cut off what is longer than its columns.",
	Classes: func(s *plan.Space) []plan.Class {
		out := storedKinds(s, plan.Longs, (*plan.Gen).Longest)
		for _, r := range s.Resources {
			if put := r.PartAt(s.Op.Path, http.MethodPut); put != nil && s.Op.Method == http.MethodGet {
				out = append(out, eachKind(openapi.Slug(put.Slug), judges(storedReplaced), plan.Longs(put), func(g *plan.Gen, kind plan.Long) []plan.Step {
					return open(1, row(simplest(g, r.Make), g.Longest(put, kind), simplest(g, s.Op)))
				})...)
			}
		}
		return out
	},
}

// storedKinds are the classes that make and replace resources with each kind of values, and read them.
func storedKinds[K any](s *plan.Space, kinds func(*openapi.Operation) []K, send func(*plan.Gen, *openapi.Operation, K) *message.Message, more ...requirement.Rule) (out []plan.Class) {
	for _, r := range of(s, reads) {
		out = append(out, eachKind("made", judges(append([]requirement.Rule{storedCreated}, more...)...), kinds(r.Make), func(g *plan.Gen, kind K) []plan.Step {
			return open(0, row(send(g, r.Make, kind), simplest(g, s.Op)))
		})...)
		if put := r.Replace; put != nil && put != r.Make {
			out = append(out, eachKind("replaced", judges(append([]requirement.Rule{storedReplaced}, more...)...), kinds(put), func(g *plan.Gen, kind K) []plan.Step {
				return open(1, row(simplest(g, r.Make), send(g, put, kind), simplest(g, s.Op)))
			})...)
		}
	}
	return out
}

// eachKind makes a class with a case for each kind of values; none without a kind.
func eachKind[K any](name string, rules []string, kinds []K, build func(g *plan.Gen, kind K) []plan.Step) []plan.Class {
	if len(kinds) == 0 {
		return nil
	}
	return []plan.Class{about(name, rules, len(kinds), func(g *plan.Gen, draw int) []plan.Step { return build(g, kinds[draw]) })}
}

var falsy = plan.Mutator{
	Name: "falsy",
	Doc:  "Makes and replaces things with values that programs take for no value, such as false, 0, an empty text and an empty list, and with white space around texts, and reads them, because a server may store nothing in their place, or a default.",
	Classes: func(s *plan.Space) []plan.Class {
		out := storedKinds(s, plan.Falsies, (*plan.Gen).Falsy, storedAsSent)
		if put := s.Setter; put != nil {
			out = append(out, eachKind("fixed", judges(storedReplaced, storedAsSent), plan.Falsies(put), func(g *plan.Gen, kind plan.Falsy) []plan.Step {
				return open(1, row(simplest(g, put), g.Falsy(put, kind), simplest(g, s.Op)))
			})...)
		}
		for i := range out {
			out[i].Alone = out[i].Alone || s.Setter != nil // all share it
		}
		return out
	},
}

// emptied patches one member with a value that many languages treat as false: 0, false or an
// empty text. A server that copies only what is true loses the change.
func emptied(s *plan.Space, r *resource.Resource, members []*schema.Property) []plan.Class {
	type change struct {
		path  string
		value *jsontree.Value
	}
	var list []change
	probe := plan.Probe(s.Op)
	at, _ := envelope(r.Patch.Body)
	for _, p := range members {
		path := at + "/" + jsontree.EscapePointer(p.Name)
		for _, v := range []*jsontree.Value{jsontree.NewInt(0), jsontree.NewBool(false), jsontree.NewString("")} {
			if mustAccept(only(probe, r.Patch, path, v).Reading()) {
				list = append(list, change{path, v})
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	return []plan.Class{about("emptied", judges(storedPatched), min(len(list), maxPatches), func(g *plan.Gen, draw int) []plan.Step {
		patch := only(g, r.Patch, list[draw].path, list[draw].value)
		return row(g.Request(r.Make, true), simplest(g, s.Op), patch, simplest(g, s.Op))
	})}
}

// storedAsSent: reading gives each value as it was sent.
var storedAsSent = requirement.Rule{
	Name:        "stored-as-sent",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a value that was sent is read as another one, or not at all",
	Aspect:      requirement.AspectStored,
	Doc:         "An answer that reads what an accepted request made, or a PUT replaced, has each member that the request gave and that the schema of the answer names, with the value that was sent. Texts are not trimmed, folded or normalised, and no default replaces false, 0 or an empty text. A member that was left out is read as its default. No document forbids a store to do otherwise, so this is only suspected. Members that are readOnly or writeOnly, keys and members with listed values are not judged, nor are texts with a format, times, and failures of another rule.",
	Explanation: "Reading a resource gives the values that were sent: false, 0 and empty texts too, and texts as they were written.",
	Fix:         "Tell a value that is false, 0 or empty from one that is missing, and store texts as they come. Make a member readOnly if the server sets it.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Setter() == nil && (s.Op != s.Resource.Read || s.Resource.Make == nil || s.Resource.Make.Body == nil) {
			return nil
		}
		return s.Suspect(nil, "Reading gives each value as it was sent.")
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || by.Aside || !by.Got.Success() || by.Got.Status == http.StatusAccepted || !p.Got.Success() || by != p.Made() && by.Op.Method != http.MethodPut {
			return requirement.None
		}
		sent := written(p, by)
		is := unwrapped(p.Got.Reading.Root(), sent)
		if is == nil || p.Got.Form == nil || p.Got.Form.Shape == nil || stored(p, by, at).Verdict != report.Pass {
			return requirement.None
		}
		out := requirement.None
		for _, m := range sent.Members {
			q := propertyOf(p, m.Name)
			if q == nil || m.Value.Kind == jsontree.Null || hints.IsKey(m.Name) || hints.Refers(m.Name) != "" || mayDiffer(m.Name, q.Schema) || mayDiffer(m.Name, takes(by.Op, m.Name)) {
				continue
			}
			if want, got, differs := unlike(q.Schema, m.Value, is.Get(m.Name)); differs {
				return inResource(p, is, m.Name, requirement.Failed("not as sent "+m.Name, m.Name+" "+shown(p, want)+", as "+by.Op.Name()+" sent it", m.Name+" "+shown(p, got)))
			}
			out = requirement.Passed
		}
		if name, is := notDefault(p, by, is); name != "" {
			return requirement.Failed("no default "+name, name+" "+shown(p, takes(by.Op, name).Default)+", its default, because "+by.Op.Name()+" left it out", name+" "+shown(p, is))
		}
		return out
	},
}

// notDefault returns a member that the request which made a resource left out and that is not read as
// its default. One that the answer to that request has is judged there.
func notDefault(p *requirement.Input, by *requirement.TraceStep, is *jsontree.Value) (string, *jsontree.Value) {
	_, of := envelope(by.Op.Body)
	if by != p.Made() || by.Op.Method != http.MethodPost || of == nil {
		return "", nil
	}
	sent := written(p, by)
	gave := unwrapped(answerOf(by), sent)
	for _, q := range of.Properties {
		v := is.Get(q.Name)
		if v == nil || q.Required || q.Schema.Default == nil || q.Schema.WriteOnly || madeByServer(p, q.Name) || sent.Get(q.Name) != nil || gave.Get(q.Name) != nil {
			continue
		}
		if !jsontree.Equal(v, q.Schema.Default) {
			return q.Name, v
		}
	}
	return "", nil
}

// takes returns the schema of a member in the body of an operation, or nil.
func takes(op *openapi.Operation, name string) *schema.Schema {
	_, of := envelope(op.Body)
	if of == nil {
		return nil
	}
	if q := propertyBelow(of, name); q != nil {
		return q.Schema
	}
	return nil
}

// mayDiffer reports whether a member may be read as something else than was sent: its schema says so,
// or it has one of a few values, which may depend on others. The schema may be nil.
func mayDiffer(name string, s *schema.Schema) bool {
	return secret(name) || s != nil && (s.ReadOnly || s.WriteOnly || len(s.Enum) > 0 || s.Const != nil || s.Type() == "string" && !s.AnyText())
}

// unlike returns the innermost value that is read otherwise than it was sent. Got is nil if it is
// missing. The schema is that of the answer.
func unlike(s *schema.Schema, want, got *jsontree.Value) (is, was *jsontree.Value, differs bool) {
	switch {
	case want.Kind == jsontree.Null:
		return nil, nil, false // a store may leave it out
	case got == nil || got.Kind == jsontree.Null:
		return want, got, true
	case want.Kind != got.Kind || jsontree.Equal(want, got):
		return nil, nil, false // a wrong type is that of the answer
	}
	switch want.Kind {
	case jsontree.Object:
		if len(want.Members) == 0 && s != nil && len(s.Properties) == 0 {
			return want, got, true // a map
		}
		for _, m := range want.Members {
			of := s.Extra
			if s.Property(m.Name) != nil {
				of = s.Property(m.Name).Schema
			}
			if of == nil || mayDiffer(m.Name, of) {
				continue
			}
			if a, b, differs := unlike(of, m.Value, got.Get(m.Name)); differs {
				return a, b, true
			}
		}
		return nil, nil, false
	case jsontree.Array:
		switch {
		case (len(want.Items) == 0) != (len(got.Items) == 0):
			return want, got, true
		case len(want.Items) != len(got.Items) || s == nil || s.Items == nil || mayDiffer("", s.Items):
			return nil, nil, false
		}
		for i, v := range want.Items {
			if slices.ContainsFunc(got.Items, func(o *jsontree.Value) bool { return jsontree.Equal(v, o) }) {
				continue // in another order
			}
			if a, b, differs := unlike(s.Items, v, got.Items[i]); differs {
				return a, b, true
			}
		}
		return nil, nil, false
	case jsontree.Number:
		return want, got, !near(want.Text, got.Text)
	case jsontree.String:
		return want, got, !sameTime(want.Text, got.Text) && !strings.ContainsAny(got.Text, "*\u2022")
	}
	return want, got, true
}
