package checks

import (
	"cmp"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/resource"
)

// state is a member that holds the state of a thing, and the operation that sets it.
type state struct {
	of *openapi.Property
	by *openapi.Operation
}

// states lists such members of the request that makes a thing, or else of one that changes it.
// Those whose names suggest a state come first.
func states(r *resource.Resource) []state {
	var out []state
	for _, op := range []*openapi.Operation{r.Make, r.Patch, r.Replace} {
		if op == nil || op.Body == nil || op == r.Patch && !patches(r) {
			continue
		}
		for _, p := range membersOf(op.Body.Shape.Schema) {
			known := slices.ContainsFunc(out, func(one state) bool { return one.of.Name == p.Name })
			if !known && !p.Schema.ReadOnly && !p.Schema.Never && len(valuesOf(p.Schema)) > 0 {
				out = append(out, state{p, op})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b state) int { return cmp.Compare(rankOf(a.of), rankOf(b.of)) })
	return out
}

// membersOf lists the members of a body: its own, or those of the alternative that the
// simplest request has.
func membersOf(s *openapi.Schema) []*openapi.Property {
	for _, list := range [][]*openapi.Schema{s.OneOf, s.AnyOf} {
		if len(s.Properties) == 0 && len(list) > 0 {
			return membersOf(list[0])
		}
	}
	return s.Properties
}

// rankOf orders members: the lowest rank is the most likely to hold a state.
func rankOf(p *openapi.Property) int {
	name := openapi.Flat(p.Name)
	for _, word := range []string{"status", "state", "phase", "stage"} {
		if strings.HasSuffix(name, word) {
			return 0
		}
	}
	if p.Schema.Enum == nil {
		return 1 // frozen, archived, active
	}
	return 2
}

// valuesOf returns the values of a member that has few of them, the last one first: it is often
// the final state.
func valuesOf(s *openapi.Schema) []*jsontree.Value {
	if s.Type() == "boolean" && s.Enum == nil && s.Const == nil {
		return []*jsontree.Value{jsontree.NewBool(true), jsontree.NewBool(false)}
	}
	text := func(v *jsontree.Value) bool { return v.Kind == jsontree.String }
	list := slices.DeleteFunc(slices.Clone(s.Enum), func(v *jsontree.Value) bool { return !text(v) })
	if len(list) < 2 || len(list) > stateValues {
		return nil
	}
	slices.Reverse(list)
	return list
}
