package diagnose

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/checks"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/internal/sample"
)

// diagnosed is what a diagnosis says of a run.
type diagnosed struct {
	*Diagnosis
	found   []Finding
	results map[string]report.Result
	seen    []report.Observe
}

// diagnose runs the cases against a server and diagnoses what came of it.
func diagnose(t testing.TB, doc *fake.Document, serve fake.Server, only ...string) *diagnosed {
	return finish(t, fakerun.Of(t, doc, serve, only...))
}

// finish diagnoses a run that is over.
func finish(t testing.TB, run *execute.Run) *diagnosed {
	out := &diagnosed{results: map[string]report.Result{}}
	out.Diagnosis, out.found = Diagnose(t.Context(), run, nil)
	failures := map[int][]report.Failure{}
	for _, f := range out.found {
		failures[f.At] = append(failures[f.At], report.Failure{Case: f.Case.ID})
	}
	var list []report.Result
	list, out.seen = out.Results(failures, func(string) bool { return true })
	for _, r := range list {
		out.results[r.Requirement] = r
	}
	return out
}

// failed names the requirements that fail, in the order of Bound.
func (d *diagnosed) failed() []string {
	var out []string
	for _, b := range d.judge.Bound {
		if d.results[b.ID].Verdict == report.Fail {
			out = append(out, b.ID)
		}
	}
	return out
}

// finding gives the only finding of a requirement.
func (d *diagnosed) finding(t testing.TB, id string) *Finding {
	t.Helper()
	var out *Finding
	for i := range d.found {
		if d.judge.Bound[d.found[i].At].ID == id {
			if out != nil {
				t.Fatalf("%s fails in several ways", id)
			}
			out = &d.found[i]
		}
	}
	if out == nil {
		t.Fatalf("%s does not fail, only %v", id, d.failed())
	}
	return out
}

// refuse is a refusal of the documented form.
func refuse() *exchange.Exchange {
	return fake.Answer(400, "application/json", `{"error":400,"message":"no"}`)
}

// wrong refuses where a condition on the body holds, and answers as the document
// asks otherwise.
func wrong(doc *fake.Document, where func(body *jsontree.Value) bool) fake.Server {
	return func(r *exchange.Request) *exchange.Exchange {
		if d, err := jsontree.Parse(r.Body); err == nil && where(d.Root) {
			return refuse()
		}
		return doc.Conforming(r)
	}
}

// store refuses an id that it holds already.
type store struct {
	doc *fake.Document
	mu  sync.Mutex
	has map[string]bool
}

func newStore(doc *fake.Document, ids ...string) *store {
	s := &store{doc: doc, has: map[string]bool{}}
	for _, id := range ids {
		s.has[jsontree.Canonical(id)] = true
	}
	return s
}

func (s *store) serve(r *exchange.Request) *exchange.Exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.doc.Conforming(r)
	if e.Response.Status != 200 {
		return e
	}
	d, err := jsontree.Parse(r.Body)
	if err != nil || d.Root.Get("id") == nil {
		return e
	}
	id := jsontree.Canonical(d.Root.Get("id").Text)
	if s.has[id] {
		return fake.Answer(400, "application/json", fmt.Sprintf(`{"error":409,"message":"id %s is taken"}`, text(d.Root, "id")))
	}
	s.has[id] = true
	return e
}

// text gives a member of a body, or nothing.
func text(body *jsontree.Value, name string) string {
	if v := body.Get(name); v != nil {
		return v.Text
	}
	return ""
}

// summary lists what a report would say: every requirement that is not green.
func (d *diagnosed) summary() string {
	var out strings.Builder
	for _, b := range d.judge.Bound {
		if r := d.results[b.ID]; r.Verdict != "" && r.Verdict != report.Pass && r.Verdict != report.Inapplicable {
			fmt.Fprintln(&out, b.ID, r.Verdict, len(r.Failures), r.Reason)
		}
	}
	return out.String()
}

func contains(head []byte, s string) bool { return strings.Contains(string(head), s) }

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

func TestTheCategoryIsThatOfWhatWasExpectedUnlessTheTargetCrashed(t *testing.T) {
	rules := map[string]*requirement.Rule{}
	for _, r := range checks.Rules() {
		rules[r.Name] = &r
	}
	for _, row := range []struct {
		rule   string
		level  report.Level
		status int // 0 for a connection that is dropped
		want   report.Category
	}{
		{"answered", report.Must, 500, report.Crash},
		{"accepted", report.Must, 502, report.Crash},
		{"refuses-schema", report.Must, 0, report.Crash},
		{"stored-patched", report.Should, 500, report.Crash},
		{"answer-schema", report.Must, 500, report.Answer}, // of an answer that the document describes
		{"framing", report.Must, 0, report.Answer},
		{"refuses-credential", report.Must, 200, report.Security},
		{"write-only", report.Should, 200, report.Security},
		{"stored-patched", report.Should, 200, report.Loss},
		{"accepted", report.Must, 400, report.Refusal},
		{"refuses-schema", report.Must, 200, report.Leniency},
		{"challenge", report.Should, 401, report.Protocol},
		{"newest-first", report.Suspected, 200, report.Guessed},
		{"newest-first", report.Must, 200, report.Answer},
	} {
		b := &judge.Bound{Requirement: &requirement.Requirement{Level: row.level}, Rule: rules[row.rule]}
		p := judge.Played{Exchange: &exchange.Exchange{}}
		if row.status > 0 {
			p.Answer = &requirement.Answer{Status: row.status}
		}
		assert.Equal(t, row.want, Category(b, &judge.Failure{Steps: []judge.Played{p}}), "%s %s %d", row.rule, row.level, row.status)
	}
}

func TestMain(m *testing.M) { sample.Main(m) }
