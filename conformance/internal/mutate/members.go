package mutate

import "strings"

// members are the keywords about objects.
func memberKeywords() []Keyword {
	extra := hasNamed(func(name string) bool { return strings.HasPrefix(name, "x-") })
	return []Keyword{
		{Name: "properties", Places: []string{"body", "size"}, Dialects: bothVersions(), Schema: `{"type": "object", "properties": {"size": {"type": "integer"}}}`,
			Lifted: []string{"/properties"}, Shows: has("/size"),
			Valid:   by("present", "the member with values of every kind"),
			Invalid: by("null boolean string array object numeric-string", "the member with a value of every other type")},
		{Name: "required", Places: []string{"body", "name", "size"}, Dialects: bothVersions(), Schema: `{"type": "object", "required": ["name", "size"], "properties": {"name": {"type": "string"}, "size": {"type": "integer"}}}`,
			Lifted:  []string{"/required"},
			Valid:   by("baseline", "every body with its required members"),
			Invalid: by("missing wrong-case alike-name quoted-name", "each member left out, all of them; each under another name: another case, blanks, an affix, cut, other letters that look the same")},
		{Name: "additionalProperties (false)", Places: []string{"body"}, Dialects: bothVersions(), Schema: `{"type": "object", "additionalProperties": false, "required": ["name"], "properties": {"name": {"type": "string"}}}`,
			Lifted:  []string{"/additionalProperties"},
			Valid:   by("baseline", "bodies without an additional member"),
			Invalid: by("unlisted-member", "an additional member: short, empty, special, near the name of a listed one")},
		{Name: "additionalProperties (schema)", Places: []string{"body"}, Dialects: bothVersions(), Schema: `{"type": "object", "additionalProperties": {"type": "integer"}, "required": ["name"], "properties": {"name": {"type": "string"}}}`,
			Lifted: []string{"/additionalProperties"}, Shows: hasBeside("name"),
			Valid:   by("further-member", "an additional member with a valid value"),
			Invalid: by("unfit-further-member unlisted-member", "an additional member with a value of every other type")},
		{Name: "patternProperties", Places: []string{"body"}, Dialects: newer(), Schema: `{"type": "object", "patternProperties": {"^x-": {"type": "integer"}}}`,
			Lifted: []string{"/patternProperties"}, Shows: extra,
			Valid:   by("further-member", "a member whose name matches, with a valid value"),
			Invalid: by("unfit-further-member", "a member whose name matches, with a value of every other type")},
		{Name: "propertyNames", Places: []string{"body"}, Dialects: newer(), Schema: `{"type": "object", "propertyNames": {"pattern": "^[a-z]{2,8}$"}}`,
			Lifted: []string{"/propertyNames"}, Shows: hasBeside(),
			Valid:   by("further-member", "a member with a valid name"),
			Invalid: by("unlisted-member object", "members with other names: short, empty, special")},
		{Name: "minProperties", Places: []string{"body"}, Dialects: bothVersions(), Schema: `{"type": "object", "minProperties": 2}`, Lifted: []string{"/minProperties"},
			Valid:   by("baseline members", "as many members as the bound asks for, and one more"),
			Invalid: by("too-few-members object", "one member too few, none")},
		{Name: "maxProperties", Places: []string{"body"}, Dialects: bothVersions(), Schema: `{"type": "object", "maxProperties": 3}`, Lifted: []string{"/maxProperties"}, Shows: hasBeside(),
			Valid:   by("members", "as many members as the bound allows, and one less"),
			Invalid: by("too-many-members", "one and two members too many")},
		{Name: "dependentRequired", Places: []string{"body", "card", "address", "code"}, Dialects: newer(), Schema: `{"type": "object", "dependentRequired": {"card": ["address", "code"]}, "properties": {"card": {"type": "string"}, "address": {"type": "string"}, "code": {"type": "string"}}}`,
			Lifted: []string{"/dependentRequired"}, Shows: has("/card"),
			Valid:   by("condition-met present-together", "the member with what it needs"),
			Invalid: by("lacks-what-card-needs", "the member without each thing that it needs")},
		{Name: "dependentSchemas", Places: []string{"body", "card", "address"}, Dialects: newer(), Schema: `{"type": "object", "dependentSchemas": {"card": {"required": ["address"], "properties": {"limit": {"type": "integer"}}}}, "properties": {"card": {"type": "string"}, "address": {"type": "string"}}}`,
			Lifted: []string{"/dependentSchemas"}, Shows: has("/card"),
			Valid:   by("condition-met present-together", "the member with what its schema asks for"),
			Invalid: by("condition-missed", "the member without what its schema asks for, or with a value of another type there")},
		{Name: "unevaluatedProperties", Places: []string{"body", "name", "size"}, Dialects: newer(), Schema: `{"allOf": [{"type": "object", "required": ["name"], "properties": {"name": {"type": "string"}}}], "unevaluatedProperties": false, "properties": {"size": {"type": "integer"}}}`,
			Lifted:  []string{"/unevaluatedProperties"},
			Valid:   by("baseline", "bodies of members that some schema knows"),
			Invalid: by("unlisted-member", "a member that no schema knows")},
	}
}
