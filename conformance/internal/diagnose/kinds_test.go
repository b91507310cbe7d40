package diagnose

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// crashing answers 500 with the words that a function says of the request, if there are any.
func crashing(doc *fake.Document, words func(head string, body *jsontree.Value) string) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		var root *jsontree.Value
		if d, err := jsontree.Parse(r.Body); err == nil {
			root = d.Root
		}
		if said := words(strings.ToLower(string(r.Head)), root); said != "" {
			return fake.Answer(500, "text/plain", said)
		}
		return doc.Conforming(r)
	}
}

func TestCrashesOfOneOperationAreToldByTheKindOfRequestThatMakesThem(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types", "string-values", "registered-fields")
	x := explain(t, doc, crashing(doc, func(head string, body *jsontree.Value) string {
		switch {
		case strings.Contains(head, "\r\nif-none-match: "):
			return "oops"
		case body != nil && body.Kind == jsontree.Array:
			return "oops"
		case body != nil && body.Get("name") != nil && strings.ContainsFunc(body.Get("name").Text, func(c rune) bool { return c > 0xffff }):
			return "oops"
		}
		return ""
	}))
	var sent []string
	for _, f := range x.failures["post-plants-answered"] {
		sent = append(sent, f.Sent)
		assert.Equal(t, "oops", f.Flaw.Said)
		assert.True(t, f.Stable, f.Sent)
		if strings.HasPrefix(f.Sent, "/name = ") {
			assert.Equal(t, "/name", f.Flaw.Tried, "a text that crashes")
		}
	}
	require.Len(t, sent, 3, "%v", sent)
	all := strings.Join(sent, "\n")
	for _, part := range []string{"If-None-Match", "body = [", "/name = "} {
		assert.Equal(t, 1, strings.Count(all, part), "%s in %s", part, all)
	}
}

func TestAParserThatFailsIsOneKindOfCrash(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types", "malformed-body", "text-encoding", "duplicate-names")
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if d, err := jsontree.Parse(r.Body); err != nil || len(d.Issues) > 0 {
			return fake.Answer(500, "text/plain", "oops")
		}
		return doc.Conforming(r)
	})
	kinds := map[string]bool{}
	for _, f := range x.failures["post-plants-answered"] {
		kind, _ := strings.CutPrefix(f.Flaw.Kind, "500/")
		kind, _, _ = strings.Cut(kind, "/")
		kinds[kind] = true
	}
	assert.Equal(t, map[string]bool{"empty": true, "syntax": true}, kinds)
}

func TestACrashWithOtherWordsIsAnotherFault(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types")
	n := 0
	x := explain(t, doc, crashing(doc, func(_ string, body *jsontree.Value) string {
		n++
		switch name := body.Get("name"); {
		case name == nil || name.Kind == jsontree.String:
			return ""
		case name.Kind == jsontree.Null:
			return fmt.Sprintf("TypeError: %q is null, incident %d", name.String(), n)
		default:
			return fmt.Sprintf("CastError: %q is no text, incident %d", name.String(), n)
		}
	}))
	list := x.failures["post-plants-answered"]
	require.Len(t, list, 2, "the numbers of the incidents make no faults of their own")
	assert.ElementsMatch(t, []string{"TypeError", "CastError"}, []string{list[0].Flaw.Said[:9], list[1].Flaw.Said[:9]})
}

// One cause: whatever the wrong type, the same handler fails.
func TestACrashForEveryWrongTypeOfAnyMemberIsOneFault(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types", "string-values")
	x := explain(t, doc, crashing(doc, func(_ string, body *jsontree.Value) string {
		if body.Get("name") != nil && body.Get("name").Kind != jsontree.String || body.Get("tag") != nil && body.Get("tag").Kind != jsontree.String {
			return "oops"
		}
		return ""
	}))
	assert.Len(t, x.failures["post-plants-answered"], 1)
}

