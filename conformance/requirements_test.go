package conformance_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/reference/services"
)

func TestThePageOfTheCatalogueOfRequirementsIsWhatTheCommandPrints(t *testing.T) {
	t.Parallel()
	l, err := conformance.List(context.Background(), conformance.Config{Cache: plantPlans})
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, formats.ListingMarkdown(&b, l))
	recorded, err := os.ReadFile("REQUIREMENTS.md")
	require.NoError(t, err)
	require.Equal(t, string(recorded), b.String(),
		"conformance/REQUIREMENTS.md is out of date: go run ./cmd/conformance list --format markdown > REQUIREMENTS.new && mv REQUIREMENTS.new conformance/REQUIREMENTS.md")
}

// TestAListingNamesFirstWhatIsMadeForARequirement: what tests nearly everything says
// little about one requirement.
func TestAListingNamesFirstWhatIsMadeForARequirement(t *testing.T) {
	t.Parallel()
	l, err := conformance.List(context.Background(), conformance.Config{Cache: plantPlans})
	require.NoError(t, err)
	var known []string
	for _, m := range l.Mutators {
		known = append(known, m.Name)
	}
	for _, r := range l.Requirements {
		assert.Equal(t, r.Cases > 0, len(r.Sent) > 0, r.Requirement)
		for _, name := range r.Sent {
			assert.Contains(t, known, name, r.Requirement)
		}
		switch r.Requirement {
		case "newplant-id-integer":
			assert.Equal(t, "numeric-strings", r.Sent[0])
		case "post-plants-answered":
			assert.ElementsMatch(t, known, r.Sent)
		case "bearer-scheme-case":
			assert.Equal(t, []string{"credentials"}, r.Sent)
		}
	}
	assert.True(t, slices.Contains(known, "credentials"))
}

func TestWhatFailedBeforeIsTriedFirstAndChangesNothingInTheReport(t *testing.T) { // not beside others: the time to make an example smaller is bounded
	sample.OneIn(t, 6)
	spec, err := os.ReadFile("../testdata/openapi/desk.yaml")
	require.NoError(t, err)
	var mu sync.Mutex
	var bodies []string
	wrong := "title long"
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(body))
		w.Header()["Date"] = nil
		mu.Lock()
		bodies = append(bodies, string(body))
		mu.Unlock()
		services.Desk(wrong).ServeHTTP(w, r)
	}))
	defer server.Close()
	run := func(first []report.Result) (r *report.Report, text string, early []report.TriedFirst, doneAt int) {
		bodies = nil
		done := 0
		r, err := conformance.Run(t.Context(), conformance.Config{Target: server.URL, Token: services.Key, Spec: spec, SpecName: "desk.yaml", Workers: 1, Effort: "gate", Draws: -1, Only: []string{"note-title-*"},
			First: first, FirstTried: func(x report.TriedFirst) { early, doneAt = append(early, x), done },
			Progress: func(n, _, _ int) { done = n }})
		require.NoError(t, err)
		whole := *r
		whole.Times = report.Times{}
		var b bytes.Buffer
		require.NoError(t, formats.JSON(&b, &whole, formats.Options{}))
		return r, b.String(), early, doneAt
	}
	r, before, early, _ := run(nil)
	assert.Empty(t, early)
	usual := len(bodies)
	var failed []report.Result
	for _, x := range r.Results {
		if x.Verdict == report.Fail {
			failed = append(failed, x)
		}
	}
	require.Len(t, failed, 1)

	_, again, early, doneAt := run(failed)
	assert.Equal(t, before, again, "the same report, to the byte")
	assert.Len(t, bodies, usual)
	require.Len(t, early, 1)
	x := early[0]
	assert.Equal(t, failed[0].Requirement, x.Requirement)
	assert.Positive(t, x.Failed)
	assert.Zero(t, x.Unanswered)
	assert.Less(t, doneAt, x.Cases, "no other case was done before")

	wrong = ""
	fixed, _, early, _ := run(failed)
	assert.Equal(t, report.Conformant, fixed.Summary.Verdict)
	assert.Equal(t, []report.TriedFirst{{Requirement: x.Requirement, Cases: x.Cases}}, early)
}

