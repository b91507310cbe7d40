package judge

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// counting makes a class that counts how often a case of it is made.
func counting(made *atomic.Int64) plan.Mutator {
	m := class("bad", message.Refuse, badPlant, badPlant)
	classes := m.Classes
	m.Classes = func(s *plan.Space) []plan.Class {
		list := classes(s)
		for i := range list {
			build := list[i].Build
			list[i].Build = func(g *plan.Gen, draw int) []plan.Step { made.Add(1); return build(g, draw) }
		}
		return list
	}
	return m
}

func TestCasesAreExaminedOnceForAllRunsWithTheSameBytes(t *testing.T) {
	var made atomic.Int64
	d := fake.Plants(t, counting(&made))
	shared := new(Shared)
	examine := func(key string, facts *explore.Facts) (found map[string]int, builds int64) {
		before := made.Load()
		j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
		j.Facts = facts
		j.CoverOnce(shared, key, d.Plan.Cases)
		j.Examine()
		found = map[string]int{}
		for _, c := range d.Plan.Cases {
			j.Covers(c).Each(func(at int) { found[j.Bound[at].ID]++ })
		}
		return found, made.Load() - before
	}
	first, builds := examine("a", &explore.Facts{Seed: 1})
	assert.Equal(t, 2, first["newplant-id-integer"])
	assert.EqualValues(t, 2, builds)
	for _, other := range []struct {
		key    string
		facts  explore.Facts
		builds int64
	}{{"a", explore.Facts{Seed: 1}, 0}, {"another credential", explore.Facts{Seed: 1}, 2}, {"a", explore.Facts{Seed: 2}, 2},
		{"a", explore.Facts{Seed: 1, Generation: 1}, 2}, {"a", explore.Facts{Seed: 1, EarlierRuns: 1}, 2}, {"a", explore.Facts{Seed: 1}, 0}} {
		again, builds := examine(other.key, &other.facts)
		assert.Equal(t, first, again)
		assert.Equal(t, other.builds, builds, "%s %+v", other.key, other.facts)
	}
}

// A case exists because of a text: what breaks in it is told under what the text suggests.
func TestWhatACaseOfATextShowsFailsNothingButWhatTheTextSuggests(t *testing.T) {
	j, op := judgeOf(t, stays)
	for _, status := range []int{500, 201} {
		s := posted(j, op, `{"room":"r1"}`, status, "")
		s.hinted, s.tests = []string{"undocumented-rule"}, []string{"undocumented-rule"}
		got := j.check(s, Set{})
		assert.Nil(t, got.Reason, status)
		if status == 201 {
			assert.Empty(t, got.Failed())
			continue
		}
		require.Len(t, got.Warnings, 1)
		assert.Equal(t, "post-stays-undocumented-rule", j.Bound[got.Warnings[0].At].ID)
		assert.Contains(t, got.Warnings[0].Outcome.Got, "500")
		s.hinted = nil
		got = j.check(s, Set{})
		require.NotNil(t, got.Reason)
		assert.Equal(t, "post-stays-answered", j.Bound[got.Reason.At].ID)
	}
}

// A server may refuse an end before its start, whatever their names are, and a kind of texts that
// only a sentence tells of.
func TestAnOrderOrAKindThatNoAcceptedRequestHadMayBeWhyOneIsRefused(t *testing.T) {
	const described = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {post: {
	requestBody: {content: {application/json: {schema: {type: object, required: [day], properties: {day: {type: string, format: date}, left: {type: string, format: date},
	place: {type: string, description: "SAYS"}, few: {type: integer, minimum: 1, maximum: 9}, many: {type: integer, minimum: 1, maximum: 9}}}}}},
	responses: {"201": {description: d}, "400": {description: d}}}}}}`
	for _, said := range []string{"x", "One of red1, blue2."} {
		j, op := judgeOf(t, strings.Replace(described, "SAYS", said, 1))
		for _, body := range []string{`{"day":"2030-02-01","left":"2030-02-09"}`, `{"day":"2030-02-05","left":"2030-02-06"}`, `{"day":"2030-03-01","left":"2030-03-01"}`,
			`{"day":"2030-02-01","few":1,"many":9}`, `{"day":"2030-02-01","few":2,"many":3}`} {
			accept(j, posted(j, op, body, 201, ""))
		}
		j.Taken.Settle()
		for body, open := range map[string][]string{
			`{"day":"2030-02-08","left":"2030-02-07"}`: {"/day", "/left"},
			`{"day":"2030-02-07","left":"2030-02-08"}`: nil,
			`{"day":"2030-02-07"}`:                     nil,
			`{"day":"2030-02-01","few":9,"many":1}`:    {"/few", "/many"},
			`{"day":"2030-02-01","few":1,"many":8}`:    {"/many"},
			`{"day":"2030-02-01","few":1,"many":2}`:    {"/many"},
		} {
			got := j.open(posted(j, op, body, 400, ""))
			if open == nil {
				assert.Empty(t, got, "%s, %s", said, body)
			} else {
				assert.Subset(t, open, got, "%s, %s", said, body)
				assert.NotEmpty(t, got, "%s, %s", said, body)
			}
		}
		accept(j, posted(j, op, `{"day":"2030-02-01","place":"red1"}`, 201, ""))
		guessed := said != "x"
		assert.Equal(t, guessed, len(j.open(posted(j, op, `{"day":"2030-02-01","place":"g4hs8kd2"}`, 400, ""))) > 0, "a guess says nothing of other texts")
	}
}

const listed = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/stays: {get: {responses: {"200": {description: d,
	headers: {X-Total: {required: true, schema: {type: integer}}, X-Page: {schema: {type: integer}}},
	content: {application/json: {schema: {type: array, maxItems: 3, items: {type: object, required: [id, room], additionalProperties: false,
		properties: {id: {type: integer}, room: {type: string, minLength: 2, pattern: "^r"}, a: {type: object, required: [n], properties: {n: {type: integer}}}, state: {type: string, enum: [open, closed]}}}}}}}}}}}}`

