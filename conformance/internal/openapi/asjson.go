package openapi

import (
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// IsJSON reports whether a media type holds a JSON text.
func IsJSON(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	media = strings.ToLower(strings.TrimSpace(media))
	return media == "application/json" || media == "text/json" || strings.HasSuffix(media, "+json")
}

// JSONPatch is the media type of a JSON Patch (RFC 6902, 6).
const JSONPatch = "application/json-patch+json"

// IsJSONPatch reports whether a media type is that of a JSON Patch.
func IsJSONPatch(media string) bool {
	media, _, _ = strings.Cut(media, ";")
	return strings.EqualFold(strings.TrimSpace(media), JSONPatch)
}

// JSONAt reports whether the value of a parameter ("query/where") or of a property of a
// form ("/meta") is written as JSON.
func (o *Operation) JSONAt(path string) bool {
	if name, found := strings.CutPrefix(path, "/"); found {
		plain, ok := jsontree.UnescapePointer(name)
		return ok && o.Body != nil && o.Body.form && IsJSON(o.Body.Encoding[plain].Media)
	}
	for _, p := range o.Parameters {
		if path == p.In+"/"+jsontree.EscapePointer(p.Name) {
			return IsJSON(p.Media)
		}
	}
	return false
}
