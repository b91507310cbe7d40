package mutate

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/plan"
)

func TestARepeatedRequestHasTheSameBytes(t *testing.T) {
	for _, p := range kind(playedOf(t, repeats), "same-request") {
		assert.Equal(t, p.steps[0].Message.Body(), p.steps[1].Message.Body())
	}
}

func TestOneMemberAloneIsRepeated(t *testing.T) {
	seen := 0
	for _, p := range playedOf(t, repeats) {
		if p.class.Kind == "same-request" {
			continue
		}
		seen++
		one, two := p.steps[0].Message.Tree, p.steps[1].Message.Tree
		var same []string
		for _, name := range scalars(p.op) {
			if !slices.Contains(differing(one, two), name) {
				same = append(same, "same-"+openapi.NameSlug(name))
			}
		}
		assert.Contains(t, same, p.class.Kind)
	}
	assert.Positive(t, seen)
}

func TestAValidRequestComesBehindARefusedOne(t *testing.T) {
	for _, p := range playedOf(t, recoveries) {
		require.Len(t, p.steps, 2, p.class.Kind)
		if k := p.class.Kind; k != "after-chunked" && k != "after-expect-continue" {
			assert.True(t, refused(p.steps[0].Message), k)
		}
	}
	for _, p := range kind(playedOf(t, recoveries), "same-after-refused") {
		first, second := p.steps[0].Message, p.steps[1].Message
		if first.Raw == nil && first.Tree.Kind == jsontree.Object {
			assert.LessOrEqual(t, len(differing(first.Tree, second.Tree)), 1, "all but what is wrong is the same")
		}
	}
}

func TestAnOptionalMemberIsSentAndThenLeftOut(t *testing.T) {
	seen := 0
	for _, p := range playedOf(t, stateLeaks) {
		if !strings.HasSuffix(p.class.Kind, "-then-absent") {
			continue
		}
		seen++
		require.Len(t, p.steps, 2*leakRounds)
		for i := 0; i < len(p.steps); i += 2 {
			with, without := p.steps[i].Message, p.steps[i+1].Message
			if strings.HasPrefix(p.class.Kind, "refused-") {
				assert.True(t, refused(with), p.class.Kind)
			}
			assert.Equal(t, 1, len(with.Tree.Members)-len(without.Tree.Members), p.class.Kind)
		}
	}
	assert.Positive(t, seen)
}

func TestALongRunAlternates(t *testing.T) {
	for _, p := range kind(playedOf(t, longRuns), "many-alternating") {
		for i, s := range p.steps {
			assert.Equal(t, i%2 == 0, refused(s.Message), "%d", i)
		}
	}
	for _, p := range kind(playedOf(t, longRuns), "many") {
		assert.Len(t, p.steps, roomFor(p.op, manyRequests))
	}
}

func TestRoundsAtOnceHaveAValidRequestBetweenThem(t *testing.T) {
	for _, p := range playedOf(t, concurrency) {
		if p.class.Kind == "parallel-crowd" {
			continue // one round, with as many as the values suffice for
		}
		require.Zero(t, len(p.steps)%(parallelConnections+1), p.class.Kind)
		for i, s := range p.steps {
			between := i%(parallelConnections+1) == parallelConnections
			assert.Equal(t, !between, s.Parallel, p.class.Kind)
			if between {
				assert.True(t, valid(s.Message), p.class.Kind)
			}
		}
	}
}

func TestAWrongCredentialComesBehindManyValidRequests(t *testing.T) {
	list := playedOf(t, credentialRuns)
	for _, p := range list {
		if !strings.HasPrefix(p.class.Kind, "many-valid-then-") {
			continue
		}
		assert.Greater(t, len(p.steps), 2, p.class.Kind)
		for _, s := range p.steps[:len(p.steps)-1] {
			assert.True(t, valid(s.Message), p.class.Kind)
		}
	}
	require.NotEmpty(t, kind(list, "credentials-in-turn"))
	for _, p := range kind(list, "credentials-in-turn") {
		for i, s := range p.steps {
			assert.Equal(t, i%2 == 1, s.Message.Credentials != nil, "%d", i)
		}
	}
}

