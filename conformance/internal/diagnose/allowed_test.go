package diagnose

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// tagged reports whether a body has a tag, other than the allowed ones.
func hasTag(allowed ...string) func(*jsontree.Value) bool {
	return func(body *jsontree.Value) bool {
		v := body.Get("tag")
		for _, a := range allowed {
			if v != nil && v.Text == a {
				return false
			}
		}
		return v != nil
	}
}

func TestOneAllowedTagIsEnough(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "optional-members", "string-values")
	d := diagnose(t, doc, wrong(doc, hasTag("rose")))
	assert.Empty(t, d.failed())
	assert.Equal(t, report.Pass, d.results["newplant-tag-accepted"].Verdict)
	assert.Empty(t, d.target.Reasons)
}

func TestWhereEveryTagIsRefusedAlikeTheUserIsAskedForOne(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "optional-members", "string-values")
	d := diagnose(t, doc, wrong(doc, hasTag()))
	assert.Empty(t, d.failed())
	for _, id := range []string{"newplant-tag-accepted", "echo-tag"} {
		assert.Equal(t, report.Inconclusive, d.results[id].Verdict, id)
		assert.Contains(t, d.results[id].Reason, "--value '/tag=VALUE'", id)
	}
	assert.Equal(t, report.Pass, d.results["echo-name"].Verdict)
}

func TestWhereTagsAreRefusedInDifferentFormsTheMemberIsNotTaken(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "optional-members", "string-values")
	for name, other := range map[string]*exchange.Exchange{
		"another status":  fake.Answer(422, "application/json", `{"error":400,"message":"no"}`),
		"another message": fake.Answer(400, "application/json", `{"error":400,"message":"never","tag":"x"}`),
	} {
		n := 0
		d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
			p, err := jsontree.Parse(r.Body)
			if err != nil || !hasTag()(p.Root) {
				return doc.Conforming(r)
			}
			if n++; n%2 == 0 {
				e := *other.Response
				return &exchange.Exchange{Response: &e}
			}
			return refuse()
		})
		assert.Contains(t, d.failed(), "newplant-tag-accepted", name)
	}
}

// The refusals look alike, but not those of the tag alone.
func TestWhereTheSameRequestWithoutTheTagIsRefusedTooItIsNoMatterOfAList(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "optional-members")
	run := fakerun.Of(t, doc, wrong(doc, hasTag()))
	d := &Diagnosis{target: doc.Target(wrong(doc, func(*jsontree.Value) bool { return true })), judge: run.Judge, run: run}
	assert.Empty(t, d.withoutKnownValue(t.Context(), map[int]bool{}))
	d = &Diagnosis{target: doc.Target(doc.Conforming), judge: run.Judge, run: run}
	assert.Len(t, d.withoutKnownValue(t.Context(), map[int]bool{}), 1)
}

func TestAnOrdinaryWordIsOneThatOnlyAListRefuses(t *testing.T) {
	for text, want := range map[string]bool{"rose": true, "Rose": true, "": false, "a1": false, "é": false, "two words": false,
		strings.Repeat("a", 16): true, strings.Repeat("a", 17): false} {
		assert.Equal(t, want, ordinaryWord(text), fmt.Sprintf("%q", text))
	}
}

// asSuccess is asStatus with 200.
func asSuccess(doc *fake.Document, body string) fake.Server { return asStatus(doc, 200, body) }

// asStatus answers every refusal of a body with a status and a body.
func asStatus(doc *fake.Document, status int, body string) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		if e := doc.Conforming(r); e.Response.Status != 400 {
			return e
		}
		return fake.Answer(status, "application/json", body)
	}
}

func TestRefusalsWithTheStatusOfASuccessAreReportedOnce(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "missing-members", "wrong-types", "truncated-body")
	for _, status := range []int{200, 202} { // the document has no 202
		d := diagnose(t, doc, asStatus(doc, status, `{"error":400,"message":"no"}`))
		assert.Len(t, d.failed(), 1, status)
		for _, id := range []string{"post-plants-body-json", "newplant-id-required", "newplant-name-string"} {
			if r := d.results[id]; r.Verdict != report.Fail {
				assert.Equal(t, report.Inconclusive, r.Verdict, id)
				assert.Equal(t, "suppressed by "+d.failed()[0], r.Reason, id)
			}
		}
	}
}

func TestInvalidRequestsThatAreAcceptedAreReportedOneByOne(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "missing-members", "wrong-types", "truncated-body")
	for _, body := range []string{`{"name":"fern"}`, `{"id":1}`, `{"error":400}`} {
		d := diagnose(t, doc, asSuccess(doc, body))
		assert.Greater(t, len(d.failed()), 4, body)
	}
}

