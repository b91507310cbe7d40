package conformance_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// notesOfClients is a document whose body may name a client, which nothing makes.
const notesOfClients = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/notes: {
  post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [text], properties: {text: {type: string}, clientId: {type: string}}}}}},
    responses: {"201": {description: d}, "400": {description: d}}}}}}`

func TestAnOptionalKeyOfWhatNothingMakesIsNotJudgedAndStopsNoVerdict(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	document, err := openapi.Load("notes.yaml", []byte(notesOfClients))
	require.NoError(t, err)
	shape := document.Operations[0].Body.Shape
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent, err := io.ReadAll(r.Body)
		if read := shape.Read(sent); err != nil || read.Root() == nil || len(read.Violations) > 0 || read.Syntax != nil || r.Header.Get("Content-Type") != "application/json" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		w.WriteHeader(http.StatusCreated)
	})
	r := judgeServer(t, handler, conformance.Config{Spec: []byte(notesOfClients), SpecName: "notes.yaml"})
	assert.Equal(t, report.Conformant, r.Summary.Verdict)
	for _, x := range r.Results {
		if x.Requirement == "post-notes-body-clientid-accepted" {
			assert.Equal(t, report.Inapplicable, x.Verdict)
			assert.Equal(t, "each value names something that may not exist: name one that does with --value", x.Reason)
			return
		}
	}
	t.Error("no requirement is about the key")
}
