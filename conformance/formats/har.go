package formats

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"io"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"plantstore/conformance/report"
)

// HAR writes the requests and responses of all failures as an HTTP archive, version 1.2,
// for the tools of browsers and proxies. The verdict is its comment. Bodies are as they
// were on the wire. The time of a request is all that its answer took, and counts as
// waiting; it is 0 if it is not known.
func HAR(w io.Writer, r *report.Report, o Options) error {
	v := viewOf(r, o)
	name, version, _ := strings.Cut(Escape(r.Tool), "/")
	out := har{Log: harLog{Version: "1.2", Creator: harCreator{Name: name, Version: version}, Entries: []harEntry{}, Comment: v.verdict.line()}}
	for _, x := range slices.Concat(v.failed, v.warned, v.suspected, v.known) {
		about := title(x)
		if x.Known != nil {
			about += ", " + cut(knownNote(x.Known), detailBytes) + ","
		}
		for _, f := range x.Failures {
			for i, s := range f.Steps {
				began, took := harTimes(r, f.N, i+1)
				out.Log.Entries = append(out.Log.Entries, harEntry{
					Started:    began,
					Time:       took,
					Timings:    harTimings{Wait: took},
					Request:    harSent(s.Request.Data, r.Header.Target),
					Response:   harAnswer(s),
					Connection: fmt.Sprint(s.Connection),
					Comment: fmt.Sprintf("failure %d, step %d of %d: %s expected %s; got %s", f.N, i+1, len(f.Steps), about,
						cut(f.Expected, detailBytes), cut(f.Got, detailBytes)),
				})
			}
		}
	}
	return writeJSON(w, out)
}

// harTimes says when a step of a failure was sent and how many milliseconds it took.
func harTimes(r *report.Report, failure, step int) (began string, took float64) {
	at := r.Times.Began
	if t, known := r.Times.Example(failure, step); known {
		at, took = t.Began, float64(t.Took.Microseconds())/1000
	}
	return at.UTC().Format(time.RFC3339Nano), took
}

// harSent reads a request. It need not be well formed.
func harSent(data []byte, target string) harRequest {
	first, fields, body := parts(data)
	method, rest, _ := strings.Cut(first, " ")
	path, version := rest, ""
	if i := strings.LastIndexByte(rest, ' '); i >= 0 {
		path, version = rest[:i], rest[i+1:]
	}
	q := harRequest{Method: method, URL: target, Version: version, Fields: fields, Cookies: []harField{}, Query: []harField{},
		HeadSize: len(data) - len(body), BodySize: len(body)}
	if at, err := url.Parse(target); err == nil && strings.HasPrefix(path, "/") {
		q.URL = at.Scheme + "://" + at.Host + path
	}
	_, query, _ := strings.Cut(path, "?")
	for pair := range strings.SplitSeq(query, "&") {
		if pair != "" {
			name, value, _ := strings.Cut(pair, "=")
			q.Query = append(q.Query, harField{name, value})
		}
	}
	if len(body) > 0 {
		q.Body = &harBody{Type: field(fields, "Content-Type"), Params: []harField{}, Text: string(body)}
		if !utf8.Valid(body) {
			q.Body.Text, q.Body.Base64 = "", base64.StdEncoding.EncodeToString(body)
		}
	}
	return q
}

// harAnswer reads a response. Without one, the status is 0, as browsers write it.
func harAnswer(s report.Step) harResponse {
	data := s.Response.Data
	first, fields, body := parts(data)
	for strings.HasPrefix(first, "HTTP/1.1 1") && bytes.HasPrefix(body, []byte("HTTP/")) {
		data = body
		first, fields, body = parts(data)
	}
	version, rest, _ := strings.Cut(first, " ")
	code, text, _ := strings.Cut(rest, " ")
	status := 0
	if _, err := fmt.Sscanf(code, "%d", &status); err != nil {
		status = 0
	}
	return harResponse{Status: status, Text: cmp.Or(text, s.Failure), Version: version, Fields: fields, Cookies: []harField{},
		Content:  harContentOf(body, s.Response.Cut, field(fields, "Content-Type")),
		Redirect: field(fields, "Location"), HeadSize: len(data) - len(body), BodySize: len(body) + s.Response.Cut, Failure: s.Failure}
}

// parts takes a message apart: its first line, its fields, and what follows the head.
func parts(data []byte) (first string, fields []harField, body []byte) {
	head, body, _ := bytes.Cut(data, []byte("\r\n\r\n"))
	lines := strings.Split(string(head), "\r\n")
	fields = []harField{}
	for _, line := range lines[1:] {
		name, value, _ := strings.Cut(line, ":")
		fields = append(fields, harField{name, strings.Trim(value, " \t")})
	}
	return lines[0], fields, body
}

// field returns the first field of a name.
func field(fields []harField, name string) string {
	for _, f := range fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value
		}
	}
	return ""
}

// The members of HTTP Archive 1.2. Names that begin with an underscore are ours, as it
// allows.

type har struct {
	Log harLog `json:"log"`
}

type harLog struct {
	Version string     `json:"version"`
	Creator harCreator `json:"creator"`
	Entries []harEntry `json:"entries"`
	Comment string     `json:"comment"`
}

type harCreator struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harEntry struct {
	Started    string      `json:"startedDateTime"`
	Time       float64     `json:"time"`
	Request    harRequest  `json:"request"`
	Response   harResponse `json:"response"`
	Cache      struct{}    `json:"cache"`
	Timings    harTimings  `json:"timings"`
	Connection string      `json:"connection"`
	Comment    string      `json:"comment"`
}

type harTimings struct {
	Send    int     `json:"send"`
	Wait    float64 `json:"wait"`
	Receive int     `json:"receive"`
}

type harField struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harRequest struct {
	Method   string     `json:"method"`
	URL      string     `json:"url"`
	Version  string     `json:"httpVersion"`
	Cookies  []harField `json:"cookies"`
	Fields   []harField `json:"headers"`
	Query    []harField `json:"queryString"`
	Body     *harBody   `json:"postData,omitempty"`
	HeadSize int        `json:"headersSize"`
	BodySize int        `json:"bodySize"`
}

// harBody is the body of a request. HAR holds only text, so a body that is not UTF-8 has
// a member of its own.
type harBody struct {
	Type   string     `json:"mimeType"`
	Params []harField `json:"params"`
	Text   string     `json:"text"`
	Base64 string     `json:"_base64,omitempty"`
}

type harResponse struct {
	Status   int        `json:"status"`
	Text     string     `json:"statusText"`
	Version  string     `json:"httpVersion"`
	Cookies  []harField `json:"cookies"`
	Fields   []harField `json:"headers"`
	Content  harContent `json:"content"`
	Redirect string     `json:"redirectURL"`
	HeadSize int        `json:"headersSize"`
	BodySize int        `json:"bodySize"`
	Failure  string     `json:"_error,omitempty"`
}

type harContent struct {
	Size     int    `json:"size"`
	Type     string `json:"mimeType"`
	Text     string `json:"text"`
	Encoding string `json:"encoding,omitempty"`
}

// harContentOf is the body of a response, of which some bytes may be cut off.
func harContentOf(body []byte, cutOff int, media string) harContent {
	c := harContent{Size: len(body) + cutOff, Type: media, Text: string(body)}
	if !utf8.Valid(body) {
		c.Text, c.Encoding = base64.StdEncoding.EncodeToString(body), "base64"
	}
	return c
}

// title names a failed requirement.
func title(x report.Result) string { return Escape(fmt.Sprintf("%s (%s)", x.Requirement, x.Level)) }
