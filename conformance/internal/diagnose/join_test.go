package diagnose

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// joining is what shards say of one requirement.
func joining(list ...shardSays) Joined {
	j := Joined{Named: func(string) bool { return false }}
	for i := range list {
		list[i].result.Requirement, list[i].result.Level = "thing-size", report.Must
		j.Results = append(j.Results, &list[i].result)
		part := &list[i].part
		if list[i].result.Cases.Planned == 0 && part.Unplayed == "" {
			part = nil
		}
		j.Parts = append(j.Parts, part)
	}
	return j
}

type shardSays struct {
	result report.Result
	part   report.PartResult
}

func says(c report.Cases, p report.PartResult) shardSays {
	return shardSays{report.Result{Cases: c, Verdict: p.Verdict, Reason: p.Reason}, p}
}

func TestTheVerdictOfAPlanFollowsFromWhatAllShardsSay(t *testing.T) {
	elsewhere := says(report.Cases{}, report.PartResult{Verdict: report.Inapplicable, Reason: inAnother})
	passed := says(report.Cases{Planned: 3, Judged: 3}, report.PartResult{Verdict: report.Pass, Passed: true})
	none := says(report.Cases{Planned: 2}, report.PartResult{Verdict: report.Inconclusive, Reason: "no exchange could be judged"})
	late := says(report.Cases{Planned: 2, NotTried: 2}, report.PartResult{Verdict: report.Inconclusive, Reason: "time", Why: "time", UntriedAt: 5})
	earlier := says(report.Cases{Planned: 2, NotTried: 2}, report.PartResult{Verdict: report.Inconclusive, Reason: "rate", Why: "rate", UntriedAt: 4})
	class := says(report.Cases{Planned: 2, Judged: 1, NotTried: 1}, report.PartResult{Verdict: report.Inconclusive, Passed: true, UntriedClass: "a/b", Why: "gone", UntriedAt: 9})
	under := func(id string, weight int) shardSays {
		return says(report.Cases{Planned: 1, Suppressed: 1}, report.PartResult{Verdict: report.Inconclusive, Reason: "suppressed by " + id, Suppressors: map[string]int{id: weight}})
	}
	hidden := says(report.Cases{Planned: 4}, report.PartResult{Verdict: report.Inconclusive, HiddenBy: "thing-answered", Failed: 4})
	wrong := says(report.Cases{Planned: 1}, report.PartResult{Verdict: report.Error, Reason: "a bug"})
	unplayed := func(why string, at int) shardSays {
		return says(report.Cases{}, report.PartResult{Verdict: report.Inapplicable, Reason: why, Unplayed: why, UnplayedAt: at})
	}
	unnamed := says(report.Cases{Planned: 2, Judged: 2}, report.PartResult{Verdict: report.Pass, AnyPass: true, Unknown: "name a value"})
	for name, x := range map[string]struct {
		list   []shardSays
		want   report.Verdict
		reason string
	}{
		"one shard":                        {[]shardSays{elsewhere, passed}, report.Pass, ""},
		"no case anywhere":                 {[]shardSays{says(report.Cases{}, report.PartResult{Verdict: report.Inapplicable, Reason: "the plan has no case for it"})}, report.Inapplicable, "the plan has no case for it"},
		"no case applies":                  {[]shardSays{elsewhere, unplayed("answered with 409", 7), unplayed("answered with 422", 3)}, report.Inapplicable, "answered with 422"},
		"one applies":                      {[]shardSays{unplayed("answered with 409", 7), none}, report.Inconclusive, "no exchange could be judged"},
		"one decides for another":          {[]shardSays{none, passed}, report.Pass, ""},
		"none decides":                     {[]shardSays{elsewhere, none, none}, report.Inconclusive, "no exchange could be judged"},
		"some were not tried":              {[]shardSays{passed, late, earlier}, report.Pass, "4 of 7 cases not tried: rate"},
		"nothing was tried":                {[]shardSays{late, earlier}, report.Inconclusive, "rate"},
		"a class was not tried":            {[]shardSays{passed, late, class}, report.Inconclusive, "no case of one of its classes could be tried: gone"},
		"suppressed most often":            {[]shardSays{under("b", 2), under("a", 1), under("a", 2)}, report.Inconclusive, "suppressed by a"},
		"suppressed in one alone":          {[]shardSays{under("b", 2), passed}, report.Pass, ""},
		"explained by another failure":     {[]shardSays{passed, hidden}, report.Inconclusive, "suppressed by thing-answered"},
		"a bug of the suite":               {[]shardSays{wrong, none}, report.Error, "a bug"},
		"a bug, and an answer":             {[]shardSays{wrong, passed}, report.Pass, ""},
		"a value that no shard knows":      {[]shardSays{unnamed, unnamed}, report.Inconclusive, "name a value"},
		"a value that another shard knows": {[]shardSays{unnamed, passed}, report.Pass, ""},
	} {
		got := joining(x.list...).Join()
		assert.Equal(t, x.want, got.Verdict, name)
		assert.Equal(t, x.reason, got.Reason, name)
	}
}

