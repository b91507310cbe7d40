package crud

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"strconv"
	"strings"

	"plantstore/reference/kit"
)

// answer is a response before it is written. Its content is a JSON value, or
// bytes, or nothing.
type answer struct {
	status int
	header http.Header
	media  string
	value  any
	bytes  []byte
	// forced is a body where HTTP allows none; byHand writes the response without
	// net/http, which would change it.
	forced string
	byHand bool
}

// nothing answers without content.
func nothing(status int) *answer { return &answer{status: status, header: http.Header{}} }

// found answers with a JSON value.
func found(status int, value any) *answer {
	return &answer{status: status, header: http.Header{}, media: "application/json", value: value}
}

// content answers with bytes.
func content(media string, b []byte) *answer {
	return &answer{status: http.StatusOK, header: http.Header{}, media: media, bytes: b}
}

// refusal answers with a problem (RFC 9457).
func refusal(status int, detail string) *answer {
	a := found(status, map[string]any{"type": "about:blank", "title": http.StatusText(status),
		"status": json.Number(strconv.Itoa(status)), "detail": detail})
	a.media = "application/problem+json"
	return a
}

// tag is a strong entity tag of bytes.
func tag(b []byte) string {
	h := fnv.New64a()
	_, _ = h.Write(b)
	return fmt.Sprintf(`"%016x"`, h.Sum64())
}

// weak makes a tag weak, as a variant does. Tags that If-Match compares stay strong
// (RFC 9110, 13.1.1).
func (c *call) weak(tag string) string {
	if c.Has("weak-etag") {
		return "W/" + tag
	}
	return tag
}

// write sends an answer. Where a path has X-Request-Id, a success repeats it.
func (c *call) write(w http.ResponseWriter, a *answer) {
	if id := c.request.Header.Get("X-Request-Id"); kit.UUID.MatchString(id) && c.op != nil && a.status < 300 && strings.Contains(c.op.name, "Project") {
		a.header.Set("X-Request-Id", id)
	}
	if a.value != nil && len(c.alters) > 0 {
		a.value = kit.Clone(a.value) // the store keeps the original
	}
	each(c.alters, c, a)
	if a.value != nil {
		a.bytes = kit.Encode(a.value)
	}
	each(c.finishes, c, a)
	if a.forced != "" || a.byHand {
		c.force(w, a)
		return
	}
	h := w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	if a.media != "" && c.request.Method != http.MethodHead {
		h.Set("Content-Type", a.media)
	} else {
		h["Content-Type"] = nil // or net/http guesses one
	}
	if c.Has("lower-case-names") {
		for name, values := range h {
			if values != nil {
				h[name] = nil
				h[strings.ToLower(name)] = values
			}
		}
	}
	w.WriteHeader(a.status)
	if flusher, ok := w.(http.Flusher); ok && c.Has("chunked") && len(a.bytes) > 0 {
		flusher.Flush() // before the length is known
	}
	if c.request.Method != http.MethodHead {
		_, _ = w.Write(a.bytes)
	}
}

// each makes every change, once the operation is known.
func each(changes []func(*call, *answer), c *call, a *answer) {
	for _, change := range changes {
		if change != nil && c.op != nil {
			change(c, a)
		}
	}
}

// force writes a response that net/http refuses to write.
func (c *call) force(w http.ResponseWriter, a *answer) {
	conn, buffer, err := w.(http.Hijacker).Hijack()
	if err != nil {
		panic(err) // only HTTP/1.1 is served
	}
	defer conn.Close()
	fmt.Fprintf(buffer, "HTTP/1.1 %d %s\r\nConnection: close\r\nContent-Length: %d\r\n", a.status, http.StatusText(a.status), len(a.forced))
	_ = a.header.Write(buffer)
	fmt.Fprintf(buffer, "\r\n%s", a.forced)
	_ = buffer.Flush()
}
