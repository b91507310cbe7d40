package plan

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/pattern"
	"plantstore/conformance/internal/resource"
	"plantstore/conformance/internal/schema"
)

// Mutator makes classes for an operation. The catalogues of mutators and of
// sequences are lists of them.
type Mutator struct {
	// Name is a segment of the ids of its cases.
	Name string
	// Doc says in one sentence what the mutator tries and why.
	Doc     string
	Classes func(s *Space) []Class
	// Each, instead of Classes, adds the classes about one resource of the document.
	Each func(s *Space, r *resource.Resource, add func(...Class))
}

// classes are those that a mutator makes for an operation.
func (m *Mutator) classes(s *Space) (out []Class) {
	if m.Each == nil {
		return m.Classes(s)
	}
	for _, r := range s.Resources {
		m.Each(s, r, func(list ...Class) { out = append(out, list...) })
	}
	return out
}

// Validate returns an error for a bad catalogue: an entry without a part, a name
// that cannot be in a case id, a doc that is not a line of text, or a name listed
// twice.
func Validate(list []Mutator) error {
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, m := range list {
		switch {
		case !name.MatchString(m.Name):
			return fmt.Errorf("mutator %q: the name is not lower-case words joined by dashes", m.Name)
		case !strings.HasSuffix(m.Doc, ".") || strings.ContainsAny(m.Doc, "\r\n"):
			return fmt.Errorf("mutator %s: the doc is not a sentence on one line", m.Name)
		case m.Classes == nil && m.Each == nil:
			return fmt.Errorf("mutator %s makes no classes", m.Name)
		case seen[m.Name]:
			return fmt.Errorf("mutator %s is listed twice", m.Name)
		}
		seen[m.Name] = true
	}
	return nil
}

// leaveOutAdditional removes the additional media types of an operation for which no valid
// request can be made.
func (p *Plan) leaveOutAdditional(c *openapi.Contract, op *openapi.Operation) {
	op.Additional = slices.DeleteFunc(op.Additional, func(additional *openapi.Operation) bool {
		p.spaces[additional] = &Space{Op: additional}
		what := p.unmakable(additional)
		if what == "" {
			what = p.refusable(additional)
		}
		if what != "" {
			c.LeftOut = append(c.LeftOut, additional.Title()+" is never sent: no valid request can be made: "+what)
		}
		return what != ""
	})
}

