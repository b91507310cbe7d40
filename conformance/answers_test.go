package conformance_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/secondopinion"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
	"plantstore/spec"
)

// judgeAnswers judges a server that answers every request in one way, and returns
// the failed requirements and the others by verdict.
func judgeAnswers(t *testing.T, document string, answer http.HandlerFunc) (report.Outcome, map[report.Verdict][]string) {
	t.Helper()
	r := judgeServer(t, answer, conformance.Config{Spec: []byte(document), Draws: -1})
	out := map[report.Verdict][]string{}
	for _, x := range r.Results {
		out[x.Verdict] = append(out[x.Verdict], x.Requirement)
	}
	return r.Summary.Verdict, out
}

const pages = `{openapi: 3.1.0, info: {title: Pages, version: "1"}, paths: {/pages: {get: {responses: {
  "200": {description: some, headers: {X-Total: {$ref: '#/components/headers/Total'}, X-Sizes: {schema: {type: array, items: {type: integer}, maxItems: 2}}},
    content: {application/json: {schema: {type: array, items: {type: string}}}}},
  "304": {description: as before}, "404": {description: none}}}}},
  components: {headers: {Total: {required: true, schema: {type: integer, minimum: 0}}}}}`

func TestADocumentedHeaderOfAnAnswerIsJudged(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	for name, row := range map[string]struct {
		header http.Header
		failed []string
	}{
		"right":             {http.Header{"X-Total": {"12345678901234567890"}, "X-Sizes": {"1", "2"}}, nil},
		"optional left out": {http.Header{"X-Total": {"0"}}, nil},
		"missing":           {http.Header{}, []string{"get-pages-200-header-x-total-required"}},
		"no integer":        {http.Header{"X-Total": {"many"}}, []string{"get-pages-200-header-x-total-integer"}},
		"too low":           {http.Header{"X-Total": {"-1"}}, []string{"get-pages-200-header-x-total-minimum"}},
		"too many items":    {http.Header{"X-Total": {"1"}, "X-Sizes": {"1,2,3"}}, []string{"get-pages-200-header-x-sizes-max-items"}},
		"an item of text":   {http.Header{"X-Total": {"1"}, "X-Sizes": {"1,b"}}, []string{"get-pages-200-header-x-sizes-items-integer"}},
	} {
		verdict, got := judgeAnswers(t, pages, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			for field, values := range row.header {
				w.Header()[field] = values
			}
			_, _ = w.Write([]byte(`["a"]`))
		})
		assert.Equal(t, row.failed, got[report.Fail], name)
		if row.failed == nil {
			assert.Equal(t, report.Conformant, verdict, name)
			assert.Contains(t, got[report.Pass], "get-pages-200-header-x-total-integer", name)
			assert.Contains(t, got[report.Pass], "get-pages-200-304-status", name)
		}
	}
}

func TestADocumentedRedirectAnswersAValidRequest(t *testing.T) {
	t.Parallel()
	const away = `{openapi: 3.1.0, info: {title: Away, version: "1"}, paths: {/away: {get: {responses: {
	  "302": {description: there, headers: {Location: {required: true, schema: {type: string, format: uri, minLength: 2}}}}, 1XX: {description: wait}}}}}}`
	for name, row := range map[string]struct {
		status   int
		location string
		verdict  report.Outcome
		failed   []string
	}{
		"right":              {302, "/there", report.Conformant, nil},
		"nowhere":            {302, "", report.NotConformant, []string{"get-away-302-header-location-required"}},
		"short":              {302, "/", report.NotConformant, []string{"get-away-302-header-location-min-length"}},
		"another redirect":   {307, "/there", report.NotConformant, []string{"get-away-valid-accepted"}},
		"another success":    {200, "", report.NotConformant, []string{"get-away-302-status"}},
		"a refusal for none": {404, "", report.NotConformant, []string{"get-away-valid-accepted"}},
	} {
		verdict, got := judgeAnswers(t, away, func(w http.ResponseWriter, _ *http.Request) {
			if row.location != "" {
				w.Header().Set("Location", row.location)
			}
			w.WriteHeader(row.status)
		})
		assert.Equal(t, row.verdict, verdict, name)
		assert.Equal(t, row.failed, got[report.Fail], name)
	}
}

