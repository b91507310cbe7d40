package judge

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

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
