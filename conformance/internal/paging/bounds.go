package paging

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

// word is a part of the name of a parameter that says on which side of its value the
// members of the items are.
type word struct {
	text  string
	bound contract.Bound
	// timed words are about times alone, and may be the whole name then.
	timed bool
}

func words() []word {
	return []word{
		{"after", contract.Least, true}, {"since", contract.Least, true}, {"from", contract.Least, true},
		{"before", contract.Most, true}, {"until", contract.Most, true}, {"till", contract.Most, true}, {"to", contract.Most, true},
		{"minimum", contract.Least, false}, {"min", contract.Least, false}, {"gte", contract.Least, false}, {"gt", contract.Least, false},
		{"maximum", contract.Most, false}, {"max", contract.Most, false}, {"lte", contract.Most, false}, {"lt", contract.Most, false},
	}
}

// bounds returns the filters of a parameter whose name is that of a member with such a word
// before or after it: createdAfter, min_price, budget[max].
func bounds(l *contract.Listing, p *contract.Parameter) []contract.Filter {
	if p.Schema == nil {
		return nil
	}
	name := contract.Flat(p.Name)
	if len(p.Schema.Properties) == 0 {
		if member, side := bounded(l.Item, name, p.Schema); member != "" {
			return []contract.Filter{{Parameter: p, Member: member, Bound: side}}
		}
		return nil
	}
	var out []contract.Filter
	for _, q := range p.Schema.Properties {
		if q.Schema == nil {
			continue
		}
		if member, side := bounded(l.Item, name+contract.Flat(q.Name), q.Schema); member != "" {
			out = append(out, contract.Filter{Parameter: p, At: "/" + jsontree.EscapePointer(q.Name), Member: member, Bound: side})
		}
	}
	return out
}

// bounded returns the member that a name is about and the side, or an empty text.
func bounded(item *contract.Schema, name string, s *contract.Schema) (member string, side contract.Bound) {
	for _, w := range words() {
		for _, cut := range []func(string, string) (string, bool){strings.CutSuffix, strings.CutPrefix} {
			rest, found := cut(name, w.text)
			if !found {
				continue
			}
			if m := measured(item, rest, s); m != "" {
				return m, w.bound
			}
			if w.timed && slices.Contains([]string{"", "date", "time"}, rest) {
				if m := onlyTime(item, s); m != "" {
					return m, w.bound
				}
			}
		}
	}
	return "", contract.Same
}

// measured returns the member of a name, or of the time of what happened, whose values
// have an order that those of a parameter have too.
func measured(item *contract.Schema, name string, s *contract.Schema) string {
	if name == "" {
		return ""
	}
	for _, ending := range []string{"", "at", "on", "time", "date"} {
		for _, q := range item.Properties {
			if contract.Flat(q.Name) == name+ending && comparable(s, q.Schema) {
				return q.Name
			}
		}
	}
	return ""
}

// onlyTime returns the member of an item that is a time, if it is the only one.
func onlyTime(item *contract.Schema, s *contract.Schema) string {
	found := ""
	for _, q := range item.Properties {
		if !timed(q.Schema) || !comparable(s, q.Schema) {
			continue
		}
		if found != "" {
			return ""
		}
		found = q.Name
	}
	return found
}

// comparable reports whether the values of two schemas are numbers, or times and days.
func comparable(s, of *contract.Schema) bool {
	number := func(s *contract.Schema) bool { return s.Type() == "number" || s.Type() == "integer" }
	return scalar(s) && scalar(of) && (number(s) && number(of) || timed(s) && timed(of))
}

func timed(s *contract.Schema) bool {
	return s != nil && s.Type() == "string" && (s.Format == "date" || s.Format == "date-time")
}