func TestAServerMayChooseAmongDocumentedAnswers(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	const several = `{openapi: 3.1.0, info: {title: Several, version: "1"}, paths: {/a: {get: {responses: {
	  "200": {description: some, content: {application/json: {schema: {type: object, required: [a]}}, application/vnd.b+json: {schema: {type: object, required: [b]}}}},
	  "202": {description: later, content: {application/json: {schema: {type: array}}}}, "204": {description: none}, default: {description: wrong, content: {application/json: {schema: {type: string}}}}}}}}}`
	for name, row := range map[string]struct {
		status      int
		media, body string
		failed      []string
	}{
		"first form":             {200, "application/json", `{"a": 1}`, nil},
		"second form":            {200, "application/vnd.b+json; charset=utf-8", `{"b": 1}`, nil},
		"the other form's":       {200, "application/json", `{"b": 1}`, []string{"get-a-200-body-a-required"}},
		"the first form's":       {200, "application/vnd.b+json", `{"a": 1}`, []string{"get-a-200-application-vnd-b-json-body-b-required"}},
		"no form":                {200, "text/plain", `a`, []string{"get-a-200-media-type"}},
		"later":                  {202, "application/json", `[]`, nil},
		"later, another's":       {202, "application/json", `{"a": 1}`, []string{"get-a-202-body-array"}},
		"none":                   {204, "", "", nil},
		"default":                {201, "application/json", `"created"`, nil},
		"default, another's":     {201, "application/json", `{"a": 1}`, []string{"get-a-default-body-string"}},
		"no answer to a request": {400, "application/json", `"no"`, []string{"get-a-valid-accepted"}},
	} {
		verdict, got := judgeAnswers(t, several, func(w http.ResponseWriter, _ *http.Request) {
			if row.media != "" {
				w.Header().Set("Content-Type", row.media)
			}
			w.WriteHeader(row.status)
			_, _ = w.Write([]byte(row.body))
		})
		assert.Equal(t, row.failed, got[report.Fail], name)
		if row.failed == nil {
			assert.Equal(t, report.Conformant, verdict, "%s: %v", name, got)
		}
	}
}

func TestAnAnswerThatIsNotJSONIsJudgedByItsMediaType(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	const texts = `{openapi: 3.1.0, info: {title: Texts, version: "1"}, paths: {/a: {get: {responses: {"200": {description: some, content: {
	  text/plain: {schema: {type: integer, maximum: 99}}, text/csv: {schema: {type: string, maxLength: 9}}, image/*: {},
	  application/x-www-form-urlencoded: {schema: {type: object, required: [a], properties: {a: {type: integer}}}},
	  multipart/form-data: {schema: {type: object, required: [a], properties: {a: {type: integer}}}},
	  '*/*': {schema: {type: array}}}}}}}}}`
	for name, row := range map[string]struct {
		media, body string
		failed      []string
	}{
		"number":               {"text/plain", "7", nil},
		"number in a line":     {"text/plain; charset=utf-8", "7\r\n", nil},
		"no number":            {"text/plain", "seven", []string{"get-a-200-body-integer"}},
		"number too large":     {"text/plain", "100", []string{"get-a-200-body-maximum"}},
		"text":                 {"text/csv", "a,b\nc,d", nil},
		"Latin text":           {"text/csv; charset=iso-8859-1", "a,\xe9", nil},
		"Latin text, unstated": {"text/csv", "a,\xe9", nil},
		"no UTF-8":             {"text/csv; charset=utf-8", "a,\xe9", []string{"get-a-200-text-csv-form"}},
		"unknown charset":      {"text/csv; charset=ebcdic", "a,\xe9 and more and more", nil},
		"long text":            {"text/csv", "0123456789", []string{"get-a-200-text-csv-body-max-length"}},
		"picture":              {"image/png", "\x89PNG", nil},
		"form":                 {"application/x-www-form-urlencoded", "a=1", nil},
		"form without a":       {"application/x-www-form-urlencoded", "b=1", []string{"get-a-200-application-x-www-form-urlencoded-body-a-required"}},
		"parts":                {"multipart/form-data; boundary=b", "--b\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--b--\r\n", nil},
		"no parts":             {"multipart/form-data; boundary=b", "a=1", []string{"get-a-200-multipart-form-data-form"}},
		"JSON of any type":     {"application/json", "[]", nil},
		"wrong JSON":           {"application/vnd.x+json", "{}", []string{"get-a-200-any-body-array"}},
		"no JSON":              {"application/json", "[", []string{"get-a-200-any-json"}},
		"something else":       {"application/pdf", "%PDF", nil},
	} {
		if !sample.Has(name, 3) {
			continue
		}
		_, got := judgeAnswers(t, texts, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", row.media)
			_, _ = w.Write([]byte(row.body))
		})
		assert.Equal(t, row.failed, got[report.Fail], name)
		if row.failed == nil {
			assert.Empty(t, got[report.Inconclusive], name)
		}
	}
}

