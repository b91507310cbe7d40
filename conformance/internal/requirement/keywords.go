package requirement

// scalarKeyword is a schema keyword that gives one row where it stands.
type scalarKeyword struct{ name, sentence string }

var scalarKeywords = []scalarKeyword{
	{"format", "%s matches its format"},
	{"enum", "%s is one of the listed values"},
	{"const", "%s is the only allowed value"},
	{"minimum", "%s is at least its minimum"},
	{"maximum", "%s is at most its maximum"},
	{"exclusiveMinimum", "%s is greater than its exclusive minimum"},
	{"exclusiveMaximum", "%s is less than its exclusive maximum"},
	{"multipleOf", "%s is a multiple of its multipleOf"},
	{"minLength", "%s is not too short"},
	{"maxLength", "%s is not too long"},
	{"pattern", "%s matches its pattern"},
	{"minItems", "%s has enough items"},
	{"maxItems", "%s does not have too many items"},
	{"uniqueItems", "%s has no equal items"},
	{"contains", "%s contains the required items"},
	{"minProperties", "%s has enough members"},
	{"maxProperties", "%s does not have too many members"},
	{"additionalProperties", "%s has only the listed members"},
	{"propertyNames", "%s has only member names that match their schema"},
	{"anyOf", "%s matches at least one of its alternatives"},
	{"oneOf", "%s matches exactly one of its alternatives"},
	{"not", "%s does not match the excluded schema"},
}
