package mutate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/internal/schema"
)

// Probe is the plan of one keyword in one dialect.
type Probe struct {
	Keyword Keyword
	Dialect string

	plan          *plan.Plan
	op            *openapi.Operation
	with, without *schema.Shape
	keys          []schema.Key // that derived requirements are about
	cases         map[Side][]*plan.Case
}

// Open plans the probe of a keyword and sorts its cases.
func Open(k Keyword, dialect string, catalogue []plan.Mutator) (*Probe, error) {
	schema, err := jsontree.Parse([]byte(k.Schema))
	if err != nil {
		return nil, fmt.Errorf("%s: the schema of the probe is not JSON: %w", k.Name, err)
	}
	lifted := schema.Root.Clone()
	for _, pointer := range k.Lifted {
		if !lifted.RemoveAt(pointer) {
			return nil, fmt.Errorf("%s: nothing at %s of the probe", k.Name, pointer)
		}
	}
	p := &Probe{Keyword: k, Dialect: dialect, cases: map[Side][]*plan.Case{}}
	c, err := load(k.Name, dialect, schema.Root)
	if err != nil {
		return nil, err
	}
	less, err := load(k.Name, dialect, lifted)
	if err != nil {
		return nil, err
	}
	for _, r := range requirement.Derive(c, nil).List {
		if r.Args.Key.Keyword != "" {
			p.keys = append(p.keys, r.Args.Key)
		}
	}
	p.op = c.Operations[0]
	p.with, p.without = c.Operations[0].Body.Shape, less.Operations[0].Body.Shape
	if p.plan, err = plan.New(c, nil, seed, draws); err != nil {
		return nil, err
	}
	if err := p.plan.Fill(context.Background(), catalogue); err != nil {
		return nil, err
	}
	for _, one := range p.plan.Cases {
		if !k.about(one.Class) || one.Op != p.op {
			continue // a copy for another alternative has keywords of its own
		}
		if side := p.Side(p.body(one, plan.Identity{Seed: seed})); side != Neither {
			p.cases[side] = append(p.cases[side], one)
		}
	}
	return p, nil
}

// body gives what a case sends; nil where it is not the body that is tried.
func (p *Probe) body(c *plan.Case, id plan.Identity) []byte {
	steps := p.plan.Build(c, id)
	m := steps[len(steps)-1].Message
	if len(m.Fields) > 0 || len(m.Drop) > 0 || m.Framing != message.Length {
		return nil
	}
	return m.Body()
}

// Side reads bytes twice: as the schema has it, and without the keyword. Another
// spelling of a value shows nothing of the schema, and a body that no
// requirement is about is sent in vain.
func (p *Probe) Side(body []byte) Side {
	r := p.with.Read(body)
	if !r.Sound() || r.Respelled {
		return Neither
	}
	kept, keptWithout := len(r.Violations) == 0, len(p.without.Read(body).Violations) == 0
	switch {
	case kept && p.Keyword.Permits && keptWithout:
		return Neither
	case kept && (p.Keyword.Shows == nil || p.Keyword.Shows(r.Root())):
		return Valid
	case !kept && keptWithout && slices.ContainsFunc(p.keys, r.Violates):
		return Invalid
	}
	return Neither
}

// load makes the document of a probe: one operation with a JSON body.
func load(name, dialect string, schema *jsontree.Value) (*openapi.Contract, error) {
	document := fmt.Sprintf(`{"openapi": "%s.0", "info": {"title": "probe", "version": "1"}, "paths": {"/probe": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": %s}}},
		"responses": {"200": {"description": "taken"}, "400": {"description": "refused"}}}}}}`, dialect, schema.Emit())
	return openapi.Load(name+" in "+dialect, []byte(document))
}

// asserted is a format that the exact judge checks, and what is planned outside
// it beside spoilt texts.
type asserted struct{ name, outside string }

