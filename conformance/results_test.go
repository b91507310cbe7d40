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
	"time"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
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
	sample.OneIn(t, 6)
	t.Parallel()
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
	// got: /text is 42 in 200 OK, application/json
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
	// SHOULD get-greeting-retry-after
}

const twoParts = `
openapi: 3.1.0
info: {title: Parts, version: "1"}
paths:
  /up: {get: {responses: {"200": {description: up}}}}
  /down: {get: {responses: {"200": {description: up}, "503": {description: not now}}}}
`

const oneFault = `
openapi: 3.1.0
info: {title: Parts, version: "1"}
paths:
  /up: {get: {responses: {"200": {description: up}}}}
  /mine: {get: {responses: {"20": {description: up}}}}
  /beside: {get: {parameters: [{$ref: '#/components/parameters/none'}], responses: {"200": {description: up}}}}
`

func TestAnOperationWithAFaultThatTheUserCanMendIsIncompleteWithItsPlace(t *testing.T) {
	t.Parallel()
	r := judgeServer(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), conformance.Config{Spec: []byte(oneFault), SpecName: "parts.yaml", Effort: "smoke"})
	assert.Equal(t, report.Incomplete, r.Summary.Verdict)
	assert.Equal(t, []string{"1 of 3 operations tried; " +
		`1 has a fault in the document: parts.yaml:6:35: status "20": want three digits, 2XX or default; ` +
		`1 has a fault in the document: parts.yaml:7:32: $ref "#/components/parameters/none" points at nothing: fix the pointer`}, r.Summary.Reasons)
}

// What the answers should be, nobody knows.
func TestAnOperationWhoseAnswersAFaultKeepsFromBeingJudgedIsIncomplete(t *testing.T) {
	t.Parallel()
	doc := strings.Replace(twoParts, `{"200": {description: up}}`, `{"200": {description: up, content: {application/json: {schema: {$ref: '#/components/schemas/Upp'}}}}}`, 1)
	r := judgeServer(t, answering(http.StatusOK, `{}`), conformance.Config{Spec: []byte(doc), SpecName: "parts.yaml", Effort: "smoke"})
	assert.Equal(t, report.Incomplete, r.Summary.Verdict)
	require.Len(t, r.Summary.Reasons, 1)
	assert.Contains(t, r.Summary.Reasons[0], `1 of 2 operations tried; 1 has a fault in the document: parts.yaml:5:89: $ref "#/components/schemas/Upp" points at nothing`)
}

func TestOperationsThatReferOutsideTheDocumentAreOneReasonWithItsFlag(t *testing.T) {
	t.Parallel()
	doc := strings.NewReplacer(`"20": {description: up}`, `"200": {$ref: "https://example.com/a/all.yaml#/components/responses/One"}`,
		"parameters: [{$ref: '#/components/parameters/none'}], responses: {\"200\": {description: up}}", `responses: {"200": {$ref: "https://example.com/a/all.yaml#/components/responses/Two"}}`).Replace(oneFault)
	r := judgeServer(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}), conformance.Config{Spec: []byte(doc), SpecName: "parts.yaml", Effort: "smoke"})
	require.Len(t, r.Summary.Reasons, 1)
	assert.Regexp(t, `^1 of 3 operations tried; 2 refer to what is outside the document: bring it inside`, r.Summary.Reasons[0])
}

const oneBeyond = `
openapi: 3.1.0
info: {title: Parts, version: "1"}
paths:
  /up: {get: {responses: {"200": {description: up}}}}
  /other:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$schema: "https://example.com/dialect", type: object}}}}
      responses: {"200": {description: up}}
  /trace: {trace: {responses: {"200": {description: up}}}}
`

func TestAnOperationThatThisVersionCannotReadDoesNotEndARunAsIncomplete(t *testing.T) {
	t.Parallel()
	r := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/up" {
			w.WriteHeader(http.StatusNotFound)
		}
	}), conformance.Config{Spec: []byte(oneBeyond), SpecName: "parts.yaml", Effort: "smoke"})
	assert.Equal(t, report.Conformant, r.Summary.Verdict, r.Summary.Reasons)
	assert.Equal(t, 2, r.Summary.Unsupported, r.Header.LeftOut)
}