// Who names a token after the operation still reads which case is meant.
func TestAReasonNamesItsCaseThoughTheTokenHasTheWordsOfIt(t *testing.T) {
	t.Parallel()
	const token = "post-plants-token"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "no such path for "+r.Header.Get("Authorization"), http.StatusNotFound)
	}))
	defer s.Close()
	r, err := conformance.Run(t.Context(), conformance.Config{Target: s.URL, Token: token, Draws: 1, Cache: plantPlans})
	require.NoError(t, err)
	var reasons []string
	for _, x := range r.Results {
		reasons = append(reasons, x.Reason)
	}
	all := strings.Join(reasons, "\n")
	assert.Contains(t, all, "no case of one of its classes could be tried: ")
	assert.NotContains(t, all, token)
}

// The flag that helps names a place of the document, which has a word of the token.
func TestAPlaceToGiveAValueForIsNamedThoughTheTokenHasItsWords(t *testing.T) {
	t.Parallel()
	const token = "member-7c1d9e"
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		if r.Header.Get("Authorization") != "Bearer "+token {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusConflict)
		_, _ = w.Write([]byte(`{"detail":"no member for ` + token + `"}`))
	}))
	defer s.Close()
	spec := []byte(`{openapi: 3.0.3, info: {title: t, version: "1"}, security: [{key: []}], components: {securitySchemes: {key: {type: http, scheme: bearer}}},
  paths: {/loans: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [memberId], properties: {memberId: {type: string}}}}}},
  responses: {"201": {description: d}, "401": {description: d}, "409": {description: d}}}}}}`)
	c := conformance.Config{Target: s.URL, Token: token, Spec: spec}
	r, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	assert.Contains(t, strings.Join(r.Summary.Reasons, " "), "--value 'post-loans:/memberId=VALUE'")
	reach, err := conformance.Reach(t.Context(), c)
	require.NoError(t, err)
	assert.Contains(t, reach.Ways[0].Help, "--value 'post-loans:/memberId=VALUE'")
	assert.NotContains(t, fmt.Sprint(r.Summary, reach.Ways), token)
}

const placed = `openapi: 3.1.0
info: {title: Things, version: "1"}
paths:
  /things:
    get:
      responses:
        "200":
          description: A thing.
          content:
            application/json:
              schema: {$ref: schemas/thing.yaml}
`

const placedResource = `type: object
required: [size]
properties:
  size:
    minimum: 1
    type: integer
`

