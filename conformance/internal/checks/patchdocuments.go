package checks

import (
	"net/http"
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

var jsonPatchedScenario = plan.Mutator{
	Name: "json-patched",
	Doc:  "Makes a thing, reads it, sends a JSON Patch and reads it again, because a server may apply some of the operations, or those of a patch whose test fails.",
	Each: func(s *plan.Space, r *resource.Resource, add func(...plan.Class)) {
		if s.Op != r.Read || !r.TakesJSONPatch() || r.Make.Body == nil {
			return
		}
		for _, kind := range patchKinds() {
			members := patchable(r, kind.optional)
			if len(members) == 0 {
				continue
			}
			add(about(kind.name, judges(jsonPatched, refusedUnchanged), min(len(members), maxOperations), func(g *plan.Gen, draw int) []plan.Step {
				p := newPatch(g, r, members[draw])
				kind.build(p)
				// A server may let nobody change this member.
				return open(2, row(g.Request(r.Make, !kind.without), simplest(g, s.Op), p.message(), simplest(g, s.Op)))
			}))
		}
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

// objectPatch returns a request that makes a resource with an object at a member, and a patch of
// that object. They are nil if there is none that must be accepted.
type objectPatch func(g *plan.Gen, r *resource.Resource, p *schema.Property) (made, patch *message.Message)

// mergePatched makes the cases that change an object in a resource with a merge patch (RFC 7396,
// 2): remove a member of it with null, or name another one.
func mergePatched(s *plan.Space, r *resource.Resource, members []*schema.Property) []plan.Class {
	if r.Make.Body == nil || r.Make.Body.Shape == nil || !isMergePatch(r.Patch) {
		return nil
	}
	var out []plan.Class
	probe := plan.Probe(s.Op)
	for _, one := range []struct {
		kind  string
		rule  requirement.Rule
		build objectPatch
	}{{"removed", storedPatched, removing}, {"another-named", patchLeavesRest, namingAnother}} {
		fit := slices.DeleteFunc(slices.Clone(members), func(p *schema.Property) bool {
			made, _ := one.build(probe, r, p)
			return made == nil
		})
		if len(fit) == 0 {
			continue
		}
		out = append(out, about(one.kind, judges(one.rule), len(fit), func(g *plan.Gen, draw int) []plan.Step {
			made, patch := one.build(g, r, fit[draw])
			if made == nil {
				made, patch = g.Request(r.Make, true), simplest(g, r.Patch)
			}
			return row(made, simplest(g, s.Op), patch, simplest(g, s.Op))
		}))
	}
	return out
}

// isMergePatch reports whether an operation takes merge patches.
func isMergePatch(op *openapi.Operation) bool {
	return op.Body != nil && strings.HasPrefix(op.Body.Media, "application/merge-patch+json")
}

// withObject returns a request that makes a resource with an object at a member, the place of it,
// and the object, which has a member if it may.
func withObject(g *plan.Gen, r *resource.Resource, p *schema.Property) (made *message.Message, at string, v *jsontree.Value) {
	in, _ := envelope(r.Patch.Body)
	at, made = in+"/"+jsontree.EscapePointer(p.Name), g.Request(r.Make, true)
	q := propertyBelow(r.Make.Body.Shape.Schema, p.Name)
	if v = made.At(at); q == nil || v == nil || v.Kind != jsontree.Object {
		return made, at, nil
	}
	if name, of, open := g.AdditionalName(q.Schema, v); open && of != nil && !of.Never && len(v.Members) == 0 {
		v.Members = append(v.Members, jsontree.M(name, g.BaselineValue(of)))
		if !mustAccept(made.Reading()) {
			return made, at, nil
		}
	}
	return made, at, v
}

// removing patches one member of the object with null.
func removing(g *plan.Gen, r *resource.Resource, p *schema.Property) (made, patch *message.Message) {
	made, at, v := withObject(g, r, p)
	if v == nil {
		return nil, nil
	}
	for _, m := range v.Members {
		patch := simplest(g, r.Patch)
		if patch.Set(at, jsontree.NewObject(jsontree.M(m.Name, jsontree.NewNull()))) && mustAccept(patch.Reading()) {
			return made, patch
		}
	}
	return nil, nil
}

// namingAnother patches the object with one member, beside another one that it has.
func namingAnother(g *plan.Gen, r *resource.Resource, p *schema.Property) (made, patch *message.Message) {
	made, at, v := withObject(g, r, p)
	if v == nil {
		return nil, nil
	}
	var list []jsontree.Member
	for _, q := range p.Schema.Properties {
		list = append(list, jsontree.M(q.Name, g.BaselineValue(q.Schema)))
	}
	if name, of, open := g.AdditionalName(p.Schema, nil); open && of != nil && !of.Never {
		list = append(list, jsontree.M(name, g.BaselineValue(of)))
	}
	for _, m := range list {
		patch := simplest(g, r.Patch)
		beside := slices.ContainsFunc(v.Members, func(is jsontree.Member) bool { return is.Name != m.Name })
		if beside && patch.Set(at, jsontree.NewObject(m)) && mustAccept(patch.Reading()) {
			return made, patch
		}
	}
	return nil, nil
}

// mergedRest fails a member of an object that a merge patch of the object does not name, and that
// is gone or another now (RFC 7396, 2).
func mergedRest(p *requirement.Input, at int, patch *jsontree.Value) requirement.Outcome {
	is, out := resourceIn(p, p.Got.Reading.Root()), requirement.None
	for _, m := range patch.Members {
		was, _ := knownBefore(p, at, m.Name)
		now := is.Get(m.Name)
		if m.Value.Kind != jsontree.Object || was == nil || was.Kind != jsontree.Object || now == nil || now.Kind != jsontree.Object {
			continue
		}
		if was = given(p, at, m.Name, was); was == nil {
			continue
		}
		for _, old := range was.Members {
			v := now.Get(old.Name)
			switch {
			case m.Value.Get(old.Name) != nil || old.Value.Kind == jsontree.Null || secret(old.Name):
			case v == nil || !kept(old.Value, v):
				name := m.Name + "/" + old.Name
				return requirement.Failed("changed "+name, name+" as before the PATCH, which does not name it", name+" "+shown(p, v))
			default:
				out = requirement.Passed
			}
		}
	}
	return out
}