func TestAWriteOnlyMemberThatComesBackIsAWarning(t *testing.T) {
	t.Parallel()
	const users = `{openapi: 3.1.0, info: {title: Users, version: "1"}, paths: {/a: {get: {responses: {"200": {description: some, content: {
	  application/json: {schema: {type: array, items: {type: object, required: [name, password], properties: {name: {type: string}, password: {type: string, writeOnly: true}}}}}}}}}}}}`
	for body, failed := range map[string][]string{
		`[{"name": "a"}]`: nil, `[]`: nil,
		`[{"name": "a"}, {"name": "b", "password": "c"}]`: {"get-a-200-body-items-password-write-only"},
	} {
		verdict, got := judgeAnswers(t, users, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(body))
		})
		assert.Equal(t, failed, got[report.Fail], body)
		assert.Equal(t, report.Conformant, verdict, body)
	}
}

func TestAnAnswerInXMLIsWellFormed(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	const feed = `{openapi: 3.1.0, info: {title: Feed, version: "1"}, paths: {/a: {get: {responses: {"200": {description: some, content: {application/atom+xml: {schema: {type: object}}}}}}}}}`
	for body, failed := range map[string][]string{
		"<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\"><a b='1'/>&amp;</feed>\n": nil,
		"\ufeff<feed/>": nil,
		"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe9</a>": nil,
		"<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;</a>":                 nil,
		"<a>":      {"get-a-200-application-atom-xml-form"},
		"<a/><b/>": {"get-a-200-application-atom-xml-form"},
		"<a>&b;":   {"get-a-200-application-atom-xml-form"},
		"{}":       {"get-a-200-application-atom-xml-form"},
		"":         {"get-a-200-application-atom-xml-form"},
	} {
		_, got := judgeAnswers(t, feed, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/atom+xml;charset=utf-8")
			_, _ = w.Write([]byte(body))
		})
		assert.Equal(t, failed, got[report.Fail], body)
	}
}

func TestAnAnswerToHeadIsJudgedWithoutABody(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	head := strings.Replace(pages, "{get:", "{head:", 1)
	for name, row := range map[string]struct {
		media, total string
		failed       []string
	}{
		"right":         {"application/json", "7", nil},
		"no media type": {"", "7", nil},
		"another type":  {"text/html", "7", []string{"head-pages-200-media-type"}},
		"no header":     {"application/json", "", []string{"head-pages-200-header-x-total-required"}},
	} {
		verdict, got := judgeAnswers(t, head, func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = nil
			if row.media != "" {
				w.Header().Set("Content-Type", row.media)
			}
			if row.total != "" {
				w.Header().Set("X-Total", row.total)
			}
		})
		assert.Equal(t, row.failed, got[report.Fail], name)
		if row.failed == nil {
			assert.Equal(t, report.Conformant, verdict, "%s: %v", name, got)
		}
	}
}

// refusal is a 400 answer with one field changed.
func refusal(number string) string { return `{"error":` + number + `,"message":"m"}` }

// judgedAnswers are bodies of a 400 answer: ours reports whether the exact judge
// takes them, why is the reason where libopenapi-validator says otherwise.
func judgedAnswers() []struct {
	body string
	ours bool
	why  string
} {
	return []struct {
		body string
		ours bool
		why  string
	}{
		{refusal("7"), true, ""},
		{refusal("-2147483648"), true, ""},
		{refusal("2147483647"), true, ""},
		{refusal("1.0"), true, ""},
		{refusal("4e2"), true, ""},
		{refusal("1.5"), false, ""},
		{refusal("null"), false, ""},
		{refusal(`"7"`), false, ""},
		{refusal("true"), false, ""},
		{refusal("[7]"), false, ""},
		{refusal("{}"), false, ""},
		{refusal("NaN"), false, ""},
		{`{"error":7}`, false, ""},
		{`{"message":"m"}`, false, ""},
		{`{"error":7,"message":null}`, false, ""},
		{`{"error":7,"message":8}`, false, ""},
		{`[]`, false, ""},
		{`"x"`, false, ""},
		{`{"error":7,"message":"m"`, false, ""},
		{refusal("7") + "x", false, ""},
		{refusal("7") + refusal("7"), false, ""},
		{refusal("07"), false, ""},
		{"\xef\xbb\xbf" + refusal("7"), false, ""},
		{refusal("7") + " \r\n\t", true, ""},
		{`{"error":7,"message":"m","more":1}`, true, ""},
		{refusal("2147483648"), false, "int32 is not asserted"},
		{refusal("-2147483649"), false, "int32 is not asserted"},
		{refusal("9007199254740993"), false, "int32 is not asserted"},
		{refusal("9223372036854775808"), false, "int32 is not asserted"},
		{refusal("1.0000000000000000001"), false, "numbers become doubles"},
		{refusal("1e400"), false, ""},
		{"", false, "an empty body is not looked at"},
		{" ", false, "an empty body is not looked at"},
		{"null", false, "null is not looked at"},
		{`{"error":7,"error":8,"message":"m"}`, false, "the last of two names counts"},
		{"{\"error\":7,\"message\":\"\xff\"}", false, "invalid UTF-8 is replaced"},
		{`{"error":7,"message":"\ud800"}`, false, "lone surrogates are replaced"},
	}
}