// refusable returns why some servers rightly refuse every baseline request of an
// operation, or an empty string: how a form holds an object is not defined, say. The
// refusal of others would prove nothing.
func (p *Plan) refusable(op *openapi.Operation) string {
	r := p.Preflight(op, Identity{Seed: p.Seed}, 0).Baseline().Reading()
	if r == nil || r.Kind != schema.MayRefuse {
		return ""
	}
	for _, reason := range r.Reasons {
		if slices.Contains(op.Bind, reason.Path) || reason.What == schema.UnknownKey {
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
	for _, expected := range []message.Expectation{message.Accept, message.Refuse} {
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
	for _, additional := range op.First().Additional {
		if !additional.SameBytes() {
			others++
		}
	}
	switch {
	case others == 0 || op.SameBytes():
		return 100
	case op.First().HasAlternatives() && op.IsAdditional():
		return max(1, min(40, 120/others))
	case op.First().HasAlternatives():
		return 70
	case op.IsAdditional():
		return max(1, 50/others)
	}
	return 50
}

// NamePatches returns a contract that names a JSON Patch for each PATCH that takes one first, unless
// the user named values of its body. A patch that is drawn from the schema alone changes a member that
// the resource does not have, and is refused (RFC 6902, 4 and 5).
func NamePatches(c *openapi.Contract) *openapi.Contract {
	out := c.Copy()
	own := out.Own()
	for _, r := range resource.All(c.Operations) {
		if r.Patch == nil || r.Patch.Body == nil || !r.Patch.Body.Shape.Patch || len(r.Patch.Body.Shape.Domains) > 0 || r.Make == nil || r.Make.Body == nil {
			continue
		}
		if v := applicable(r); v != nil {
			own(r.Patch).Body.Shape.Domains[""] = schema.Domain{Value: v}
		}
	}
	return out
}

// applicable returns a patch of one simple member that a resource is made with, or nil: the best of
// those that a server can apply.
func applicable(r *resource.Resource) *jsontree.Value {
	list := slices.Clone(r.Make.Body.Shape.Schema.Properties)
	slices.SortStableFunc(list, func(a, b *schema.Property) int { return cmp.Compare(doubts(a), doubts(b)) })
	for _, p := range list {
		if !patchable(r, p) {
			continue
		}
		path := "/" + jsontree.EscapePointer(p.Name)
		value := Probe(r.Make).BaselineAt(path, p.Schema)
		for _, op := range []string{"replace", "add"} {
			if op == "replace" && !p.Required {
				continue // the resource may be without it
			}
			v := jsontree.NewArray(jsontree.NewObject(jsontree.M("op", jsontree.NewString(op)), jsontree.M("path", jsontree.NewString(path)), jsontree.M("value", value)))
			if r.Patch.Body.Shape.Read(v.Emit()).Kind != schema.Invalid {
				return v
			}
		}
	}
	return nil
}

// doubts counts why a server may refuse another value of a member: what is optional may depend on
// others, and no two things may have the same name.
func doubts(p *schema.Property) (n int) {
	if !p.Required {
		n += 2
	}
	if p.Schema.Type() == "string" && p.Schema.Enum == nil {
		n++
	}
	return n
}

// patchable reports whether a member is simple and no key.
func patchable(r *resource.Resource, p *schema.Property) bool {
	if p.Schema.ReadOnly || p.Schema.Never || hints.IsKey(p.Name) || slices.Contains(openapi.Expressions(r.Patch.Path), p.Name) {
		return false
	}
	return slices.Contains([]string{"boolean", "integer", "number", "string"}, p.Schema.Type())
}

// Shard returns the cases of one of several parts, counted from 1, in their order. All
// parts together have each case once. The cases of a class stay together, so that what is
// said of a class needs no other part. Parts have about the same number of requests. The
// error says how many parts are possible.
func Shard(cases []*Case, number, of int) ([]*Case, error) {
	requests := map[*Class]int{}
	var classes []*Class
	for _, c := range cases {
		if requests[c.Class] == 0 {
			classes = append(classes, c.Class)
		}
		requests[c.Class] += max(1, c.Steps())
	}
	if of > len(classes) {
		return nil, fmt.Errorf("%d shards are too many for the classes of this plan: use at most %d", of, len(classes))
	}
	// The largest class goes first, each to the part that has the fewest requests.
	slices.SortFunc(classes, func(a, b *Class) int {
		return cmp.Or(cmp.Compare(requests[b], requests[a]), cmp.Compare(a.Slug, b.Slug))
	})
	load := make([]int, of)
	mine := map[*Class]bool{}
	for _, class := range classes {
		minimum := 0
		for i := range load {
			if load[i] < load[minimum] {
				minimum = i
			}
		}
		load[minimum] += requests[class]
		mine[class] = minimum == number-1
	}
	return slices.DeleteFunc(slices.Clone(cases), func(c *Case) bool { return !mine[c.Class] }), nil
}

// AdditionalName returns a member name that the schema does not name, with the schema
// of its value. It returns false if the schema allows none beside the members of v.
func (g *Gen) AdditionalName(s *schema.Schema, v *jsontree.Value) (string, *schema.Schema, bool) {
	switch {
	case !s.Closed && s.Names != nil:
		name, ok := g.nameOf(s.Names, v)
		return name, s.Extra, ok
	case !s.Closed:
		return g.Word(), s.Extra, true
	}
	for _, k := range s.Patterns {
		if name, ok := g.Named(k.Pattern); ok {
			return name, k.Schema, true
		}
	}
	return "", nil, false
}

// nameOf returns a name that propertyNames allows: a fresh one, or the first listed that v lacks.
func (g *Gen) nameOf(names *schema.Schema, v *jsontree.Value) (string, bool) {
	listed := names.Enum
	switch {
	case names.Const != nil:
		listed = []*jsontree.Value{names.Const}
	case listed == nil:
		return g.BaselineText(names), true
	}
	for _, one := range listed {
		if one.Kind == jsontree.String && v.Get(one.Text) == nil {
			return one.Text, true
		}
	}
	return "", false
}

// Named returns a fresh member name that matches a pattern, and false if none is
// found.
func (g *Gen) Named(text string) (string, bool) {
	name, ok := g.matching(text, nil, nil)
	if !ok {
		return "", false
	}
	if longer := name + g.Word(); g.pattern(text).Match(longer) == pattern.Yes {
		name = longer
	}
	return name, true
}
