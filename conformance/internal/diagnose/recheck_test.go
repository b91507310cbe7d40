package diagnose

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

// Some of the numbers that the plan tries, in a store that somebody filled before.
var heldAlready = []string{"2147483649", "4294967297", "9007199254740993"}

func TestARefusalInTheFormOfARepeatIsNoFailureIfANeighbourIsAccepted(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	d := diagnose(t, doc, newStore(doc, heldAlready...).serve)
	assert.Empty(t, d.failed())
	assert.Equal(t, report.Pass, d.results["newplant-id-accepted"].Verdict)
	assert.Empty(t, d.results["newplant-id-accepted"].Reason, "the neighbours were tried in their place")
}

func TestARefusalInAnotherFormThanARepeatStaysAFailure(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	holds := newStore(doc)
	d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if fake.Holds(r, "9007199254740993") {
			return fake.Answer(400, "application/json", `{"error":7,"message":"not representable"}`)
		}
		return holds.serve(r)
	})
	assert.Equal(t, []string{"newplant-id-accepted"}, d.failed())
}

// A store that takes an id twice has no reason to refuse one that it holds.
func TestAFirstRefusalStaysAFailureIfRepeatsAreAccepted(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	d := diagnose(t, doc, wrong(doc, func(body *jsontree.Value) bool { return text(body, "id") == "9007199254740993" }))
	assert.Equal(t, []string{"newplant-id-accepted"}, d.failed())
}

func TestARefusalStaysAFailureIfNeighboursAreRefusedToo(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	holds := newStore(doc)
	large := above("4294967295")
	d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if p, err := jsontree.Parse(r.Body); err == nil && large(p.Root) {
			return fake.Answer(400, "application/json", fmt.Sprintf(`{"error":409,"message":"id %s is taken"}`, text(p.Root, "id")))
		}
		return holds.serve(r)
	})
	assert.Equal(t, []string{"newplant-id-accepted"}, d.failed())
}

// The second run of a seed meets the data of the first: values that it cannot
// change are not judged, and never green.
func TestAValueThatAnEarlierRunUsedIsNotTried(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	holds := newStore(doc)
	fakerun.Of(t, doc, holds.serve)
	d := diagnose(t, doc, holds.serve)
	assert.Empty(t, d.failed())
	assert.Equal(t, 1, d.target.Facts.Generation)
}

func TestASmallNumberThatAStoreMayHaveCountedItselfIsNotTried(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	holds := newStore(doc)
	small := above("70000")
	d := diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if p, err := jsontree.Parse(r.Body); err == nil && doc.Conforming(r).Response.Status == 200 && !small(p.Root) {
			return fake.Answer(400, "application/json", fmt.Sprintf(`{"error":409,"message":"id %s is taken"}`, text(p.Root, "id")))
		}
		return holds.serve(r)
	})
	assert.Empty(t, d.failed())
	r := d.results["newplant-id-accepted"]
	assert.Equal(t, report.Inconclusive, r.Verdict, "nothing of a class was tried")
	assert.Contains(t, r.Reason, countedReason)
}

// One that stands for an older resource under the same id answers with a name that
// nobody sent in this run.
func TestAnAnswerAboutAnOlderResourceIsNoFailureIfANeighbourPasses(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	older := func(r *exchange.Request) *exchange.Exchange {
		if fake.Holds(r, "9007199254740993") {
			return fake.Answer(200, "application/json", `{"name":"word23fern"}`)
		}
		return doc.Conforming(r)
	}
	assert.Empty(t, diagnose(t, doc, older).failed())

	everywhere := func(r *exchange.Request) *exchange.Exchange {
		if e := doc.Conforming(r); e.Response.Status != 200 || !fake.Holds(r, "9007199") {
			return e
		}
		return fake.Answer(200, "application/json", `{"name":"word23fern"}`)
	}
	assert.Equal(t, []string{"echo-name"}, diagnose(t, doc, everywhere).failed())

	changed := func(r *exchange.Request) *exchange.Exchange {
		if fake.Holds(r, "9007199254740993") {
			return fake.Answer(200, "application/json", `{"name":"Fern"}`)
		}
		return doc.Conforming(r)
	}
	assert.Equal(t, []string{"echo-name"}, diagnose(t, doc, changed).failed(), "this is no name of ours")
}
