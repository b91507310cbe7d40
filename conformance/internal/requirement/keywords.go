package requirement

import "slices"

// scalarKeyword is a schema keyword that gives one row where it stands.
type scalarKeyword struct{ name, sentence string }

var scalarKeywords = []scalarKeyword{
	{"format", "%s keeps its format"},
	{"enum", "%s is one of the listed values"},
	{"const", "%s is the one allowed value"},
	{"minimum", "%s is not below its minimum"},
	{"maximum", "%s is not above its maximum"},
	{"exclusiveMinimum", "%s is above its exclusive minimum"},
	{"exclusiveMaximum", "%s is below its exclusive maximum"},
	{"multipleOf", "%s is a multiple of the stated number"},
	{"minLength", "%s is not too short"},
	{"maxLength", "%s is not too long"},
	{"pattern", "%s matches its pattern"},
	{"minItems", "%s has enough items"},
	{"maxItems", "%s has not too many items"},
	{"uniqueItems", "the items of %s differ"},
	{"contains", "%s contains what it must"},
	{"minProperties", "%s has enough members"},
	{"maxProperties", "%s has not too many members"},
	{"additionalProperties", "%s has no other members than those listed"},
	{"propertyNames", "the member names of %s keep their schema"},
	{"anyOf", "%s matches one of the alternatives"},
	{"oneOf", "%s matches exactly one of the alternatives"},
	{"not", "%s does not match what is excluded"},
}

// assertedFormats are the formats that the exact judge checks.
var assertedFormats = []string{"int32", "int64", "date-time", "date", "time", "duration", "email", "hostname",
	"ipv4", "ipv6", "uri", "uri-reference", "iri", "iri-reference", "uri-template", "uuid",
	"json-pointer", "relative-json-pointer", "regex"}

func (scalarKeyword) asserted(format string) bool { return slices.Contains(assertedFormats, format) }
