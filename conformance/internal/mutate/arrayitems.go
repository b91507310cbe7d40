package mutate

import (
	"slices"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
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
	least := p.schema.LeastContained()
	inside := []filling{{least, nil}, {least + 1, nil}}
	var few, many []filling
	for _, other := range unfit {
		inside = append(inside, filling{least, other})
		if least > 0 {
			few = append(few, filling{least - 1, other}, filling{0, other})
		}
	}
	few = append(few, filling{least - 1, nil}, filling{0, nil})
	if n := p.schema.MaxContains; n != nil {
		inside = append(inside, filling{*n - 1, nil}, filling{*n, nil}, filling{*n, unfit[0]})
		many = append(many, filling{*n + 1, nil}, filling{*n + 2, nil}, filling{2**n + 1, nil}, filling{*n + 1, unfit[0]})
	}
	return slices.Concat(
		sorted(s, p.where(), "fitting", inside, p.filled),
		invalid(s, p.where(), "too-few-fitting", few, p.filled),
		invalid(s, p.where(), "too-many-fitting", many, p.filled))
}

func (p *place) filled(g *generate.Gen, f filling) *message.Message {
	if f.fits < 0 || f.fits > mostItems {
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
		invalid(s, p.where(), "unfit-item-behind-list", unfit, func(g *generate.Gen, make another) *message.Message {
			m := p.items(g, n+1)
			list := p.get(m)
			list.Items[n] = make(g, list.Items[n].Clone())
			return m
		}))
}
