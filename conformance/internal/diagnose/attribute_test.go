package diagnose

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
)

func TestAConformingServerFailsNothing(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers", "member-order", "optional-members", "wrong-types", "missing-members", "credentials", "repeats")
	d := diagnose(t, doc, doc.Conforming)
	assert.Empty(t, d.failed())
	assert.Empty(t, d.found)
	assert.Empty(t, d.target.Reasons)
}

// large reports whether the id of a body is above so much.
func above(limit string) func(*jsontree.Value) bool {
	return func(body *jsontree.Value) bool {
		n := body.Get("id")
		return n != nil && n.Kind == jsontree.Number && jsontree.Compare(n.Text, limit) > 0
	}
}

// The same refusals come of requests with one unusual member and with several, in
// every spelling.
func TestARefusedValueIsReportedUnderItsMember(t *testing.T) {
	for want, c := range map[string]struct {
		refused func(*jsontree.Value) bool
		only    []string
	}{
		"newplant-id-accepted":   {above("2147483647"), nil},
		"newplant-name-accepted": {foreign, nil},
	} {
		doc := fakerun.Plants(t, "baseline", "integers", "characters", "member-pairs", "member-order", "white-space")
		d := diagnose(t, doc, wrong(doc, c.refused), c.only...)
		assert.Equal(t, []string{want}, d.failed())
		f := d.finding(t, want)
		assert.True(t, f.Stable && f.Minimal, want)
		assert.False(t, f.Baseline, want)
		assert.Len(t, f.Failure.Steps, 1)
	}
}

// pairs makes requests with a large id and a foreign name at once.
var pairs = plan.Mutator{Name: "pairs", Doc: "Two unusual values at once.", Classes: func(*plan.Space) []plan.Class {
	return []plan.Class{{Family: plan.FamilyValid, Kind: "pair", Expected: message.Accept, Cases: 3, Build: func(g *plan.Gen, draw int) []plan.Step {
		m := g.Baseline()
		m.Tree.Set("id", jsontree.NewNumber(fmt.Sprint(9007199254740993+draw)))
		m.Tree.Set("name", jsontree.NewString("\u690d\u7269"+g.Word()))
		return []plan.Step{{Message: m}}
	}}}
}}

func foreign(body *jsontree.Value) bool {
	return strings.ContainsFunc(text(body, "name"), func(c rune) bool { return c > 0x7f })
}

// Requests that hold both values tell nothing of either: they are sent again with
// one of them replaced.
func TestAPairOfUnusualValuesIsReportedUnderTheOneThatIsRefused(t *testing.T) {
	large := above("2147483647")
	for want, refused := range map[string]func(*jsontree.Value) bool{
		"newplant-id-accepted":       large,
		"newplant-name-accepted":     foreign,
		"post-plants-valid-accepted": func(body *jsontree.Value) bool { return large(body) && foreign(body) },
	} {
		doc := fake.Plants(t, append(fakerun.Mutators(t, "baseline"), pairs)...)
		d := diagnose(t, doc, wrong(doc, refused))
		assert.Equal(t, []string{want}, d.failed())
		assert.True(t, d.finding(t, want).Stable)
	}
}

func TestARefusedSpellingIsReportedUnderTheRequestAsAWhole(t *testing.T) {
	escaped := func(r *exchange.Request) bool {
		p, err := jsontree.Parse(r.Body)
		return err == nil && foreign(p.Root) && fake.Holds(r, `\u`)
	}
	tabbed := func(r *exchange.Request) bool { return fake.Holds(r, "\t") }
	// Of an escaped name another one is taken, but so is the same without escapes.
	for only, refused := range map[string]func(*exchange.Request) bool{"*": tabbed, "*/escaped-wide/*": escaped} {
		doc := fakerun.Plants(t, "baseline", "white-space", "escapes", "integers")
		d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
			if refused(r) {
				return refuse()
			}
			return doc.Conforming(r)
		}, only)
		assert.Equal(t, []string{"post-plants-valid-accepted"}, d.failed(), only)
		assert.False(t, d.finding(t, "post-plants-valid-accepted").Baseline)
	}
}

