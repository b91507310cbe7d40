package openapi

// ReadOnly lists the members of the body that only the server sets, and whose value shows
// whether it did: no keys, and no members that have few values.
func (o *Operation) ReadOnly() []*Property {
	if o.Body == nil || o.Body.Shape == nil {
		return nil
	}
	var out []*Property
	for _, p := range o.Body.Shape.Schema.Properties {
		s := p.Schema
		few := len(s.Enum) > 0 || s.Const != nil || s.Type() != "string" && s.Type() != "integer" && s.Type() != "number"
		if s.ReadOnly && !s.Never && !few && !IsKey(p.Name) {
			out = append(out, p)
		}
	}
	return out
}
