package redact_test

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/redact"
)

// tokens are secrets of several kinds: of letters, in base64, with characters
// that every encoding escapes, and one of the shortest that is safe.
func tokens() []string {
	return []string{"qK7dXw2mPz9LbV4t", "c2VjcmV0LXRva2Vu+/8x/w==", `p"q/r<s>&t'u+v=w\x%y`, "q7/+d<Xw", "user:pa55-w0rd/+"}
}

// disguises are ways in which servers write what they were sent.
func disguises() map[string]func(string) string {
	each := func(format string) func(string) string {
		return func(s string) string {
			var b strings.Builder
			for i := range len(s) {
				fmt.Fprintf(&b, format, s[i])
			}
			return b.String()
		}
	}
	between := func(sep string) func(string) string {
		return func(s string) string { return strings.Join(strings.Split(s, ""), sep) }
	}
	twice := func(f func(string) string) func(string) string { return func(s string) string { return f(f(s)) } }
	encoded := func(e *base64.Encoding, before string) func(string) string {
		return func(s string) string { return e.EncodeToString([]byte(before + s + "~more")) }
	}
	wide := func(order func(uint16) string) func(string) string {
		return func(s string) string {
			var b strings.Builder
			for _, u := range utf16.Encode([]rune(s)) {
				b.WriteString(order(u))
			}
			return b.String()
		}
	}
	return map[string]func(string) string{
		"as it is":             func(s string) string { return s },
		"upper case":           strings.ToUpper,
		"lower case":           strings.ToLower,
		"backwards":            reversed,
		"percent":              each("%%%02X"),
		"percent, where due":   url.QueryEscape,
		"percent, in a path":   url.PathEscape,
		"percent, twice":       twice(each("%%%02x")),
		"JSON escapes":         each(`\u%04X`),
		"JSON in JSON":         each(`\\u%04x`),
		"escaped solidus":      func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
		"Go quotes":            func(s string) string { return fmt.Sprintf("%q", s) },
		"octal escapes":        each(`\%03o`),
		"escapes of scripts":   each(`\u{%x}`),
		"escapes of C":         each(`\x%02x`),
		"HTML":                 html.EscapeString,
		"HTML, decimal":        each("&#%d;"),
		"HTML, hexadecimal":    each("&#x%X;"),
		"HTML, twice":          twice(html.EscapeString),
		"quoted-printable":     each("=%02X"),
		"hexadecimal":          func(s string) string { return hex.EncodeToString([]byte(s)) },
		"hexadecimal, apart":   each("%02X "),
		"numbers":              each("%d, "),
		"NUL between":          between("\x00"),
		"blanks between":       between(" "),
		"zero width between":   between("\u200b"),
		"soft hyphens between": between("\u00ad"),
		"commas between":       between(`","`),
		"lines of four":        func(s string) string { return s[:4] + "\r\n " + s[4:] },
		"UTF-16LE":             wide(func(u uint16) string { return string([]byte{byte(u), byte(u >> 8)}) }),
		"UTF-16BE":             wide(func(u uint16) string { return string([]byte{byte(u >> 8), byte(u)}) }),
		"full width": func(s string) string {
			return strings.Map(func(r rune) rune { return r - '!' + '！' }, s)
		},
		"base64":               encoded(base64.StdEncoding, ""),
		"base64, unpadded":     encoded(base64.RawStdEncoding, "u"),
		"base64 of user:token": encoded(base64.StdEncoding, "user:"),
		"base64 of a field":    encoded(base64.StdEncoding, "Authorization: Bearer "),
		"base64 for URLs":      encoded(base64.URLEncoding, "ab"),
		"base64, wrapped":      func(s string) string { b := base64.StdEncoding.EncodeToString([]byte(s)); return b[:5] + "\n" + b[5:] },
		"base64, small":        func(s string) string { return strings.ToLower(base64.StdEncoding.EncodeToString([]byte(s))) },
		"base64, backwards":    func(s string) string { return base64.StdEncoding.EncodeToString([]byte(reversed(s))) },
		"gzip": func(s string) string {
			var b bytes.Buffer
			w := gzip.NewWriter(&b)
			_, _ = w.Write([]byte("Bearer " + s))
			_ = w.Close()
			return b.String()
		},
		"zlib": func(s string) string {
			var b bytes.Buffer
			w := zlib.NewWriter(&b)
			_, _ = w.Write([]byte("Bearer " + s))
			_ = w.Close()
			return b.String()
		},
	}
}

func reversed(s string) string {
	b := []byte(s)
	for i, j := 0, len(b)-1; i < j; i, j = i+1, j-1 {
		b[i], b[j] = b[j], b[i]
	}
	return string(b)
}

const shown = "$CONFORMANCE_TOKEN"