func TestWhatIsLongIsOneFaultWhateverElseItIs(t *testing.T) {
	longField := func(head string) bool {
		_, fields, _ := strings.Cut(head, "\r\n")
		for line := range strings.Lines(fields) {
			if len(line) > 2<<10 && !strings.HasPrefix(line, "authorization") {
				return true
			}
		}
		return false
	}
	for name, row := range map[string]struct {
		crash func(head string, body []byte) bool
		kinds []string
	}{
		"header fields":             {func(head string, _ []byte) bool { return longField(head) }, []string{"500/long-field"}},
		"one header field":          {func(head string, _ []byte) bool { return strings.Contains(head, "\r\nreferer: ") }, []string{"500/field/Referer"}},
		"one of them, and any long": {func(head string, _ []byte) bool { return longField(head) || strings.Contains(head, "\r\nreferer: ") }, []string{"500/field/Referer", "500/long-field"}},
		"numbers":                   {func(_ string, body []byte) bool { return regexp.MustCompile(`[0-9]{300}`).Match(body) }, []string{"500/long-number"}},
		"texts in whatever holds them, also in no JSON": {func(_ string, body []byte) bool {
			return regexp.MustCompile(`(^|[\[:])"[^"]{250}`).Match(body) && !bytes.Contains(body, []byte(`"name"`))
		}, []string{"500/long-string"}},
		"bodies": {func(_ string, body []byte) bool { return len(body) > 32<<10 }, []string{"500/long-body"}},
	} {
		if !sample.Has(name, 6) {
			continue
		}
		doc := fakerun.Plants(t, "baseline", "head-sizes", "header-fields", "registered-fields", "extreme-values", "number-format", "body-sizes", "unusual-strings", "long-wrong-values")
		x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
			if row.crash(strings.ToLower(string(r.Head)), r.Body) {
				return fake.Answer(500, "text/plain", "oops")
			}
			return doc.Conforming(r)
		})
		var results []report.Result
		kinds := map[string]bool{}
		for id, list := range x.failures {
			for _, f := range list {
				kinds[f.Flaw.Kind] = true
			}
			results = append(results, report.Result{Requirement: id, Operation: "POST /plants", Verdict: report.Fail, Failures: list})
		}
		assert.ElementsMatch(t, row.kinds, slices.Collect(maps.Keys(kinds)), name)
		assert.Len(t, report.Findings(results), len(row.kinds), name)
	}
}

const optionalTags = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/tags": {"put": {
	"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}}},
	"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`

func TestARefusedEmptyBodyIsNotTheRuleThatRefusesWhatStandsInABody(t *testing.T) {
	doc := fake.Of(t, optionalTags, fakerun.Mutators(t, "baseline", "optional-members", "malformed-body")...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		d, err := jsontree.Parse(r.Body)
		switch {
		case len(r.Body) == 0:
			return fake.Answer(400, "text/plain", "no body")
		case err == nil && d.Root.Kind == jsontree.Object && len(d.Root.Members) == 0:
			return fake.Answer(400, "text/plain", "give a or b")
		}
		return fake.Answer(200, "", "")
	})
	var said []string
	for _, id := range []string{"put-tags-body-a-optional", "put-tags-valid-accepted"} {
		for _, f := range x.failures[id] {
			said = append(said, id+": "+f.Flaw.Said+": "+f.Sent)
		}
	}
	assert.ElementsMatch(t, []string{"put-tags-body-a-optional: give a or b: the baseline request {}", "put-tags-valid-accepted: no body: an empty body"}, said)
}

func TestAMemberThatIsFoundInAnyCaseHidesNoneThatMayBeMissing(t *testing.T) {
	doc := fake.Of(t, `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/users": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["name", "admin"], "properties": {"name": {"type": "string"}, "admin": {"type": "boolean"}}}}}},
		"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`, fakerun.Mutators(t, "baseline", "missing-members", "renamed-members")...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if d, err := jsontree.Parse(r.Body); err == nil && slices.ContainsFunc(d.Root.Members, func(m jsontree.Member) bool { return strings.EqualFold(m.Name, "name") }) {
			return fake.Answer(200, "", "")
		}
		return fake.Answer(400, "text/plain", "name is required")
	})
	assert.Equal(t, "required/letters", x.only(t, "post-users-body-name-required").Flaw.Kind, "NAME is taken for name")
	assert.Equal(t, "required", x.only(t, "post-users-body-admin-required").Flaw.Kind, "a cause of its own")
}

func TestAParameterThatIsFoundInAnyCaseIsToldAsSuch(t *testing.T) {
	doc := fake.Of(t, `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/users": {"get": {
		"parameters": [{"name": "q", "in": "query", "required": true, "schema": {"type": "string"}}],
		"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`, fakerun.Mutators(t, "baseline", "missing-members", "renamed-members")...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		line, _, _ := strings.Cut(string(r.Head), "\r\n")
		if strings.Contains(strings.ToLower(line), "?q=") {
			return fake.Answer(200, "", "")
		}
		return fake.Answer(400, "text/plain", "q is required")
	})
	f := x.only(t, "get-users-query-q-required")
	assert.Equal(t, "required/letters", f.Flaw.Kind)
	assert.Contains(t, f.Sent, "no query/q, but query/Q = ")
}

