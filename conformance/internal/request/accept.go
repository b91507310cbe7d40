package request

import (
	"mime"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
)

const usualMedia = "application/json"

// acceptField returns the Accept field of a baseline request: the media types of
// the documented successes, JSON first, because it is judged most closely. If none
// is documented, it is JSON.
func acceptField(op *contract.Operation) string {
	list := accepted(op)
	if len(list) == 0 {
		return usualMedia
	}
	return strings.Join(list, ", ")
}

// accepted lists the media types of the documented successes.
func accepted(op *contract.Operation) []string {
	successes := op.Documented(2)
	if r := op.Response(200); len(successes) == 0 && r != nil {
		successes = []*contract.Response{r}
	}
	var json, others []string
	for _, r := range successes {
		for _, m := range r.Media {
			media, ok := acceptable(m.Type)
			switch {
			case !ok || slices.Contains(json, media) || slices.Contains(others, media):
			case m.JSON():
				json = append(json, media)
			default:
				others = append(others, media)
			}
		}
	}
	return append(json, others...)
}

// acceptable returns a documented media type as an Accept field lists it. The
// parameter charset has a field of its own (RFC 9110, 12.5.2).
func acceptable(documented string) (string, bool) {
	if documented == usualMedia {
		return documented, true
	}
	media, params, err := mime.ParseMediaType(documented)
	if err != nil || !strings.Contains(media, "/") {
		return "", false
	}
	delete(params, "charset")
	delete(params, "q")
	out := mime.FormatMediaType(media, params)
	return out, out != ""
}

// positive is a weight above 0 (RFC 9110, 12.4.2).
var positive = regexp.MustCompile(`^q=(0\.[0-9]{0,2}[1-9]|0\.[1-9][0-9]{0,2}|1(\.0{0,3})?)$`)

// takesUsual reports whether an Accept field accepts documented successes and
// nothing else, in the spellings that every server knows: not every server reads
// ranges. Without the field everything is accepted (RFC 9110, 12.5.1).
func takesUsual(op *contract.Operation, value string) bool {
	if value == acceptField(op) {
		return true
	}
	list := accepted(op)
	if len(list) == 0 {
		list = []string{usualMedia}
	}
	for _, part := range strings.Split(value, ",") {
		media, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if media = strings.TrimSpace(media); media != "*/*" && !slices.Contains(list, media) {
			return false
		}
		if weight = strings.TrimSpace(weight); weight != "" && !positive.MatchString(weight) {
			return false
		}
	}
	return true
}

// negotiates reports whether a field asks for another answer than the usual one
// (RFC 9110, 12 and 13; RFC 7240), or for another method.
func negotiates(op *contract.Operation, f exchange.Field) bool {
	switch lower(f.Name) {
	case "accept":
		return f.Value != acceptField(op) && !takesSome(op, f.Value)
	case "prefer", "range", "if-match", "if-none-match", "if-modified-since", "x-http-method-override", "upgrade-insecure-requests":
		return true
	}
	return false
}

// takesSome reports whether an Accept field accepts a documented success, and no
// text that is not documented, such as a page for browsers.
func takesSome(op *contract.Operation, value string) bool {
	list := accepted(op)
	if len(list) == 0 {
		list = []string{usualMedia}
	}
	some := strings.Contains(value, "*/*")
	rest := value
	for _, media := range list {
		kind, _, _ := strings.Cut(media, "/")
		some = some || strings.Contains(value, media) || strings.Contains(value, kind+"/*")
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, media, ""), kind+"/*", "")
	}
	return some && !strings.Contains(rest, "text/") && !strings.HasSuffix(value, ";q=0")
}
