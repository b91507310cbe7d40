package rule

import (
	"errors"
	"mime"
	"strings"
	"unicode/utf8"

	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

// readForm reads a body that is not JSON. It returns nil if it cannot be judged: the
// charset is not known here, or readers read it in different ways.
func readForm(m *openapi.Media, media, contentType string, body []byte) *openapi.Reading {
	isText := strings.HasPrefix(media, "text/")
	if !serialize.SupportsForm(media) || !isText && media != "application/x-www-form-urlencoded" && media != "multipart/form-data" {
		return nil // only its own readers can tell
	}
	text := string(body)
	if isText {
		var err error
		if text, err = decoded(contentType, body); err != nil {
			return &openapi.Reading{Kind: openapi.NotJSON, Syntax: err}
		} else if text == "" && len(body) > 0 {
			return nil
		}
		// The text is decoded.
		contentType = media
	}
	first := readText(m, media, contentType, text)
	if trimmed := strings.TrimRight(text, "\r\n"); isText && trimmed != text && (first == nil || first.Kind != openapi.MustAccept) {
		// A line end behind the value does not matter.
		if r := readText(m, media, contentType, trimmed); r != nil && r.Kind == openapi.MustAccept {
			return r
		}
	}
	return first
}

func readText(m *openapi.Media, media, contentType, text string) *openapi.Reading {
	r := serialize.ReadFormBody(media, m.Shape.Schema, m.Encoding, contentType, []byte(text))
	switch {
	case r.Malformed != nil:
		return &openapi.Reading{Kind: openapi.NotJSON, Syntax: r.Malformed}
	case r.Ambiguous:
		return nil
	}
	return m.Shape.ReadValue(r.Value, nil, nil)
}

// decoded returns a text in UTF-8, or an empty one if the charset is not known here. A
// text without a charset may be ISO 8859-1 (RFC 2046, 4.1.2; RFC 6657, 4).
func decoded(contentType string, body []byte) (string, error) {
	_, params, _ := mime.ParseMediaType(contentType)
	charset := strings.ToLower(params["charset"])
	switch {
	case charset == "" || charset == "utf-8" || charset == "us-ascii":
		if utf8.Valid(body) {
			return string(body), nil
		}
		if charset != "" {
			return "", errors.New("bytes that are not " + charset)
		}
	case charset != "iso-8859-1":
		return "", nil
	}
	var b strings.Builder
	for _, c := range body {
		b.WriteRune(rune(c))
	}
	return b.String(), nil
}