// tolerant takes a body that breaks the schema where a condition holds.
func tolerant(doc *fake.Document, where func(body *jsontree.Value) bool) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		e := doc.Conforming(r)
		if d, err := jsontree.Parse(r.Body); err == nil && e.Response.Status == 400 && where(d.Root) {
			return fake.Answer(200, "application/json", `{"name":"fern2"}`)
		}
		return e
	}
}

func TestABodyWithSeveralDefectsIsReportedUnderTheOneThatIsAcceptedAlone(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "missing-members")
	noID := func(body *jsontree.Value) bool { return body.Get("id") == nil }
	d := diagnose(t, doc, tolerant(doc, noID))
	assert.Equal(t, []string{"newplant-id-required"}, d.failed())
	assert.Equal(t, 1, d.results["newplant-name-required"].Cases.Suppressed, "that a missing name is refused was not seen in that case")
	// The class with both members missing alone: it is shrunk to one defect.
	assert.Equal(t, []string{"newplant-id-required"}, diagnose(t, doc, tolerant(doc, noID), "*/baseline/*", "*/missing-name-id/*").failed())
}

func TestTwoFaultsAreTwoReasons(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers", "wrong-types")
	textual := func(body *jsontree.Value) bool {
		v := body.Get("id")
		return v != nil && v.Kind == jsontree.String && body.Get("name") != nil && body.Get("name").Kind == jsontree.String
	}
	large := above("2147483647")
	d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if p, err := jsontree.Parse(r.Body); err == nil && large(p.Root) {
			return refuse()
		}
		return tolerant(doc, textual)(r)
	})
	assert.Equal(t, []string{"newplant-id-accepted", "newplant-id-integer"}, d.failed())
}

