package conformance_test

import (
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"

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
