package diagnose

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
)

// fixed refuses large ids until a switch is set, and answers with what is behind
// it then.
func fixed(doc *fake.Document) (fake.Server, *atomic.Pointer[exchange.Exchange], *atomic.Bool) {
	var behind atomic.Pointer[exchange.Exchange]
	var over atomic.Bool
	faulty := wrong(doc, above("2147483647"))
	return func(r *exchange.Request) *exchange.Exchange {
		switch e := behind.Load(); {
		case !over.Load():
			return faulty(r)
		case e != nil:
			copied := *e
			return &copied
		}
		return doc.Conforming(r)
	}, &behind, &over
}

func TestAFailureThatDoesNotComeAgainIsNotStable(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	serve, _, over := fixed(doc)
	run := fakerun.Of(t, doc, serve)
	over.Store(true)
	d := finish(t, run)
	require.NotEmpty(t, d.found)
	for _, f := range d.found {
		assert.False(t, f.Stable)
		assert.Empty(t, f.NotTriedAgain)
		assert.False(t, f.Minimal, "what does not come again is not made smaller")
	}
	assert.Equal(t, []string{"newplant-id-accepted"}, d.failed(), "it failed, if only once")
}

func TestAFailureOfWhichThereWasNoSecondTrySaysWhy(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	serve, behind, over := fixed(doc)
	impatient := fake.Answer(429, "", "")
	impatient.Response.Fields = []exchange.Field{{Name: "Retry-After", Value: "3600"}}
	behind.Store(impatient)
	run := fakerun.Of(t, doc, serve)
	over.Store(true)
	d := finish(t, run)
	require.NotEmpty(t, d.found)
	for _, f := range d.found {
		assert.False(t, f.Stable)
		assert.Equal(t, execute.ImpatientReason, f.NotTriedAgain)
	}

	over.Store(false)
	run = fakerun.Of(t, doc, serve)
	ended, stop := context.WithCancel(t.Context())
	stop()
	_, found := Diagnose(ended, run, nil)
	require.NotEmpty(t, found)
	for _, f := range found {
		assert.False(t, f.Stable)
		assert.Equal(t, execute.EndedReason, f.NotTriedAgain)
	}
}

// misreading refuses what follows a refused credential, as a server does that takes
// an unread body for the next request.
func misreading(doc *fake.Document) fake.Server {
	var refused atomic.Bool
	return func(r *exchange.Request) *exchange.Exchange {
		e := doc.Conforming(r)
		if was := refused.Swap(e.Response.Status == 401); was && e.Response.Status == 200 {
			return fake.Answer(400, "text/html", "<p>bad request</p>")
		}
		return e
	}
}

func TestAFailureBehindOtherRequestsIsTriedAgainBehindThem(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "credentials", "credential-changes")
	d := finish(t, fakerun.Of(t, doc, misreading(doc)))
	f := d.finding(t, "post-plants-valid-accepted")
	assert.True(t, f.Stable)
	assert.Greater(t, len(f.Failure.Steps), 1)
}

// A time-out was confirmed where it happened: it is not waited for a third time.
func TestATimeOutIsStableWithoutAnotherTry(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	var timeouts, after atomic.Int64
	run := fakerun.Of(t, doc, func(r *exchange.Request) *exchange.Exchange {
		if fake.Holds(r, "4294967296") {
			timeouts.Add(1)
			return fake.Failing(exchange.TimedOut)
		}
		return doc.Conforming(r)
	}, "*/baseline/*", "*/integers/*")
	after.Store(timeouts.Load())
	d := finish(t, run)
	f := d.finding(t, "post-plants-answered")
	assert.True(t, f.Stable)
	assert.Equal(t, after.Load(), timeouts.Load(), "nothing was sent again that gets no answer")
}

func TestAFailureThatComesAgainInAnotherWayIsStable(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "integers")
	serve, behind, over := fixed(doc)
	behind.Store(fake.Answer(404, "", ""))
	run := fakerun.Of(t, doc, serve, "*/integers/*")
	over.Store(true)
	for _, f := range finish(t, run).found {
		assert.True(t, f.Stable)
	}
}

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

const inForm = "application/x-www-form-urlencoded"

// ofPets diagnoses a server of several media types and returns the ids of the findings.
func ofPets(t *testing.T, unchecked, refused string) (ids []string, found []Finding) {
	t.Helper()
	return ofServer(t, fake.SeveralMedia, unchecked, refused)
}

func ofServer(t *testing.T, text, unchecked, refused string) (ids []string, found []Finding) {
	t.Helper()
	d := fake.Of(t, text, fakerun.Mutators(t, "baseline", "missing-members", "keyword-violations", "wrong-types")...)
	run := fakerun.Of(t, d, d.Pets(unchecked, refused))
	_, found = Diagnose(t.Context(), run, nil)
	for _, f := range found {
		ids = append(ids, run.Judge.Bound[f.At].ID)
	}
	return ids, found
}

func TestAMediaTypeThatIsNotCheckedIsOneFailure(t *testing.T) {
	ids, found := ofPets(t, inForm, "")
	assert.Equal(t, []string{"post-pets-application-x-www-form-urlencoded-body-name-required"}, ids)
	require.Len(t, found, 1)
	assert.Equal(t, inForm, found[0].Unchecked)
	assert.Len(t, found[0].Also, 3, "maxLength, type and minimum")
}

func TestSameBytesThatAreNotCheckedUnderOneNameAreItsFailure(t *testing.T) {
	ids, _ := ofPets(t, "text/json", "")
	assert.Equal(t, []string{"post-pets-text-json-body-refused"}, ids)
}

func TestARefusedMediaTypeIsChargedToItself(t *testing.T) {
	for media, want := range map[string]string{"text/json": "post-pets-text-json-valid-accepted",
		inForm: "post-pets-application-x-www-form-urlencoded-valid-accepted"} {
		ids, _ := ofPets(t, "", media)
		assert.Equal(t, []string{want}, ids)
	}
}

func TestAServerThatChecksNothingDoesNotFailInOneMediaType(t *testing.T) {
	const other = "application/x-www-form-urlencoded: {schema: {type: object, required: [nick], properties: {nick: {type: string, maxLength: 5}}}}"
	text := strings.Replace(fake.SeveralMedia, "application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Pet'}}", other, 1)
	require.Contains(t, text, "nick")
	_, found := ofServer(t, text, "*", "")
	require.NotEmpty(t, found)
	for _, f := range found {
		assert.Empty(t, f.Unchecked)
	}
}

func TestWhatIsWrongInTheFirstMediaTypeIsNotAboutAnother(t *testing.T) {
	ids, found := ofPets(t, "application/json", "")
	assert.Len(t, slices.Compact(ids), 6, "each keyword by itself: %v", ids)
	for _, f := range found {
		assert.Empty(t, f.Unchecked)
	}
}