// staff are people who cannot be removed while somebody else is paid.
const staff = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {
/people: {post: {operationId: hire, responses: {"201": {description: d, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: integer}}}}}}}}},
"/people/{id}": {parameters: [{name: id, in: path, required: true, schema: {type: integer}}],
  delete: {operationId: remove, responses: {"204": {description: d}, "409": {description: d}, "404": {description: d}}}}}}`

// removing answers as staff says, and refuses the deletions whose numbers are given, counted from 1.
func removing(status int, refused func(n int) bool) fake.Server {
	hired, removed := 0, 0
	return func(r *exchange.Request) *exchange.Exchange {
		if bytes.HasPrefix(r.Head, []byte("POST")) {
			hired++
			return fake.Answer(201, "application/json", fmt.Sprintf(`{"id":%d}`, hired))
		}
		removed++
		if refused(removed) {
			return fake.Answer(status, "", "")
		}
		return fake.Answer(204, "", "")
	}
}

func TestARefusalForTheStateThatOthersLeftIsNoFailureIfTheCasePassesAlone(t *testing.T) {
	const accepted = "delete-people-id-valid-accepted"
	doc := func() *fake.Document { return fake.Of(t, staff, fakerun.Mutators(t, "baseline")...) }
	d := diagnose(t, doc(), removing(409, func(n int) bool { return n == 12 }))
	assert.Empty(t, d.failed())
	assert.Equal(t, report.Pass, d.results[accepted].Verdict)
	d = diagnose(t, doc(), removing(409, func(n int) bool { return n >= 12 }))
	assert.Equal(t, []string{accepted}, d.failed(), "it does not pass alone")
	d = diagnose(t, doc(), removing(404, func(n int) bool { return n == 12 }))
	assert.Equal(t, []string{accepted}, d.failed(), "nobody else knows the thing that was made for the case")
	d = diagnose(t, doc(), removing(403, func(n int) bool { return n == 12 }))
	assert.Equal(t, []string{accepted}, d.failed(), "the document does not list it")
}

// failing adds a case to a group that failed after so many steps.
func (g *group) failing(id string, steps, defects, unusual, size int) *plan.Case {
	c := &plan.Case{ID: id}
	f := &judge.Failure{Finding: judge.Finding{At: g.at}, Defects: defects}
	m := &message.Message{Raw: []byte(strings.Repeat(" ", size))}
	for range steps {
		f.Steps = append(f.Steps, judge.Played{Step: plan.Step{Message: m},
			Sent: &message.Sent{Body: &schema.Reading{Unusual: make([]string, unusual)}}})
	}
	if g.failures == nil {
		g.failures = map[*plan.Case]*judge.Failure{}
	}
	g.cases = append(g.cases, c)
	g.failures[c] = f
	return c
}

func TestTheCaseThatShowsAFailureBestHasFewestStepsThenDefectsThenASmallBodyThenFewDifferences(t *testing.T) {
	g := &group{}
	for _, c := range []*plan.Case{
		g.failing("three steps", 3, 1, 0, 0), g.failing("two steps", 2, 1, 0, 0), g.failing("defects", 1, 3, 0, 0),
		g.failing("large", 1, 1, 0, 5000), g.failing("unmild", 1, 1, 3, 0), g.failing("simple", 1, 1, 1, 0),
	} {
		best, f := g.simplest()
		if c.ID == "simple" {
			assert.Equal(t, "simple", best.ID)
			assert.Equal(t, g.failures[best], f)
		}
	}
	for len(g.cases) > 1 {
		best, _ := g.simplest()
		last := g.cases[len(g.cases)-1]
		assert.Equal(t, last.ID, best.ID)
		g.cases = g.cases[:len(g.cases)-1]
	}
	again := g.failing("as many steps", 3, 1, 0, 0)
	best, _ := g.simplest()
	assert.NotEqual(t, again, best, "the first in the plan where nothing tells them apart")
}

func TestACaseOfSeveralRequestsThatFailsInOneShowsThemAll(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "recoveries")
	var last bool // a server that refuses what comes behind something that it refused
	d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
		e := doc.Conforming(r)
		if last && e.Response.Status == 200 {
			e, last = refuse(), false
			return e
		}
		last = e.Response.Status == 400
		return e
	})
	require.Equal(t, []string{"post-plants-valid-accepted"}, d.failed())
	f := d.finding(t, "post-plants-valid-accepted")
	assert.Len(t, f.Failure.Steps, 2)
	assert.False(t, f.Baseline, "a plain request alone is taken")
	assert.True(t, f.Stable)
}

func TestGroupsOfAMustComeFirstThenTheOrderOfTheSetThenTheLargest(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	small, large := &group{at: d.at("newplant-id-integer"), signature: "s"}, &group{at: d.at("newplant-id-integer"), signature: "l"}
	small.failing("a", 1, 1, 0, 0)
	large.failing("a", 1, 1, 0, 0)
	large.failing("b", 1, 1, 0, 0)
	should, first := &group{at: d.at("bearer-scheme-case")}, &group{at: d.at("newplant-name-required")}
	assert.Equal(t, []*group{first, large, small, should}, d.worstFirst([]*group{should, small, large, first}))
}

func TestFailuresAreGroupedByRequirementAndWayAndACaseIsInAGroupOnce(t *testing.T) {
	doc := fake.Plants(t)
	d := diagnosing(doc)
	a, b, c := &plan.Case{ID: "a", Op: doc.Op()}, &plan.Case{ID: "b", Op: doc.Op()}, &plan.Case{ID: "c", Op: doc.Op()}
	d.run.Cases = []*plan.Case{a, b, c}
	failure := func(at int, way string) judge.Failure {
		f := judge.Failure{Finding: judge.Finding{At: at}}
		f.Outcome.Signature = way
		return f
	}
	d.run.Replace(a, &judge.Record{Failures: []judge.Failure{failure(1, "x"), failure(1, "x"), failure(2, "x")}})
	d.run.Replace(b, &judge.Record{Failures: []judge.Failure{failure(1, "x"), failure(1, "y")}})
	groups := d.groups()
	require.Len(t, groups, 3)
	assert.Equal(t, []*plan.Case{a, b}, groups[0].cases)
	assert.Equal(t, []*plan.Case{a}, groups[1].cases)
	assert.Equal(t, []*plan.Case{b}, groups[2].cases)

	other := &group{at: 1, signature: "x", cases: []*plan.Case{b, c}, failures: map[*plan.Case]*judge.Failure{b: {Step: 9}, c: {}}}
	joined := merged([]*group{groups[0], groups[1], other})
	require.Len(t, joined, 2)
	assert.Equal(t, []*plan.Case{a, b, c}, joined[0].cases)
	assert.Zero(t, joined[0].failures[b].Step, "its own failure stays")
}