// The exact judge decides; this holds the list of what the adopted validator
// takes for something else, so that a new version of it is noticed.
func TestTheValidatorDisagreesWithTheExactJudgeWhereItIsKnownTo(t *testing.T) {
	t.Parallel()
	c, err := openapi.Load("openapi.yaml", spec.OpenAPI)
	require.NoError(t, err)
	second, err := secondopinion.New(c.Document())
	require.NoError(t, err)
	op := c.Operations[0]
	shape := op.Response(400).Media[0].Shape
	for _, row := range judgedAnswers() {
		r := shape.Read([]byte(row.body))
		exact := r.Sound() && len(r.Violations) == 0
		assert.Equal(t, row.ours, exact, "the exact judge on %q", row.body)
		theirs := second.Ask(secondopinion.Answer{Method: op.Method, Path: op.Path, Status: 400,
			ContentType: "application/json", Body: []byte(row.body)})
		known := strings.TrimSpace(row.why) != ""
		assert.Equal(t, known, theirs.OK != exact, fmt.Sprintf("%q: exact %v, libopenapi-validator %v (%s): a disagreement came or went: mend the row",
			row.body, exact, theirs.OK, theirs.Why))
	}
}

// One member is null in every answer: that hides nothing of another that a PUT does not store.
func TestAFlawOfEveryAnswerDoesNotHideALoss(t *testing.T) {
	sample.OneIn(t, 6)
	t.Parallel()
	const document = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
 /things: {post: {operationId: add, requestBody: &body {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {name: {type: string}, note: {type: string}}}}}},
  responses: {'201': &one {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}, note: {type: string}, url: {type: string}}}}}}, '400': {description: d}}}},
 '/things/{id}': {parameters: [{name: id, in: path, required: true, schema: {type: string}}],
  get: {operationId: get, responses: {'200': *one, '404': {description: d}}},
  put: {operationId: put, requestBody: *body, responses: {'200': *one, '400': {description: d}, '404': {description: d}}}}}}`
	resources := map[string]map[string]any{}
	var mu sync.Mutex
	server := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		w.Header().Set("Content-Type", "application/json")
		id := strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, "/things"), "/")
		status, now := 200, map[string]any{}
		if r.Method != http.MethodGet && (json.UnmarshalRead(r.Body, &now) != nil || now == nil) {
			w.WriteHeader(400)
			return
		}
		switch {
		case r.Method == http.MethodPost:
			id, status = fmt.Sprintf("thing-%d", len(resources)), 201
			now["id"], now["url"], resources[id] = id, nil, now
		case resources[id] == nil:
			w.WriteHeader(404)
			return
		case r.Method == http.MethodPut:
			resources[id]["name"] = now["name"]
			now["id"], now["url"] = id, nil
		default:
			now = resources[id]
		}
		w.WriteHeader(status)
		_ = json.MarshalWrite(w, now)
	})
	got := judgeServer(t, server, conformance.Config{Spec: []byte(document), SpecName: "a.yaml", Draws: -1, Only: []string{"*/valid/baseline/*", "*/sequence/*"}})
	failed := map[string]string{}
	for _, r := range got.Results {
		if r.Verdict == report.Fail {
			failed[r.Requirement] = r.Failures[0].Got
		}
	}
	assert.Contains(t, failed["get-things-id-200-body-url-string"], "/url is null")
	assert.Contains(t, failed, "get-things-id-stored-replaced")
}