// formats are the formats of JSON Schema 2020-12 and of the OpenAPI registry,
// each a row of its own.
func formats() []Keyword {
	var out []Keyword
	for _, f := range []asserted{
		{"date-time", "days, months and hours that are none, no zone, a zone without colon, other notations"},
		{"date", "days and months that are none, other orders, no hyphens, a time behind"},
		{"time", "hours and minutes that are none, no seconds, no zone, words"},
		{"duration", "no number, no unit, no P, units on the wrong side of T"},
		{"email", "no local part, no host, a blank, @ twice, an empty label"},
		{"hostname", "a hyphen first, an empty label, a blank, an underscore"},
		{"ipv4", "a part above 255, too few and too many parts, leading zeros, other bases"},
		{"ipv6", "an IPv4 address, :: twice, a group too long, a zone, no digit"},
		{"uri", "relative references, spaces, an open bracket"},
		{"uri-reference", "a bad escape, a backslash, an open bracket, an empty scheme"},
		{"iri", "relative references, spaces, an open bracket"},
		{"iri-reference", "a bad escape, a backslash, an open bracket, an empty scheme"},
		{"uri-template", "braces open, closed, nested, with a space inside"},
		{"uuid", "no hyphens, a digit too few, in braces, letters that are not digits"},
		{"json-pointer", "no slash first, a bad escape, as a fragment"},
		{"relative-json-pointer", "no number first, a sign, leading zeros, text after the number"},
		{"byte", "a character too few, characters outside both alphabets"},
		{"base64url", "a character too few, characters of the other alphabet"},
		{"http-date", "no day of that number, another zone, no time, other notations"},
		{"regex", "open groups and classes, nothing to repeat, ranges the wrong way round"},
	} {
		out = append(out, format("string", f.name, Keyword{Valid: by("baseline sample", "random strings in the format"),
			Invalid: by("outside-format", f.outside)}))
	}
	out = append(out,
		format("integer", "int32", Keyword{Valid: by("up-to-int8 above-float", "powers of two and ten and their neighbours up to 2147483647, negative ones down to -2147483648"),
			Invalid: by("above-int32 below-int32 wraps-to-valid", "just outside the limits, far outside, and numbers that wrap to a valid one")}),
		format("integer", "int64", Keyword{Valid: by("near-int64 random negative-limit", "powers of two and ten and their neighbours up to the limits of int64, random ones of 32 to 63 bits"),
			Invalid: by("above-int64 below-int64 wraps-to-valid", "just outside the limits, far outside, and numbers that wrap to a valid one")}))
	for _, f := range []string{"int8", "int16", "uint8", "uint16", "uint32", "uint64", "sf-integer"} {
		out = append(out, format("integer", f, Keyword{Valid: by("up-to-int8", "powers of two and ten and their neighbours inside the limits"),
			Invalid: by("beyond-format", "just outside the limits, and far outside")}))
	}
	for _, f := range []string{"idn-email", "idn-hostname", "base16", "binary", "password", "char", "commonmark", "html", "media-range",
		"sf-string", "sf-token", "sf-boolean", "sf-binary"} {
		out = append(out, format("string", f, Keyword{Valid: by("baseline sample", "words or, where the format has fewer texts, texts of it"),
			Why: "the exact judge does not assert the format, so any string keeps it"}))
	}
	for _, f := range []string{"float", "double", "decimal", "decimal128", "sf-decimal"} {
		out = append(out, format("number", f, Keyword{Valid: by("fraction", "whole numbers and short fractions"),
			Why: "the exact judge does not assert the format, so any number keeps it"}))
	}
	return out
}

// format completes the entry of a format of strings or numbers.
func format(kind, name string, k Keyword) Keyword {
	k.Name, k.Dialects, k.Lifted = "format: "+name, bothVersions(), at("format")
	k.Schema = member(`{"type": "` + kind + `", "format": "` + name + `"}`)
	return k
}

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

// texts are the keywords about strings, format aside.
func texts() []Keyword {
	return []Keyword{
		{Name: "pattern", Dialects: bothVersions(), Schema: member(`{"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"}`), Lifted: at("pattern"),
			Valid:   by("baseline sample", "random strings that match"),
			Invalid: by("nearly", "a matching string with a space, a line break or a sign before, after or inside it; cut, doubled, reversed, in another case, script or width")},
		{Name: "minLength", Dialects: bothVersions(), Schema: member(`{"type": "string", "minLength": 8}`), Lifted: at("minLength"),
			Valid:   by("bound-length bound-length-astral", "the minimum length and one more, in characters of one byte and of four; every longer length"),
			Invalid: by("too-short", "one character too few, half of the length, none: counted in characters, not in bytes")},
		{Name: "maxLength", Dialects: bothVersions(), Schema: member(`{"type": "string", "maxLength": 20}`), Lifted: at("maxLength"),
			Valid:   by("bound-length bound-length-astral length", "every length up to the bound, in characters of one to four bytes"),
			Invalid: by("too-long", "one and two characters too many, twice the length, a thousand more")},
	}
}

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
