package message

import (
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
)

// positive is a weight above 0 (RFC 9110, 12.4.2).
var positive = regexp.MustCompile(`^q=(0\.[0-9]{0,2}[1-9]|0\.[1-9][0-9]{0,2}|1(\.0{0,3})?)$`)

// TakesUsual reports whether an Accept field accepts documented successes and
// nothing else, in the spellings that every server knows: not every server reads
// ranges. Without the field everything is accepted (RFC 9110, 12.5.1).
func TakesUsual(op *openapi.Operation, value string) bool {
	wanted := op.Wanted()
	if value == wanted.Field {
		return true
	}
	for _, part := range strings.Split(value, ",") {
		media, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if media = strings.TrimSpace(media); media != "*/*" && !slices.Contains(wanted.Media, media) {
			return false
		}
		if weight = strings.TrimSpace(weight); weight != "" && !positive.MatchString(weight) {
			return false
		}
	}
	return true
}

// codings matches values of Accept-Encoding and Accept-Language that exclude nothing. They have no
// weights, which not every server reads.
var codings = regexp.MustCompile(`^[A-Za-z0-9*-]+(, ?[A-Za-z0-9*-]+)*$`)

// understood reports whether there are differences, and all of them are such fields.
func understood(differences []string, fields []exchange.Field) bool {
	for _, f := range fields {
		if name := lower(f.Name); (name == "accept-encoding" || name == "accept-language") && !codings.MatchString(f.Value) {
			return false
		}
	}
	for _, what := range differences {
		if what != "field accept-encoding" && what != "field accept-language" {
			return false
		}
	}
	return len(differences) > 0
}

// negotiates reports whether a field asks for another answer than the usual one
// (RFC 9110, 12 and 13; RFC 2295, 3229, 4918, 7089, 7240), or for another method or path.
func negotiates(op *openapi.Operation, f exchange.Field) bool {
	switch lower(f.Name) {
	case "accept":
		return f.Value != op.Wanted().Field && !takesSome(op, f.Value)
	case "range", "if-range", "if-none-match", "if-modified-since":
		// For other methods there are no ranges, and 412 where a condition fails (RFC 9110,
		// 13.1.2 and 14.2).
		return op.Method == "GET" || op.Method == "HEAD"
	case "prefer", "if", "if-match", "if-unmodified-since", "if-schedule-tag-match", "a-im", "accept-datetime", "accept-features", "negotiate", "accept-version", "api-version", "upgrade-insecure-requests":
		return true
	}
	return slices.Contains(elsewhere, lower(f.Name))
}

// takesSome reports whether an Accept field accepts a documented success, and no
// text that is not documented, such as a page for browsers.
func takesSome(op *openapi.Operation, value string) bool {
	some := strings.Contains(value, "*/*")
	rest := value
	for _, media := range op.Wanted().Media {
		kind, _, _ := strings.Cut(media, "/")
		some = some || strings.Contains(value, media) || strings.Contains(value, kind+"/*")
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, media, ""), kind+"/*", "")
	}
	return some && !strings.Contains(rest, "text/") && !strings.HasSuffix(value, ";q=0")
}
