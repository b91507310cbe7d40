package mutate

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
)

// differing lists the members of two objects whose bytes differ.
func differing(a, b *jsontree.Value) []string {
	var out []string
	for _, m := range a.Members {
		if other := b.Get(m.Name); other == nil || string(m.Value.Append(nil, jsontree.Style{})) != string(other.Append(nil, jsontree.Style{})) {
			out = append(out, m.Name)
		}
	}
	return out
}

func TestASimilarRequestHasOptionalMembersOfItsOwn(t *testing.T) {
	for _, p := range playedOf(t, similarRequests) {
		if strings.HasSuffix(p.class.Kind, "-at-once") {
			continue
		}
		require.Len(t, p.steps, 2, p.class.Kind)
		one, two := p.steps[0].Message.Tree, p.steps[1].Message.Tree
		for _, o := range told(p.op) {
			assert.Contains(t, differing(one, two), o.Name, p.class.Kind)
		}
	}
}

func TestTheMemberLooksTheSameToCarelessCode(t *testing.T) {
	careless := map[string]func(string) string{
		"upper": strings.ToLower, "blanks": strings.TrimSpace,
		"longer": func(s string) string { return s[:5] },
	}
	seen := 0
	for _, p := range playedOf(t, similarRequests) {
		for suffix, fold := range careless {
			name, found := strings.CutSuffix(p.class.Kind, "-"+suffix)
			if !found {
				continue
			}
			seen++
			one, two := p.steps[0].Message.Tree.Get(name).Text, p.steps[1].Message.Tree.Get(name).Text
			assert.NotEqual(t, one, two, p.class.Kind)
			assert.Equal(t, fold(one), fold(two), p.class.Kind)
		}
	}
	assert.Positive(t, seen)
}

func TestWhatIsSentAtOnceSharesTheMemberAndNothingElse(t *testing.T) {
	seen := 0
	for _, p := range playedOf(t, similarRequests) {
		name, found := strings.CutSuffix(p.class.Kind, "-at-once")
		if !found {
			continue
		}
		seen++
		var group []*jsontree.Value
		for _, s := range p.steps {
			if s.Parallel {
				group = append(group, s.Message.Tree)
			}
		}
		group = group[:parallelConnections]
		for _, v := range group[1:] {
			assert.NotContains(t, differing(group[0], v), name)
			for _, o := range told(p.op) {
				assert.Contains(t, differing(group[0], v), o.Name)
			}
		}
	}
	assert.Positive(t, seen)
}
