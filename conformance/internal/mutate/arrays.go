package mutate

import (
	"slices"
	"strconv"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// filling is an array: so many items that fit contains, and others.
type filling struct {
	fits  int
	other another // nil: none
}

var arrayItems = plan.Mutator{
	Name: "array-items",
	Doc:  "Sends arrays with just enough, too few and too many items for contains and prefixItems, because servers often check only the type of an array.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if p.schema.Type() != "array" {
				return nil
			}
			return slices.Concat(p.containing(s), p.behind(s))
		})
	},
}

func (p *place) containing(s *plan.Space) []plan.Class {
	if p.schema.Contains == nil {
		return nil
	}
	minimum := p.schema.MinContained()
	inside := []filling{{minimum, nil}, {minimum + 1, nil}}
	var few, many []filling
	for _, other := range unfit {
		inside = append(inside, filling{minimum, other})
		if minimum > 0 {
			few = append(few, filling{minimum - 1, other}, filling{0, other})
		}
	}
	few = append(few, filling{minimum - 1, nil}, filling{0, nil})
	if n := p.schema.MaxContains; n != nil {
		inside = append(inside, filling{*n - 1, nil}, filling{*n, nil}, filling{*n, unfit[0]})
		many = append(many, filling{*n + 1, nil}, filling{*n + 2, nil}, filling{2**n + 1, nil}, filling{*n + 1, unfit[0]})
	}
	return slices.Concat(
		sorted(s, p.where(), "fitting", inside, p.filled),
		invalid(s, p.where(), "too-few-fitting", few, p.filled),
		invalid(s, p.where(), "too-many-fitting", many, p.filled))
}

func (p *place) filled(g *plan.Gen, f filling) *message.Message {
	if f.fits < 0 || f.fits > maxItems {
		return nil
	}
	v := jsontree.NewArray()
	for _, item := range p.schema.Prefix {
		v.Items = append(v.Items, g.BaselineValue(item))
	}
	for range f.fits {
		v.Items = append(v.Items, g.BaselineValue(p.schema.Contains))
	}
	if f.other != nil {
		v.Items = append(v.Items, f.other(g, g.BaselineValue(p.schema.Contains)))
	}
	return p.with(g, v)
}

// behind are arrays that are shorter or longer than the list of prefixItems.
func (p *place) behind(s *plan.Space) []plan.Class {
	n := len(p.schema.Prefix)
	if n == 0 {
		return nil
	}
	var counts []int
	for k := range n + 2 {
		counts = append(counts, k+1)
	}
	return slices.Concat(
		sorted(s, p.where(), "items-of-list", counts, p.items),
		invalid(s, p.where(), "items-behind-list", counts, p.items),
		invalid(s, p.where(), "unfit-item-behind-list", unfit, func(g *plan.Gen, make another) *message.Message {
			m := p.items(g, n+1)
			list := p.get(m)
			list.Items[n] = make(g, list.Items[n].Clone())
			return m
		}))
}

var structureViolations = plan.Mutator{
	Name: "structure-violations",
	Doc:  "Sends arrays and objects with too few, too many, repeated or unlisted elements, or matching no alternative, because servers often check members and ignore the whole.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			return slices.Concat(p.wrongCounts(s), p.repeatedItems(s), p.closed(s), p.memberCounts(s), p.wrongNames(s), p.dependents(s), p.combined(s))
		})
	},
}

func (p *place) wrongCounts(s *plan.Space) []plan.Class {
	if p.schema.Type() != "array" {
		return nil
	}
	few := []int{0, 1}
	if n := p.schema.MinItems; n != nil {
		few = append(few, *n-1)
	}
	var many []int
	if n := p.schema.MaxItems; n != nil {
		many = append(many, *n+1, *n+2, 2**n+1)
	}
	slices.Sort(few)
	return append(
		invalid(s, p.where(), "too-few-items", slices.Compact(few), p.items),
		invalid(s, p.where(), "too-many-items", many, p.items)...)
}

// repeatedItems has the same item twice, side by side and apart, and a number
// spelled in two ways.
func (p *place) repeatedItems(s *plan.Space) []plan.Class {
	if !p.schema.Unique || p.schema.Items == nil {
		return nil
	}
	build := func(g *plan.Gen, form int) *message.Message {
		n := 1
		if p.schema.MinItems != nil {
			n = max(n, *p.schema.MinItems-1)
		}
		m := p.items(g, n+form%2)
		if m == nil {
			return nil
		}
		list := p.get(m)
		again := list.Items[0].Clone()
		if form == 2 {
			switch again.Kind {
			case jsontree.Number:
				again.Text += ".0"
			case jsontree.Object:
				slices.Reverse(again.Members)
			}
		}
		list.Items = append(list.Items, again)
		return m
	}
	if s.Max == 0 {
		return invalid(s, p.where(), "same-item-twice", []int{0, 1, 2}, build)
	}
	// Each is the first of a class, so that all are tried.
	otherwise := invalid(s, p.where(), "same-item-otherwise", []int{2}, build)
	for i := range otherwise {
		otherwise[i].Subject += " otherwise"
	}
	return append(invalid(s, p.where(), "same-item-twice", []int{0, 1}, build), otherwise...)
}

