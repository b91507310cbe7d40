package crud

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"
)

// maxBytes is the longest body.
const maxBytes = 1 << 20

// readBody reads the body and checks its media type.
func (c *call) readBody() {
	body, err := io.ReadAll(http.MaxBytesReader(nil, c.request.Body, maxBytes))
	var long *http.MaxBytesError
	if errors.As(err, &long) {
		c.early = refusal(http.StatusRequestEntityTooLarge, "the body is longer than 1 MiB")
		return
	}
	given := c.request.Header.Get("Content-Type")
	there := err == nil && (len(body) > 0 || given != "")
	if len(body) == 0 && c.has("body-optional") && c.op.name == "createUser" {
		body, given, there = []byte(`{"name":"nobody","email":"no@example.com","password":"password"}`), c.op.media, true
	}
	if !c.must(there, "body", "required", "must be there") {
		return
	}
	c.body = body
	media, parameters, err := mime.ParseMediaType(given)
	charset := strings.ToLower(parameters["charset"])
	known := err == nil && media == c.op.media && (charset == "" || charset == "utf-8") && c.request.Header.Get("Content-Encoding") == ""
	if !known && !c.has("media-type-not-checked") {
		c.early = refusal(http.StatusUnsupportedMediaType, "the body must be "+c.op.media)
	}
}

// json reads the body as JSON and judges it.
func (c *call) json(judge check) any {
	if c.early != nil || c.body == nil {
		return map[string]any{}
	}
	if !c.must(len(c.body) > 0, "body", "required", "must be there") {
		return map[string]any{}
	}
	v, ok := readJSON(c.body)
	if c.has("duplicate-names") && !ok && utf8.Valid(c.body) && json.Valid(c.body) && !loneSurrogate(c.body) {
		d := json.NewDecoder(bytes.NewReader(c.body))
		d.UseNumber()
		ok = d.Decode(&v) == nil
	}
	if !c.must(ok, "body", "json", "must be JSON") {
		return map[string]any{}
	}
	return judge(c, "body", v)
}

// readJSON reads one JSON value exactly: no name twice, nothing after it, UTF-8
// without lone surrogates, no more than 200 levels.
func readJSON(b []byte) (any, bool) {
	if !utf8.Valid(b) || !json.Valid(b) || loneSurrogate(b) {
		return nil, false
	}
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	return readValue(d, 200)
}

func readValue(d *json.Decoder, levels int) (any, bool) {
	token, err := d.Token()
	if err != nil || levels == 0 {
		return nil, false
	}
	switch token {
	case json.Delim('['):
		out := []any{}
		for d.More() {
			v, ok := readValue(d, levels-1)
			if !ok {
				return nil, false
			}
			out = append(out, v)
		}
		_, err = d.Token()
		return out, err == nil
	case json.Delim('{'):
		out := map[string]any{}
		for d.More() {
			name, err := d.Token()
			text, ok := name.(string)
			if _, twice := out[text]; err != nil || !ok || twice {
				return nil, false
			}
			v, ok := readValue(d, levels-1)
			if !ok {
				return nil, false
			}
			out[text] = v
		}
		_, err = d.Token()
		return out, err == nil
	}
	return token, true
}

// loneSurrogate reports whether valid JSON has half of a surrogate pair, which is
// no character. A low half must stand right behind a high one.
func loneSurrogate(b []byte) bool {
	high := false
	for i := 0; i < len(b); i++ {
		unit := ""
		if b[i] == '\\' {
			i++
			if b[i] == 'u' {
				unit = strings.ToLower(string(b[i+1 : i+5]))
				i += 4
			}
		}
		if low := unit >= "dc00" && unit <= "dfff"; low != high {
			return true
		}
		high = unit >= "d800" && unit <= "dbff"
	}
	return high
}
