package conformance

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

func TestCasesLeaveTheTimeThatTheResultsTake(t *testing.T) {
	assert.Equal(t, 30*time.Second+30*time.Millisecond, keptTime(5*time.Minute, 600), "a document as most are")
	assert.Equal(t, 2*time.Second+3500*time.Millisecond, keptTime(20*time.Second, 70_000), "each circular schema has thousands of places")
	assert.Equal(t, time.Second/2, keptTime(time.Second, 175_000), "the cases have time too")
}

// lenient takes every request that has the right credential, and lacks one header field.
func lenient(d *fake.Document) func(c fake.Call) *exchange.Exchange {
	return func(c fake.Call) *exchange.Exchange {
		e := d.Conforming(c.Request)
		if s := d.Endpoint.ClassifyBytes(d.Contract.Operations[0], c.Request, c.Body).Expectation(); s == message.Refuse || s == message.RefuseNotJSON {
			e = fake.Answer(http.StatusOK, "application/json", `{"id":1}`)
		}
		return fake.Lasting(50*time.Millisecond, e)
	}
}

func TestATenthOfTheTimeIsKeptAndTheExampleOfEveryFindingOfACutRunIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const limit = 30 * time.Second
		d := fakerun.Plants(t, "baseline", "missing-members", "wrong-types", "keyword-violations", "string-values", "malformed-body", "syntax-errors", "credentials")
		j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		o := d.Over(&fake.Client{ServeCall: lenient(d)})
		o.Sending = j.Origins.Note
		to := explore.New(o)
		j.Facts = to.Facts
		began := time.Now()
		ctx, stop := context.WithTimeout(t.Context(), limit)
		defer stop()
		run := execute.New(to, j, execute.Settings{Workers: 1}, d.Plan.Cases, to.Learn(ctx))
		j.Cover(d.Plan.Cases)
		s := setup{config: Config{MaxTime: limit}, set: d.Set}
		cases, enough := s.beforeTheEnd(ctx)
		defer enough()
		run.All(cases)
		assert.True(t, slices.ContainsFunc(d.Plan.Cases, func(c *plan.Case) bool { return run.Record(c) == nil || run.Record(c).State != judge.Tried }), "the limit cuts the run")
		assert.LessOrEqual(t, time.Since(began), 9*limit/10+100*time.Millisecond)

		_, found := diagnose.Diagnose(ctx, run, nil)
		assert.Less(t, time.Since(began), limit+time.Second)
		explainer := diagnose.NewExplainer(run, func(id string) string { return id })
		var results []report.Result
		failures := map[int]report.Failure{}
		for i := range found {
			b := &j.Bound[found[i].At]
			f := explainer.Failure(&found[i])
			f.N = i + 1
			failures[f.N] = f
			results = append(results, report.Result{Requirement: b.ID, Level: b.Level, Operation: b.Op.Slug, Verdict: report.Fail, Failures: []report.Failure{f}})
		}
		list := report.Findings(results)
		require.Greater(t, len(list), 3)
		for _, finding := range list {
			f := failures[finding.Example]
			assert.Empty(t, f.NotTriedAgain, finding.Sentence)
			assert.True(t, f.Stable, finding.Sentence)
		}
	})
}

// collections12 is a document of twelve collections, with five operations each.
func collections12() string {
	b := &strings.Builder{}
	fmt.Fprint(b, "openapi: 3.1.0\ninfo: {title: t, version: '1'}\nsecurity: [{key: []}]\npaths:\n")
	const made, refused = "{description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}}", "'400': {description: d}, '401': {description: d}, '404': {description: d}"
	for i := range 12 {
		fmt.Fprintf(b, "  /c%02d:\n    post: {requestBody: {$ref: '#/components/requestBodies/Thing'}, responses: {'201': %s, %s}}\n", i, made, refused)
		fmt.Fprintf(b, "    get: {parameters: [{name: limit, in: query, schema: {type: integer, minimum: 1, maximum: 9}}], responses: {'200': {description: d, content: {application/json: {schema: {type: array}}}}, %s}}\n", refused)
		fmt.Fprintf(b, "  /c%02d/{id}:\n    parameters: [{name: id, in: path, required: true, schema: {type: string}}]\n    get: {responses: {'200': %s, %s}}\n", i, made, refused)
		fmt.Fprintf(b, "    put: {requestBody: {$ref: '#/components/requestBodies/Thing'}, responses: {'200': %s, %s}}\n    delete: {responses: {'204': {description: d}, %s}}\n", made, refused, refused)
	}
	fmt.Fprint(b, `components:
  securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}
  requestBodies: {Thing: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Thing'}}}}}
  schemas:
    Thing: {type: object, required: [name], properties: {name: {type: string, minLength: 1, maxLength: 40}, note: {type: string, maxLength: 90}, size: {type: integer, minimum: 0, maximum: 99}}}
`)
	return b.String()
}