func TestASecretIsTakenOutInEveryDisguise(t *testing.T) {
	for _, token := range tokens() {
		r := redact.New(redact.Secret{Value: token, Shown: shown})
		for name, disguise := range disguises() {
			in := "before: " + disguise(token) + " :behind"
			got := string(r.Bytes([]byte(in), false))
			assert.Contains(t, got, shown, "%s of %s", name, token)
			assert.NotContains(t, got, disguise(token), "%s of %s", name, token)
			if name != "gzip" && name != "zlib" {
				// What else was encoded stays, and not more than the edges of the secret.
				around := len("before:  :behind") + 12
				if strings.HasPrefix(name, "base64") {
					around += len(base64.StdEncoding.EncodeToString([]byte("Authorization: Bearer ~more")))
				}
				assert.Less(t, len(got)-len(shown), around, "%s of %s: %s", name, token, got)
			}
		}
	}
}

func TestASecretThatIsPartedOverFieldsOrMembersIsTakenOut(t *testing.T) {
	token := "qK7dXw2mPz9LbV4t"
	r := redact.New(redact.Secret{Value: token, Shown: shown})
	for _, in := range []string{
		"HTTP/1.1 200 qK7dXw2m\r\nX-A: Pz9LbV4t\r\n",
		"X-A: qK7d\r\nX-B: Xw2m\r\nX-C: Pz9L\r\nX-D: bV4t\r\n",
		`{"a":"qK7d","b":"Xw2m","c":"Pz9L","d":"bV4t"}`,
		"a=qK7&b=dXw&c=2mP&d=z9L&e=bV4&f=t",
	} {
		got := string(r.Bytes([]byte(in), false))
		for _, part := range []string{"qK7", "dXw", "Xw2m", "2mP", "Pz9L", "z9L", "bV4"} {
			assert.NotContains(t, got, part, "%s became %s", in, got)
		}
	}
}

func TestTheBeginningOfASecretIsTakenOutWhereTheTextWasCut(t *testing.T) {
	token := "qK7dXw2mPz9LbV4t"
	r := redact.New(redact.Secret{Value: token, Shown: shown})
	for n := 1; n <= len(token); n++ {
		assert.Equal(t, "you sent "+shown, string(r.Bytes([]byte("you sent "+token[:n]), true)), n)
	}
	for n := 3; n <= len(token); n++ {
		assert.Equal(t, "you sent "+shown+"… and more", r.Text("you sent "+token[:n]+"… and more"), n)
	}
	assert.Equal(t, "a quick answer", r.Text("a quick answer"))
}

