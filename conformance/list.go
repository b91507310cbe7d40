package conformance

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"

	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
	"plantstore/spec"
)

func plantDigest() string {
	sum := sha256.Sum256(spec.OpenAPI)
	return hex.EncodeToString(sum[:])
}

// List returns the requirements and the number of cases for each. It uses no
// network.
func List(ctx context.Context, c Config) (*report.Listing, error) {
	s, err := prepare(ctx, offline(c), false, false)
	if err != nil {
		return nil, err
	}
	counts := make([]int, len(s.set.List))
	sent := newSent(len(s.set.List))
	counted := len(s.contract.Operations) <= countedOperations || s.plan.Effort.Requests == 0
	if counted {
		if err := s.fill(ctx); err != nil {
			return nil, &SetupError{err}
		}
		s.cover(s.plan.Cases)
		s.judge.Examine()
	}
	for _, c := range s.cases {
		s.judge.Covers(c).Each(func(at int) {
			counts[s.judge.Bound[at].Index]++
			sent.note(c.Class.Mutator, s.judge.Bound[at].Index)
		})
	}
	out := &report.Listing{Version: report.Version, Document: s.header().Document, Servers: s.servers(), Cases: len(s.cases), LeftOut: s.leftOut()}
	if !counted {
		out.Cases, out.Estimated = s.plan.Effort.Requests*len(s.contract.Operations), true
	}
	out.Mutators = sent.mutators()
	out.Requirements = make([]report.ListingEntry, 0, len(s.set.List))
	for i, r := range s.set.List {
		if !s.isSelected(r.ID) {
			continue
		}
		e := entry(r)
		e.Cases, e.Sent = counts[i], sent.of(i)
		out.Requirements = append(out.Requirements, e)
	}
	return out, nil
}

// countedOperations is up to how many operations List makes the cases to count them.
// Those of a larger document are made when they are sent.
const countedOperations = 30

// offline gives a config with a token to plan with where none is known.
func offline(c Config) Config {
	c.Token = cmp.Or(c.Token, "Token-0123456789abcdef")
	if len(c.Cert) == 0 {
		c.Cert = []byte("any")
	}
	return c
}

func entry(r *requirement.Requirement) report.ListingEntry {
	return report.ListingEntry{Requirement: r.ID, Level: r.Level, Sentence: r.Sentence, Clause: r.Clause.String(), Rule: r.Rule}
}
