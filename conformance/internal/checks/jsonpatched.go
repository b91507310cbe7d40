package checks

import (
	"net/http"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

var jsonPatchedScenario = plan.Mutator{
	Name: "json-patched",
	Doc:  "Makes a thing, reads it, sends a JSON Patch and reads it again, because a server may apply some of the operations, or those of a patch whose test fails.",
	Classes: func(s *plan.Space) []plan.Class {
		var out []plan.Class
		for _, r := range of(s, reads) {
			if !r.TakesJSONPatch() || r.Make.Body == nil {
				continue
			}
			for _, kind := range patchKinds() {
				members := patchable(r, kind.optional)
				if len(members) == 0 {
					continue
				}
				out = append(out, about(kind.name, judges(jsonPatched, refusedUnchanged), min(len(members), maxOperations), func(g *plan.Gen, draw int) []plan.Step {
					p := newPatch(g, r, members[draw])
					kind.build(p)
					// A server may let nobody change this member.
					return open(2, row(g.Request(r.Make, !kind.without), simplest(g, s.Op), p.message(), simplest(g, s.Op)))
				}))
			}
		}
		return out
	},
}

// maxOperations is how many members are patched in one way.
const maxOperations = 2

// patchKind is a way to patch a member. If it is optional, the resource may be without it, and
// is without it at first if the kind says so.
type patchKind struct {
	name              string
	optional, without bool
	build             func(p *patch)
}

func patchKinds() []patchKind {
	return []patchKind{
		{"replaced", false, false, func(p *patch) { p.add("replace", p.value) }},
		{"added", true, true, func(p *patch) { p.add("add", p.value) }},
		{"removed", true, false, func(p *patch) { p.add("remove", nil) }},
		{"tested", false, false, func(p *patch) { p.add("replace", p.value); p.add("test", p.other) }},
	}
}

// patchable lists the simple members that a resource is made with: all, or those that may be
// left out.
func patchable(r *resource.Resource, optional bool) []*schema.Property {
	var out []*schema.Property
	for _, p := range r.Make.Body.Shape.Schema.Properties {
		switch p.Schema.Type() {
		case "string", "integer", "number", "boolean":
			if !p.Schema.ReadOnly && !p.Schema.Never && !(optional && p.Required) {
				out = append(out, p)
			}
		}
	}
	return out
}

// jsonPatched: reading gives what the operations of a JSON Patch make of the resource.
var jsonPatched = requirement.Rule{
	Name:        "json-patched",
	Rank:        requirement.History,
	Category:    report.Loss,
	Means:       "a JSON Patch is not applied as it says",
	Role:        requirement.RoleHistory,
	Doc:         "An answer that reads what an accepted JSON Patch changed has what its operations on members make of the values that were read before, and a patch whose test fails is not accepted. Only add, remove, replace and test of members of the thing are judged.",
	Explanation: "The operations of a JSON Patch are applied one after the other, all of them or none: reading the resource shows the result, and a patch with a failing test is refused.",
	Fix:         "Apply the operations in their order to a copy, refuse the patch if one of them fails, and store the copy.",
	Derive: func(s *requirement.Subject) *requirement.Requirement {
		if s.Op != s.Resource.Read || !s.Resource.TakesJSONPatch() {
			return nil
		}
		return s.Should("RFC 6902, 4 and 5", "Reading gives what the operations of %s make.", s.Resource.Patch.Name())
	},
	Check: func(p *requirement.Input) requirement.Outcome {
		by, at := p.Wrote()
		list := operationsOf(by)
		before := lastRead(p, 0, max(at, 0))
		if list == nil || before == nil || !by.Got.Success() || by.Got.Status == http.StatusAccepted || !p.Got.Success() || p.Got.Reading.Root() == nil {
			return requirement.None
		}
		after, ok, applies := applied(before, list)
		switch {
		case !ok:
			return requirement.None
		case !applies:
			return requirement.Failed("test ignored", "no success, because a test in the patch fails", by.Op.Name()+" was answered with "+by.Got.String())
		}
		return patchedLike(p, by, before, after, list)
	},
}

// operationsOf returns the operations of a JSON Patch, or nil: the body of a PATCH that is
// a list, where the document has the media type.
func operationsOf(e *requirement.TraceStep) []*jsontree.Value {
	if e == nil || e.Op.Method != http.MethodPatch || e.Aside || !e.Op.Documents(openapi.JSONPatch) || e.Sent.Body == nil {
		return nil
	}
	root := e.Sent.Body.Root()
	if root == nil || root.Kind != jsontree.Array {
		return nil
	}
	return root.Items
}

// applied returns the resource after the operations (RFC 6902, 4). Ok is false if one of them
// is about something else than a member or cannot be told, and applies if a test fails.
func applied(before *jsontree.Value, list []*jsontree.Value) (after *jsontree.Value, ok, applies bool) {
	after = before.Clone()
	for _, o := range list {
		op, path, v := o.Get("op"), o.Get("path"), o.Get("value")
		if op == nil || path == nil || !strings.HasPrefix(path.Text, "/") || strings.Count(path.Text, "/") != 1 {
			return nil, false, false
		}
		name, valid := jsontree.UnescapePointer(path.Text[1:])
		old := after.Get(name)
		switch {
		case !valid || secret(name):
			return nil, false, false
		case op.Text == "remove" && old != nil:
			after.Remove(name)
		case (op.Text == "add" || op.Text == "replace" && old != nil) && v != nil:
			after.Set(name, v)
		case op.Text == "test" && old != nil && v != nil:
			if !kept(v, old) {
				return after, true, false
			}
		default:
			return nil, false, false
		}
	}
	return after, true, true
}

// like compares what was read with what it should be. Where the answer to the patch has
// another value than the patch, a store may have changed its spelling.
func patchedLike(p *requirement.Input, by *requirement.TraceStep, before, after *jsontree.Value, list []*jsontree.Value) requirement.Outcome {
	is, given := resourceIn(p, p.Got.Reading.Root()), resourceIn(p, answerOf(by))
	touched := map[string]bool{}
	for _, o := range list {
		name, _ := jsontree.UnescapePointer(strings.TrimPrefix(o.Get("path").Text, "/"))
		touched[name] = true
	}
	for _, m := range after.Members {
		got, said := is.Get(m.Name), given.Get(m.Name)
		old := before.Get(m.Name)
		ours := touched[m.Name] || sentBefore(p, len(p.History), m.Name) != nil
		respelled := touched[m.Name] && said != nil && got != nil && kept(said, got) && (old == nil || !kept(old, got))
		if !ours || secret(m.Name) || respelled || got != nil && kept(m.Value, got) || got == nil && old == nil {
			continue
		}
		return requirement.Failed("not applied to "+m.Name, m.Name+" as the operations of "+by.Op.Name()+" make it", m.Name+" "+shown(p, got))
	}
	for _, m := range before.Members {
		if got := is.Get(m.Name); after.Get(m.Name) == nil && got != nil && m.Value.Kind != jsontree.Null && got.Kind != jsontree.Null && kept(m.Value, got) {
			return requirement.Failed("kept "+m.Name, "no "+m.Name+", because "+by.Op.Name()+" removed it", m.Name+" "+shown(p, got))
		}
	}
	return requirement.Passed
}
