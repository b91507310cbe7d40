package causes

import (
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
)

// lab returns a lab for the first failure of a requirement in a run over a server.
func lab(t *testing.T, id string, serve func(doc *fake.Document) func(fake.Call) *exchange.Exchange, mutators ...string) (*Lab, *fake.Client) {
	t.Helper()
	doc := fakerun.Plants(t, mutators...)
	client := &fake.Client{ServeCall: serve(doc)}
	run := fakerun.Over(t, doc, client)
	for c, r := range run.Records() {
		for i := range r.Failures {
			if f := &r.Failures[i]; run.Judge.Bound[f.At].ID == id {
				return &Lab{run: run, Case: c, failure: f, example: f, left: 100, ctx: t.Context(), end: time.Now().Add(time.Minute)}, client
			}
		}
	}
	require.Fail(t, "no case fails "+id)
	return nil, nil
}

// failing answers 500 to the requests that a function names, and keeps the document else.
func failing(when func(fake.Call) bool) func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
	return func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(c fake.Call) *exchange.Exchange {
			if when(c) {
				return fake.Answer(500, "text/plain", "no")
			}
			return doc.Conforming(c.Request)
		}
	}
}

const answered = "post-plants-answered"

func TestTheRequestBeforeIsThatOfTheConnectionWithFreshValues(t *testing.T) {
	const poisons = "post-plants/invalid/missing-members/name/missing/0"
	poisoned := map[int]bool{}
	l, _ := lab(t, answered, failing(func(c fake.Call) bool {
		was := poisoned[c.Connection]
		poisoned[c.Connection] = c.Request.Case == poisons
		return was
	}), "baseline", "missing-members", "wrong-types")
	again, name := l.Before()
	require.NotNil(t, again)
	assert.Equal(t, poisons, name)
	first, second := again(), again()
	assert.Equal(t, poisons, first.Of)
	assert.NotEqual(t, first.Message.Body(), second.Message.Body(), "a value that was sent before may be refused for that")

	var alone Tally
	l.Once([]plan.Step{l.Request()}, &alone)
	assert.True(t, alone.Never(1), "a connection of its own")
}

func TestNoRequestCameBeforeTheFirstOfAConnection(t *testing.T) {
	l, _ := lab(t, answered, failing(func(c fake.Call) bool { return c.Number > 40 }), "baseline", "wrong-types")
	l.failure.Steps[l.failure.Step].Exchange.After = ""
	again, _ := l.Before()
	assert.Nil(t, again)
	l.failure.Steps[l.failure.Step].Exchange.After = "set-up"
	again, _ = l.Before()
	assert.Nil(t, again, "no case has that id")
}

func TestRequestsAreMadeToMeasure(t *testing.T) {
	l, _ := lab(t, answered, failing(func(c fake.Call) bool { return c.Number > 40 }), "baseline", "wrong-types")
	for _, bytes := range []int{150, 151, 4096} {
		sized := l.Sized(bytes)
		assert.Len(t, sized.Message.Body(), bytes)
		assert.Empty(t, sized.Message.Reading().Violations)
	}
	assert.Nil(t, l.Sized(3).Message, "no valid body is so short")
	assert.NotEmpty(t, l.Outside().Message.Reading().Violations)
	assert.Contains(t, string(l.Outside().Message.Body()), outside)
	for more, want := range map[int]string{0: "qqqqqq", 2: "qqqqqqqq", -2: "qqqq"} {
		assert.Equal(t, "Bearer "+want, l.AsLong("q", more).Message.Credentials[0].Value("secret"))
	}
	assert.Equal(t, "Bearer    secret", l.Padded(3).Message.Credentials[0].Value("secret"), "one blank and three more")
}

func TestAnExperimentEndsWithItsBudget(t *testing.T) {
	l, client := lab(t, answered, failing(func(c fake.Call) bool { return c.Number > 40 }), "baseline", "wrong-types")
	l.left = 2
	before := len(client.Calls())
	var tally Tally
	for range 5 {
		l.Once([]plan.Step{l.Request()}, &tally)
	}
	assert.Equal(t, 2, len(client.Calls())-before)
	assert.Equal(t, 2, tally.Failed)
	assert.True(t, tally.Cut)
	assert.False(t, tally.Always(1), "what was not sent shows nothing")
}

func TestWhatFailsFromSomeRequestOnHasAHistoryThatPassedBefore(t *testing.T) {
	l, _ := lab(t, answered, failing(func(c fake.Call) bool { return c.Number > 60 }), "baseline", "wrong-types")
	h := l.History()
	require.NotEmpty(t, h.Failed)
	require.NotEmpty(t, h.Passed)
	assert.Less(t, Last(h.Passed).Sent, First(h.Failed).Sent)
	earlier := l.Earlier()
	require.NotEmpty(t, earlier)
	sent := func(c *plan.Case) int { return l.run.Record(c).Sent }
	assert.True(t, slices.IsSortedFunc(earlier, func(a, b *plan.Case) int { return sent(b) - sent(a) }), "the latest comes first")
	assert.Less(t, sent(earlier[0]), First(h.Failed).Sent)
	n, failed, ok := l.Resend(earlier[0])
	assert.True(t, ok)
	assert.Equal(t, n, failed, "it fails now")
}

// The place counts on a connection, not among all requests.
func TestPlacesAreCountedOnOneConnectionAndOnAnother(t *testing.T) {
	places := map[int]int{}
	l, _ := lab(t, answered, failing(func(c fake.Call) bool {
		places[c.Connection]++
		return places[c.Connection]%7 == 0
	}), "baseline", "wrong-types")
	at, elsewhere := l.Counted()
	assert.Equal(t, []int{7, 14, 21}, at)
	assert.Equal(t, 7, elsewhere)
}

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
