package explore

import (
	"context"
	"maps"
	"slices"
	"strings"
	"unicode"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/internal/limits"
)

// needs tries the baseline request with each optional member, then with all, then with those that
// refusals name. It reports whether one was accepted.
func (p *preflight) needs(ctx context.Context) bool {
	optional, first := p.op.Optional(), p.refused
	sets := [][]openapi.Member{}
	for _, q := range optional {
		sets = append(sets, []openapi.Member{q})
	}
	if len(optional) > 1 {
		sets = append(sets, optional)
	}
	for _, set := range sets {
		if p.over() {
			return false
		}
		if p.with(ctx, set) {
			return true
		}
	}
	var set []openapi.Member
	for e := first.Exchange; len(set) < len(optional) && !p.over() && e.Status()/100 == 4; e = p.last {
		more := namedIn(string(e.Response.Content), without(optional, set))
		if len(more) == 0 {
			break
		}
		if set = append(set, more...); p.with(ctx, set) {
			return true
		}
	}
	return false
}

// with reports whether the baseline request is accepted with some optional members, and keeps them
// as needed if it is refused without them.
func (p *preflight) with(ctx context.Context, set []openapi.Member) bool {
	g := p.t.Fresh(p.op)
	m := g.Baseline()
	if !g.Give(m, set) || !p.try(ctx, m) {
		return false // or the baseline request has them
	}
	needs := map[string]bool{}
	for _, q := range set {
		needs[q.Path] = true
	}
	with := Opening{Op: p.op, Message: p.message, Exchange: p.last}
	p.facts.Accepted = true
	if p.lacks(ctx, set) {
		p.facts.Needs = needs
		p.message, p.last = with.Message, with.Exchange
	}
	return true
}

