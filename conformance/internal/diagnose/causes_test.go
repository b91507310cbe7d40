package diagnose

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/report"
)

// among makes findings of requirements; those with a sentence need something.
func among(d *Diagnosis, ids []string, sentences ...string) []Finding {
	var out []Finding
	for i, id := range ids {
		f := Finding{At: d.at(id), group: &group{at: d.at(id)}}
		if i < len(sentences) && sentences[i] != "" {
			f.Cause = &causes.Cause{Name: "in-flight", Sentence: sentences[i]}
		}
		out = append(out, f)
	}
	return out
}

func (d *Diagnosis) namesOf(found []Finding) []string {
	var out []string
	for _, f := range found {
		out = append(out, d.judge.Bound[f.At].ID)
	}
	return out
}

func TestFindingsThatNeedTheSameAreOneFault(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	found := d.suppressAlike(among(d, []string{"echo-name", "answer-belongs", "post-plants-body-json"}, "together", "together", "alone"))
	assert.Equal(t, []string{"answer-belongs", "post-plants-body-json"}, d.namesOf(found))
	assert.Equal(t, "answer-belongs", d.tallies[d.at("echo-name")].suppressedBy)
}

func TestAtMostThreeMustsAreReportedForWhatMayBeOneRace(t *testing.T) {
	ids := []string{"answer-belongs", "echo-name", "post-plants-body-json", "newplant-name-string", "newplant-id-integer"}
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	assert.Len(t, d.suppressMore(among(d, ids, "together")), maxOfOne)

	d.tallies = make([]tally, len(d.judge.Bound))
	assert.Len(t, d.suppressMore(among(d, ids)), len(ids), "no cause is known: nothing says that it is one fault")

	found := among(d, ids, "together")
	for i := range found {
		found[i].Stable = true
	}
	assert.Len(t, d.suppressMore(found), len(ids), "what comes again is a fault of its own")
}

func TestTheFaultThatOthersFollowFromMayComeLast(t *testing.T) {
	ids := []string{"answer-belongs", "echo-name", "post-plants-body-json", "newplant-name-string", "newplant-id-integer"}
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	found := among(d, ids, "", "", "", "", "together")
	found[0].Stable = true
	assert.Equal(t, []string{"answer-belongs", "echo-name", "newplant-id-integer"}, d.namesOf(d.suppressMore(found)))
}

// Something is used up, and from then on nothing is checked: that is one fault, unless a
// requirement failed before.
func TestWhatFailsOnlySinceAMomentIsOneFaultWithWhatElseDoes(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "wrong-types")
	d := diagnosing(doc)
	d.run = fakerun.Of(t, doc, doc.Conforming)
	ids := []string{"post-plants-body-json", "newplant-name-string", "newplant-id-integer", "newplant-name-required", "newplant-id-required"}
	late := d.run.Cases[len(d.run.Cases)-1]
	early := d.run.Cases[0]
	for _, c := range d.run.Cases {
		if d.run.Record(c).Sent > d.run.Record(late).Sent {
			late = c
		}
		if d.run.Record(c).Sent < d.run.Record(early).Sent {
			early = c
		}
	}
	since := func(c *plan.Case) []Finding {
		d.tallies = make([]tally, len(d.judge.Bound))
		found := among(d, ids, "since then")
		found[0].Cause.Since = d.run.Record(late).Sent
		for i := range found {
			found[i].Stable, found[i].group.cases = true, []*plan.Case{c}
		}
		return d.suppressMore(found)
	}
	assert.Len(t, since(late), maxOfOne)
	assert.Len(t, since(early), len(ids), "they failed before that")
}

// at gives the place in Bound of a requirement.
func (d *Diagnosis) at(id string) int {
	for at := range d.judge.Bound {
		if d.judge.Bound[at].ID == id {
			return at
		}
	}
	panic("no requirement " + id)
}

func TestWhereRequestsAsAWholeAreRefusedASingleMemberHasToFailAgainToBeAReason(t *testing.T) {
	for name, c := range map[string]struct {
		member Finding
		kept   bool
	}{
		"did not come again":                  {Finding{}, false},
		"came again":                          {Finding{Stable: true}, true},
		"could not be tried again":            {Finding{NotTriedAgain: execute.EndedReason}, true},
		"came again for plain values as well": {Finding{Stable: true, Baseline: true}, false},
	} {
		for _, member := range []string{"newplant-id-accepted", "bearer-scheme-case"} {
			d := diagnosing(fake.Plants(t))
			d.tallies = make([]tally, len(d.judge.Bound))
			whole, of := d.at("post-plants-valid-accepted"), d.at(member)
			c.member.At = of
			got := d.explained([]Finding{{At: whole, Stable: true}, c.member}, ofTheWhole)
			assert.Equal(t, c.kept, fails(got, of), "%s: %s", member, name)
			assert.True(t, fails(got, whole), name)
			if !c.kept {
				assert.Equal(t, tally{suppressedBy: "post-plants-valid-accepted"}, d.tallies[of], "what is suppressed is not green")
			}
			assert.True(t, fails(d.explained([]Finding{c.member}, ofTheWhole), of), "%s: nothing else explains it", name)
		}
	}
}

