package exchange

import (
	"bytes"
	"errors"
	"slices"
	"strings"
)

const eventStream = "text/event-stream"

// streams are media types whose parts follow one another as they come about: a body of such a type
// need not end.
var streams = []string{eventStream, "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines", "application/json-seq",
	"application/stream+json", "application/x-json-stream", "multipart/x-mixed-replace"}

// Streams reports whether a body of a media type need not end.
func Streams(media string) bool { return slices.Contains(streams, typeOf(media)) }

// typeOf returns a media type without parameters, in lower case.
func typeOf(media string) string {
	t, _, _ := strings.Cut(media, ";")
	return strings.ToLower(strings.TrimSpace(t))
}

// streams reports whether the body of an answer need not end.
func (resp *Response) streams(r *Request) bool {
	return resp.Status/100 == 2 && r.Method != "HEAD" && Streams(resp.Get("Content-Type")) && resp.Get("Content-Length") == ""
}

// leave ends a stream that goes on, and reports whether it does: the time is over or so much came
// that it is not read further. It keeps what came.
func (resp *Response) leave(err error) bool {
	var f *Failure
	large := errors.As(err, &f) && f.Kind == TooLarge
	if !isTimeout(err) && !large {
		return false
	}
	resp.Open, resp.Close = true, true
	if strings.Trim(resp.Get("Content-Encoding"), " \t") == "" {
		resp.Content = resp.Body // a part of coded bytes cannot be decoded
	}
	return true
}

// begun reports whether a stream has a whole part: an event with data, or a line of another type.
func begun(media string, body []byte) bool {
	for line := range bytes.Lines(body) {
		text := bytes.TrimSpace(line)
		event := media != eventStream || bytes.HasPrefix(text, []byte("data"))
		if event && len(text) > 0 && len(line) > len(text) {
			return true
		}
	}
	return false
}
