package plan

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/openapi"
)

// leaveOutFurther removes the further media types of an operation for which no valid
// request can be made.
func (p *Plan) leaveOutFurther(c *openapi.Contract, op *openapi.Operation) {
	op.Further = slices.DeleteFunc(op.Further, func(further *openapi.Operation) bool {
		p.spaces[further] = &Space{Op: further}
		what := p.unmakable(further)
		if what == "" {
			what = p.refusable(further)
		}
		if what != "" {
			c.LeftOut = append(c.LeftOut, further.Title()+" is never sent: no valid request can be made: "+what)
		}
		return what != ""
	})
}

// refusable returns why some servers rightly refuse every baseline request of an
// operation, or an empty string: how a form holds an object is not defined, say. The
// refusal of others would prove nothing.
func (p *Plan) refusable(op *openapi.Operation) string {
	r := p.Preflight(op, generate.Identity{Seed: p.Seed}, 0).Baseline().Reading()
	if r == nil || r.Kind != openapi.MayRefuse {
		return ""
	}
	for _, reason := range r.Reasons {
		if slices.Contains(op.Bind, reason.Path) || reason.What == openapi.UnknownKey {
			continue // the target says which value there is, or whether it takes another
		}
		return "servers read " + onPath(reason.Path) + " differently: " + reason.What
	}
	return ""
}

// ofBody reports whether a class is about the body: the rest of an operation is tried
// with its first media type.
func ofBody(c *Class) bool {
	if c.Family == FamilyCredential || c.Family == FamilySequence || c.Phase != Single {
		return false
	}
	return strings.HasPrefix(c.Place.Path, "/") || c.Place.Path == "" && c.Place.Name != "transport"
}

// twoOf keeps what shows that the target reads bodies of a media type, and that it
// checks them: the baseline request and an invalid one.
func twoOf(made []Class) []Class {
	var out []Class
	for _, expected := range []ExpectedClass{ExpectMustAccept, ExpectInvalid} {
		if i := slices.IndexFunc(made, func(c Class) bool { return c.Expected == expected }); i >= 0 {
			one := made[i]
			one.Cases = 1
			out = append(out, one)
		}
	}
	return out
}

// partOf is the part of the budget of an operation that one media type or alternative gets,
// in percent. If other media types are tried in full too, the first gets half, and the others
// share the rest. Alternatives have members of their own, so each gets a larger part: they may
// add up to more than 100.
func partOf(op *openapi.Operation) int {
	others := 0
	for _, further := range op.First().Further {
		if !further.SameBytes() {
			others++
		}
	}
	switch {
	case others == 0 || op.SameBytes():
		return 100
	case op.First().HasAlternatives() && op.IsFurther():
		return max(1, min(40, 120/others))
	case op.First().HasAlternatives():
		return 70
	case op.IsFurther():
		return max(1, 50/others)
	}
	return 50
}
