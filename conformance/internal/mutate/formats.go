package mutate

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