func TestInnocentTextStays(t *testing.T) {
	r := redact.New(redact.Secret{Value: "qK7dXw2mPz9LbV4t", Shown: shown})
	for _, text := range []string{"", "200 OK, a Plant", `{"message":"bad request","code":400}`, "植物 🌱 100%", "a%", `b\`, "c&", "d=",
		"&#;", "%u", `\u`, `\u{}`, "&amp;", "…", "\x1f\x8b\x08", "\x78\x9c", "=3"} {
		assert.Equal(t, text, string(r.Bytes([]byte(text), false)))
	}
}

func TestAShortSecretIsTakenOutAsAWhole(t *testing.T) {
	r := redact.New(redact.Secret{Value: "s3cr", Shown: shown}, redact.Secret{Value: "ab", Shown: "$AB"})
	assert.Equal(t, "x"+shown+"y S3C $AB cab abc", r.Text("xS3CRy S3C ab cab abc"))
}

func TestWhatTheSuiteWroteLosesWholeSecretsAlone(t *testing.T) {
	r := redact.New(redact.Secret{Value: "secret-token", Shown: shown})
	assert.Equal(t, "Bearer secret", string(r.Own([]byte("Bearer secret"))))
	assert.Equal(t, "Bearer "+shown, string(r.Own([]byte("Bearer secret-token"))))
}

func TestTheFirstLettersOfASecretAreTakenOutWhereTheyWereSent(t *testing.T) {
	r := redact.New(redact.Secret{Value: "qK7dXw2mPz9LbV4t", Shown: shown})
	assert.Equal(t, `unknown token "qK7d"`, r.Text(`unknown token "qK7d"`))
	assert.Equal(t, `unknown token "${T:0:4}", qk7dx`, r.And(redact.Secret{Value: "qK7d", Shown: "${T:0:4}"}).Text(`unknown token "qK7d", qk7dx`))
}

func TestSecretHeadersAreKnownByTheirNames(t *testing.T) {
	for _, name := range []string{"Cookie", "X-Api-Key", "X-API-KEY", "Proxy-Authorization", "X-Auth", "X-Access-Token", "My-Secret", "X-Session-Id", "Ocp-Apim-Subscription-Key"} {
		assert.True(t, redact.Header(name), name)
	}
	for _, name := range []string{"X-Tenant", "Accept-Language", "Traceparent", "Monkey", "X-Request-Id"} {
		assert.False(t, redact.Header(name), name)
	}
	shown := "$CONFORMANCE_HEADER_AUTHORIZATION"
	assert.Equal(t, []redact.Secret{{Value: "dXNlcjpzZXNhbWU=", Shown: shown}, {Value: "user:sesame", Shown: shown}, {Value: "sesame", Shown: shown}},
		redact.Field("Authorization", "Basic dXNlcjpzZXNhbWU="))
	assert.Equal(t, []redact.Secret{{Value: "v1", Shown: "$CONFORMANCE_HEADER_COOKIE"}, {Value: "v2", Shown: "$CONFORMANCE_HEADER_COOKIE"}},
		redact.Field("Cookie", "a=v1; b=v2"))
	assert.Equal(t, []redact.Secret{{Value: "xyz", Shown: "$CONFORMANCE_HEADER_X_AUTH"}}, redact.Field("X-Auth", "Bearer xyz"))
}

// FuzzNothingOfASecretStays puts a secret, disguised, between bytes of any kind.
func FuzzNothingOfASecretStays(f *testing.F) {
	for i := range len(disguises()) {
		f.Add("HTTP/1.1 200 OK\r\nX-A: %4", `","b":"\u00`, uint8(i), uint8(i))
	}
	f.Add("\x1f\x8b\x08", "…", uint8(3), uint8(200))
	names := make([]string, 0, len(disguises()))
	for name := range disguises() {
		if name != "gzip" && name != "zlib" { // beside other compressed bytes they are not found
			names = append(names, name)
		}
	}
	f.Fuzz(func(t *testing.T, before, behind string, which, how uint8) {
		token := tokens()[int(which)%len(tokens())]
		r := redact.New(redact.Secret{Value: token, Shown: shown})
		disguised := disguises()[names[int(how)%len(names)]](token)
		for _, cut := range []bool{false, true} {
			got := r.Bytes([]byte(before+disguised+behind), cut)
			assert.NotContains(t, string(got), token)
			assert.Contains(t, string(got), shown)
		}
		for n := range len(disguised) {
			_ = r.Bytes([]byte(before+disguised[:n]), true) // never panics, wherever it is cut
		}
	})
}

func TestATargetCannotMakeRedactionSlow(t *testing.T) {
	token := strings.Repeat("qK7dXw2mPz9LbV4t", 256)
	r := redact.New(redact.Secret{Value: token, Shown: shown})
	for _, piece := range []string{"…", "%", `\`, "&#", "=", token[:7], "\x1f\x8b\x08", "%25", "\u200b", "a:", `\\\\u0071`} {
		in := bytes.Repeat([]byte(piece), (64<<10)/len(piece))
		began := time.Now()
		_ = r.Bytes(in, true)
		// A second is a hundred times what it takes: a square would be hours.
		assert.Less(t, time.Since(began), 20*time.Second, "%q", piece)
	}
}

// A password may be an ordinary word: the names of tables and members that have it are not secret.
func TestAnOrdinaryWordIsRedactedBetweenWordsAlone(t *testing.T) {
	r := redact.New(redact.Secret{Value: "user", Shown: "$A"}, redact.Secret{Value: "plants", Shown: "$B"}, redact.Secret{Value: "pw7x", Shown: "$C"})
	for text, want := range map[string]string{
		`no such table: user_accounts`:               `no such table: user_accounts`,
		`{"users": 1, "superuser": 2, "user-id": 3}`: `{"users": 1, "superuser": 2, "user-id": 3}`,
		`result: SQL error in plants_old`:            `result: SQL error in plants_old`,
		`{"password": "user"}`:                       `{"password": "$A"}`,
		`login user: refused`:                        `login $A: refused`,
		`"us\u0065r"`:                                `"$A"`,
		`USER resu user`:                             `$A $A $A`,
		`xpw7xy`:                                     `x$Cy`,
		`because…`:                                   `because…`,
		`the use…`:                                   `the $A…`,
	} {
		assert.Equal(t, want, r.Text(text), text)
	}
	assert.Equal(t, "curl /plants_old/$B -d user_id=$A USER", string(r.Own([]byte("curl /plants_old/plants -d user_id=user USER"))))
}

func TestWhatARedactorLearnsIsTakenOutByThoseMadeFromIt(t *testing.T) {
	r := redact.New(redact.Secret{Value: "first-secret-5f0b", Shown: "$A"})
	more := r.And(redact.Secret{Value: "xyz", Shown: "$B"})
	r.Learn(redact.Secret{Value: "qK7dXw2mPz9LbV4t", Shown: "$A"})
	assert.Equal(t, "$A $A", r.Text("first-secret-5f0b qK7dXw2mPz9LbV4t"))
	assert.Equal(t, "$A $A $B", more.Text("first-secret-5f0b qK7dXw2mPz9LbV4t xyz"))
	assert.Equal(t, "$A", string(more.Own([]byte("qK7dXw2mPz9LbV4t"))))
}
