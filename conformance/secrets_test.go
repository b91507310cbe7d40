package conformance_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

const (
	secretToken  = "qK7d/Xw2mPz9+LbV4t"
	secretCookie = "Jh8sT3kQ0zYw"
)

// betrayals are answers to a request with a credential: each holds it in a form
// of its own.
func betrayals() map[string]func(auth, cookie string) string {
	answer := func(head, body string) string {
		return fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", head, len(body), body)
	}
	token := func(auth string) string { return strings.TrimSpace(strings.TrimPrefix(auth, "Bearer ")) }
	plant := func(name string) string { return fmt.Sprintf(`{"id": 1, "name": %q}`, name) }
	return map[string]func(auth, cookie string) string{
		"in the name":        func(a, _ string) string { return answer("", plant("Rose "+token(a))) },
		"in a member's name": func(a, _ string) string { return answer("", fmt.Sprintf(`{%q: 1}`, token(a))) },
		"in what is no JSON": func(a, _ string) string { return answer("", fmt.Sprintf(`{%q: 1,,}`, token(a))) },
		"in a field":         func(a, c string) string { return answer("X-Debug: "+a+"\r\nX-Cookie: "+c+"\r\n", plant("n")) },
		"in a field's name": func(a, _ string) string {
			return answer("X-"+strings.NewReplacer("/", "", "+", "").Replace(token(a))+": 1\r\n", plant("n"))
		},
		"in the media type": func(a, _ string) string {
			return "HTTP/1.1 200 OK\r\nContent-Type: text/" + token(a) + "\r\nContent-Length: 0\r\n\r\n"
		},
		"in the reason phrase": func(a, _ string) string { return "HTTP/1.1 500 " + a + "\r\nContent-Length: 0\r\n\r\n" },
		"parted over fields": func(a, _ string) string {
			h := len(a) / 2
			return answer("X-A: "+a[:h]+"\r\nX-B: "+a[h:]+"\r\n", plant("n"))
		},
		"in UTF-16": func(a, _ string) string { return answer("", strings.Join(strings.Split(a, ""), "\x00")) },
		"in base64": func(a, _ string) string {
			return answer("", plant(base64.StdEncoding.EncodeToString([]byte("auth="+a))))
		},
		"in HTML": func(a, _ string) string {
			return answer("", "<p>"+strings.ReplaceAll(html.EscapeString(a), "/", "&#47;"))
		},
		"in other case":   func(a, _ string) string { return answer("", plant(strings.ToUpper(a))) },
		"where it is cut": func(a, c string) string { return answer("", strings.Repeat("x", 8<<10-10-len("Bearer "))+a+c) },
		"in gzip": func(a, _ string) string {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, _ = io.WriteString(w, a)
			_ = w.Close()
			return answer("Content-Encoding: gzip\r\n", b.String())
		},
		"in half an answer": func(a, _ string) string { return "HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n" + a },
		"in no HTTP":        func(a, _ string) string { return a + "\r\n\r\n" },
	}
}

// betray serves until the test ends.
func betray(t *testing.T, answer func(auth, cookie string) string) (url string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer c.Close()
				in := bufio.NewReader(c)
				for {
					r, err := http.ReadRequest(in)
					if err != nil {
						return
					}
					_, _ = io.Copy(io.Discard, r.Body)
					text := "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: Bearer\r\nContent-Length: 0\r\n\r\n"
					if a := r.Header.Get("Authorization"); strings.Contains(a, secretToken) || len(a) > 20 {
						text = answer(a, r.Header.Get("Cookie"))
					}
					if _, err := io.WriteString(c, text); err != nil || !strings.HasPrefix(text, "HTTP/1.1") || strings.Contains(text, "9000") {
						return
					}
				}
			}()
		}
	}()
	return "http://" + l.Addr().String()
}

