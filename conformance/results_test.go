package conformance_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"

	"plantstore/conformance"
	"plantstore/conformance/report"
)

const files = `{openapi: 3.1.0, info: {title: Files, version: "1"}, paths: {/files: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [data], properties: {data: {type: string, format: byte}}}}}},
  responses: {"200": {description: kept, content: {application/json: {schema: {type: object, required: [data], properties: {data: {type: string, format: byte}}}}}},
    "400": {description: refused}}}}}}`

// fileServer keeps data that the decoder reads, and answers it as the encoder
// writes it.
func fileServer(decode func(string) ([]byte, error), encode func([]byte) string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
		var in map[string]any
		if err != nil || json.Unmarshal(body, &in) != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		text, isText := in["data"].(string)
		data, err := decode(text)
		if !isText || err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"data":"`+encode(data)+`"}`)
	}
}

func TestAServerThatReadsBase64InItsOwnWayPassesAndOneThatDoesNotFails(t *testing.T) {
	std, url := base64.StdEncoding, base64.RawURLEncoding
	lenient := func(s string) ([]byte, error) {
		return url.DecodeString(strings.TrimRight(strings.NewReplacer("+", "-", "/", "_", "\n", "", "\r", "").Replace(s), "="))
	}
	for name, row := range map[string]struct {
		server http.HandlerFunc
		failed []string
	}{
		"strict":             {fileServer(std.Strict().DecodeString, std.EncodeToString), nil},
		"lenient":            {fileServer(lenient, url.EncodeToString), nil},
		"takes every text":   {fileServer(func(s string) ([]byte, error) { return []byte(s), nil }, std.EncodeToString), []string{"post-files-body-data-byte"}},
		"answers plain text": {fileServer(std.Strict().DecodeString, func([]byte) string { return "not base64!" }), []string{"post-files-200-body-data-byte"}},
	} {
		verdict, got := judgeAnswers(t, files, row.server)
		assert.Equal(t, row.failed, got[report.Fail], name)
		if row.failed == nil {
			assert.Equal(t, report.Conformant, verdict, "%s: %v", name, got)
		}
	}
}

// An OpenAPI document with one operation, which reads a greeting.
const greetings = `
openapi: 3.1.0
info: {title: Greetings, version: "1"}
paths:
  /greeting:
    get:
      responses:
        "200":
          description: A greeting.
          content:
            application/json:
              schema:
                type: object
                required: [text]
                properties:
                  text: {type: string}
`

func ExampleRun() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"text": 42}`)
	}))
	defer server.Close()

	report, err := conformance.Run(context.Background(), conformance.Config{Target: server.URL, Spec: []byte(greetings)})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(report.Summary.Verdict)
	for _, result := range report.Results {
		for _, failure := range result.Failures {
			fmt.Println(result.Level, result.Requirement)
			fmt.Println("expected:", failure.Expected)
			fmt.Println("got:", failure.Got)
		}
	}
	// Output:
	// not conformant
	// MUST get-greeting-200-body-text-string
	// expected: In the answer, /text is a string.
	// got: 42 in 200 OK, application/json
}

func ExampleList() {
	listing, err := conformance.List(context.Background(), conformance.Config{Spec: []byte(greetings)})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, requirement := range listing.Requirements {
		fmt.Println(requirement.Level, requirement.Requirement)
	}
	// Output:
	// MUST get-greeting-answered
	// MUST get-greeting-framing
	// MUST get-greeting-valid-accepted
	// MUST get-greeting-200-status
	// MUST get-greeting-200-media-type
	// MUST get-greeting-200-json
	// MUST get-greeting-200-body-object
	// MUST get-greeting-200-body-text-required
	// MUST get-greeting-200-body-text-string
	// SHOULD json-unique-names
	// SHOULD http-strict-framing
}