// failing is a shard with failures of some ways: signature, weight, place, cases.
func failing(ways ...report.PartFailure) shardSays {
	s := says(report.Cases{Planned: 9, Judged: 9, Failed: 9}, report.PartResult{Verdict: report.Fail, Failed: 9, Passed: true, Ways: ways})
	for _, w := range ways {
		f := report.Failure{Case: w.Signature, Common: "all"}
		for range w.Classes {
			f.Classes = append(f.Classes, report.ClassCount{Class: w.Signature, Failed: 1, Judged: 2})
		}
		s.result.Failures = append(s.result.Failures, f)
	}
	return s
}

func TestFailuresOfOneWayAreJoinedWithTheBestExample(t *testing.T) {
	one := failing(report.PartFailure{Signature: "x", Weight: 7, At: 1, Classes: []int{1, 8}})
	one.result.Failures[0].Case, one.result.Failures[0].Classes[1].Class = "heavy", "x8"
	two := failing(report.PartFailure{Signature: "y", Weight: 1, At: 2, Classes: []int{2}}, report.PartFailure{Signature: "x", Weight: 3, At: 4, Classes: []int{4}})
	two.result.Failures[1].Case, two.result.Failures[1].Classes[0].Class = "light", "x4"
	two.result.Place, two.result.Fix = &report.Place{File: "api.yaml", Line: 3}, "Check it."
	got := joining(one, two).Join()
	assert.Equal(t, report.Fail, got.Verdict)
	assert.Equal(t, report.Cases{Planned: 18, Judged: 18, Failed: 18}, got.Cases)
	assert.Equal(t, two.result.Place, got.Place)
	assert.Equal(t, two.result.Fix, got.Fix)
	if assert.Len(t, got.Failures, 2) {
		assert.Equal(t, "light", got.Failures[0].Case, "the way with the most cases comes first")
		assert.Equal(t, []report.ClassCount{{Class: "x", Failed: 1, Judged: 2}, {Class: "x4", Failed: 1, Judged: 2}, {Class: "x8", Failed: 1, Judged: 2}}, got.Failures[0].Classes)
		assert.Empty(t, got.Failures[0].Common)
		assert.Equal(t, "y", got.Failures[1].Case)
	}
	assert.Equal(t, "all", joining(one).Join().Failures[0].Common, "a single shard knows")
}

func TestWaysBeyondTheMostKeptJoinTheLastOne(t *testing.T) {
	var ways []report.PartFailure
	for i := range limits.WaysKept + 3 {
		ways = append(ways, report.PartFailure{Signature: string(rune('a' + i)), At: i, Classes: []int{i}})
	}
	got := joining(failing(ways...)).Join()
	assert.Len(t, got.Failures, limits.WaysKept)
	assert.Len(t, got.Failures[limits.WaysKept-1].Classes, 4)
}

