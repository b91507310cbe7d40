// Package form writes and reads request bodies that are not JSON: forms, texts and
// binary content (OpenAPI 3.1, 4.8.14 and 4.8.15; RFC 7578; RFC 1866).
package serialize

import (
	"bytes"
	"mime"
	"slices"
	"strings"

	"plantstore/conformance/internal/openapi"
)

const (
	urlencoded = "application/x-www-form-urlencoded"
	multipart  = "multipart/form-data"
	binary     = "application/octet-stream"
	text       = "text/plain"
)

// Supports reports whether Write and Read know the media type, which may be a range
// such as "image/*". They do not know types with a structure of their own. Texts and
// images are one value.
func SupportsForm(media string) bool {
	media = bare(media)
	kind, sub, ok := strings.Cut(media, "/")
	switch {
	case !ok || sub == "" || openapi.IsJSON(media):
		return false
	case media == urlencoded || media == multipart:
		return true
	case kind == "multipart" || kind == "message" || kind == "*" || sub == "*" && kind == "application", media == "text/xml":
		return false
	case slices.Contains([]string{"text", "image", "audio", "video", "font"}, kind):
		return true
	}
	words := strings.FieldsFunc(sub, func(c rune) bool { return c == '+' || c == '.' || c == '-' })
	return !slices.ContainsFunc(words, func(word string) bool { return slices.Contains(structured(), word) })
}

// structured are the words in the names of media types that hold trees or records.
func structured() []string {
	return []string{"json", "json5", "jsonl", "ndjson", "seq", "xml", "yaml", "cbor", "msgpack", "messagepack", "bson", "protobuf", "proto", "grpc", "thrift", "avro", "graphql", "toml", "soap"}
}

// bare returns a media type without parameters, in lower case.
func bare(media string) string {
	media, _, _ = strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(media))
}

// concrete returns a media type to send: the first of a list, and one of a range.
func concrete(media string) string {
	media, _, _ = strings.Cut(media, ",")
	media = strings.TrimSpace(media)
	switch kind, sub, _ := strings.Cut(bare(media), "/"); {
	case sub != "*":
		return media
	case kind == "image":
		return "image/png"
	case kind == "text":
		return text
	case kind == "audio" || kind == "video":
		return kind + "/mp4"
	}
	return binary
}

// Usual reports whether Write gives these bytes such a content type: with a boundary for
// parts, with a charset for a text that is not ASCII.
func Usual(media, contentType string, body []byte) bool {
	_, params, _ := strings.Cut(contentType, ";")
	name, value, _ := strings.Cut(strings.TrimSpace(params), "=")
	switch {
	case bare(media) == multipart:
		return strings.HasPrefix(contentType, concrete(media)+";") && name == "boundary" && value != "" && !strings.Contains(value, ";")
	case contentType == media, contentType == concrete(media):
		return true
	case !strings.HasPrefix(contentType, concrete(media)+";"):
		return false
	}
	return isTextMedia(media) && params == " charset=utf-8" && !ascii(string(body))
}

// ContentType returns the content type of the documented media type that goes with
// the bytes of a body, whatever the request says.
func ContentType(media string, body []byte) string {
	if bare(media) != multipart {
		return concrete(media)
	}
	line, _, _ := bytes.Cut(body, []byte("\r\n"))
	boundary, _ := bytes.CutPrefix(line, []byte("--"))
	return multipart + "; boundary=" + string(boundary)
}

// Matches reports whether a content type is one of a list of media types and ranges,
// apart from parameters.
func MatchesMedia(list, contentType string) bool {
	have := bare(contentType)
	for one := range strings.SplitSeq(list, ",") {
		kind, sub, _ := strings.Cut(bare(one), "/")
		if have == kind+"/"+sub || kind == "*" || sub == "*" && strings.HasPrefix(have, kind+"/") {
			return true
		}
	}
	return false
}

// odd returns why a server may misread a content type, or an empty string.
func odd(contentType string) string {
	_, params, err := mime.ParseMediaType(contentType)
	switch charset := strings.ToLower(params["charset"]); {
	case err != nil:
		return "content type with a bad parameter"
	case charset != "" && charset != "utf-8" && charset != "us-ascii":
		return "charset " + charset
	}
	return ""
}
