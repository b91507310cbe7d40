package openapi

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The library compiles a schema together with everything it refers to, and searches
// a list of these for each of them. If thousands of schemas refer to each other,
// that takes minutes. So a unit here refers only to stand-ins and is compiled
// alone, and its references are set afterwards.

// link compiles the schema with a URL and everything it refers to.
func (c *compiler) link(a assumption, d Direction, url string) (*jsonschema.Schema, error) {
	first, err := c.js[a].Compile(url)
	if err != nil {
		return nil, err
	}
	seen := map[*jsonschema.Schema]bool{}
	for todo := []*jsonschema.Schema{first}; len(todo) > 0; {
		s := todo[0]
		todo = todo[1:]
		if seen[s] || c.linked[a][s] {
			continue
		}
		seen[s] = true
		if s.Ref != nil {
			if target, ok := c.units[d].target(s.Ref.Location); ok {
				if s.Ref, err = c.js[a].Compile(target); err != nil {
					return nil, err
				}
			}
			todo = append(todo, s.Ref)
		}
		todo = append(todo, below(s)...)
	}
	maps.Copy(c.linked[a], seen) // not before all went well
	return first, nil
}

// below returns the schemas inside a schema, always in the same order.
func below(s *jsonschema.Schema) []*jsonschema.Schema {
	var out []*jsonschema.Schema
	add := func(list ...*jsonschema.Schema) {
		for _, one := range list {
			if one != nil {
				out = append(out, one)
			}
		}
	}
	named := func(m map[string]*jsonschema.Schema) {
		for _, name := range slices.Sorted(maps.Keys(m)) {
			add(m[name])
		}
	}
	add(s.Not, s.If, s.Then, s.Else, s.PropertyNames, s.UnevaluatedProperties, s.Contains, s.Items2020, s.UnevaluatedItems)
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf, s.PrefixItems} {
		add(list...)
	}
	if extra, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
		add(extra)
	}
	named(s.Properties)
	named(s.DependentSchemas)
	matched := slices.Collect(maps.Values(s.PatternProperties))
	slices.SortFunc(matched, func(x, y *jsonschema.Schema) int { return cmp.Compare(x.Location, y.Location) })
	add(matched...)
	return out
}

// standing is the prefix of the path of a stand-in. Its number follows.
const standing = "for/"

// standIn returns the URL of the stand-in for the schema at a pointer.
func (u *units) standIn(pointer string) string {
	url := u.URL(pointer)
	n, known := u.standIns[url]
	if !known {
		n = len(u.targets)
		u.standIns[url] = n
		u.targets = append(u.targets, url)
	}
	return u.base + standing + strconv.Itoa(n)
}

// target returns the URL of the schema that a stand-in replaces.
func (u *units) target(location string) (string, bool) {
	rest, ok := strings.CutPrefix(location, u.base+standing)
	n, err := strconv.Atoi(strings.TrimSuffix(rest, "#"))
	if !ok || err != nil || n < 0 || n >= len(u.targets) {
		return "", false
	}
	return u.targets[n], true
}
