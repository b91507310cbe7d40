package mutate

// items are the keywords about arrays.
func items() []Keyword {
	filled := has("/value/0")
	return []Keyword{
		{Name: "items", Places: []string{"value", "value.*"}, Dialects: bothVersions(), Schema: member(`{"type": "array", "items": {"type": "integer"}}`), Lifted: at("items"), Shows: filled,
			Valid:   by("baseline items", "one to three items that fit, and numbers of every kind"),
			Invalid: by("array not-whole numeric-string", "an item of every other type; one item among others")},
		{Name: "prefixItems", Places: []string{"value", "value.0", "value.1"}, Dialects: newer(), Schema: member(`{"type": "array", "prefixItems": [{"type": "string"}, {"type": "integer"}]}`), Lifted: at("prefixItems"), Shows: filled,
			Valid:   by("baseline items-of-list", "a list cut short, in full, and longer"),
			Invalid: by("null boolean number array object", "each listed item with a value of every other type")},
		{Name: "items (behind prefixItems)", Places: []string{"value", "value.0", "value.1"}, Dialects: newer(), Schema: member(`{"type": "array", "prefixItems": [{"type": "string"}], "items": {"type": "integer"}}`), Lifted: at("items"), Shows: has("/value/1"),
			Valid:   by("items-of-list", "one and two items behind the list"),
			Invalid: by("unfit-item-behind-list", "an item of every other type behind the list")},
		{Name: "minItems", Dialects: bothVersions(), Schema: member(`{"type": "array", "items": {"type": "integer"}, "minItems": 2}`), Lifted: at("minItems"),
			Valid:   by("baseline items", "as many items as the bound asks for, and one more"),
			Invalid: by("too-few-items", "one item too few, none")},
		{Name: "maxItems", Dialects: bothVersions(), Schema: member(`{"type": "array", "items": {"type": "integer"}, "maxItems": 3}`), Lifted: at("maxItems"),
			Valid:   by("items", "as many items as the bound allows, and less"),
			Invalid: by("too-many-items", "one and two items too many, twice as many and one")},
		{Name: "uniqueItems", Dialects: bothVersions(), Schema: member(`{"type": "array", "items": {"type": "integer"}, "uniqueItems": true}`), Lifted: at("uniqueItems"), Shows: has("/value/1"),
			Valid:   by("items", "several items that differ"),
			Invalid: by("same-item-twice", "the same item twice, side by side and apart; the same number in another spelling")},
		{Name: "contains", Dialects: newer(), Schema: member(`{"type": "array", "contains": {"type": "integer"}}`), Lifted: at("contains"),
			Valid:   by("baseline fitting", "one and two items that fit, alone and beside one of every other type"),
			Invalid: by("too-few-fitting", "none that fits: an empty array, one of items of every other type")},
		{Name: "minContains", Dialects: newer(), Schema: member(`{"type": "array", "contains": {"type": "integer"}, "minContains": 2}`), Lifted: at("minContains"),
			Valid:   by("baseline fitting", "as many items that fit as the bound asks for, one more, alone and beside others"),
			Invalid: by("too-few-fitting", "one item too few that fits, none, also beside others")},
		{Name: "maxContains", Dialects: newer(), Schema: member(`{"type": "array", "contains": {"type": "integer"}, "maxContains": 3}`), Lifted: at("maxContains"),
			Valid:   by("fitting", "as many items that fit as the bound allows, and one less"),
			Invalid: by("too-many-fitting", "one and two items too many that fit, twice as many and one, also beside another")},
		{Name: "unevaluatedItems", Dialects: newer(), Schema: member(`{"type": "array", "prefixItems": [{"type": "string"}], "unevaluatedItems": false}`), Lifted: at("unevaluatedItems"),
			Valid:   by("baseline items-of-list", "the listed items"),
			Invalid: by("items-behind-list unfit-item-behind-list", "one and two items behind the list, of every type")},
	}
}
