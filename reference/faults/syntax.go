package faults

import (
	"plantstore/reference/internal/alter"
	"plantstore/reference/internal/loose"
)

const bodyJSON = "post-plants-body-json"

// syntax takes near misses of JSON inside the body, as lenient parsers do.
func syntax() []Fault {
	reads := func(name string, allow loose.Allow, doc string) Fault {
		return Fault{Name: name, Breaks: bodyJSON, Doc: doc, alter: alter.Body(func(b []byte) []byte { return loose.Normalise(b, allow) })}
	}
	list := []Fault{
		reads("trailing-comma", loose.TrailingComma, "takes a comma behind the last member, as JSON5 and many hand-made parsers do"),
		reads("leading-comma", loose.LeadingComma, "takes a comma before the first member, as parsers that skip separators do"),
		reads("doubled-comma", loose.DoubledComma, "takes two commas in a row, as Jackson does with ALLOW_MISSING_VALUES"),
		reads("missing-comma", loose.MissingComma, "takes members without a comma between them, as Hjson and some scanners do"),
		reads("semicolon-for-comma", loose.SemicolonForComma, "takes a semicolon between members, as lenient Gson does"),
		reads("equals-for-colon", loose.EqualsForColon, "takes = behind a member name, as lenient Gson does"),
		reads("missing-colon", loose.MissingColon, "takes a member without its colon, as scanners that only look for tokens do"),
		reads("line-comments", loose.LineComment, "takes // comments, as JSONC parsers do"),
		reads("block-comments", loose.BlockComment, "takes /* */ comments, as JSON5 and Jackson with ALLOW_COMMENTS do"),
		reads("hash-comments", loose.HashComment, "takes # comments, as YAML parsers and lenient Gson do"),
		reads("single-quotes", loose.SingleQuotes, "takes strings in single quotes, as JSON5 and eval do"),
		reads("bare-names", loose.BareNames, "takes member names without quotes, as JSON5 does"),
		reads("bare-strings", loose.BareStrings, "takes strings without quotes, as YAML and lenient Gson do"),
		reads("nan-and-infinity", loose.NaN, "takes NaN and Infinity for numbers, as Python's json module does"),
		reads("hexadecimal", loose.Hex, "takes 0x numbers, as JSON5 and strtol with base 0 do"),
		reads("leading-zeros", loose.LeadingZeros, "takes numbers with leading zeros, as atoi does"),
		reads("plus-sign", loose.Plus, "takes +1 for a number, as most languages' number parsers do"),
		reads("trailing-dot", loose.TrailingDot, "takes 5. for a number, as strtod does"),
		reads("digit-underscores", loose.Underscores, "takes 1_000 for a number, as int() in Python and Ruby do"),
		reads("number-suffix", loose.NumberSuffix, "reads 12abc as 12, as parseInt and atoi do"),
		reads("bare-exponent", loose.BareExponent, "reads 1e as 1, as scanners that make exponent digits optional do"),
		reads("control-characters", loose.ControlCharacters, "takes raw control characters in strings, as json.loads with strict=False does"),
		reads("raw-tab", loose.Tab, "takes a raw tab, and no other control character, in strings"),
		reads("any-escape", loose.AnyEscape, "takes a backslash before any character, as many hand-made parsers do"),
		reads("hex-escape", loose.HexEscape, "takes \\x41 in strings, as JavaScript does"),
		reads("escaped-newline", loose.EscapedNewline, "takes a backslash at the end of a line in a string, as JSON5 does"),
		reads("open-end", loose.OpenEnd, "takes a body without its last closing bracket, as incremental parsers do at the end of input"),
		reads("open-string", loose.OpenString|loose.OpenEnd, "takes a body cut off inside its last string, as partial-JSON parsers do"),
		reads("mismatched-close", loose.MismatchedClose, "takes ] where } belongs, as parsers that only count brackets do"),
		reads("form-feed", loose.FormFeed, "takes form feed and vertical tab for white space, as isspace does"),
		reads("no-break-space", loose.NoBreakSpace, "takes U+00A0 and U+FEFF for white space, as JavaScript's trim does"),
	}
	for i := range list {
		switch list[i].Name {
		case "raw-tab", "escaped-newline", "bare-exponent", "form-feed", "no-break-space", "hex-escape", "mismatched-close", "digit-underscores":
			list[i].Rare = true
		}
	}
	return list
}