const paged = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/tags": {"get": {
	"parameters": [{"name": "offset", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 90000}}, {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 90}}],
	"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`

func TestACrashForAnyValueOfAParameterIsOneFaultWhateverTheValue(t *testing.T) {
	doc := fake.Of(t, paged, mutate.List()...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if line, _, _ := strings.Cut(string(r.Head), "\r\n"); strings.Contains(line, "offset=") {
			return fake.Answer(500, "text/plain", "oops")
		}
		return fake.Answer(200, "", "")
	})
	list := x.failures["get-tags-answered"]
	require.Len(t, list, 1, "%v", list)
	assert.Contains(t, list[0].Sent, "query/offset")
	assert.Equal(t, "query/offset", list[0].Flaw.Tried)
}

func TestAMemberOfTheOneAlternativeIsToldByItsOwnType(t *testing.T) {
	const fields = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/tags": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["fields"], "properties": {"fields": {"oneOf": [
			{"type": "object", "properties": {"id": {"type": "boolean"}}, "additionalProperties": false}, {"type": "array", "items": {"type": "string"}}]}}}}}},
		"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`
	doc := fake.Of(t, fields, fakerun.Mutators(t, "baseline", "wrong-types")...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if d, err := jsontree.Parse(r.Body); err == nil && d.Root.Get("fields") != nil {
			if id := d.Root.Get("fields").Get("id"); id != nil && id.Kind == jsontree.Null {
				return fake.Answer(200, "", "")
			}
		}
		return doc.Conforming(r)
	})
	var kinds []string
	for id, list := range x.failures {
		for _, f := range list {
			kinds = append(kinds, id+" "+f.Flaw.Kind+" "+f.Flaw.Where)
		}
	}
	assert.Contains(t, kinds, "post-tags-body-fields-one-of type/null boolean in body", "%v", kinds)
}

const searched = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/tags": {"get": {
	"parameters": [{"name": "offset", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 90000}}, {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 0, "maximum": 90}},
		{"name": "q", "in": "query", "schema": {"type": "string"}}, {"name": "r", "in": "query", "schema": {"type": "string"}}],
	"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`

func TestParametersOfOneOperationThatCrashByUnlikeValuesAreFaultsOfTheirOwn(t *testing.T) {
	for name, row := range map[string]struct {
		crash string // matches the query
		want  []string
	}{
		"a sign and nothing":         {`[?&](q=[^&]*%25|r=(&|$))`, []string{"q", "r"}},
		"the same sign":              {`[?&][qr]=[^&]*%25`, []string{"q"}},
		"0 and another number":       {`[?&](offset=0(&|$)|limit=[1-9](&|$))`, []string{"limit", "offset"}},
		"a long text, and any value": {`[?&](q=a[^&]{400}|limit=)`, []string{"limit", "q"}},
		"any value of two kinds":     {`[?&](r=|limit=)`, []string{"limit", "r"}},
	} {
		if !sample.Has(name, 4) {
			continue
		}
		doc := fake.Of(t, searched, mutate.List()...)
		crash := regexp.MustCompile(row.crash)
		x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
			target := strings.Fields(string(r.Head))[1]
			if crash.MatchString(target) {
				return fake.Answer(500, "text/plain", "oops")
			}
			return fake.Answer(200, "", "")
		})
		findings := report.Findings([]report.Result{{Requirement: "get-tags-answered", Operation: "GET /tags", Verdict: report.Fail, Failures: x.failures["get-tags-answered"]}})
		var examples []string
		for _, f := range findings {
			place, _, _ := strings.Cut(strings.TrimPrefix(f.Members[0].Sent, "query/"), " ")
			examples = append(examples, place)
		}
		assert.ElementsMatch(t, row.want, examples, "%s: %v", name, findings)
	}
}

func TestACrashForAnyTextOfAMemberHidesNoOther(t *testing.T) {
	for _, none := range []string{"no such text", ""} { // many programs take an empty text for none
		testCrashForAnyTextBut(t, none)
	}
}