func TestAnotherRequirementIsNotSuppressedByRefusalsOfRequestsAsAWhole(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	other := d.at("newplant-id-integer")
	assert.True(t, fails(d.explained([]Finding{{At: d.at("post-plants-valid-accepted")}, {At: other}}, ofTheWhole), other))
}

// unguarded answers a request whose credential is refused as if it were the valid
// one, where a condition holds.
func unguarded(doc *fake.Document, where func(r *exchange.Request) bool) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		e := doc.Conforming(r)
		if e.Response.Status == 401 && where(r) {
			return fake.Answer(200, "application/json", `{"name":"fern2"}`)
		}
		return e
	}
}

var credentialRows = []string{"bearer-scheme", "bearer-token", "bearer-refusal"}

func TestWhereNoCredentialIsLookedAtTheOtherRowsOfCredentialsAreNoFurtherReasons(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "credentials")
	d := diagnose(t, doc, unguarded(doc, func(*exchange.Request) bool { return true }))
	assert.Equal(t, []string{"bearer-required"}, d.failed())
	for _, id := range credentialRows {
		assert.Equal(t, report.Inconclusive, d.results[id].Verdict, id)
		assert.Equal(t, "suppressed by bearer-required", d.results[id].Reason, id)
	}
	assert.NotEmpty(t, d.target.Reasons)
}

func TestWhereAnAbsentCredentialIsRefusedSometimesAWrongOneIsAReasonOfItsOwn(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "credentials")
	var n atomic.Int64
	d := diagnose(t, doc, unguarded(doc, func(r *exchange.Request) bool {
		absent := !contains(r.Head, "Authorization:")
		return !absent || n.Add(1)%2 == 0
	}))
	for _, id := range append([]string{"bearer-required"}, credentialRows[:2]...) {
		assert.Contains(t, d.failed(), id)
	}
}

// boxed has a member that can be sent only inside an optional one.
const boxed = `{openapi: 3.1.0, info: {title: t, version: "1"}, paths: {/boxes: {post: {
  requestBody: {required: true, content: {application/json: {schema: {type: object, required: [name], properties: {
    name: {type: string}, box: {type: object, required: [size], properties: {size: {type: string}}}}}}}},
  responses: {"200": {description: d}, "400": {description: d}}}}}}`

func TestWhatIsInsideAMemberThatIsAlwaysRefusedIsNoReasonOfItsOwn(t *testing.T) {
	doc := fake.Of(t, boxed, fakerun.Mutators(t, "baseline", "optional-members", "string-values")...)
	doc.Op().Accepted.Valid = true
	answers := func(refused string) fake.Server {
		return func(r *exchange.Request) *exchange.Exchange {
			if fake.Holds(r, refused) {
				return fake.Answer(400, "text/plain", "no")
			}
			return fake.Answer(200, "text/plain", "yes")
		}
	}
	d := diagnose(t, doc, answers(`"box"`))
	assert.Equal(t, []string{"post-boxes-body-box-accepted"}, d.failed())
	d = diagnose(t, doc, answers(`植`))
	assert.Contains(t, d.failed(), "post-boxes-body-box-size-accepted", "the box with other values is accepted")
}

// All smaller texts of a large one together would fill the memory.
func TestSmallerValuesOfALargeTextAreMadeWhenAskedFor(t *testing.T) {
	text := strings.Repeat("é", 100_000)
	made := testing.AllocsPerRun(1, func() {
		for s := range shorter(text) {
			assert.Len(t, s, len(text)/2)
			break
		}
	})
	assert.Less(t, made, 100.0)
}

func TestEveryCharacterOfAShortTextIsLeftOutOnce(t *testing.T) {
	var got []string
	for s := range shorter("abc") {
		got = append(got, s)
	}
	assert.Equal(t, []string{"bc", "ac", "ab"}, got)
	for s := range shorter("é") {
		assert.Empty(t, s)
	}
	for range shorter("") {
		t.Error("nothing is smaller than nothing")
	}
}

func TestALargeBodyIsCutInPiecesAndLosesNothing(t *testing.T) {
	for _, body := range []string{"", "aé\xff", strings.Repeat("é", largeUnits)} {
		units := split([]byte(body))
		assert.Equal(t, body, string(join(units, nil)))
		assert.LessOrEqual(t, len(units), largeUnits)
	}
}

func TestCandidatesAreSmallerOrRemoveADefect(t *testing.T) {
	baseline := &message.Message{Tree: jsontree.NewObject(jsontree.M("id", jsontree.NewInt(7)), jsontree.M("name", jsontree.NewString("word12")))}
	m := &message.Message{Tree: jsontree.NewObject(jsontree.M("id", jsontree.NewString("77")), jsontree.M("more", jsontree.NewNull()))}
	var bodies []string
	for c := range candidates(m, baseline) {
		bodies = append(bodies, string(c.Body()))
	}
	for _, want := range []string{`{"more":null}`, `{"id":"77"}`, `{"id":7,"more":null}`, `{"id":"7","more":null}`, `{"id":"77","more":null,"name":"word12"}`} {
		assert.Contains(t, bodies, want)
	}
	assert.NotContains(t, bodies, string(m.Body()))
}
