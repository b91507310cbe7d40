package openapi

import "slices"

// Common returns a schema of objects with the members that every alternative has, each with
// the same type. It is the schema itself if that has members of its own, or alternatives that
// have none.
func (s *Schema) Common() *Schema {
	list := slices.Concat(s.OneOf, s.AnyOf)
	if len(s.Properties) > 0 || len(list) == 0 || len(s.OneOf) > 0 && len(s.AnyOf) > 0 {
		return s
	}
	common := slices.Clone(list[0].Properties)
	for _, other := range list[1:] {
		common = slices.DeleteFunc(common, func(p *Property) bool {
			q := other.Property(p.Name)
			return q == nil || p.Schema == nil || q.Schema == nil || q.Schema.Type() != p.Schema.Type()
		})
	}
	if len(common) == 0 {
		return s
	}
	return &Schema{Pointer: s.Pointer, Types: []string{"object"}, Properties: common}
}