func testCrashForAnyTextBut(t *testing.T, none string) {
	t.Helper()
	const todos = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/todos": {"post": {
		"requestBody": {"required": true, "content": {"application/json": {"schema": {"type": "object", "required": ["title"], "properties": {"title": {"type": "string"}, "at": {"type": "string"}}}}}},
		"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`
	doc := fake.Of(t, todos, fakerun.Mutators(t, "baseline", "optional-members", "string-values", "unusual-strings", "wrong-types")...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		d, err := jsontree.Parse(r.Body)
		switch {
		case err != nil:
			return fake.Answer(400, "", "")
		case d.Root.Kind == jsontree.Null, d.Root.Get("at") != nil && d.Root.Get("at").Kind == jsontree.String && d.Root.Get("at").Text != none:
			return fake.Answer(500, "text/plain", "oops")
		}
		return doc.Conforming(r)
	})
	var told []string
	for _, f := range report.Findings([]report.Result{{Requirement: "post-todos-answered", Operation: "POST /todos", Verdict: report.Fail, Failures: x.failures["post-todos-answered"]}}) {
		told = append(told, f.Sentence)
	}
	assert.ElementsMatch(t, []string{"POST /todos: the answer is 500 to a valid value in the body", "POST /todos: the answer is 500 if an object in the body is null"}, told, none)
}

func TestSurplusBytesAreToldAsSuchHoweverTheyAreRead(t *testing.T) {
	malformed := exchange.Malformed.String()
	assert.Equal(t, requirement.Surplus, misread(requirement.Unasked, false))
	assert.Equal(t, requirement.Surplus, misread(requirement.Surplus, false))
	assert.Equal(t, requirement.Surplus, misread(malformed, true), "read as the answer to the next request")
	assert.Equal(t, malformed, misread(malformed, false), "the first answer of a connection")
	assert.Equal(t, "coding", misread("coding", true))
}

func TestAServerErrorThatDoesNotComeAgainIsNotBlamedOnTheRequest(t *testing.T) {
	for _, status := range []int{500, 503} {
		doc, sent := fakerun.Plants(t, "baseline", "header-fields"), 0
		x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
			if sent++; sent%30 == 0 {
				return fake.Answer(status, "text/plain", "somebody else writes the file")
			}
			return doc.Conforming(r)
		})
		kinds := map[string]bool{}
		for _, f := range x.failures["post-plants-answered"] {
			kinds[f.Flaw.Kind] = true
		}
		assert.Equal(t, map[string]bool{fmt.Sprint(status) + "/" + report.NowAndThen: true}, kinds)
	}
}

// TestAServerErrorThatWasNotTriedAgainIsBlamedOnWhatIsAskedAlone: servers seldom look at how it is asked.
func TestAServerErrorThatWasNotTriedAgainIsBlamedOnWhatIsAskedAlone(t *testing.T) {
	untried := &Finding{NotTriedAgain: "the run ended before it was tried"}
	for _, kind := range []string{"field/Accept", "sent/pauses", "spelling/order"} {
		assert.Equal(t, report.NowAndThen+"/untried", nowAndThen(untried, "500", kind))
	}
	for _, kind := range []string{"baseline", "type/null", "value/baseline/baseline"} {
		assert.Empty(t, nowAndThen(untried, "500", kind))
	}
	assert.Empty(t, nowAndThen(&Finding{Stable: true}, "500", "field/Accept"))
	assert.Empty(t, nowAndThen(&Finding{}, "dropped", "field/Accept"), "it was tried alone before")
}

func TestACrashForAnyValueOfAMemberExplainsThoseOfFlawsBesideIt(t *testing.T) {
	const shares = `{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/shares": {"post": {
		"requestBody": {"content": {"application/json": {"schema": {"type": "object", "properties": {"user": {"type": "string"}, "group": {"type": "string"}, "scopes": {"type": "array", "items": {"type": "string"}}}}}}},
		"responses": {"200": {"description": "d"}, "400": {"description": "d"}}}}}}`
	doc := fake.Of(t, shares, fakerun.Mutators(t, "baseline", "optional-members", "wrong-types", "invalid-in-context", "syntax-errors")...)
	x := explain(t, doc, func(r *exchange.Request) *exchange.Exchange {
		d, err := jsontree.Parse(r.Body)
		switch {
		case strings.Contains(string(r.Body), `"scopes":["`): // before anything else is looked at
			return fake.Answer(500, "text/plain", "oops")
		case err != nil:
			return fake.Answer(400, "text/plain", "no JSON")
		case d.Root.Kind == jsontree.Array:
			return fake.Answer(500, "text/plain", "oops")
		}
		return fake.Answer(200, "text/plain", "")
	})
	var told []string
	for _, f := range report.Findings([]report.Result{{Requirement: "post-shares-answered", Operation: "POST /shares", Verdict: report.Fail, Failures: x.failures["post-shares-answered"]}}) {
		told = append(told, f.Sentence)
	}
	assert.ElementsMatch(t, []string{"POST /shares: the answer is 500 to a valid value in the body", "POST /shares: the answer is 500 if an object in the body is of another structure"}, told)
}