// places are the places of the clauses that a server breaks which says {"size": 0}.
func places(t *testing.T, spec, location string) map[string]report.Place {
	t.Helper()
	r := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"size":0}`))
	}), conformance.Config{Spec: []byte(spec), SpecName: location, Location: location, Draws: -1,
		Files: fstest.MapFS{"schemas/thing.yaml": {Data: []byte(placedResource)}}})
	out := map[string]report.Place{}
	for _, x := range r.Results {
		assert.True(t, x.Verdict == report.Fail || x.Place == nil, "%s did not fail", x.Requirement)
		if x.Place != nil {
			out[x.Clause] = *x.Place
		}
	}
	return out
}

func TestAFailureNamesTheLineOfItsClause(t *testing.T) {
	t.Parallel()
	assert.Equal(t, map[string]report.Place{"schemas/thing.yaml#/properties/size/minimum": {File: "api/schemas/thing.yaml", Line: 5}},
		places(t, placed, "./api/things.yaml"))
	whole := strings.ReplaceAll(placed, "$ref: schemas/thing.yaml", "properties: {size: {minimum: 1}}")
	pointer := "#/paths/~1things/get/responses/200/content/application~1json/schema/properties/size/minimum"
	assert.Equal(t, map[string]report.Place{pointer: {File: "/api/things.yaml", Line: 11}}, places(t, whole, "/api/things.yaml"))
}

func TestADocumentThatIsNoFileHasNoLines(t *testing.T) {
	t.Parallel()
	assert.Empty(t, places(t, strings.ReplaceAll(placed, "$ref: schemas/thing.yaml", "type: array"), ""))
	assert.Empty(t, places(t, strings.ReplaceAll(placed, "$ref: schemas/thing.yaml", "type: array"), "https://example.com/things.yaml"))
}

func TestATargetWithoutThePathOfAllServersGetsAWarning(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	defer s.Close()
	reach := func(c conformance.Config) []string {
		var lines []string
		c.SpecName, c.Spec = "d.yaml", []byte(`{openapi: 3.1.0, info: {title: t, version: "1"}, servers: [{url: 'https://h/api/v2'}], paths: {/a: {get: {responses: {"200": {description: d}}}}}}`)
		c.Warn = func(line string) { lines = append(lines, line) }
		_, err := conformance.Reach(t.Context(), c)
		require.NoError(t, err)
		return lines
	}
	for path, want := range map[string]string{
		"": "/api/v2", "/": "/api/v2", "/api": "/api/v2", "/proxy": "/proxy/api/v2", "/proxy/api": "/proxy/api/v2", "/v2": "/v2/api/v2",
		"/api/v2": "", "/api/v2/": "", "/proxy/api/v2": "", "/api/v2/b": "", "/api/v20": "/api/v20/api/v2",
	} {
		lines := reach(conformance.Config{Target: s.URL + path})
		if want == "" {
			assert.Empty(t, lines, path)
			continue
		}
		assert.Equal(t, []string{"all servers of the document have the path /api/v2, and the target does not: if yours has it, use --target " + s.URL + want}, lines, path)
	}
	assert.Empty(t, reach(conformance.Config{Target: s.URL, Embedded: true}), "who started the target knows its path")
}

func TestAMisspeltKeywordOfASchemaIsToldOnce(t *testing.T) {
	t.Parallel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) }))
	defer s.Close()
	for version, wrong := range map[string]bool{"3.0.3": true, "3.1.0": true, "3.1.1": false} {
		length, required := "maxLength", "required"
		if wrong {
			length, required = "maxLenght", "requried"
		}
		var lines []string
		_, err := conformance.Reach(t.Context(), conformance.Config{Target: s.URL, SpecName: "d.yaml", Warn: func(line string) { lines = append(lines, line) }, Spec: []byte(`openapi: ` + version + `
info: {title: t, version: "1"}
components: {schemas: {A: {type: object, properties: {requried: {type: string, ` + length + `: 5, x-maxLenght: 3, text: words, label: a}}, default: {maxLenght: 1},
  ` + required + `: [b]}}}
