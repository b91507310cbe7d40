package causes

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/judge"
)

func TestATallyThatWasCutShortProvesNothing(t *testing.T) {
	played, failure := make([]judge.Played, 2), &judge.Failure{}
	var tally Tally
	tally.count(played, []*judge.Failure{nil, failure}, 2)
	tally.count(played, []*judge.Failure{nil, failure}, 2)
	assert.Same(t, failure, tally.Example)
	assert.True(t, tally.Always(2))
	assert.False(t, tally.Always(3), "it did not come so often")
	assert.False(t, tally.Never(0))

	tally.count(played[:1], []*judge.Failure{nil}, 2)
	assert.False(t, tally.Always(2), "an answer is missing")
	tally = Tally{Passed: 5, Cut: true}
	assert.False(t, tally.Never(1), "an answer is missing")
}

func TestOnlyTheLastStepCountsAndOnePassSaysThatTheFailureDoesNotAlwaysCome(t *testing.T) {
	var tally Tally
	tally.count(make([]judge.Played, 2), []*judge.Failure{{}, nil}, 2)
	assert.Equal(t, Tally{Passed: 1}, tally)
	assert.True(t, tally.Never(1))
	tally.count(make([]judge.Played, 1), []*judge.Failure{{}}, 1)
	assert.False(t, tally.Always(1))
	assert.False(t, tally.Never(1))
}

func TestTheEarliestAndTheLatestCaseAreThoseByTheRequestsSentBefore(t *testing.T) {
	list := []When{{Sent: 40, Refused: 7}, {Sent: 3, Refused: 9}, {Sent: 90, Refused: 1}}
	assert.Equal(t, When{3, 9}, First(list))
	assert.Equal(t, When{90, 1}, Last(list))
}

func TestRowsCountFailuresOverAllConnectionsAndOnEach(t *testing.T) {
	rows := &Rows{List: []Shot{{Row: 1, Place: 1}, {Row: 1, Place: 2, Failure: &judge.Failure{}}, {Row: 2, Place: 1}, {Row: 2, Place: 2, Failure: &judge.Failure{}}}}
	assert.Equal(t, []int{2, 4}, rows.Failed())
	assert.Equal(t, []int{2}, rows.On(1))
	assert.Equal(t, []int{2}, rows.On(2))
	assert.Empty(t, rows.On(3))
}

func TestAnExampleOfRequestsAtOnceEndsWithTheOneThatFails(t *testing.T) {
	played := make([]judge.Played, 4)
	for i := range played {
		played[i].Step.Idle = 1 << i // tells them apart
	}
	got := failedTogether(&judge.Failure{Step: 2}, 1, 3, played)
	assert.Equal(t, 2, got.Step)
	var order []int64
	for _, p := range got.Steps {
		order = append(order, int64(p.Step.Idle))
	}
	assert.Equal(t, []int64{2, 8, 4}, order)
}