func TestAChangeOfCredentialsChangesNothingElse(t *testing.T) {
	for _, p := range playedOf(t, credentialChanges) {
		first, last := p.steps[0].Message, p.last()
		switch k := p.class.Kind; {
		case strings.HasPrefix(k, "same-"):
			assert.Equal(t, first.Body(), last.Body(), k)
			assert.NotEqual(t, first.Credentials == nil, last.Credentials == nil, k)
		case strings.HasPrefix(k, "valid-after-"):
			assert.NotNil(t, first.Credentials, k)
		case strings.HasPrefix(k, "valid-then-"):
			assert.Nil(t, first.Credentials, k)
			assert.NotNil(t, last.Credentials, k)
		}
	}
}

func TestARandomInterleavingHasAFewStepsOnAFewConnections(t *testing.T) {
	for _, p := range playedOf(t, randomInterleavings) {
		assert.GreaterOrEqual(t, len(p.steps), minSteps)
		assert.LessOrEqual(t, len(p.steps), maxSteps)
		for i, s := range p.steps {
			if s.Parallel && i > 1 {
				assert.False(t, p.steps[i-1].Parallel && p.steps[i-2].Parallel, "pairs, not more")
			}
		}
	}
}

func TestACrowdLeavesRoomForTheNext(t *testing.T) {
	list := kind(playedOf(t, concurrency), "parallel-crowd")
	require.NotEmpty(t, list)
	for _, p := range list {
		last := len(p.steps) - 1
		assert.Greater(t, last, 1)
		for i, s := range p.steps[:last] {
			assert.True(t, s.Parallel && s.Message.Crowd, "%d", i)
			assert.Contains(t, s.Message.Fields, exchange.Field{Name: "Connection", Value: "close"})
		}
		assert.False(t, p.steps[last].Parallel)
		assert.True(t, valid(p.last()))
	}
}

func TestAHalfSentRequestHasOthersBesideItAndAValidOneBehindThem(t *testing.T) {
	list := playedOf(t, halfSent)
	kinds := map[string]bool{}
	for _, p := range list {
		kinds[p.class.Kind] = true
		require.Len(t, p.steps, besideHalf+1)
		assert.Equal(t, message.Pieces, p.steps[0].Message.Framing)
		connections := map[int]bool{}
		for _, s := range p.steps[:besideHalf] {
			assert.True(t, s.Parallel)
			assert.False(t, connections[s.Connection])
			connections[s.Connection] = true
		}
		assert.True(t, valid(p.last()))
	}
	assert.Equal(t, map[string]bool{"half-sent-valid": true, "half-sent-refused": true, "half-sent-wrong-credential": true}, kinds)
}

func TestAnIdleConnectionIsUsedAgain(t *testing.T) {
	for _, p := range playedOf(t, idleConnections) {
		require.Len(t, p.steps, 2)
		assert.True(t, p.steps[0].Fresh && p.class.Waits == idleTime)
		assert.Equal(t, plan.Step{Message: p.last(), Sending: plan.Sending{Idle: idleTime}}, p.steps[1])
		switch p.class.Kind {
		case "idle":
			assert.True(t, valid(p.last()))
		default:
			assert.True(t, refused(p.last()), p.class.Kind)
		}
	}
}

func TestOnlyADeepRunWaitsLong(t *testing.T) {
	for _, s := range spaces(t) {
		few := map[string]int{}
		for _, long := range []bool{false, true} {
			s.Long = long
			for _, m := range []plan.Mutator{idleConnections, longRuns} {
				few[m.Name+map[bool]string{false: "", true: "-long"}[long]] = len(m.Classes(s))
			}
		}
		assert.Equal(t, few["idle-connections"]+1, few["idle-connections-long"])
		assert.Equal(t, few["long-runs"]+1, few["long-runs-long"])
	}
}