func TestIndependentPartsOfOneAnswerAreAllJudged(t *testing.T) {
	j, op := judgeOf(t, listed)
	for name, c := range map[string]struct {
		media, body, total, page string
		fail                     []string
	}{
		"right":                               {jsonType, `[{"id":1,"room":"r1"}]`, "1", "", nil},
		"a wrong type beside another":         {jsonType, `[{"id":"1","room":7}]`, "1", "", []string{"/*/id type", "/*/room type"}},
		"a wrong type in two items":           {jsonType, `[{"id":"1","room":"r1"},{"id":1,"room":null}]`, "1", "", []string{"/*/id type", "/*/room type"}},
		"an extra member":                     {jsonType, `[{"id":"1","room":"r1","more":1}]`, "1", "", []string{"/*/id type", "/* additionalProperties"}},
		"a member is missing":                 {jsonType, `[{"room":7}]`, "1", "", []string{"/* required id", "/*/room type"}},
		"two flaws of one value":              {jsonType, `[{"id":1,"room":"s"}]`, "1", "", []string{"/*/room minLength"}},
		"what is in a wrong value":            {jsonType, `[{"id":1,"room":"r1","a":7}]`, "1", "", []string{"/*/a type"}},
		"another object":                      {jsonType, `[{"error":"no"}]`, "1", "", []string{"/* additionalProperties"}},
		"another object beside one":           {jsonType, `[{"error":"no"},{"id":1}]`, "1", "", []string{"/* required id", "/* required room", "/* additionalProperties"}},
		"too many items, and one is wrong":    {jsonType, `[{"id":1,"room":"r1"},{"id":1,"room":"r1"},{"id":1,"room":"r1"},{"id":1,"room":7}]`, "1", "", []string{" maxItems", "/*/room type"}},
		"no list":                             {jsonType, `{}`, "1", "", []string{" type"}},
		"a header field":                      {jsonType, `[{"id":"1","room":"r1"}]`, "", "", []string{"/*/id type", "X-Total"}},
		"two header fields":                   {jsonType, `[]`, "", "x", []string{"X-Total", "X-Page type"}},
		"no JSON, and no header field":        {jsonType, `[`, "", "", []string{"json", "X-Total"}},
		"another media type, and its members": {"text/html", `[{"id":"1"}]`, "1", "", []string{"media"}},
	} {
		ex := answered(200, c.media, c.body)
		for field, value := range map[string]string{"X-Total": c.total, "X-Page": c.page} {
			if value != "" {
				ex.Response.Fields = append(ex.Response.Fields, exchange.Field{Name: field, Value: value})
			}
		}
		m := &message.Message{Op: op}
		ex.Request = j.Endpoint.Wire(m, "case")
		got := j.check(&subject{op: op, sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: requirement.Read(op, ex)}, all(j, op))
		var fail []string
		for _, f := range got.Failed() {
			fail = append(fail, label(&j.Bound[f.At]))
			assert.False(t, got.Suppressed.Has(f.At), name)
			assert.False(t, got.Passed.Has(f.At), name)
		}
		assert.ElementsMatch(t, c.fail, fail, name)
	}
}

