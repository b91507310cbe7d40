package checks

import (
	"net/http"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
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

var patched = plan.Mutator{
	Name: "patched",
	Doc:  "Makes a thing, reads it, patches some members and reads it again, because a server may lose the patch, or the other members. The values include 0, false, an empty text, and null for a member of an object.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read || r.Patch == nil || r.Patch.Body == nil {
			return
		}
		at, of := envelope(r.Patch.Body)
		members := of.Properties[:min(len(of.Properties), maxPatches)]
		nullable := slices.DeleteFunc(slices.Clone(members), func(p *schema.Property) bool {
			return !p.Schema.Allows("null") || p.Schema.Type() == "null"
		})
		add(about("read", judges(storedPatched, patchLeavesRest, createdReadable, etagChanges, strongETag), len(members)+1+len(nullable), func(g *plan.Gen, draw int) []plan.Step {
			patch := simplest(g, r.Patch)
			if draw == len(members) {
				return together(g, r, members)
			}
			if draw > len(members) {
				patch.Set(at+"/"+jsontree.EscapePointer(nullable[draw-len(members)-1].Name), jsontree.NewNull())
			} else {
				enrich(g, patch, members[draw])
			}
			return row(filledIn(g, r.Make), simplest(g, s.Op), patch, simplest(g, s.Op))
		}))
		add(mergePatched(s, r, members)...)
		add(emptied(s, r, members)...)
	},
}

// together patches each member alone, which shows that it can change, and then all of them in
// one request.
func together(g *plan.Gen, r *resource.Resource, members []*schema.Property) []plan.Step {
	steps := row(g.Rich(r.Make), simplest(g, r.Read))
	for i := range members {
		alone := simplest(g, r.Patch)
		enrich(g, alone, members[i])
		steps = append(steps, plan.Step{Message: alone, Kind: plan.About, Open: true})
	}
	return append(steps, next(g.Request(r.Patch, true)), use(g, r.Read))
}

// maxPatches is how many members are patched, each in a case of its own.
const maxPatches = 8

// patch is a JSON Patch of one member (RFC 6902).
type patch struct {
	base  *message.Message
	path  string
	value *jsontree.Value
	// other is another value of the member.
	other      *jsontree.Value
	operations []*jsontree.Value
}

// newPatch returns a patch without operations.
func newPatch(g *plan.Gen, r *resource.Resource, p *schema.Property) *patch {
	valueOf := func(m *message.Message) *jsontree.Value {
		g.Enrich(m, "", []*schema.Property{p})
		return m.Tree.Get(p.Name)
	}
	return &patch{base: simplest(g, r.Patch), path: "/" + jsontree.EscapePointer(p.Name), value: valueOf(simplest(g, r.Make)), other: valueOf(simplest(g, r.Make))}
}

// add appends an operation. Without a value it has none.
func (p *patch) add(op string, value *jsontree.Value) {
	o := jsontree.NewObject(jsontree.M("op", jsontree.NewString(op)), jsontree.M("path", jsontree.NewString(p.path)))
	if value != nil {
		o.Set("value", value.Clone())
	}
	p.operations = append(p.operations, o)
}

// message returns the request.
func (p *patch) message() *message.Message {
	m := p.base
	m.Tree = jsontree.NewArray(p.operations...)
	m.Fields = append(m.Fields, exchange.Field{Name: "Content-Type", Value: openapi.JSONPatch})
	return m
}

// patchLeavesRest: a PATCH leaves what it does not name.
var patchLeavesRest = requirement.Rule{
	Name:        "patch-leaves-rest",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a PATCH changes members that it does not name",
	Aspect:      requirement.AspectChanged,
	Line:        "keepsRest",
	Doc:         "An answer that reads what an accepted PATCH changed has the values from before at members that earlier requests gave and the PATCH does not have, and what was done with the thing is not undone. A PUT is judged like this if the requirements file says keepsRest of it.",
	Explanation: "A PATCH that names some members of a resource leaves the others as they were.",
	Fix:         "Change only the members that the PATCH has: a member that is missing is not null, and takes no default.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		var keep []string
		for _, op := range []*openapi.Operation{s.Resource.Patch, s.Resource.Replace} {
			if s.Op == s.Resource.Read && keepsRest(op) {
				keep = append(keep, op.Name())
			}
		}
		if keep == nil {
			return nil
		}
		row := s.Should("RFC 5789, 2; RFC 7396, 1", "%s leaves the members that it does not name.", strings.Join(keep, " and "))
		if s.Resource.Patch != nil {
			row.On(s.Resource.Patch.Keeps)
		}
		return row
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || !keepsRest(by.Op) || !p.Got.Success() || by == p.Made() {
			return requirement.None
		}
		patch := written(p, by)
		if patch == nil {
			return requirement.None
		}
		done := undone(p, by, at)
		if done.Verdict == report.Fail {
			return done
		}
		if isMergePatch(by.Op) {
			if out := mergedRest(p, at, patch); out.Verdict == report.Fail {
				return out
			}
		}
		if out := changedRest(p, at, patch, by.Op.Method+", which does not name it"); out.Verdict != report.Inapplicable {
			return out
		}
		return done
	},
}

// keepsRest reports whether an operation leaves the members that it does not name: a PATCH, and a PUT
// of which the requirements file says so.
func keepsRest(op *openapi.Operation) bool {
	return op != nil && op.Body != nil && (op.Method == http.MethodPatch && !picksMembers(op) || op.Method == http.MethodPut && op.Accepted.KeepsRest)
}

