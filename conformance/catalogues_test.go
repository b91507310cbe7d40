package conformance_test

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/formats"
	"plantstore/conformance/internal/auth"
	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// TestEveryCatalogueEntryIsListed: an entry without a line in its list is never tried.
func TestEveryCatalogueEntryIsListed(t *testing.T) {
	t.Parallel()
	listed := map[string][]string{}
	for _, list := range [][]plan.Mutator{mutate.List(), mutate.Sequences()} {
		for _, m := range list {
			listed["mutate plan.Mutator"] = append(listed["mutate plan.Mutator"], m.Name)
		}
	}
	for _, r := range checks.Rules() {
		listed["checks requirement.Rule"] = append(listed["checks requirement.Rule"], r.Name)
	}
	for _, s := range auth.List() {
		listed["auth message.Scheme"] = append(listed["auth message.Scheme"], s.Name)
	}
	for _, h := range causes.List() {
		listed["causes Hypothesis"] = append(listed["causes Hypothesis"], h.Name)
	}
	for catalogue, names := range listed {
		pkg, of, _ := strings.Cut(catalogue, " ")
		var found []string
		for _, f := range sources(t) {
			if f.pkg == "conformance/internal/"+pkg && !f.test {
				found = append(found, entries(f.syntax, of)...)
			}
		}
		slices.Sort(names)
		slices.Sort(found)
		assert.Equal(t, names, found, "%s: an entry without a line in the list is never tried", catalogue)
	}
}

// entries are the names of the entries that a file declares.
func entries(file *ast.File, of string) []string {
	var out []string
	for _, d := range file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, s := range g.Specs {
			out = append(out, entryNames(s.(*ast.ValueSpec), of)...)
		}
	}
	return out
}

func entryNames(s *ast.ValueSpec, of string) []string {
	var out []string
	for _, v := range s.Values {
		if lit, ok := v.(*ast.CompositeLit); ok && typeName(lit.Type) == of {
			out = append(out, nameField(lit))
		}
	}
	return out
}

// typeName is how a type is written, with its package.
func typeName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return x.Name
	case *ast.SelectorExpr:
		return typeName(x.X) + "." + x.Sel.Name
	}
	return ""
}

func nameField(lit *ast.CompositeLit) string {
	for _, e := range lit.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Name" {
			if value, ok := kv.Value.(*ast.BasicLit); ok {
				if name, err := strconv.Unquote(value.Value); err == nil {
					return name
				}
			}
		}
	}
	return ""
}

// From a report to the code in one step: the file that explain names exists and
// holds the entry, and what it says is expected is what the id says.
func TestExplainLeadsFromACaseToTheEntryThatMakesIt(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]struct{ mutator, expected, place string }{
		"post-plants/valid/member-order/body/order/0":              {"member-order", "must be accepted", "body"},
		"post-plants/invalid/wrong-types/id/string":                {"wrong-types", "must be refused: the body violates the schema", "id"},
		"post-plants/not-json/syntax-errors/body/trailing-comma/1": {"syntax-errors", "must be refused: the body is not JSON", "body"},
		"post-plants/sequence/state-leaks/tag-then-absent":         {"state-leaks", "must be accepted", ""},
	} {
		e, err := conformance.Explain(t.Context(), conformance.Config{Cache: plantPlans}, id)
		require.NoError(t, err, id)
		require.NotNil(t, e.Class, id)
		assert.Equal(t, id, e.Class.ID)
		assert.Equal(t, want.mutator, e.Class.Mutator)
		assert.Equal(t, want.expected, e.Class.Expected)
		assert.Equal(t, want.place, e.Class.Place)
		assert.NotEmpty(t, e.Class.Doc)
		assert.NotEmpty(t, e.Class.Requirements)
		assert.True(t, strings.HasPrefix(e.Class.Example, "curl "), e.Class.Example)
		assert.Contains(t, above(t, e.Class.File), `Name: "`+want.mutator+`"`)
	}
}

func TestExplainTellsWhereTheRuleOfARequirementIs(t *testing.T) {
	t.Parallel()
	e, err := conformance.Explain(t.Context(), conformance.Config{Cache: plantPlans}, "newplant-id-integer")
	require.NoError(t, err)
	assert.Nil(t, e.Class)
	assert.Regexp(t, `Name: +"`+e.Rule+`"`, above(t, e.File))
}

// above gives the lines of a source file just above the place that explain names.
func above(t *testing.T, place string) string {
	t.Helper()
	file, line, _ := strings.Cut(place, ":")
	at, err := strconv.Atoi(line)
	require.NoError(t, err, place)
	source, err := os.ReadFile(filepath.Join("..", file))
	require.NoError(t, err)
	lines := strings.Split(string(source), "\n")[:at]
	return strings.Join(lines[max(0, at-15):], "\n")
}