paths: {/a: {get: {parameters: [{name: q, in: query, schema: {$ref: '#/components/schemas/A'}}, {name: r, in: query, schema: {$ref: '#/components/schemas/A'}}], responses: {"200": {description: d}}}}}
`)})
		require.NoError(t, err)
		if !wrong {
			assert.Empty(t, lines)
			continue
		}
		assert.Equal(t, []string{"the document has members in schemas that are no keywords, and are ignored: maxLenght (d.yaml:3:91), did you mean maxLength?; requried (d.yaml:4:13), did you mean required?"}, lines, version)
	}
}

const twoSchemes = `{openapi: 3.0.3, info: {title: t, version: "1"}, components: {securitySchemes: {agent: {type: http, scheme: basic}, key: {type: apiKey, in: query, name: api_key}, admin: {type: http, scheme: bearer}}}, paths: {
  /reports: {get: {security: [{agent: []}, {key: []}], responses: {"200": {description: d}, "401": {description: d}}}},
  /audits: {get: {security: [{admin: []}], responses: {"200": {description: d}, "401": {description: d}}}},
  /secrets: {get: {security: [{agent: []}], responses: {"200": {description: d}, "401": {description: d}}}}}}`

// The key of reports opens nothing else, and neither does the token of an admin where only the password of an
// agent is asked for, although both stand in the same field.
func TestACredentialOfOtherOperationsDoesNotLetIn(t *testing.T) {
	t.Parallel()
	for _, careless := range []string{"", "key", "token"} {
		agent := func(r *http.Request) bool {
			user, password, ok := r.BasicAuth()
			return ok && user == "mia" && password == "n3st-pass-77"
		}
		admin := func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer admin-token-4711" }
		key := func(r *http.Request) bool { return r.URL.Query().Get("api_key") == "hk-55d1-9922" }
		mux := http.NewServeMux()
		guard := func(path string, ok func(r *http.Request) bool) {
			mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
				if !ok(r) {
					w.Header().Set("WWW-Authenticate", "Basic")
					w.WriteHeader(http.StatusUnauthorized)
				}
			})
		}
		guard("/reports", func(r *http.Request) bool { return agent(r) || key(r) })
		guard("/audits", admin)
		guard("/secrets", func(r *http.Request) bool {
			return agent(r) || careless == "key" && key(r) || careless == "token" && admin(r)
		})
		s := httptest.NewServer(mux)
		defer s.Close()
		r, err := conformance.Run(t.Context(), conformance.Config{Target: s.URL, Spec: []byte(twoSchemes), Only: []string{"*/credential-other-schemes/*"},
			Auth: map[string]string{"agent": "mia:n3st-pass-77", "key": "hk-55d1-9922", "admin": "admin-token-4711"}})
		require.NoError(t, err)
		var failed []string
		for _, x := range r.Results {
			if x.Verdict == report.Fail {
				failed = append(failed, x.Requirement)
			}
		}
		switch careless {
		case "key":
			assert.Equal(t, []string{"get-secrets-agent-required"}, failed)
			continue
		case "token":
			assert.Equal(t, []string{"get-secrets-agent-scheme"}, failed)
			continue
		}
		assert.Empty(t, failed)
		assert.Positive(t, r.Summary.Passed)
	}
}

func TestATargetWithoutItsBasePathIsIncompleteForThatReasonAlone(t *testing.T) {
	spec := append(house(""), "servers: [{url: /api/v2}]\n"...)
	served := http.NewServeMux()
	served.Handle("/api/v2/", http.StripPrefix("/api/v2", newHouse(nil, nil)))
	got := judgeServer(t, served, conformance.Config{Spec: spec, Effort: "smoke", Draws: -1})
	assert.Equal(t, report.Incomplete, got.Summary.Verdict)
	assert.Empty(t, failedMusts(got))
	require.NotEmpty(t, got.Summary.Reasons)
	assert.Regexp(t, `^every path below http://\S+ is answered with 404: give the base path too in --target, such as http://\S+/api/v1; the document's servers are /api/v2$`, got.Summary.Reasons[0])
}

// A slip of the document costs the verdict on its credential, and nothing else.
func TestASchemeThatIsNotDefinedCostsOnlyItsCredential(t *testing.T) {
	t.Parallel()
	const spec = `{openapi: 3.1.0, info: {title: t, version: "1"}, security: [{missing: []}], paths: {/a: {get: {responses: {"200": {description: x}}}}}}`
	for name, row := range map[string]struct {
		status  int
		verdict report.Outcome
	}{
		"it wants none":             {http.StatusOK, report.Conformant},
		"it wants one":              {http.StatusUnauthorized, report.Incomplete},
		"it answers another status": {http.StatusAccepted, report.NotConformant},
	} {
		got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(row.status) }), conformance.Config{Spec: []byte(spec), Draws: -1})
		assert.Equal(t, row.verdict, got.Summary.Verdict, "%s: %v %v", name, failedMusts(got), got.Summary.Reasons)
		assert.True(t, got.Header.Partial(), name)
		assert.Contains(t, got.Header.LeftOut[0], `security scheme "missing" is not defined`)
	}
}
