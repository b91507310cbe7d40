package diagnose

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/report"
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
	out.Diagnosis, out.found = Diagnose(t.Context(), run)
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