func TestPendingFailuresCountOnlyIfNoShardPassed(t *testing.T) {
	pending := says(report.Cases{Planned: 2, Judged: 2}, report.PartResult{Verdict: report.Fail, Failed: 2, AnyPass: true,
		Pending: []report.Failure{{Case: "a", Class: "a"}}, Ways: []report.PartFailure{{Signature: "x", Classes: []int{0}}}})
	passed := says(report.Cases{Planned: 3, Judged: 3}, report.PartResult{Verdict: report.Pass, AnyPass: true, Passed: true})
	unnamed := says(report.Cases{Planned: 1, Judged: 1}, report.PartResult{Verdict: report.Pass, AnyPass: true, Unknown: "name a value"})
	odd := pending
	odd.part.Odd = true

	got := joining(pending, passed).Join()
	assert.Equal(t, report.Pass, got.Verdict)
	assert.Zero(t, got.Cases.Failed)
	got = joining(pending, pending).Join()
	assert.Equal(t, report.Fail, got.Verdict)
	assert.Equal(t, 4, got.Cases.Failed)
	pending.part.Place, pending.part.Fix = &report.Place{File: "api.yaml", Line: 3}, "Check it."
	got = joining(says(report.Cases{Planned: 1, Judged: 1}, report.PartResult{Verdict: report.Fail, AnyPass: true}), pending).Join()
	assert.Equal(t, &report.Place{File: "api.yaml", Line: 3}, got.Place, "as of any failure")
	assert.Equal(t, "Check it.", got.Fix)
	got = joining(pending, passed).Join()
	assert.Nil(t, got.Place)
	assert.Empty(t, got.Fix)
	assert.Equal(t, report.Fail, joining(pending, unnamed).Join().Verdict, "ordinary words are not refused alike")
	got = joining(odd, unnamed).Join()
	assert.Equal(t, report.Inconclusive, got.Verdict)
	assert.Equal(t, "name a value", got.Reason)
}

// shelf is a document of resources that a list shows.
const shelf = `{openapi: 3.1.0, info: {title: t, version: "1"}, components: {schemas: {Thing: {type: object, required: [name, size], properties: {name: {type: string}, size: {type: integer, minimum: 3}}}}},
paths: {/things: {
  post: {requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Thing"}}}}, responses: {"201": {description: d}, "400": {description: d}, "422": {description: d}}},
  get: {responses: {"200": {description: d, content: {application/json: {schema: {type: array, items: {$ref: "#/components/schemas/Thing"}}}}}}}}}}`

// shelved stores what a check takes, and shows all of it, changed as show says.
func shelved(d *fake.Document, takes func(broken string) bool, show func(string) string) fake.Server {
	var all []string
	return func(r *exchange.Request) *exchange.Exchange {
		if bytes.HasPrefix(r.Head, []byte("GET ")) {
			return fake.Answer(200, "application/json", "["+show(strings.Join(all, ","))+"]")
		}
		read := d.Contract.Find("post-things").Body.Shape.Read(r.Body)
		for _, v := range read.Violations {
			if !takes(v.Keyword) {
				return fake.Answer(400, "", "")
			}
		}
		if read.Root() == nil {
			return fake.Answer(400, "", "")
		}
		all = append(all, string(read.Root().Emit()))
		return fake.Answer(201, "", "")
	}
}

func TestAListThatShowsWhatShouldHaveBeenRefusedDoesNotFailForIt(t *testing.T) {
	d := fake.Of(t, shelf, fakerun.Mutators(t, "baseline", "keyword-violations")...)
	same := func(text string) string { return text }
	got := finish(t, fakerun.Of(t, d, shelved(d, func(keyword string) bool { return keyword == "minimum" }, same)))
	assert.Equal(t, []string{"thing-size-minimum"}, got.failed())
	assert.Equal(t, report.Inconclusive, got.results["get-things-200-body-items-size-minimum"].Verdict)
	assert.Equal(t, "suppressed by thing-size-minimum", got.results["get-things-200-body-items-size-minimum"].Reason)

	wrong := func(text string) string { return strings.ReplaceAll(text, `"size":`, `"size":-`) }
	got = finish(t, fakerun.Of(t, d, shelved(d, func(string) bool { return false }, wrong)))
	assert.Equal(t, []string{"get-things-200-body-items-size-minimum"}, got.failed(), "the server made it itself")
}

// The owner of all things is the one whom the document has as an example. That does not tell
// which request made a resource.
func TestAValueThatAllRequestsShareTellsNotWhichOneMadeAThing(t *testing.T) {
	owned := strings.ReplaceAll(shelf, "required: [name, size], properties: {", `required: [name, size, ownerId], properties: {ownerId: {type: string, example: owner-4711}, `)
	owned = strings.ReplaceAll(owned, `"400": {description: d}`, `"400": {description: d}, "404": {description: d}`)
	d := fake.Of(t, owned, fakerun.Mutators(t, "baseline", "keyword-violations")...)
	wrong := func(text string) string {
		return regexp.MustCompile(`"size":[-0-9]+`).ReplaceAllString(text, `"size":1`)
	}
	serve := shelved(d, func(keyword string) bool { return keyword == "minimum" }, wrong)
	got := finish(t, fakerun.Of(t, d, func(r *exchange.Request) *exchange.Exchange {
		if bytes.HasPrefix(r.Head, []byte("POST ")) && !bytes.Contains(r.Body, []byte("owner-4711")) {
			return fake.Answer(404, "", "")
		}
		return serve(r)
	}))
	assert.Equal(t, []string{"get-things-200-body-items-size-minimum", "thing-size-minimum"}, got.failed())
}

