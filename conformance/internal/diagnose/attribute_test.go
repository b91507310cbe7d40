package diagnose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
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
	return []plan.Class{{Family: plan.FamilyValid, Kind: "pair", Expected: plan.ExpectMustAccept, Cases: 3, Build: func(g *generate.Gen, draw int) []plan.Step {
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