func TestAThingThatIsNotThereExplainsThatOtherOperationsDoNotFindItEither(t *testing.T) {
	text, err := os.ReadFile("../../../reference/services/testdata/albums.yaml")
	require.NoError(t, err)
	d := diagnosing(fake.Of(t, string(text)))
	d.tallies = make([]tally, len(d.judge.Bound))
	finding := func(id string, statuses ...int) Finding {
		g := &group{at: d.at(id), failures: map[*plan.Case]*judge.Failure{}}
		for _, s := range statuses {
			c := &plan.Case{}
			g.cases = append(g.cases, c)
			g.failures[c] = &judge.Failure{Steps: []judge.Played{{Answer: &requirement.Answer{Status: s}}}}
		}
		return Finding{At: g.at, group: g}
	}
	const read, removed, patched = "get-albums-albumid-created-readable", "delete-albums-albumid-valid-accepted", "patch-albums-albumid-valid-accepted"
	got := d.explained([]Finding{finding(read, 404), finding(removed, 404, 404), finding(patched, 404, 400), finding("post-albums-valid-accepted", 404)}, inOneScenario)
	assert.True(t, fails(got, d.at(read)))
	assert.False(t, fails(got, d.at(removed)))
	assert.Equal(t, tally{suppressedBy: read}, d.tallies[d.at(removed)], "what is suppressed is not green")
	assert.True(t, fails(got, d.at(patched)), "it is also refused in another way")
	assert.True(t, fails(got, d.at("post-albums-valid-accepted")), "it does not name the thing")
	assert.True(t, fails(d.explained([]Finding{finding(removed, 404)}, inOneScenario), d.at(removed)), "nothing else explains it")
}

// TestFailuresBehindUnaskedBytesAreChargedToThem: a second answer that comes late
// is taken for the answer to the next request on the connection.
func TestFailuresBehindUnaskedBytesAreChargedToThem(t *testing.T) {
	doc := fake.Plants(t)
	d := diagnosing(doc)
	d.tallies = make([]tally, len(d.judge.Bound))
	at := map[string]int{}
	for i := range d.judge.Bound {
		at[d.judge.Bound[i].ID] = i
	}
	finding := func(id, signature string, fresh, stable bool) Finding {
		c := &plan.Case{ID: id}
		f := &judge.Failure{Finding: judge.Finding{At: at[id]}, Steps: []judge.Played{{Exchange: &exchange.Exchange{Fresh: fresh}}}}
		return Finding{At: at[id], Case: c, Failure: f, Stable: stable,
			group: &group{at: at[id], signature: signature, cases: []*plan.Case{c}, failures: map[*plan.Case]*judge.Failure{c: f}}}
	}
	ids := func(list []Finding) (out []string) {
		for _, f := range list {
			out = append(out, d.judge.Bound[f.At].ID)
		}
		return out
	}
	others := []Finding{
		finding("bearer-required", "200", false, false), // once, behind another request
		finding("echo-name", "other", false, true),      // it came again
		finding("newplant-id-required", "200", true, false),
	}
	for _, signature := range []string{requirement.Unasked, requirement.Surplus} {
		got := d.suppressMisread(append([]Finding{finding("post-plants-framing", signature, false, false)}, others...))
		assert.Equal(t, []string{"post-plants-framing", "echo-name", "newplant-id-required"}, ids(got), signature)
		assert.Equal(t, "post-plants-framing", d.tallies[at["bearer-required"]].suppressedBy, "it is not green")
	}
	for _, none := range [][]Finding{others, append([]Finding{finding("post-plants-framing", "malformed", false, false)}, others...)} {
		assert.Equal(t, ids(none), ids(d.suppressMisread(none)), "no bytes that nobody asked for")
	}
}

func TestWhatFailedOnlyBesideOthersIsSuppressedWhereAnswersGoToTheWrongRequest(t *testing.T) {
	for name, c := range map[string]struct {
		belongs, other Finding
		workers        int
		kept           bool
	}{
		"neither came again":                   {workers: 8},
		"it came again":                        {other: Finding{Stable: true}, workers: 8, kept: true},
		"it could not be tried again":          {other: Finding{NotTriedAgain: execute.EndedReason}, workers: 8, kept: true},
		"it needs something that is known":     {other: Finding{Cause: &causes.Cause{Name: "every-nth"}}, workers: 8, kept: true},
		"it needs others, too":                 {other: Finding{Cause: &causes.Cause{Name: "in-flight"}}, workers: 8},
		"nothing was under way beside it":      {workers: 1, kept: true},
		"the wrong answers need a predecessor": {belongs: Finding{Cause: &causes.Cause{Name: "request-before"}}, workers: 8, kept: true},
		"the wrong answers need others":        {belongs: Finding{Cause: &causes.Cause{Name: "in-flight"}}, workers: 8},
	} {
		d := diagnosing(fake.Plants(t))
		d.tallies = make([]tally, len(d.judge.Bound))
		d.run.Workers, d.target.Facts.Connections = c.workers, 8
		found := among(d, []string{"answer-belongs", "post-plants-valid-accepted"})
		for i, with := range []Finding{c.belongs, c.other} {
			found[i].Stable, found[i].NotTriedAgain, found[i].Cause = with.Stable, with.NotTriedAgain, with.Cause
		}
		got := d.suppressMixed(slices.Clone(found))
		assert.True(t, fails(got, d.at("answer-belongs")), name)
		assert.Equal(t, c.kept, fails(got, d.at("post-plants-valid-accepted")), name)
		if !c.kept {
			assert.Equal(t, "answer-belongs", d.tallies[d.at("post-plants-valid-accepted")].suppressedBy, "what is suppressed is not green")
		}
		assert.Len(t, d.suppressMixed(found[1:]), 1, "%s: nothing else explains it", name)
	}
}