// namedIn returns the members whose names are words of a refusal, however they are spelled.
func namedIn(said string, list []openapi.Member) []openapi.Member {
	words := strings.FieldsFunc(said, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' })
	return slices.DeleteFunc(slices.Clone(list), func(m openapi.Member) bool {
		return !slices.ContainsFunc(words, func(word string) bool { return hints.Flat(word) == hints.Flat(m.Name) })
	})
}

// listed tries the values that refusals list for members that the document leaves open: "must be in list
// [1.0 1.1]".
func (p *preflight) listed(ctx context.Context) bool {
	first, left := p.refused, maxExemplified*maxListed
	return p.takesListed(ctx, first, map[string]*jsontree.Value{}, &left) || p.takesNone(first)
}

// takesListed tries the values that a refusal lists, beside those that are given already. A refusal of
// one of them in other words may be about the next member.
func (p *preflight) takesListed(ctx context.Context, refused *Opening, given map[string]*jsontree.Value, left *int) bool {
	for _, c := range p.listedIn(refused, given) {
		if *left--; *left < 0 || p.over() || ctx.Err() != nil {
			return false
		}
		given[c.path] = c.value
		if p.acceptedWith(ctx, maps.Clone(given)) || p.refused != nil && p.takesListed(ctx, p.refused, given, left) {
			return true
		}
		delete(given, c.path)
	}
	return false
}

// maxListed is how many listed values are tried of one member.
const maxListed = 3

// candidate is a value that may be accepted at a place of a request.
type candidate struct {
	path  string
	value *jsontree.Value
}

// listedIn returns the values that a refusal lists, for each member that the same text names, then for
// those that are named beside the text or above it.
func (p *preflight) listedIn(r *Opening, given map[string]*jsontree.Value) (out []candidate) {
	if r.Exchange.Failure != nil || !refusesRepeats(r.Exchange.Status()) {
		return nil
	}
	open := slices.DeleteFunc(p.op.Members(), func(m openapi.Member) bool {
		s := m.Schema
		return slices.Contains(p.op.Bind, m.Path) || given[m.Path] != nil || s.Enum != nil || s.Const != nil || r.Message.At(m.Path) == nil
	})
	root := jsontree.NewString(string(r.Exchange.Response.Content))
	if d, err := jsontree.Parse(r.Exchange.Response.Content); err == nil {
		root = d.Root
	}
	root.Walk(func(pointer string, v *jsontree.Value) {
		above, text := pointer[:max(0, strings.LastIndexByte(pointer, '/'))], v.Text
		if v.Kind == jsontree.Array { // "allowedValues": ["oak", "elm"]
			text = strings.Join(hints.Words(pointer[len(above):]), " ") + ": [" + strings.Join(v.Texts(), ", ") + "]"
		}
		list := hints.Choices(text)
		if len(list) == 0 {
			return
		}
		for _, around := range []string{text, root.At(above).String(), pointer} {
			for _, m := range namedIn(around, open) {
				if !slices.ContainsFunc(out, func(c candidate) bool { return c.path == m.Path }) {
					out = append(out, p.fitting(m, list, r.Message.At(m.Path))...)
				}
			}
		}
	})
	return out
}

// fitting returns the first texts that are values of a member, other than the one that was refused.
func (p *preflight) fitting(m openapi.Member, list []string, refused *jsontree.Value) (out []candidate) {
	shape := p.op.Params
	if strings.HasPrefix(m.Path, "/") {
		shape = p.op.Body.Shape
	}
	for _, text := range list {
		v := fit(p.op, m.Path, jsontree.NewString(text))
		if len(out) < maxListed && shape.Matches(m.Schema, v) && !jsontree.Equal(v, refused) {
			out = append(out, candidate{m.Path, v})
		}
	}
	return out
}

// spoken lists the members that the refusal of the baseline request names, without those that name what
// exists.
func (p *preflight) spoken() []openapi.Member {
	if p.refused == nil || p.refused.Exchange.Failure != nil || !refusesRepeats(p.facts.Status) {
		return nil
	}
	return slices.DeleteFunc(namedIn(string(p.refused.Exchange.Response.Content), p.op.Members()), func(m openapi.Member) bool {
		return slices.Contains(p.op.Bind, m.Path) || m.Schema.ReadOnly
	})
}

// accepts says which of some members to name.
func accepts(list []openapi.Member, flag func(path string) string) string {
	text := "name a value that it accepts:"
	for i, m := range list[:min(len(list), maxHelp)] {
		if i > 0 {
			text += " or"
		}
		text += flag(m.Path)
	}
	return text
}

// choosesFree looks for a value of an enum that needs no optional member, where the first one does: what
// other requests show should not depend on that.
func (p *preflight) choosesFree(ctx context.Context) {
	last, message := p.last, p.message
	for n := 1; len(p.facts.Needs) > 0 && n < min(plan.CountChoices(p.op), maxChoices); n++ {
		p.t.Facts.choices.Set(p.op, n)
		if p.try(ctx, p.t.Fresh(p.op).Baseline()) {
			p.facts.Needs, p.refused = nil, nil
			return
		}
	}
	p.t.Facts.choices.Set(p.op, 0)
	p.last, p.message = last, message
}

// needed is how often requests with and without some members are compared: a rule that no
// schema states may refuse some requests of either kind.
const needed = 3

// lacks reports whether baseline requests are always refused without some members, and
// accepted with them.
func (p *preflight) lacks(ctx context.Context, set []openapi.Member) bool {
	for i := range needed {
		g := p.t.Fresh(p.op)
		m := g.Baseline()
		if i > 0 && (!g.Give(m, set) || !p.try(ctx, m)) {
			return false
		}
		if p.try(ctx, p.t.Fresh(p.op).Baseline()) {
			return false
		}
	}
	return true
}

// refuses finds the optional members that are refused beside those that a request needs: alone, or only
// together with others. It tries each set with one value and with another.
func (p *preflight) refuses(ctx context.Context) {
	optional := plan.Optional(p.op)
	few := optional[:min(len(optional), limits.RefusedMembers)]
	rest := without(optional, slices.DeleteFunc(slices.Clone(few), func(m openapi.Member) bool { return p.allows(ctx, []openapi.Member{m}) }))
	var out [][]string
	for {
		set := p.together(ctx, rest)
		var left []string
		for _, m := range without(optional, set) {
			left = append(left, m.Path)
		}
		out, rest = append(out, left), without(rest, set)
		if len(rest) == 0 || len(set) == 0 || len(out) == limits.RefusedSets {
			break
		}
	}
	p.t.Facts.refused.Set(p.op, out)
}

// together returns the first members of a list that the target takes in one request: all of them, or
// each that it takes beside those before it.
func (p *preflight) together(ctx context.Context, list []openapi.Member) []openapi.Member {
	if p.allows(ctx, list) {
		return list
	}
	var out []openapi.Member
	for _, m := range list[:min(len(list), limits.RefusedMembers)] {
		if more := append(slices.Clone(out), m); p.allows(ctx, more) {
			out = more
		}
	}
	return out
}

// allows reports whether a request with optional members is not refused, with one value or another.
func (p *preflight) allows(ctx context.Context, list []openapi.Member) bool {
	for range 2 {
		g := p.t.Fresh(p.op)
		m := g.Baseline()
		if !g.Give(m, list) || p.try(ctx, m) || p.last.Status()/100 != 4 {
			return true
		}
	}
	return false
}

// without returns the members of a list that are not in another one.
func without(list, other []openapi.Member) []openapi.Member {
	return slices.DeleteFunc(slices.Clone(list), func(m openapi.Member) bool {
		return slices.ContainsFunc(other, func(o openapi.Member) bool { return o.Path == m.Path })
	})
}