// slowly answers as that document asks, one request after the other.
func slowly(d *fake.Document, took time.Duration) func(c fake.Call) *exchange.Exchange {
	kept, made, free := map[string]bool{}, 0, time.Time{}
	answer := func(c fake.Call) *exchange.Exchange {
		method, target, _ := strings.Cut(strings.TrimSuffix(strings.SplitN(string(c.Head), "\r\n", 2)[0], " HTTP/1.1"), " ")
		path, _, _ := strings.Cut(target, "?")
		one := strings.Count(path, "/") == 2
		i := slices.IndexFunc(d.Contract.Operations, func(op *openapi.Operation) bool {
			return op.Method == method && strings.HasPrefix(path, op.Path[:4]) && strings.Contains(op.Path, "{") == one
		})
		if i < 0 {
			return fake.Answer(http.StatusNotFound, "", "")
		}
		switch expectation := d.Endpoint.ClassifyBytes(d.Contract.Operations[i], c.Request, c.Body).Expectation(); {
		case expectation == message.RefuseCredential:
			return fake.Answer(http.StatusUnauthorized, "", "")
		case one && !kept[path]:
			return fake.Answer(http.StatusNotFound, "", "")
		case expectation.Refuses():
			return fake.Answer(http.StatusBadRequest, "", "")
		}
		switch method {
		case http.MethodPost:
			made++
			kept[fmt.Sprintf("%s/i%d", path, made)] = true
			return fake.Answer(http.StatusCreated, "application/json", fmt.Sprintf(`{"id":"i%d"}`, made))
		case http.MethodDelete:
			delete(kept, path)
			return fake.Answer(http.StatusNoContent, "", "")
		}
		if !one {
			return fake.Answer(http.StatusOK, "application/json", "[]")
		}
		return fake.Answer(http.StatusOK, "application/json", fmt.Sprintf(`{"id":%q}`, path[5:]))
	}
	return func(c fake.Call) *exchange.Exchange {
		if free = free.Add(took); free.Before(time.Now().Add(took)) {
			free = time.Now().Add(took)
		}
		return fake.Lasting(time.Until(free), answer(c))
	}
}

func TestARunThatIsCutHasTriedAFirstCaseOfEachKindWithEveryOperation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := fake.Of(t, collections12(), fakerun.Mutators(t, "baseline", "optional-members", "string-lengths", "pauses", "missing-members", "wrong-types", "keyword-violations", "malformed-body", "syntax-errors", "credentials")...)
		j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		o := d.Over(&fake.Client{ServeCall: slowly(d, 100*time.Millisecond)})
		o.Timeout, o.Sending = 10*time.Second, j.Origins.Note
		to := explore.New(o)
		j.Facts = to.Facts
		ctx, stop := context.WithTimeout(t.Context(), 48*time.Second)
		defer stop()
		run := execute.New(to, j, execute.Settings{Workers: 8, Spare: true}, d.Plan.Cases, to.LearnInShare(ctx))
		j.Cover(d.Plan.Cases)
		run.All(ctx)

		type kind struct {
			op     *openapi.Operation
			family plan.Family
		}
		tried, missed := map[kind]bool{}, map[kind]bool{}
		for c, r := range run.Records() {
			assert.Empty(t, r.Failures, c.ID)
			if r.State == judge.Tried {
				tried[kind{c.Op, c.Class.Family}] = true
			}
		}
		for _, c := range d.Plan.Cases {
			if k := (kind{c.Op, c.Class.Family}); !tried[k] && c.Class.Family != plan.FamilyMayRefuse {
				missed[k] = true
			}
		}
		assert.Len(t, d.Contract.Operations, 60)
		assert.Empty(t, missed, "%d kinds", len(missed))
		assert.Error(t, ctx.Err(), "the limit cuts the run")
		assert.NotEmpty(t, to.Reasons, "so it is not complete")
	})
}