func (p *place) closed(s *plan.Space) []plan.Class {
	if p.schema.Type() != "object" {
		return nil
	}
	list := []string{"x", "extra", "_", "__proto__", "constructor", ""}
	if p.schema.Extra != nil {
		// JavaScript libraries drop a member of this name where other names are free.
		list = slices.Delete(list, 3, 4)
	}
	for _, m := range p.members() {
		list = append(list, title(m.Name)+"2", m.Name+"_", m.Name+" ")
	}
	out := invalid(s, p.where(), "unlisted-member", list, func(g *plan.Gen, name string) *message.Message {
		m := p.in(g)
		v := p.get(m)
		if v.Get(name) != nil {
			return nil
		}
		v.Set(name, jsontree.NewString(g.Word()))
		return m
	})
	return append(out, p.nearNames(s)...)
}

func (p *place) memberCounts(s *plan.Space) []plan.Class {
	var out []plan.Class
	if n := p.schema.MinProps; n != nil && *n > 0 {
		out = append(out, invalid(s, p.where(), "too-few-members", []int{0, *n - 1}, func(g *plan.Gen, n int) *message.Message {
			m := p.in(g)
			v := p.get(m)
			v.Members = v.Members[:min(n, len(v.Members))]
			return m
		})...)
	}
	if n := p.schema.MaxProps; n != nil {
		out = append(out, invalid(s, p.where(), "too-many-members", []int{*n + 1, *n + 2}, func(g *plan.Gen, n int) *message.Message {
			m := p.in(g)
			v := p.get(m)
			if v == nil || v.Kind != jsontree.Object {
				return nil // a schema that names no type has other must-accept values
			}
			for _, q := range p.members() {
				if v.Get(q.Name) == nil && len(v.Members) < n {
					v.Set(q.Name, g.BaselineValue(q.Schema))
				}
			}
			for len(v.Members) < n && len(v.Members) < maxItems {
				name, of, ok := g.AdditionalName(p.schema, v)
				if !ok {
					name, of = g.Word(), p.schema.Extra
				}
				if v.Get(name) != nil {
					name += strconv.Itoa(len(v.Members)) // a pattern may have few names
				}
				v.Set(name, g.BaselineValue(of))
			}
			return m
		})...)
	}
	return out
}

func (p *place) dependents(s *plan.Space) []plan.Class {
	var out []plan.Class
	for _, d := range p.schema.Dependent {
		out = append(out, invalid(s, p.where(), "lacks-what-"+word(d.Name)+"-needs", d.Needs, func(g *plan.Gen, lacking string) *message.Message {
			m := p.in(g)
			v := p.get(m)
			for _, name := range append([]string{d.Name}, d.Needs...) {
				if q := p.schema.Property(name); q != nil && v.Get(name) == nil {
					v.Set(name, g.BaselineValue(q.Schema))
				}
			}
			v.Remove(lacking)
			return m
		})...)
	}
	return out
}

// combined has values that match no alternative, two of them, or what is
// excluded.
func (p *place) combined(s *plan.Space) []plan.Class {
	var candidates []another
	lists := [][]*schema.Schema{p.schema.OneOf, p.schema.AnyOf}
	for _, c := range p.schema.Merged {
		if s.Op.Alternative == "" {
			lists = append(lists, c.All)
		}
	}
	for _, list := range lists {
		for _, a := range list {
			for _, b := range list {
				if a != b {
					candidates = append(candidates, both(a, b))
				}
			}
			candidates = append(candidates, lacking(a))
		}
	}
	if p.schema.Not != nil {
		for _, v := range p.schema.Not.Enum {
			candidates = append(candidates, always(v))
		}
		candidates = append(candidates, func(g *plan.Gen, _ *jsontree.Value) *jsontree.Value { return g.BaselineValue(p.schema.Not) },
			func(g *plan.Gen, right *jsontree.Value) *jsontree.Value {
				return merged(right, g.BaselineValue(p.schema.Not))
			})
	}
	if len(candidates) == 0 {
		return nil
	}
	candidates = append(candidates, number("0"), text(""), always(jsontree.NewNull()), always(jsontree.NewObject()), always(jsontree.NewArray()))
	return invalid(s, p.where(), "no-or-two-alternatives", candidates, func(g *plan.Gen, make another) *message.Message {
		m := p.in(g)
		p.set(m, make(g, p.get(m).Clone()))
		return m
	})
}

func both(a, b *schema.Schema) another {
	return func(g *plan.Gen, right *jsontree.Value) *jsontree.Value {
		return merged(merged(right, g.BaselineValue(a)), g.BaselineValue(b))
	}
}

// lacking is the baseline value of an alternative without its first member.
func lacking(a *schema.Schema) another {
	return func(g *plan.Gen, _ *jsontree.Value) *jsontree.Value {
		v := g.BaselineValue(a)
		if v.Kind == jsontree.Object && len(v.Members) > 0 {
			v.Members = v.Members[1:]
		}
		return v
	}
}

// merged joins two objects; of other values the second stays.
func merged(a, b *jsontree.Value) *jsontree.Value {
	if a.Kind != jsontree.Object || b.Kind != jsontree.Object {
		return b
	}
	for _, m := range b.Members {
		a.Set(m.Name, m.Value)
	}
	return a
}