func TestALostAnswerIsNotExplainedByAnswersThatGoToTheWrongRequest(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	d.run.Workers, d.target.Facts.Connections = 8, 8
	assert.Len(t, d.suppressMixed(among(d, []string{"answer-belongs", "post-plants-answered"})), 2)
}

func TestARaceOfCredentialsExplainsRefusalsOfTheRightOneAndNothingElse(t *testing.T) {
	for status, kept := range map[int]bool{401: false, 400: true} {
		d := diagnosing(fake.Plants(t))
		d.tallies = make([]tally, len(d.judge.Bound))
		d.run.Workers, d.target.Facts.Connections = 8, 8
		found := among(d, []string{"bearer-token", "post-plants-valid-accepted"}, "at times")
		c := &plan.Case{}
		found[1].group.cases = []*plan.Case{c}
		found[1].group.failures = map[*plan.Case]*judge.Failure{c: {Steps: []judge.Played{{Answer: &requirement.Answer{Status: status}}}}}
		assert.Equal(t, kept, fails(d.suppressMixed(slices.Clone(found)), found[1].At), status)
		found[0].Cause = &causes.Cause{Name: "sent-before"}
		assert.Len(t, d.suppressMixed(found), 2, "it is no race")
	}
}

func TestWhenRequestsFailedIsNoCauseWhereTheyDifferInThemselves(t *testing.T) {
	for at, distinguished := range map[string]bool{"\U00010000": true, "": false} {
		doc := fakerun.Plants(t, "baseline", "string-values")
		n := 0
		x := explain(t, doc, refusing(doc, "name", func(v *jsontree.Value) bool {
			n++
			if at == "" {
				return n%7 == 0
			}
			return strings.ContainsFunc(v.Text, func(c rune) bool { return c > 0xffff })
		}))
		for i := range x.found {
			f := &x.found[i]
			if x.run.Judge.Bound[f.At].ID != "newplant-name-accepted" {
				continue
			}
			f.Cause = &causes.Cause{Sentence: "since then", Past: true}
			assert.Equal(t, distinguished, x.explain.Failure(f).Cause == "", "%q", at)
			f.Cause = &causes.Cause{Sentence: "behind another"}
			assert.Equal(t, "behind another", x.explain.Failure(f).Cause, "it was seen in experiments")
		}
	}
}

func TestARenamedMemberIsShownBesideTheMissingOneWhereverItStands(t *testing.T) {
	doc := fake.Of(t, `openapi: 3.1.0
info: {title: t, version: "1"}
paths:
  /things:
    post:
      parameters: [{name: limit, in: query, required: true, schema: {type: integer}}]
      requestBody: {required: true, content: {application/json: {schema: {type: object, properties: {
        owner: {type: object, required: [name], properties: {name: {type: string}}}, parts: {type: array, items: {type: object, required: [size], properties: {size: {type: integer}}}}}}}}}
      responses: {"200": {description: ok}}
`)
	for body, want := range map[string]string{
		`{"owner":{"Name":"ann"}}`:               `no /owner/name, but /Name = "ann"`,
		`{"parts":[{"size":1},{"sizes":2}]}`:     `no /parts/1/size, but /sizes = 2`,
		`{"owner":{}}`:                           `no /owner/name`,
		`{"other":{"name":1},"owner":{"x/y":3}}`: `no /owner/name, but /x~1y = 3`,
	} {
		tree, err := jsontree.Parse([]byte(body))
		require.NoError(t, err)
		m := &message.Message{Op: doc.Op(), Tree: tree.Root, Params: jsontree.NewObject(jsontree.M("query", jsontree.NewObject(jsontree.M("limit", jsontree.NewNumber("1")))))}
		s := doc.Endpoint.Classify(m, doc.Endpoint.Wire(m, "a"))
		assert.Equal(t, want, bodyDifference(m, s)[0], body)
	}
	m := &message.Message{Op: doc.Op(), Tree: jsontree.NewObject(), Params: jsontree.NewObject(jsontree.M("query", jsontree.NewObject(jsontree.M("Limit", jsontree.NewNumber("1")))))}
	s := doc.Endpoint.Classify(m, doc.Endpoint.Wire(m, "a"))
	assert.Equal(t, []string{"no query/limit, but query/Limit = 1"}, bodyDifference(m, s))
}