func TestAnIDThatIsNearlyRightIsToldFromOneThatIsNot(t *testing.T) {
	t.Parallel()
	for id, want := range map[string]string{
		"post-plants/invalid/id/string/0":                "did you mean post-plants/invalid/wrong-types/id/string?",
		"post-plants/invalid/wrong-types/id/strnig/3":    "did you mean post-plants/invalid/wrong-types/id/string?",
		"post-plants/invalid/wrong-types/id/string/1000": "has the cases 0 to 7",
		"newplant-id-integre":                            "did you mean newplant-id-integer?",
		"":                                               "see conformance list",
		"/":                                              "see conformance list",
		"\x1b[2J":                                        "see conformance list",
	} {
		_, err := conformance.Explain(t.Context(), conformance.Config{Cache: plantPlans}, id)
		var setup *conformance.SetupError
		require.ErrorAs(t, err, &setup, id)
		assert.Contains(t, err.Error(), want, id)
	}
}

func TestTheCoverageTableIsWhatTheCommandPrints(t *testing.T) {
	t.Parallel()
	sample.Slow(t)
	c, err := conformance.Coverage()
	require.NoError(t, err)
	var b bytes.Buffer
	require.NoError(t, formats.CoverageMarkdown(&b, c))
	recorded, err := os.ReadFile("COVERAGE.md")
	require.NoError(t, err)
	require.Equal(t, string(recorded), b.String(),
		"conformance/COVERAGE.md is out of date: go run ./cmd/conformance list --coverage > COVERAGE.new && mv COVERAGE.new conformance/COVERAGE.md")
}

// plans are those of all tests that judge a server: many have one document. plantPlans
// are those of the document of this project, which is read most often.
var plans, plantPlans = new(conformance.Cache), new(conformance.Cache)

func TestMain(m *testing.M) { sample.Main(m) }

// judgeServer runs the suite against a server that is started for it, at the effort of a gate and
// without draws unless the test says otherwise.
func judgeServer(t *testing.T, server http.Handler, c conformance.Config) *report.Report {
	t.Helper()
	s := httptest.NewServer(server)
	defer s.Close()
	c.Target, c.Cache, c.Effort = s.URL, plans, cmp.Or(c.Effort, "gate")
	c.Draws = cmp.Or(c.Draws, -1)
	got, err := conformance.Run(t.Context(), c)
	require.NoError(t, err)
	return got
}

// failedMusts lists the failed requirements that gate.
func failedMusts(r *report.Report) []string {
	var out []string
	for _, x := range r.Results {
		if x.Verdict == report.Fail && x.Level == report.Must {
			out = append(out, x.Requirement)
		}
	}
	return out
}

// Cases of several requests meet the answer too.
func TestAFieldLineWithABlankBeforeItsColonIsAFailureOfTheServer(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	names, made := map[string]string{}, 0
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var note struct {
			Name *string `json:"name"`
		}
		body, _ := io.ReadAll(r.Body)
		id := strings.TrimPrefix(r.URL.Path, "/notes/")
		switch _, found := names[id]; {
		case r.Method == http.MethodGet && found:
			conn, _, err := http.NewResponseController(w).Hijack()
			assert.NoError(t, err)
			_, _ = io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Type : application/json\r\nContent-Length: 2\r\n\r\n{}")
			_ = conn.Close()
		case r.Method == http.MethodDelete && found:
			delete(names, id)
			w.WriteHeader(http.StatusNoContent)
		case r.Method == http.MethodPost && json.Unmarshal(body, &note) == nil && note.Name != nil:
			made++
			id = strconv.Itoa(made)
			names[id] = *note.Name
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusCreated)
			_, _ = fmt.Fprintf(w, `{"id": %s}`, id)
		case r.Method == http.MethodPost:
			w.WriteHeader(http.StatusBadRequest)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	})
	got := judgeServer(t, server, conformance.Config{Draws: -1, Spec: []byte(`{openapi: 3.0.3, info: {title: Notes, version: "1"}, paths: {
  /notes: {post: {requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}}}}}},
    responses: {"201": {description: made, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}, "400": {description: no}}}},
  "/notes/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
    get: {responses: {"200": {description: one, content: {application/json: {schema: {type: object}}}}, "404": {description: no}}},
    delete: {responses: {"204": {description: gone}, "404": {description: no}}}}}}`)})
	assert.Zero(t, got.Summary.Errors)
	assert.Contains(t, failedMusts(got), "get-notes-id-framing")
	assert.NotContains(t, strings.Join(got.Summary.Reasons, "\n"), "reached: :")
}

func TestATextThatLacksItsFormatIsOneFindingBesideNullToo(t *testing.T) {
	t.Parallel()
	const text = `openapi: 3.1.0
info: {title: t, version: '1'}
paths:
  /jobs:
    get:
      responses:
        '200':
          description: d
          content:
            application/json:
              schema:
                type: object
                required: [ended, since]
                properties:
                  ended: {anyOf: [{type: string, format: date-time}, {type: 'null'}]}
                  since: {type: string, format: date-time}
`
	got := judgeServer(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"ended":"2026-11-30T22:44:31","since":"2026-11-30T22:44:31"}`)
	}), conformance.Config{Spec: []byte(text)})
	require.Len(t, got.Findings, 1)
	assert.Equal(t, "GET /jobs: /ended is not a valid date-time: 2 places", got.Findings[0].Sentence)
}
