package conformance

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"plantstore/conformance/internal/generate"
	"plantstore/internal/sample"
	"strings"
	"testing"
)

// FuzzPlanOfADrawnDocument makes the whole plan of a document with odd names,
// keywords and nesting, and every request of it: never a panic, never an error
// of ours.
func FuzzPlanOfADrawnDocument(f *testing.F) {
	for seed := range uint64(40) {
		if sample.Has(fmt.Sprint("seed ", seed), 4) {
			f.Add(seed)
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		document := drawn{rand.New(rand.NewPCG(seed, 1))}.document()
		s, err := prepare(t.Context(), offline(Config{Spec: document, SpecName: "drawn.json", Draws: 4}), false, true)
		if err != nil {
			allowed(t, err, document)
			return
		}
		built(t, s, document)
	})
}

// FuzzListingOfAnyBytes is FuzzPlanOfADrawnDocument for bytes that are anything.
func FuzzListingOfAnyBytes(f *testing.F) {
	for seed := range uint64(6) {
		f.Add(drawn{rand.New(rand.NewPCG(seed, 2))}.document())
	}
	f.Fuzz(func(t *testing.T, document []byte) {
		if len(document) > 1<<16 {
			return
		}
		s, err := prepare(t.Context(), offline(Config{Spec: document, SpecName: "any", Draws: 2}), false, true)
		if err != nil {
			allowed(t, err, document)
			return
		}
		built(t, s, document)
	})
}

// allowed fails a test for what is no mistake of the document: any error must be
// one line about it.
func allowed(t *testing.T, err error, document []byte) {
	t.Helper()
	var setup *SetupError
	if !errors.As(err, &setup) || strings.Contains(err.Error(), "\n") || !strings.Contains(err.Error(), "drawn.json") && !strings.Contains(err.Error(), "any") {
		t.Fatalf("%v\n%.2000s", err, document)
	}
}

// built makes every request of a plan, and reads it as a run does.
func built(t *testing.T, s *setup, document []byte) {
	t.Helper()
	seen := map[string]bool{}
	for _, k := range s.cases {
		if seen[k.ID] {
			t.Fatalf("two cases are called %.200s\n%.2000s", k.ID, document)
		}
		seen[k.ID] = true
		if k.Draw > 1 {
			continue
		}
		steps := s.plan.Build(k, generate.Identity{Seed: s.config.Seed, Retry: k.Draw})
		for _, step := range steps {
			s.endpoint.Classify(step.Message, s.endpoint.Wire(step.Message, k.ID))
		}
	}
	ids := map[string]bool{}
	for _, r := range s.set.List {
		if r.ID == "" || ids[r.ID] || strings.HasPrefix(r.ID, "-") || strings.HasSuffix(r.ID, "-") {
			t.Fatalf("requirement id %.200q\n%.2000s", r.ID, document)
		}
		ids[r.ID] = true
	}
}
