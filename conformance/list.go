package conformance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"plantstore/conformance/internal/generate"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/spec"
)

func plantDigest() string {
	sum := sha256.Sum256(spec.OpenAPI)
	return hex.EncodeToString(sum[:])
}

// List gives the plan without a network.
func List(ctx context.Context, c Config) (*report.Listing, error) {
	s, err := prepare(ctx, offline(c), false, true)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(s.set.List))
	s.judge.Cover(s.plan.Cases)
	for _, c := range s.plan.Cases {
		s.judge.Covers(c).Each(func(at int) { counts[s.judge.Bound[at].Index]++ })
	}
	out := &report.Listing{Version: report.Version, Document: s.header().Document, Cases: len(s.cases), LeftOut: s.leftOut()}
	for i, r := range s.set.List {
		e := entry(r)
		e.Cases = counts[i]
		out.Requirements = append(out.Requirements, e)
	}
	return out, nil
}

// offline gives a config with a token to plan with where none is known.
func offline(c Config) Config {
	c.Token = orDefault(c.Token, "Token-0123456789abcdef")
	return c
}

func entry(r *requirement.Requirement) report.ListingEntry {
	return report.ListingEntry{Requirement: r.ID, Level: r.Level, Sentence: r.Sentence, Clause: r.Clause.String(), Rule: r.Rule}
}

// Explain gives one requirement in full.
func Explain(ctx context.Context, c Config, id string) (*report.Explanation, error) {
	s, err := prepare(ctx, offline(c), false, true)
	if err != nil {
		return nil, err
	}
	r, err := s.requirement(id)
	if err != nil {
		return nil, &SetupError{err}
	}
	out := &report.Explanation{ListingEntry: entry(r)}
	for i := range s.rules {
		if s.rules[i].Name == r.Rule {
			out.Doc, out.Mend = s.rules[i].Doc, s.rules[i].Mend
		}
	}
	s.judge.Cover(s.plan.Cases)
	var example *plan.Case
	at := map[string]int{}
	for _, k := range s.plan.Cases {
		for _, covered := range s.covered(k) {
			if covered != id {
				continue
			}
			out.Cases++
			i, ok := at[k.Class.Slug]
			if !ok {
				i = len(out.Classes)
				at[k.Class.Slug] = i
				out.Classes = append(out.Classes, report.ClassCount{Class: k.Class.Slug})
			}
			out.Classes[i].Judged++
			if better(k, example) {
				example = k
			}
		}
	}
	if example != nil {
		out.Example = s.example(example)
	}
	return out, nil
}

// better prefers a case of one request that tries little else.
func better(k, old *plan.Case) bool {
	return old == nil || k.Steps() < old.Steps() || k.Steps() == old.Steps() && k.Class.Phase < old.Class.Phase
}

// example shows the last request of a case.
func (s *setup) example(k *plan.Case) string {
	steps := s.plan.Build(k, generate.Identity{Seed: s.config.Seed})
	m := steps[len(steps)-1].Message
	if curl := s.endpoint.Curl(m); curl != "" {
		return curl
	}
	shown := s.endpoint.Shown(m, k.ID)
	if len(shown.Body) > 400 {
		return fmt.Sprintf("%s%s… (%d bytes)", shown.Head, shown.Body[:400], len(shown.Body))
	}
	return string(shown.Head) + string(shown.Body)
}
