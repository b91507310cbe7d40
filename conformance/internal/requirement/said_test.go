package requirement

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestWhatAnAnswerSaysIsItsMessageOrItsExceptionOnOneLine(t *testing.T) {
	for body, want := range map[string]string{
		"":                               "",
		"  \n":                           "",
		"Not today.\nReally":             "Not today.",
		`{"message":"name is taken"}`:    "name is taken",
		`{"error":400,"message":"no"}`:   "no",
		`{"detail":"Not authenticated"}`: "Not authenticated",
		`{"error":{"message":"bad id","code":7}}`:                                                             "bad id",
		`{"error":{"statusCode":422,"name":"ValidationError","details":[{"path":"/a","message":"must be"}]}}`: "/a: must be",
		`{"errors":[{"msg":"too long","param":"a"},{"msg":"other"}]}`:                                         "too long",
		`{"errors":["first","second"]}`:                                                                       "first",
		`{"detail":[{"loc":["body","name"],"msg":"field required","type":"missing"}]}`:                        "body.name: field required",
		`{"type":"about:blank","title":"Bad Request","status":400,"detail":"id is no number"}`:                "Bad Request: id is no number",
		`{"title":"Gone.","detail":"It was deleted."}`:                                                        "Gone: It was deleted.",
		`{"title":"Same","detail":"Same"}`:                                                                    "Same",
		`{"errno":999,"message":"A programmatic error occured, developers have been informed."}`:              "A programmatic error occured, developers have been informed.",
		`{"error":"invalid_token","error_description":"It has expired"}`:                                      "It has expired",
		`{"timestamp":"2026-01-01","status":500,"error":"Internal Server Error","path":"/a"}`:                 "Internal Server Error",
		`{"e":"json"}`:        "json",
		`"just a text"`:       "just a text",
		`[{"message":"one"}]`: "one",
		`{"a":1,"b":2}`:       `{"a":1,"b":2}`,
		`{"message":""}`:      `{"message":""}`,
		`{"stack":["a","b"],"message":"cut here","more":["x`: "cut here",
		`{}`: `{}`,
		`{"message":"TypeError: x is undefined\n    at f (a.js:1:2)"}`: "TypeError: x is undefined",
		"<!DOCTYPE html>\n<html><head><title>Error</title></head><body><pre>TypeError: Cannot read properties of null (reading &#39;name&#39;)<br> &nbsp; &nbsp;at /app/a.js:3:5<br></pre></body></html>": "TypeError: Cannot read properties of null (reading 'name')",
		"<html><head><title>500 Internal Server Error</title></head><body><h1>Internal Server Error</h1><p>More.</p></body></html>":                                                                       "500 Internal Server Error",
		"<html><style>b{}</style><body><h1>Bad <b>Request</b></h1></body></html>":                                                                                                                         "Bad Request",
		`<html><title>KeyError at /a</title><pre class="exception_value">&#x27;name&#x27;</pre><pre>Traceback</pre></html>`:                                                                               "'name'",
		"<html><title>HTTP Status 500</title><p><b>Message</b> Request processing failed</p><pre>java.lang.X</pre></html>":                                                                                "Request processing failed",
		"<html><title> Exception </title><section><h2>Exception</h2>\n<p>CRS &#39;a&#39; not supported.</p></section><p>footer</p></html>":                                                                "CRS 'a' not supported.",
		"<error><code>7</code></error>": "7",
		"<title>ZeroDivisionError: by zero // Werkzeug Debugger</title><p class=\"errormsg\">ZeroDivisionError: by zero\n</p><pre class=\"line before\">def f():</pre>": "ZeroDivisionError: by zero",
		"Traceback (most recent call last):\n  File \"a.py\", line 3, in f\n    x['a']\n    ~^^^\nKeyError: 'a'\n":                                                      "KeyError: 'a'",
		"/app/a.js:3\n  throw x\n  ^\n\nTypeError: x is not a function\n    at f (/app/a.js:3:9)\n    at g (/app/a.js:9:1)":                                             "TypeError: x is not a function",
		"java.lang.NullPointerException: it is null\n\tat com.acme.A.f(A.java:3)\n\t... 7 more":                                                                         "java.lang.NullPointerException: it is null",
		"System.InvalidOperationException: Nullable object must have a value.\n   at A.F() in /a.cs:line 3":                                                             "System.InvalidOperationException: Nullable object must have a value.",
		"NoMethodError (undefined method `name' for nil):\n\napp/a.rb:3:in `show'":                                                                                      "NoMethodError (undefined method `name' for nil):",
		"app/a.rb:3:in `show': no name (RuntimeError)\n\tfrom app/b.rb:7:in `call'":                                                                                     "app/a.rb:3:in `show': no name (RuntimeError)",
		"panic: runtime error: index out of range [1] with length 0\n\ngoroutine 7 [running]:\nmain.f()":                                                                "panic: runtime error: index out of range [1] with length 0",
		"Internal failure\r\npanic: x\r\n": "panic: x",
		strings.Repeat("long ", 200):       strings.TrimSpace(strings.Repeat("long ", 200)),
	} {
		got := Said([]byte(body))
		if len(want) > saidBytes {
			assert.LessOrEqual(t, len(got), saidBytes+3, body)
			assert.NotContains(t, got, "\n")
			continue
		}
		assert.Equal(t, want, got, body)
	}
}

func TestWhatDiffersFromOneRequestToTheNextIsNoPartOfAMessage(t *testing.T) {
	for _, pair := range [][2]string{
		{`no text: "[\"9\"]"`, `no text: "{\"a\":\"7\"}"`},
		{`no text: ["9"]`, `no text: {"a": ["7", 8]}`},
		{`KeyError: 'a'`, `KeyError: 'b'`},
		{"no row 17", "no row 23.5"},
		{"unable to allocate 3.25 EiB for an array", "unable to allocate 720. PiB for an array"},
		{"no id 6f1c2d3e-0000-4000-8000-00000000000a", "no id 00000000-0000-4000-8000-00000000000b"},
		{"at 0x7f3a", "at 0x12"},
		{"see k3j9x2 for more", "see q7w for more"},
		{`column "x" of relation "y"`, `column "z" of relation "w"`},
		{"failed at 2026-01-01T10:00:00Z", "failed at 2025-12-31T23:59:59.5Z"},
		{"cannot find fern7", "cannot find rose8"},
	} {
		one, two := Same(pair[0], []string{"fern7"}), Same(pair[1], []string{"rose8"})
		assert.Equal(t, one, two)
	}
	assert.NotEqual(t, Same("no such table", nil), Same("no such column", nil))
}