func TestAnOperationThatIsNeverAvailableIsToldWithItsStatus(t *testing.T) {
	t.Parallel()
	r := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/down" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}), conformance.Config{Spec: []byte(twoParts), Effort: "smoke"})
	assert.Equal(t, report.Incomplete, r.Summary.Verdict)
	assert.Contains(t, strings.Join(r.Summary.Reasons, "\n"), "1 of 2 operations tried; 1 answers valid requests with 503: ")
}

// A plan that turns in circles, or breaks, is a fault of ours, whatever the
// schema.
func TestThePlanOfAnOddSchemaComesToAnEnd(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		"{minProperties: 5}", "{maxProperties: 0}", "{maxItems: 0}", "{minItems: 2}", "{uniqueItems: true}", "{required: [a]}",
		"{type: [string, object], minProperties: 2, maxLength: 3}", "{type: object, minProperties: 3, maxProperties: 1}",
		"{type: object, propertyNames: {maxLength: 1}, minProperties: 100}", "{patternProperties: {'^.$': {}}, minProperties: 90}",
		"{type: object, required: [a], properties: {a: false}}", "{enum: []}", "{not: {}}", "{type: string, minLength: 4, maxLength: 2}",
		"{type: array, uniqueItems: true, minItems: 5, items: {enum: [1, 2]}}", "{type: integer, multipleOf: 0.5}",
		"{type: object, additionalProperties: false, minProperties: 2, properties: {a: {}}}", "{type: integer, minimum: 5, maximum: 1}",
	} {
		if !sample.Has(schema, 5) {
			continue
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		_, err := conformance.List(ctx, conformance.Config{SpecName: "odd.yaml", Spec: []byte(fmt.Sprintf(`openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /a:
    post:
      requestBody: {required: true, content: {application/json: {schema: %s}}}
      responses: {'200': {description: ok}}
`, schema))})
		cancel()
		if err != nil {
			assert.ErrorContains(t, err, "no valid request can be made", schema)
		}
	}
}

