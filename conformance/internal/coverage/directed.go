package coverage

// directed are the keywords that bind one direction, or nobody.
func directed() []Keyword {
	return []Keyword{
		{Name: "readOnly", Places: []string{"body", "name"}, Dialects: both(), Schema: `{"type": "object", "required": ["id", "name"], "properties": {"id": {"type": "integer", "readOnly": true}, "name": {"type": "string"}}}`,
			Lifted: []string{"/properties/id/readOnly"}, Permits: true,
			Valid: by("baseline", "bodies without the member, though it is required"),
			Why:   "it binds answers: a request should leave the member out, and no requirement speaks of one that sends it"},
		{Name: "writeOnly", Places: []string{"body", "secret"}, Dialects: both(), Schema: `{"type": "object", "required": ["secret"], "properties": {"secret": {"type": "string", "writeOnly": true}}}`,
			Lifted: []string{"/properties/secret/writeOnly"}, Permits: true,
			Why: "it binds answers alone, where a required member is not asked for; a request carries the member like any other"},
		{Name: "discriminator", Places: []string{"body", "kind", "a"}, Dialects: both(), Schema: `{"type": "object", "required": ["kind"], "discriminator": {"propertyName": "kind"}, "properties": {"kind": {"type": "string"}},
			"oneOf": [{"required": ["a"], "properties": {"kind": {"enum": ["one"]}, "a": {"type": "string"}}}, {"required": ["b"], "properties": {"kind": {"enum": ["two"]}, "b": {"type": "integer"}}}]}`,
			Lifted: []string{"/discriminator"},
			Valid:  by("baseline alternative", "the first alternative with its tag"),
			Why:    "the judge reads the alternatives, not the mapping: a tag that fits none of them is planned for oneOf and anyOf"},
	}
}