// TestAClassOfAcceptedValuesTestsOnlyWhatIsExpectedOfThem has two classes: of one
// everything was judged and passed, of the other nothing.
func TestAClassOfAcceptedValuesTestsOnlyWhatIsExpectedOfThem(t *testing.T) {
	for why, held := range map[string]bool{usedReason: false, countedReason: false, execute.LostReason: true} {
		doc := fake.Plants(t)
		d := diagnosing(doc)
		passed := d.judge.TriedRecord(doc.Op())
		for at := range d.judge.Bound {
			passed.Passed.Add(at)
		}
		judged := &plan.Case{ID: "a/0", Class: &plan.Class{Slug: "a"}, Op: doc.Op()}
		untried := &plan.Case{ID: "b/0", Class: &plan.Class{Slug: "b"}, Op: doc.Op()}
		d.run.Cases = []*plan.Case{judged, untried}
		d.run.Replace(judged, passed)
		again := *passed
		again.State, again.Why = 0, why
		d.run.Replace(untried, &again)
		tallies := d.tally()
		verdicts := map[string]report.Result{}
		for at := range d.judge.Bound {
			r := d.result(at, tallies[at], nil, "")
			verdicts[r.Requirement] = r
		}
		assert.Equal(t, report.Inconclusive, verdicts["newplant-name-accepted"].Verdict, "what is expected of the values was not tested")
		assert.Equal(t, held, verdicts["newplant-tag-optional"].Verdict == report.Inconclusive, "%s: every other class leaves the tag out too", why)
		framing := verdicts["post-plants-framing"]
		require.NotEmpty(t, framing.Requirement)
		assert.Equal(t, held, framing.Verdict == report.Inconclusive, why)
		if !held {
			assert.Equal(t, "1 of 2 cases not tried: "+why, framing.Reason)
		}
	}
}

func TestARequirementWithoutAJudgedCaseIsNeverGreen(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	for name, c := range map[string]tally{
		"suppressed":  {planned: 3, suppressed: 3, suppressedBy: "post-plants-answered"},
		"not tried":   {planned: 3, untried: 3, why: "the run ended before it was tried"},
		"not judged":  {planned: 3},
		"class empty": {planned: 3, judged: 2, untriedClass: "post-plants/valid/x", why: "time"},
	} {
		r := d.result(0, c, nil, "")
		assert.Equal(t, "inconclusive", strings.ToLower(string(r.Verdict)), name)
	}
	assert.Equal(t, "pass", strings.ToLower(string(d.result(0, tally{planned: 3, judged: 3}, nil, "").Verdict)))
	assert.Equal(t, "1 of 3 cases not tried: time", d.result(0, tally{planned: 3, judged: 2, untried: 1, why: "time"}, nil, "").Reason)
}

// diagnosing gives a diagnosis of a run in which nothing was sent.
func diagnosing(doc *fake.Document) *Diagnosis {
	j := judge.New(doc.Set, doc.Rules, doc.Plan, doc.Endpoint)
	t := doc.Target(nil)
	return &Diagnosis{target: t, judge: j, run: execute.New(t, j, execute.Settings{}, nil, true)}
}

func TestWaysBeyondTheLimitAreAddedToTheLast(t *testing.T) {
	var list []*group
	for i := range 3 * limits.WaysKept {
		c := &plan.Case{ID: fmt.Sprint(i)}
		list = append(list, &group{at: 1, signature: fmt.Sprint(i), cases: []*plan.Case{c},
			failures: map[*plan.Case]*judge.Failure{c: {Finding: judge.Finding{At: 1}}}})
	}
	got := few(append(list, &group{at: 2}))
	assert.Len(t, got, limits.WaysKept+1)
	assert.Len(t, got[limits.WaysKept-1].cases, 2*limits.WaysKept+1)
	assert.Equal(t, 2, got[limits.WaysKept].at)
}