func TestNoOutputHoldsACredentialWhateverTheTargetSendsBack(t *testing.T) {
	t.Parallel()
	for name, answer := range betrayals() {
		t.Run(name, func(t *testing.T) {
			sample.OneIn(t, 5)
			var trace, live bytes.Buffer
			stream := formats.NewStream(&live)
			c := conformance.Config{Target: betray(t, answer), Token: secretToken, Draws: -1, Trace: &trace, Cache: plantPlans,
				Started: func(h report.Header) { stream.Started(conformance.Tool, h) }, Failing: stream.Failing, Confirmed: stream.Confirmed,
				Headers: []string{"Cookie: sid=" + secretCookie, "X-Api-Key: " + secretCookie + "2"},
				Only:    []string{"*/baseline/0", "*/baseline/1", "*/credential/*in-base64/*", "*/credential/*prefix-4/*", "*/credential/*reversed/*", "*/invalid/*/id/null/*"}}
			r, err := conformance.Run(context.Background(), c)
			require.NoError(t, err)
			require.NotEmpty(t, r.Results)
			require.NoError(t, stream.End(r))
			require.Contains(t, live.String(), "\n{\"kind\":\"confirmed\",")
			outputs := map[string]string{"trace": decodedTexts(trace.Bytes()), "stream": decodedTexts(live.Bytes())}
			for _, f := range formats.List() {
				var b bytes.Buffer
				require.NoError(t, f.Write(&b, r, formats.Options{}))
				outputs[f.Name] = decodedTexts(b.Bytes())
			}
			transcript, err := conformance.Replay(context.Background(), c, "post-plants/valid/baseline/body/baseline/0")
			require.NoError(t, err)
			var b bytes.Buffer
			require.NoError(t, formats.TranscriptText(&b, transcript, formats.Options{}))
			outputs["replay"] = b.String()
			if name == "in the name" {
				assert.Contains(t, outputs["json"], "$CONFORMANCE_TOKEN")
				assert.Contains(t, outputs["json"], "$CONFORMANCE_HEADER_COOKIE")
			}
			for where, text := range outputs {
				betrayed(t, where, text)
			}
		})
	}
}

// betrayed looks for parts of the secrets in a text.
func betrayed(t *testing.T, where, text string) {
	t.Helper()
	small := strings.ToLower(strings.NewReplacer("\x00", "", `\x00`, "", `\u0000`, "").Replace(text))
	for _, secret := range []string{secretToken, secretCookie, base64.StdEncoding.EncodeToString([]byte("auth=Bearer " + secretToken))[16:]} {
		for i := 0; i+7 <= len(secret); i++ {
			part := strings.ToLower(secret[i : i+7])
			assert.NotContains(t, small, part, "%s holds a part of a secret", where)
		}
	}
	for n := 3; n < 8; n++ {
		assert.NotContains(t, small, "xxxxbearer "+strings.ToLower(secretToken[:n]), where)
	}
}

// decodedTexts adds what stands in base64 in a report to it.
func decodedTexts(b []byte) string {
	out := string(b)
	for _, line := range strings.Split(out, `"base64":`)[1:] {
		text := strings.Trim(strings.SplitN(strings.TrimLeft(line, ` "`), `"`, 2)[0], `" `)
		if plain, err := base64.StdEncoding.DecodeString(text); err == nil {
			out += "\n" + string(plain)
			if z, err := gzip.NewReader(bytes.NewReader(plain[max(0, bytes.Index(plain, []byte{0x1f, 0x8b})):])); err == nil {
				more, _ := io.ReadAll(z)
				out += "\n" + string(more)
			}
		}
	}
	return out
}

// TestNoFieldTellsWhichCaseIsAsked runs the whole plan against a target that
// takes everything, and reads the heads.
func TestNoFieldTellsWhichCaseIsAsked(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	var mu sync.Mutex
	agents := map[string]int{}
	target := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		agents[strings.Join(r.Header.Values("User-Agent"), ", ")]++
		for name, list := range r.Header {
			for _, v := range list {
				if name == "Authorization" {
					continue
				}
				assert.NotContains(t, v, "/invalid/", name)
				assert.NotContains(t, v, "post-plants", name)
			}
		}
		assert.Empty(t, r.Header.Get("X-Conformance-Case"))
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"id": 1, "name": "n"}`))
	})
	judgeServer(t, target, conformance.Config{Token: "a-token-of-this-test", Draws: 1})
	// A few cases are about the field: they leave it out, make it long, or name a health check.
	usual, all := agents[conformance.Tool], 0
	for _, n := range agents {
		all += n
	}
	assert.Less(t, all-usual, usual/20)
	assert.NotZero(t, usual)
}
