// Package fakerun is for tests: it runs cases of the plant store's plan against a
// scripted target, as a run does, without a network.
package fakerun

import (
	"slices"
	"sync"
	"testing"
	"time"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/mutate"
	"plantstore/conformance/internal/plan"
)

// Plants is the plant store's document with the cases of the named mutators.
func Plants(t testing.TB, names ...string) *fake.Document {
	t.Helper()
	return fake.Plants(t, Mutators(t, names...)...)
}

// Mutators are those of the catalogues with these names.
func Mutators(t testing.TB, names ...string) []plan.Mutator {
	t.Helper()
	var picked []plan.Mutator
	for _, m := range slices.Concat(mutate.List(), mutate.Sequences()) {
		if slices.Contains(names, m.Name) {
			picked = append(picked, m)
		}
	}
	if len(picked) != len(names) {
		t.Fatalf("no mutator has one of the names %q", names)
	}
	return picked
}

// Of runs the cases of a document whose ids match one of the patterns, all where
// there is none. What the run found is not diagnosed yet. The server answers one
// request at a time.
func Of(t testing.TB, d *fake.Document, serve fake.Server, only ...string) *execute.Run {
	t.Helper()
	return Over(t, d, &fake.Client{Serve: inTurn(serve)}, only...)
}

// Over is Of with a client of the test's own.
func Over(t testing.TB, d *fake.Document, client *fake.Client, only ...string) *execute.Run {
	t.Helper()
	j := judge.New(d.Set, d.Rules, d.Plan, d.Endpoint)
	to := explore.New(explore.Options{Contract: d.Contract, Reach: d.Reach, Plan: d.Plan, Endpoint: d.Endpoint, Stated: true, Client: client,
		Timeout: time.Second, Seed: 1, Sending: j.Origins.Note})
	j.Facts = to.Facts
	chosen := plan.Selection{Only: only}
	var cases []*plan.Case
	for _, c := range d.Plan.Cases {
		if chosen.Keeps([]string{c.ID}) {
			cases = append(cases, c)
		}
	}
	if err := chosen.Unused(nil); err != nil {
		t.Fatal(err)
	}
	baselines := to.Learn(t.Context())
	to.LearnValues(t.Context())
	run := execute.New(to, j, execute.Settings{Workers: 1}, cases, baselines)
	j.Cover(cases)
	run.All(t.Context())
	return run
}

// inTurn makes a server that answers one request at a time: the pre-flight asks on
// several connections at once.
func inTurn(serve fake.Server) fake.Server {
	var mu sync.Mutex
	return func(r *exchange.Request) *exchange.Exchange {
		mu.Lock()
		defer mu.Unlock()
		return serve(r)
	}
}
