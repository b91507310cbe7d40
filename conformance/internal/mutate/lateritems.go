package mutate

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

// Bounds of what is tried at one array.
const (
	mostFlaws   = 24  // keywords of an item
	flawsLooked = 160 // values that are looked at to find one for each keyword
	fewFlaws    = 2   // keywords at a position that tells less
	firstFlaws  = 12  // keywords of the members of an item that come before other cases
	smallArray  = 20  // items of an array that is also filled up
)

// late is an array of right items with one wrong item.
type late struct {
	kind  string
	n, at int
	flaws int // how many keywords are tried there
}

var laterItems = plan.Mutator{
	Name: "later-items",
	Doc:  "Sends arrays with right items and one wrong item behind, before or between them, because servers often check only the first item or leave the loop too early.",
	Classes: func(s *plan.Space) []plan.Class {
		return each(s, func(p *place) []plan.Class {
			if p.schema.Type() != "array" || p.schema.Items == nil || len(p.schema.Prefix) > 0 {
				return nil
			}
			lates := p.lates()
			if len(lates) == 0 {
				return nil
			}
			list := p.telling(s, lates[0])
			var out []plan.Class
			for _, l := range lates {
				out = append(out, p.later(s, l, list)...)
			}
			return out
		})
	},
}

// lates are the sizes and positions that are tried, the most telling first.
func (p *place) lates() []late {
	least, most := 2, mostItems
	if n := p.schema.MinItems; n != nil {
		least = max(least, *n)
	}
	if n := p.schema.MaxItems; n != nil {
		most = min(most, *n)
	}
	list := []late{{"last-of-few", least, least - 1, mostFlaws}}
	if p.schema.MaxItems != nil && most <= smallArray && most > least {
		list = append(list, late{"last-of-most", most, most - 1, mostFlaws})
	}
	list = append(list, late{"last-of-more", least + 1, least, fewFlaws},
		late{"between", least + 1, 1, fewFlaws}, late{"before-others", least, 0, fewFlaws})
	return slices.DeleteFunc(list, func(l late) bool { return l.n > most || l.n > mostItems })
}

// telling are flaws of an item, each of which breaks one keyword that no other breaks.
func (p *place) telling(s *plan.Space, l late) []flawed {
	g, known := generate.Probe(s.Op), map[openapi.Key]bool{}
	var found []flawed
	for i, flaw := range itemFlaws(p.schema.Items) {
		if i == flawsLooked || len(found) == mostFlaws || !s.More(p.where().Name, i) {
			break
		}
		look(s, p.where(), g, flaw, p.lately(l), func(kind openapi.Kind, one breaking[another]) {
			if kind == openapi.Invalid && one.alone && !known[one.first] && strings.HasPrefix(one.first.Path, p.path+"/*") {
				known[one.first] = true
				found = append(found, flawed{flaw, one.first})
			}
		})
	}
	return found
}

// flawed is a way to make an item wrong, and the keyword that it breaks.
type flawed struct {
	make another
	key  openapi.Key
}

// lately builds a message with one wrong item among right ones.
func (p *place) lately(l late) func(*generate.Gen, another) *message.Message {
	return func(g *generate.Gen, make another) *message.Message {
		m := p.items(g, l.n)
		if m == nil {
			return nil
		}
		list := p.get(m)
		if list == nil || len(list.Items) != l.n {
			return nil
		}
		list.Items[l.at] = make(g, list.Items[l.at].Clone())
		return m
	}
}

// later makes classes of arrays with one wrong item at a position, and with one that has a
// wrong member. What breaks a pattern is one of its own: whether a spoilt text still matches
// depends on the text.
func (p *place) later(s *plan.Space, l late, list []flawed) []plan.Class {
	var plain, inner, texts []another
	g := generate.Probe(s.Op)
	for _, one := range list[:min(len(list), l.flaws)] {
		look(s, p.where(), g, one.make, p.lately(l), func(kind openapi.Kind, seen breaking[another]) {
			switch {
			case kind != openapi.Invalid || seen.first != one.key:
			case one.key.Keyword == "pattern":
				texts = append(texts, one.make)
			case one.key.Path != p.path+"/*":
				inner = append(inner, one.make)
			default:
				plain = append(plain, one.make)
			}
		})
	}
	out := append(listed(of(plan.FamilyInvalid, p.where(), l.kind, plan.ExpectInvalid), plain, p.lately(l)),
		listed(of(plan.FamilyInvalid, p.where(), l.kind+"-member", plan.ExpectInvalid), inner, p.lately(l))...)
	if p.section || s.Op.Body.Form() {
		out = unlabelled(out) // as text, another type may be a text that fits
	}
	out = ahead(append(out, listed(of(plan.FamilyInvalid, p.where(), l.kind+"-spoilt", plan.ExpectNothing), texts, p.lately(l))...))
	for i := range out {
		if l.flaws == mostFlaws && out[i].Kind == l.kind+"-member" {
			out[i].First = min(out[i].Cases, firstFlaws)
		}
	}
	return out
}
