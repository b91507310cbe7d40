package diagnose

import (
	"slices"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

// without gives the rules with no rule in a role.
func without(role requirement.Role) []requirement.Rule {
	list := checks.Rules()
	for i := range list {
		if list[i].Role == role {
			list[i].Role = requirement.NoRole
		}
	}
	return list
}

// passing is a server that is faulty until a switch is set.
func passing(doc *fake.Document, faulty fake.Server, over *atomic.Bool) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		if over.Load() {
			return doc.Conforming(r)
		}
		return faulty(r)
	}
}

// roleScenarios are, for each role, a server of which a diagnosis says something
// else when no rule has the role.
func roleScenarios(t *testing.T) map[requirement.Role]func(list []requirement.Rule) string {
	ruled := func(list []requirement.Rule, names ...string) *fake.Document {
		doc := fakerun.Plants(t, names...)
		doc.Rules = list
		return doc
	}
	return map[requirement.Role]func(list []requirement.Rule) string{
		requirement.RoleAcceptance: func(list []requirement.Rule) string {
			doc := ruled(list, "baseline", "integers")
			return diagnose(t, doc, newStore(doc, heldAlready...).serve).summary()
		},
		// The store refuses a request without the tag for some time, as it does a
		// repeat.
		requirement.RoleOmission: func(list []requirement.Rule) string {
			doc := ruled(list, "integers", "optional-members")
			var n atomic.Int64
			holds := newStore(doc, heldAlready...)
			return diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
				p, err := jsontree.Parse(r.Body)
				if err == nil && p.Root.Get("tag") == nil && n.Add(1) < 60 {
					return fake.Answer(400, "application/json", `{"error":409,"message":"id `+text(p.Root, "id")+` is taken"}`)
				}
				return holds.serve(r)
			}).summary()
		},
		// A few requests are refused that are like those which are accepted.
		requirement.RoleOpen: func(list []requirement.Rule) string {
			doc := fake.Of(t, boxed, fakerun.Mutators(t, "baseline", "string-values")...)
			doc.Rules = list
			var n atomic.Int64
			return diagnose(t, doc, func(*exchange.Request) *exchange.Exchange {
				if n.Add(1)%5 == 0 {
					return fake.Answer(400, "text/plain", "no")
				}
				return fake.Answer(200, "text/plain", "yes")
			}).summary()
		},
		// What both defects have in common is gone by the time of diagnosis.
		requirement.RoleRefusal: func(list []requirement.Rule) string {
			doc := ruled(list, "baseline", "missing-members")
			var over atomic.Bool
			run := fakerun.Of(t, doc, passing(doc, tolerant(doc, func(body *jsontree.Value) bool { return body.Get("id") == nil }), &over))
			over.Store(true)
			return finish(t, run).summary()
		},
		// Everything is refused for a while, whatever the spelling of its scheme.
		requirement.RoleCredentialAcceptance: func(list []requirement.Rule) string {
			doc := ruled(list, "baseline", "white-space", "credentials")
			var over atomic.Bool
			run := fakerun.Of(t, doc, passing(doc, func(r *exchange.Request) *exchange.Exchange {
				if contains(r.Head, "bearer ") || fake.Holds(r, "\t") {
					return refuse()
				}
				return doc.Conforming(r)
			}, &over))
			over.Store(true)
			return finish(t, run).summary()
		},
		requirement.RoleCredentialRefusal: func(list []requirement.Rule) string {
			doc := ruled(list, "baseline", "credentials")
			return diagnose(t, doc, unguarded(doc, func(*exchange.Request) bool { return true })).summary()
		},
		// Credentials are redirected, none is a success but where there is none.
		requirement.RoleCredentialAnswer: func(list []requirement.Rule) string {
			doc := ruled(list, "baseline", "credentials")
			return diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
				e := doc.Conforming(r)
				switch absent := doc.Endpoint.ClassifyBytes(doc.Op(), r, r.Body).Credential == message.CredentialAbsent; {
				case e.Response.Status != 401:
					return e
				case absent:
					return fake.Answer(200, "application/json", `{"name":"fern2"}`)
				}
				return fake.Answer(302, "", "")
			}).summary()
		},
		requirement.RoleEcho: func(list []requirement.Rule) string {
			doc := ruled(list, "baseline", "integers")
			return diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
				if fake.Holds(r, "9007199254740993") {
					return fake.Answer(200, "application/json", `{"name":"word23fern"}`)
				}
				return doc.Conforming(r)
			}).summary()
		},
		// One resource has the tag of another request, and a member that nobody sent.
		requirement.RoleBelonging: func(list []requirement.Rule) string {
			doc := ruled(list, "baseline", "integers", "optional-members")
			var last atomic.Pointer[string]
			return diagnose(t, doc, func(r *exchange.Request) *exchange.Exchange {
				e := doc.Conforming(r)
				p, err := jsontree.Parse(r.Body)
				if err != nil {
					return e
				}
				if tag := text(p.Root, "tag"); plan.IsFresh(tag) {
					last.Store(&tag)
				}
				if tag := last.Load(); tag != nil && text(p.Root, "id") == "9007199254740993" {
					return fake.Answer(200, "application/json", `{"name":"`+text(p.Root, "name")+`","tag":"`+*tag+`","seller":"word23fern"}`)
				}
				return e
			}).summary()
		},
	}
}

func TestEachRoleIsCarriedByARuleAndMattersToDiagnosis(t *testing.T) {
	scenarios := roleScenarios(t)
	for role := requirement.NoRole + 1; role <= requirement.RoleBelonging; role++ {
		assert.True(t, slices.ContainsFunc(checks.Rules(), func(r requirement.Rule) bool { return r.Role == role }), "no rule has role %d", role)
		scenario := scenarios[role]
		require.NotNil(t, scenario, "role %d has no scenario here", role)
		assert.NotEqual(t, scenario(without(role)), scenario(checks.Rules()), "role %d changes nothing", role)
	}
}

// sameNameSameTag answers with the tag that a name had first.
func sameNameSameTag(doc *fake.Document) fake.Server {
	first := map[string]*jsontree.Value{}
	return func(r *exchange.Request) *exchange.Exchange {
		e := doc.Conforming(r)
		doc, err := jsontree.Parse(e.Response.Content)
		if err != nil || e.Response.Status != 200 || doc.Root.Get("tag") == nil {
			return e
		}
		answer := doc.Root
		name := answer.Get("name").Text
		if first[name] == nil {
			first[name] = answer.Get("tag")
		}
		answer.Set("tag", first[name])
		return fake.Answer(200, "application/json", string(answer.Emit()))
	}
}

func TestARequestWithAnIDOfItsOwnIsAboutAnotherThingWhateverElseItRepeats(t *testing.T) {
	doc := fakerun.Plants(t, "baseline", "similar-requests")
	assert.Equal(t, []string{"answer-belongs"}, diagnose(t, doc, sameNameSameTag(doc)).failed())
	assert.Empty(t, diagnose(t, doc, doc.Conforming).failed())
}
