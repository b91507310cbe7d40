package message

import (
	"slices"
	"strings"
)

// Given returns the valid credentials that the user gave by name, each scheme once. The list has
// an entry for each operation, nil where it needs no credential.
func Given(list []*Auth) []Attempt {
	var out []Attempt
	seen := map[string]bool{}
	for _, a := range list {
		if a == nil {
			continue
		}
		for _, alt := range a.alternatives {
			for _, p := range alt.parts {
				if !alt.given || p.of.Shared || seen[p.of.Name] {
					continue
				}
				seen[p.of.Name] = true
				out = append(out, Attempt{Name: "of-" + p.of.Slug, Presented: p.present(p.Scheme.Valid(p.of)), Scheme: p.of.Name})
			}
		}
	}
	return out
}

// OtherSchemes returns those of the given credentials that the operation does not ask for, as the
// only credential of a request: they must not let it in. It leaves out credentials that travel
// where the operation expects one of its own, because they count as wrong ones there.
func (a *Auth) OtherSchemes(given []Attempt) []Attempt {
	if !a.Required() {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(given), func(other Attempt) bool {
		return len(other.Presented) == 0 || a.expects(other.Presented)
	})
}

// expects reports whether a scheme of the operation has its credential in one of the places of
// these.
func (a *Auth) expects(list []Presented) bool {
	return slices.ContainsFunc(a.keys, func(own part) bool {
		return slices.ContainsFunc(own.Scheme.Valid(own.of), func(mine Presented) bool {
			return slices.ContainsFunc(list, func(p Presented) bool { return mine.In == p.In && strings.EqualFold(mine.Field, p.Field) })
		})
	})
}
