package diagnose

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/report"
)

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
			got := d.suppressMembers([]Finding{{At: whole, Stable: true}, c.member})
			assert.Equal(t, c.kept, fails(got, of), "%s: %s", member, name)
			assert.True(t, fails(got, whole), name)
			if !c.kept {
				assert.Equal(t, tally{suppressedBy: "post-plants-valid-accepted"}, d.tallies[of], "what is suppressed is not green")
			}
			assert.True(t, fails(d.suppressMembers([]Finding{c.member}), of), "%s: nothing else explains it", name)
		}
	}
}

func TestAnotherRequirementIsNotSuppressedByRefusalsOfRequestsAsAWhole(t *testing.T) {
	d := diagnosing(fake.Plants(t))
	d.tallies = make([]tally, len(d.judge.Bound))
	other := d.at("newplant-id-integer")
	assert.True(t, fails(d.suppressMembers([]Finding{{At: d.at("post-plants-valid-accepted")}, {At: other}}), other))
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
