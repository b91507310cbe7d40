package contract

// ReadOnly lists the members of the body that the server alone sets and
// whose value shows whether it did: no key, and nothing of which there are few values.
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