// undone looks for a member that has the value again from before something was done with
// the resource, although the answer to the PATCH after that still had the new one. Without
// that answer it may be a state that a change is meant to reset.
func undone(p *requirement.Input, by *requirement.TraceStep, at int) requirement.Outcome {
	done := slices.IndexFunc(p.History[:at], func(e requirement.TraceStep) bool { return e.Aside && !e.Reads() && e.Got.Success() })
	if done < 0 {
		return requirement.None
	}
	was, after := lastRead(p, 0, done), lastRead(p, done, at)
	is, given := resourceIn(p, p.Got.Reading.Root()), resourceIn(p, answerOf(by))
	if was == nil || after == nil || is == nil {
		return requirement.None
	}
	out := requirement.None
	for _, m := range after.Members {
		old, now, said := was.Get(m.Name), is.Get(m.Name), given.Get(m.Name)
		if old == nil || now == nil || said == nil || !scalar(m.Value) || written(p, by).Get(m.Name) != nil {
			continue
		}
		if jsontree.Equal(old, m.Value) || !jsontree.Equal(said, m.Value) {
			continue
		}
		if jsontree.Equal(now, old) {
			return requirement.Failed("undone "+m.Name, m.Name+" "+shown(p, said)+", as the answer to the "+by.Op.Method+" has it", m.Name+" "+shown(p, old)+", as before "+p.History[done].Op.Name())
		}
		out = requirement.Passed
	}
	return out
}

// storedPatched: reading gives what patching gave.
var storedPatched = requirement.Rule{
	Name:        "stored-patched",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a read returns other values than the PATCH sent",
	Aspect:      requirement.AspectChanged,
	Doc:         "An answer that reads what an accepted PATCH changed has the values of the PATCH, as its answer gave them, and not only those from before. What is left of a value fails even if its answer had it, and so does a member that still has what an earlier PATCH of the same operation gave it.",
	Explanation: "Reading a resource after a successful PATCH returns the values of the PATCH.",
	Fix:         "Store every member of the PATCH before you answer, and clear what caches the old ones.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		patch := s.Resource.Patch
		if s.Op != s.Resource.Read || patch == nil || patch.Body == nil {
			return nil
		}
		return s.Should("RFC 5789, 2", "Reading gives the values that %s gave.", patch.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		if by == nil || by == p.Made() || by.Op.Method != http.MethodPatch || !p.Got.Success() || commands(p, by) {
			return requirement.None
		}
		if out := stored(p, by, at); out.Verdict != report.Pass {
			return out
		}
		return skipped(p, by, at)
	},
}

// commands reports whether a PATCH has commands in its body, and not members of the resource: it needs
// a member that the resource does not have (RFC 7644, 3.5.2).
func commands(p *requirement.Input, by *requirement.TraceStep) bool {
	if by.Op.Body == nil || by.Op.Body.Shape == nil {
		return false
	}
	is := p.Got.Reading.Root()
	return slices.ContainsFunc(by.Op.Body.Shape.Schema.Properties, func(q *schema.Property) bool {
		return q.Required && !q.Schema.WriteOnly && is.Get(q.Name) == nil && unwrapped(is, written(p, by)).Get(q.Name) == nil
	})
}

// skipped fails a member of a PATCH that still has what an earlier request of the same operation
// gave it, which shows that the operation changes it.
func skipped(p *requirement.Input, by *requirement.TraceStep, at int) requirement.Outcome {
	sent := written(p, by)
	is := unwrapped(p.Got.Reading.Root(), sent)
	if sent == nil || is == nil {
		return requirement.Passed
	}
	for _, m := range sent.Members {
		now := is.Get(m.Name)
		if now == nil || secret(m.Name) || madeByServer(p, m.Name) || !unusual(now) || kept(m.Value, now) || enumerated(p, m.Name) {
			continue
		}
		for i := at - 1; i > 0; i-- {
			e := &p.History[i]
			v := written(p, e).Get(m.Name)
			if v == nil {
				continue
			}
			before := sentBefore(p, i, m.Name)
			if e.Op == by.Op && kept(v, now) && before != nil && !kept(before, v) {
				return requirement.Failed("kept "+m.Name, m.Name+" "+shown(p, m.Value)+", as it was sent", m.Name+" "+shown(p, now)+", as an earlier "+by.Op.Name()+" gave it")
			}
			break
		}
	}
	return requirement.Passed
}

// enumerated reports whether a member has one of a few values, which may depend on others.
func enumerated(p *requirement.Input, name string) bool {
	q := propertyOf(p, name)
	return q != nil && (len(q.Schema.Enum) > 0 || q.Schema.Type() == "boolean")
}

// remaining returns the name of a member that a merge patch sets to null and that is still
// there, unchanged or as the text "null". Any other value may be a default. The name is empty
// if there is none.
func remaining(patch, old, got *jsontree.Value) string {
	if patch == nil || patch.Kind != jsontree.Object || old == nil || got == nil {
		return ""
	}
	for _, m := range patch.Members {
		was, is := old.Get(m.Name), got.Get(m.Name)
		switch {
		case was == nil || was.Kind == jsontree.Null || is == nil || is.Kind == jsontree.Null:
		case m.Value.Kind == jsontree.Null && (kept(is, was) || is.Kind == jsontree.String && is.Text == "null"):
			return m.Name
		default:
			if name := remaining(m.Value, was, is); name != "" {
				return name
			}
		}
	}
	return ""
}

// picksMembers reports whether a parameter says which members a PATCH changes, whatever its body
// names (AIP-134).
func picksMembers(op *openapi.Operation) bool {
	return slices.ContainsFunc(op.Parameters, func(p *openapi.Parameter) bool {
		return hints.Called(p.Name, hints.Mask)
	})
}
