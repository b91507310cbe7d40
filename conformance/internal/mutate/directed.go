package mutate

// directed are the keywords that bind one direction, or nobody.
func directed() []Keyword {
	return []Keyword{
		{Name: "readOnly", Places: []string{"body", "name"}, Dialects: bothVersions(), Schema: `{"type": "object", "required": ["id", "name"], "properties": {"id": {"type": "integer", "readOnly": true}, "name": {"type": "string"}}}`,
			Lifted: []string{"/properties/id/readOnly"}, Permits: true,
			Valid: by("baseline", "bodies without the member, though it is required"),
			Why:   "it applies to answers: a request should omit the member, and no requirement covers a request that has it"},
		{Name: "writeOnly", Places: []string{"body", "secret"}, Dialects: bothVersions(), Schema: `{"type": "object", "required": ["secret"], "properties": {"secret": {"type": "string", "writeOnly": true}}}`,
			Lifted: []string{"/properties/secret/writeOnly"}, Permits: true,
			Why: "it applies only to answers, where the member is not required; a request has the member like any other"},
		{Name: "discriminator", Places: []string{"body", "kind", "a"}, Dialects: bothVersions(), Schema: `{"type": "object", "required": ["kind"], "discriminator": {"propertyName": "kind"}, "properties": {"kind": {"type": "string"}},
			"oneOf": [{"required": ["a"], "properties": {"kind": {"enum": ["one"]}, "a": {"type": "string"}}}, {"required": ["b"], "properties": {"kind": {"enum": ["two"]}, "b": {"type": "integer"}}}]}`,
			Lifted: []string{"/discriminator"},
			Valid:  by("baseline", "each alternative with its tag"),
			Why:    "the judge uses the alternatives, not the mapping; a value whose tag names another alternative than the one that takes it may be refused"},
	}
}