// A server may answer 413 and never does. That is no gap, whatever else it breaks.
func TestAnAnswerThatTheServerMayChooseAndNeverGivesIsNoGapBesideAFailure(t *testing.T) {
	t.Parallel()
	const no = `{"description": "no", "content": {"application/json": {"schema": {"type": "object", "required": ["error"]}}}}`
	const doc = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/lamps": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["watt"], "properties": {"watt": {"type": "integer", "minimum": 1, "maximum": 60}}}}}},
		"responses": {"204": {"description": "ok"}, "400": ` + no + `, "413": ` + no + `}}}}}`
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		body, err := jsontree.Parse(b)
		var watt *jsontree.Value
		if strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") && err == nil && len(body.Issues) == 0 && body.Root.Kind == jsontree.Object {
			watt = body.Root.Get("watt")
		}
		if watt != nil && watt.Kind == jsontree.Number && jsontree.Compare(watt.Text, "1") >= 0 && !strings.ContainsAny(watt.Text, ".eE") {
			w.WriteHeader(http.StatusNoContent) // the maximum is not checked
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusBadRequest)
		_, _ = w.Write([]byte(`{"error": "no"}`))
	})
	got := judgeServer(t, server, conformance.Config{Spec: []byte(doc), Draws: -1})
	assert.Equal(t, []string{"post-lamps-body-watt-maximum"}, failedMusts(got))
	for _, x := range got.Results {
		if strings.HasPrefix(x.Requirement, "post-lamps-413") {
			assert.Equal(t, report.Inapplicable, x.Verdict, "%s: %s", x.Requirement, x.Reason)
		}
	}
	assert.Empty(t, got.Summary.Reasons)
}

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

// without serves pages without their total, which is a failed MUST.
func without(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write([]byte("[]"))
}

func TestAKnownFailureDoesNotFailTheRunUntilItsEntryNoLongerHolds(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	const failing, passing = "get-pages-200-header-x-total-required", "get-pages-200-304-status"
	entry := func(id, more string) string { return "- {requirement: '" + id + "', reason: known" + more + "}\n" }
	finding := func(id, more string) string { return "- {finding: " + id + ", reason: known" + more + "}\n" }
	id := judgeServer(t, http.HandlerFunc(without), conformance.Config{Spec: []byte(pages), Draws: -1}).Findings[0].ID
	kind, _, found := strings.Cut(id, "-")
	require.True(t, found, id)
	for name, row := range map[string]struct {
		file string
		want report.Outcome
		why  []string // the lines that are out of date
	}{
		"the failure":                 {entry(failing, ""), report.OnlyKnown, nil},
		"a pattern that fits":         {entry("*-total-req*", ""), report.OnlyKnown, nil},
		"no entry":                    {"# none\n", report.NotConformant, nil},
		"another entry":               {entry(passing, ""), report.NotConformant, []string{passing + " passes now"}},
		"one that passes":             {entry(failing, "") + entry(passing, ""), report.OutOfDate, []string{passing + " passes now"}},
		"one that matches nothing":    {entry(failing, "") + entry("get-page-*", ""), report.OutOfDate, []string{"matches no requirement"}},
		"one that says too much":      {entry("get-pages-200-*", ""), report.OutOfDate, []string{"also matches get-pages-200-304-status and 3 more, which pass"}},
		"the finding":                 {finding(id, ""), report.OnlyKnown, nil},
		"its kind":                    {finding(kind, ""), report.OnlyKnown, nil},
		"a fault that is gone":        {finding(id, "") + finding("a1b2c3d4", ""), report.OutOfDate, []string{"is no finding now"}},
		"a finding, the day after":    {finding(id, ", expires: 2030-06-14"), report.OutOfDate, []string{"expired on 2030-06-14"}},
		"a finding and another entry": {finding(id, "") + entry(passing, ""), report.OutOfDate, []string{passing + " passes now"}},
		"the last day":                {entry(failing, ", expires: 2030-06-15"), report.OnlyKnown, nil},
		"the day after":               {entry(failing, ", expires: 2030-06-14"), report.OutOfDate, []string{"expired on 2030-06-14"}},
	} {
		r := judgeServer(t, http.HandlerFunc(without), conformance.Config{Spec: []byte(pages), Draws: -1, KnownFailures: []byte(row.file),
			KnownFailuresName: "known.yaml", Today: time.Date(2030, 6, 15, 23, 0, 0, 0, time.UTC)})
		assert.Equal(t, row.want, r.Summary.Verdict, name)
		var why []string
		for _, e := range r.KnownFailures.OutOfDate {
			why = append(why, e.Why)
		}
		assert.Equal(t, row.why, why, name)
		for _, x := range r.Results {
			assert.Equal(t, x.Requirement == failing, x.Verdict == report.Fail, "%s: %s is judged as without a file", name, x.Requirement)
			hidden := x.Verdict == report.Inconclusive // by the failure
			assert.Equal(t, (x.Requirement == failing || hidden) && row.want != report.NotConformant, x.Known != nil, "%s: %s", name, x.Requirement)
		}
	}
}

func TestAnEntryAboutWhatIsNotSelectedSaysNothing(t *testing.T) {
	t.Parallel()
	r := judgeServer(t, http.HandlerFunc(without), conformance.Config{Spec: []byte(pages), Draws: -1, Only: []string{"get-pages-200-304-status"},
		KnownFailures: []byte("- {requirement: get-pages-200-header-x-total-required, reason: known}")})
	assert.Equal(t, report.Conformant, r.Summary.Verdict)
	assert.Empty(t, r.KnownFailures.OutOfDate)
	r = judgeServer(t, http.HandlerFunc(without), conformance.Config{Spec: []byte(pages), Draws: -1, Only: []string{"get-pages-200-304-status"},
		KnownFailures: []byte("- {finding: a1b2c3d4, reason: known}")})
	assert.Equal(t, report.Conformant, r.Summary.Verdict)
	assert.Empty(t, r.KnownFailures.OutOfDate)
}

func TestAFindingOfTheFileThatIsSeenFirstDoesNotEndARun(t *testing.T) {
	t.Parallel()
	c := conformance.Config{Spec: []byte(pages), Draws: -1}
	c.KnownFailures = []byte("- {finding: " + judgeServer(t, http.HandlerFunc(without), c).Findings[0].ID + ", reason: known}")
	c.FailFast = true
	assert.Equal(t, report.OnlyKnown, judgeServer(t, http.HandlerFunc(without), c).Summary.Verdict)
}

func TestABadFileOfKnownFailuresIsRefusedBeforeAnythingIsSent(t *testing.T) {
	t.Parallel()
	_, err := conformance.Run(t.Context(), conformance.Config{Target: "http://127.0.0.1:1", Spec: []byte(pages), KnownFailures: []byte("a: b")})
	var setup *conformance.SetupError
	require.ErrorAs(t, err, &setup)
	assert.EqualError(t, err, "known failures:1:1: the file is a mapping: write a list of entries with requirement or finding, and reason")
}
