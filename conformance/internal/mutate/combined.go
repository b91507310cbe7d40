package mutate

// combined are the keywords that put schemas together.
func combined() []Keyword {
	when := `{"type": "object", "required": ["kind"], "properties": {"kind": {"type": "string", "enum": ["box", "letter"]}, "weight": {"type": "integer"}, "pages": {"type": "integer"}},
		"if": {"properties": {"kind": {"const": "box"}}}, "then": {"required": ["weight"]}, "else": {"required": ["pages"]}}`
	return []Keyword{
		{Name: "allOf", Places: []string{"body", "name", "size"}, Dialects: bothVersions(), Schema: `{"type": "object", "allOf": [{"required": ["name"], "properties": {"name": {"type": "string"}}}, {"required": ["size"], "properties": {"size": {"type": "integer", "minimum": 5}}}]}`,
			Lifted:  []string{"/allOf"},
			Valid:   by("baseline", "bodies that keep every part"),
			Invalid: by("missing null beyond-bound", "each part broken by itself: a member left out, of another type, beyond its bound")},
		{Name: "anyOf", Dialects: bothVersions(), Schema: member(`{"anyOf": [{"type": "string", "maxLength": 12}, {"type": "integer", "minimum": 5}]}`), Lifted: at("anyOf"),
			Valid:   by("baseline alternative", "each alternative"),
			Invalid: by("no-or-two-alternatives boolean object", "a value that fits none: numbers below the bound, null, values of every other type")},
		{Name: "oneOf", Places: []string{"value", "value.a"}, Dialects: bothVersions(), Schema: member(`{"oneOf": [{"type": "object", "required": ["a"], "properties": {"a": {"type": "string"}}}, {"type": "object", "required": ["b"], "properties": {"b": {"type": "integer"}}}]}`), Lifted: at("oneOf"),
			Valid:   by("baseline", "each alternative, as a body of its own"),
			Invalid: by("no-or-two-alternatives missing", "a value that fits none, a value that fits two")},
		{Name: "not", Dialects: bothVersions(), Schema: member(`{"type": "string", "not": {"enum": ["root", "admin"]}}`), Lifted: at("not"),
			Valid:   by("baseline", "texts of every kind"),
			Invalid: by("no-or-two-alternatives", "the values that are excluded")},
		{Name: "if", Places: []string{"body", "kind", "weight", "pages"}, Dialects: newer(), Schema: when, Lifted: []string{"/if"},
			Valid:   by("condition-met", "both ways, each with what it asks for"),
			Invalid: by("condition-missed", "what the way that applies asks for, left out")},
		{Name: "then", Places: []string{"body", "kind", "weight", "pages"}, Dialects: newer(), Schema: when, Lifted: []string{"/then"}, Shows: hasText("/kind", "box"),
			Valid:   by("condition-met", "the condition met, with what it asks for"),
			Invalid: by("condition-missed", "the condition met, without what it asks for")},
		{Name: "else", Places: []string{"body", "kind", "weight", "pages"}, Dialects: newer(), Schema: when, Lifted: []string{"/else"}, Shows: hasText("/kind", "letter"),
			Valid:   by("condition-met", "the condition not met, with what is then asked for"),
			Invalid: by("condition-missed", "the condition not met, without what is then asked for")},
	}
}