// A requirement about the inside of a value that is wrong was not tested, one about its neighbour was.
func TestWhatCannotBeSeenBesideAFlawDoesNotPass(t *testing.T) {
	j, op := judgeOf(t, listed)
	ex := answered(200, jsonType, `[{"id":1,"room":"r1","a":7,"state":"open"}]`)
	ex.Response.Fields = append(ex.Response.Fields, exchange.Field{Name: "X-Total", Value: "1"})
	m := &message.Message{Op: op}
	ex.Request = j.Endpoint.Wire(m, "case")
	got := j.check(&subject{op: op, sent: j.Endpoint.Classify(m, ex.Request), Exchange: ex, Answer: requirement.Read(op, ex)}, all(j, op))
	var passed, suppressed []string
	for at, end := j.Of(op); at < end; at++ {
		switch l := label(&j.Bound[at]); {
		case got.Passed.Has(at):
			passed = append(passed, l)
		case got.Suppressed.Has(at):
			suppressed = append(suppressed, l)
		}
	}
	assert.Subset(t, passed, []string{"/*/id type", "/*/state enum", "X-Total"})
	assert.Subset(t, suppressed, []string{"/*/a required n", "/*/a/n type"})
}

// What is not there was not changed: an answer that is another object does not repeat what was sent.
func TestAnotherObjectIsNotAlsoBlamedForWhatItDoesNotRepeat(t *testing.T) {
	j := plants(t)
	c := aCase(j)
	j.trying(c, "plant-name-required", "echo-tag")
	for body, want := range map[string][]string{
		`{}`:                           {"plant-name-required"},
		`{"plant":{"name":"fern2"}}`:   {"plant-name-required"},
		`{"name":7,"tag":"no"}`:        {"plant-name-string", "echo-tag"},
		`{"name":7,"tag":"x"}`:         {"plant-name-string"},
		`{"name":"fern2","tag":"no"}`:  {"echo-tag"},
		`{"name":"fern2","tag":["x"]}`: {"plant-tag-string"},
	} {
		p := played(j, `{"id":7,"name":"fern2","tag":"x"}`, answered(200, jsonType, body))
		j.Check(c, plan.Identity{}, p)
		var failed []string
		for _, f := range p.Checked.Failed() {
			if b := &j.Bound[f.At]; b.Level == report.Must {
				failed = append(failed, b.ID)
			}
		}
		assert.Equal(t, want, failed, body)
	}
}

func all(j *Judge, op *openapi.Operation) Set {
	set := j.NewSet(op)
	for at, end := j.Of(op); at < end; at++ {
		set.Add(at)
	}
	return set
}

func label(b *Bound) string {
	key := b.Args.Key
	switch {
	case b.Args.Header != "" && key.Keyword == "":
		return b.Args.Header
	case b.Args.Header != "":
		return b.Args.Header + " " + key.Keyword
	case b.Rule.Rank == requirement.JSON:
		return "json"
	case b.Rule.Rank == requirement.MediaType:
		return "media"
	case key.Name != "":
		return key.Path + " " + key.Keyword + " " + key.Name
	}
	return key.Path + " " + key.Keyword
}

func TestTheBodyOfAnAnswerThatAsksToWaitIsJudgedWhereItsStatusIsListed(t *testing.T) {
	const busy = `{description: busy, content: {application/json: {schema: {type: object, required: [code], properties: {code: {type: integer}}}}}}`
	for _, c := range []struct {
		listed, media, body, fails string
		status                     int
	}{
		{"429", "application/json", `{"code":1}`, "", 429},
		{"429", "application/json", `{"code":"a"}`, "get-jobs-429-body-code-integer", 429},
		{"429", "text/html", `<p>busy`, "get-jobs-429-media-type", 429},
		{"503", "application/json", `{"code":1}`, "", 503},
		{"503", "application/json", `{}`, "get-jobs-503-body-code-required", 503},
		{"503", "application/json", `{`, "get-jobs-503-json", 503},
		{"4XX", "text/html", `<p>busy`, "", 429}, // a proxy answers as it likes where only a range is listed
		{"default", "text/html", `<p>busy`, "", 503},
	} {
		d := fake.Of(t, `{openapi: 3.0.3, info: {title: t, version: "1"}, paths: {/jobs: {get: {responses: {"200": {description: ok}, "`+c.listed+`": `+busy+`}}}}}`)
		j := New(d.Set, d.Rules, d.Plan, d.Endpoint)
		e := fake.Answer(c.status, c.media, c.body)
		m := &message.Message{Op: d.Op()}
		e.Request = j.Endpoint.Wire(m, "case")
		e.Response.Fields = append(e.Response.Fields, exchange.Field{Name: "Retry-After", Value: "1"})
		j.JudgeResent(m, e)
		failed := ""
		for _, p := range j.Resent.Take() {
			for _, f := range p.Checked.Failed() {
				failed += j.Bound[f.At].ID
			}
		}
		assert.Equal(t, c.fails, failed, "%s %d %s", c.listed, c.status, c.body)
	}
}
