package crud

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plantstore/reference/kit"
)

// What every service of these tests has.
const (
	userID = "11111111-1111-4111-8111-aaaaaaaaaaaa"
	taskID = "22222222-2222-4222-8222-bbbbbbbbbbbb"
	doneID = "33333333-3333-4333-8333-cccccccccccc"
	nobody = "99999999-9999-4999-8999-dddddddddddd"
	aTask  = "/projects/1/tasks/" + taskID
)

// request is one to send. Its header lines are "Name: value"; it has all
// credentials that go in header fields unless it is bare.
type request struct {
	method, target, media, body string
	lines                       []string
	bare                        bool
}

func get(target string, lines ...string) request {
	return request{method: "GET", target: target, lines: lines}
}

func send(method, target, media, body string, lines ...string) request {
	return request{method: method, target: target, media: media, body: body, lines: lines}
}

// bare is a request with nothing but its lines.
func bare(method, target string, lines ...string) request {
	return request{method: method, target: target, lines: lines, bare: true}
}

// reply is what came back.
type reply struct {
	status int
	header http.Header
	body   []byte
	err    error
}

// serve starts a service that has a user, a project, two tasks and a file.
func serve(t *testing.T, opts ...Option) *Running {
	t.Helper()
	r, err := Start("127.0.0.1:0", opts...)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Close() })
	s := r.server.Handler.(*server)
	read := func(text string) map[string]any {
		v, ok := kit.ReadJSON([]byte(text))
		require.True(t, ok, text)
		return v.(map[string]any)
	}
	s.store.users = []*user{{id: userID, members: read(`{"name":"Ann","email":"ann@example.com","role":"lead","password":"password"}`)}}
	p := &project{id: s.store.next(), created: time.Now()}
	p.keep(read(`{"name":"Bridge","code":"BR-1","budget":10.25,"tags":["old"],"secret":"password"}`))
	p.tasks = []*task{
		{id: taskID, state: "open", created: time.Now(), members: read(`{"kind":"bug","title":"rust","severity":2}`), note: []byte("mind the gap")},
		{id: doneID, state: "completed", created: time.Now(), members: read(`{"kind":"feature","title":"rail","value":"low","due":"2026-01-02T03:04:05Z"}`)},
	}
	s.store.projects = []*project{p}
	s.store.files["f1"] = &file{ext: "txt", bytes: []byte("a file\r\n")}
	return r
}

// send sends a request as it is written.
func (r *Running) send(t *testing.T, q request) reply {
	t.Helper()
	req, err := http.NewRequest(q.method, r.URL+q.target, strings.NewReader(q.body))
	require.NoError(t, err)
	if q.body == "" {
		req.Body = nil
	}
	if !q.bare {
		c := DefaultCredentials()
		req.Header.Set("Authorization", "Bearer "+c.Bearer)
		req.Header.Set("X-Desk-Key", c.DeskKey)
	}
	if q.media != "" {
		req.Header.Set("Content-Type", q.media)
	}
	for _, line := range q.lines {
		name, value, _ := strings.Cut(line, ": ")
		req.Header.Set(name, value)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}, Timeout: 10 * time.Second}
	resp, err := client.Do(req)
	if err != nil {
		return reply{err: err}
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return reply{status: resp.StatusCode, header: resp.Header, body: body}
}

var changing = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-9:]{8}Z`)

// seen is a reply without what changes from one service to the next.
func (r reply) seen() string {
	if r.err != nil {
		return "no answer"
	}
	var b bytes.Buffer
	h := r.header.Clone()
	h.Del("Date")
	if strings.HasPrefix(string(r.body), "[") {
		h.Del("ETag") // of what changes
	}
	_ = h.Write(&b)
	b.Write(r.body)
	return http.StatusText(r.status) + "\n" + changing.ReplaceAllString(b.String(), "*")
}

// members writes an object from names and values that are JSON; the later one
// counts, and an empty one takes the member away.
func members(pairs ...string) string {
	values, names := map[string]string{}, []string{}
	for i := 0; i < len(pairs); i += 2 {
		if _, there := values[pairs[i]]; !there {
			names = append(names, pairs[i])
		}
		values[pairs[i]] = pairs[i+1]
	}
	var out []string
	for _, n := range names {
		if values[n] != "" {
			out = append(out, `"`+n+`":`+values[n])
		}
	}
	return "{" + strings.Join(out, ",") + "}"
}

// The valid bodies, changed.
func userWith(pairs ...string) string {
	return members(append([]string{"name", `"Bob"`, "email", `"bob@Example.com"`, "password", `"secret-secret"`}, pairs...)...)
}

func projectWith(pairs ...string) string {
	return members(append([]string{"name", `"Tower"`, "code", `"TW-7"`, "budget", `99.5`}, pairs...)...)
}

func bugWith(pairs ...string) string {
	return members(append([]string{"kind", `"bug"`, "title", `"leak"`, "severity", `3`}, pairs...)...)
}

// parts writes a multipart form from names and values, without a name where the
// value is "-".
func parts(pairs ...string) string {
	values := map[string]string{"file": "bytes", "title": "a title", "ext": "bin"}
	for i := 0; i < len(pairs); i += 2 {
		values[pairs[i]] = pairs[i+1]
	}
	var b strings.Builder
	for _, name := range []string{"file", "title", "ext", "revision", "meta"} {
		v, given := values[name]
		if !given || v == "-" {
			continue
		}
		extra := ""
		switch name {
		case "file":
			extra = "; filename=\"f\"\r\nContent-Type: application/octet-stream"
		case "meta":
			extra = "\r\nContent-Type: application/json"
		}
		b.WriteString("--cut\r\nContent-Disposition: form-data; name=\"" + name + "\"" + extra + "\r\n\r\n" + v + "\r\n")
	}
	return b.String() + "--cut--\r\n"
}

const (
	multipartMedia = "multipart/form-data; boundary=cut"
	formMedia      = "application/x-www-form-urlencoded"
	mergeMedia     = "application/merge-patch+json"
	jsonMedia      = "application/json"
)

func upload(pairs ...string) request {
	return send("POST", "/files", multipartMedia, parts(pairs...))
}

func feedback(body string, lines ...string) request {
	if lines == nil {
		lines = []string{"Cookie: consent=true; locale=de"}
	}
	return request{method: "POST", target: "/feedback", media: formMedia, body: body, lines: lines, bare: true}
}

func searchFor(query string) request {
	return bare("GET", "/search?api_key="+DefaultCredentials().QueryKey+"&"+query)
}
