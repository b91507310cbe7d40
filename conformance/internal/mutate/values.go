package mutate

// values are the keywords about any value.
func values() []Keyword {
	return []Keyword{
		{Name: "type", Places: []string{"text", "whole", "amount", "flag", "list", "thing"}, Dialects: bothVersions(), Schema: `{"type": "object", "required": ["text", "whole", "amount", "flag", "list", "thing"], "properties": {
			"text": {"type": "string"}, "whole": {"type": "integer"}, "amount": {"type": "number"},
			"flag": {"type": "boolean"}, "list": {"type": "array", "items": {}}, "thing": {"type": "object"}}}`,
			Lifted: []string{"/properties/text/type", "/properties/whole/type", "/properties/amount/type",
				"/properties/flag/type", "/properties/list/type", "/properties/thing/type"},
			Valid:   by("baseline", "every type, simplest values; strings, numbers and both booleans of every kind"),
			Invalid: by("null boolean number string array object numeric-string not-whole", "a value of every other type at each member; numbers spelled as strings; fractions for integer")},
		{Name: "type (several)", Dialects: newer(), Schema: member(`{"type": ["string", "null"]}`), Lifted: at("type"),
			Valid:   by("baseline null", "the first type in every kind; null"),
			Invalid: by("boolean number array object", "a value of every type that is not listed")},
		{Name: "nullable", Dialects: older(), Schema: member(`{"type": "string", "nullable": true}`), Lifted: at("nullable"), Permits: true,
			Valid: by("null", "null, where it would be refused without the keyword"),
			Why:   "the keyword only permits null; null without it is counted for type"},
		{Name: "enum", Dialects: bothVersions(), Schema: member(`{"type": "string", "enum": ["red", "green", "dark-blue"]}`), Lifted: at("enum"),
			Valid:   by("baseline enum", "every listed value"),
			Invalid: by("beside-enum", "listed values in another case, cut, doubled, in another script, joined; other strings")},
		{Name: "const", Dialects: newer(), Schema: member(`{"const": "red"}`), Lifted: at("const"),
			Valid:   by("baseline", "the one value"),
			Invalid: by("beside-const", "the value in another case, cut, doubled, in another script; values of every other type")},
	}
}

// numbers are the keywords about numbers.
func numbers() []Keyword {
	return []Keyword{
		{Name: "minimum", Dialects: bothVersions(), Schema: member(`{"type": "integer", "minimum": 5}`), Lifted: at("minimum"),
			Valid:   by("bound", "the bound, one and two steps above it; numbers up to the limits of int64"),
			Invalid: by("beyond-bound", "below the bound by one step, two, a hundred, a million and more; zero and -1")},
		{Name: "maximum", Dialects: bothVersions(), Schema: member(`{"type": "number", "maximum": 100.5}`), Lifted: at("maximum"),
			Valid:   by("bound", "the bound, one and two steps below it, a fraction below it"),
			Invalid: by("beyond-bound", "above the bound by one step, two, a half, a hundredth, a billionth and much more")},
		{Name: "exclusiveMinimum (boolean)", Dialects: older(), Schema: member(`{"type": "number", "minimum": 5, "exclusiveMinimum": true}`), Lifted: at("exclusiveMinimum"),
			Valid:   by("bound", "one and two steps above the bound, a hundredth above it"),
			Invalid: by("beyond-bound", "the bound itself; values beyond it violate minimum too")},
		{Name: "exclusiveMaximum (boolean)", Dialects: older(), Schema: member(`{"type": "number", "maximum": 100, "exclusiveMaximum": true}`), Lifted: at("exclusiveMaximum"),
			Valid:   by("bound", "one and two steps below the bound, a hundredth below it"),
			Invalid: by("beyond-bound", "the bound itself; values beyond it violate maximum too")},
		{Name: "exclusiveMinimum", Dialects: newer(), Schema: member(`{"type": "number", "exclusiveMinimum": 5}`), Lifted: at("exclusiveMinimum"),
			Valid:   by("bound", "one and two steps above the bound, a hundredth above it"),
			Invalid: by("beyond-bound", "the bound itself; below it by a billionth, a half, one step and more")},
		{Name: "exclusiveMaximum", Dialects: newer(), Schema: member(`{"type": "integer", "exclusiveMaximum": 100}`), Lifted: at("exclusiveMaximum"),
			Valid:   by("bound", "one and two steps below the bound"),
			Invalid: by("beyond-bound", "the bound itself; above it by one step, two, a hundred and more")},
		{Name: "multipleOf", Dialects: bothVersions(), Schema: member(`{"type": "number", "multipleOf": 0.25}`), Lifted: at("multipleOf"),
			Valid:   by("bound fraction", "small and large multiples, whole and with a fraction"),
			Invalid: by("not-multiple", "half a step or a tenth of a step from a multiple")},
	}
}
