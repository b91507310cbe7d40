package request

import (
	"slices"
	"strings"
)

// Strangers returns the valid credentials of the schemes that other operations ask for and this
// one does not, each alone: the document does not let them in here. They travel where no scheme
// of this operation looks, so that they are no wrong credential of it.
func (a *Auth) Strangers(others []*Auth) []Attempt {
	if !a.Required() {
		return nil
	}
	var out []Attempt
	for _, o := range others {
		if o == nil {
			continue
		}
		for _, alt := range o.alternatives {
			for _, p := range alt.parts {
				list := p.present(p.Scheme.Valid(p.of))
				if !alt.given || p.of.Shared || len(list) == 0 || a.knows(list) || slices.ContainsFunc(out, func(one Attempt) bool { return one.Scheme == p.of.Name }) {
					continue
				}
				out = append(out, Attempt{Name: "of-" + p.of.Slug, Presented: list, Scheme: p.of.Name})
			}
		}
	}
	return out
}

// knows reports whether a scheme of the operation looks at one of the places where these
// credentials are.
func (a *Auth) knows(list []Presented) bool {
	return slices.ContainsFunc(a.keys, func(own part) bool {
		return slices.ContainsFunc(own.Scheme.Valid(own.of), func(mine Presented) bool {
			return slices.ContainsFunc(list, func(theirs Presented) bool {
				return mine.In == theirs.In && strings.EqualFold(mine.Field, theirs.Field)
			})
		})
	})
}
