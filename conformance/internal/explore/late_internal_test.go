package explore

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/openapi"
)

func TestThingsThatShowLateAreMadeBeforeTheyAreNeeded(t *testing.T) {
	var l late
	from := &openapi.Operation{}
	first, second := new(asked), new(asked)
	got, wait, more := l.put(from, first, time.Hour, time.Hour)
	assert.Same(t, first, got)
	assert.Positive(t, wait, "nothing was made before")
	assert.True(t, more, "the next request shall not wait")
	l.add(from, second)
	for range mostStocked - 1 {
		l.add(from, new(asked))
	}
	got, _, more = l.put(from, new(asked), time.Hour, time.Hour)
	assert.Same(t, second, got, "the oldest comes first")
	assert.False(t, more, "a run does not make things without end")
}

func TestAThingThatWasMadeLongAgoIsNotTakenAsNew(t *testing.T) {
	from, last := &openapi.Operation{}, new(asked)
	l := late{stock: map[*openapi.Operation][]stocked{from: {{new(asked), time.Now().Add(-time.Hour)}, {last, time.Now().Add(-time.Second)}}}}
	got, wait, more := l.put(from, new(asked), time.Millisecond, time.Minute)
	assert.Same(t, last, got)
	assert.LessOrEqual(t, wait, time.Duration(0), "it shows by now")
	assert.False(t, more, "the stock is as large as it has to be")
}
