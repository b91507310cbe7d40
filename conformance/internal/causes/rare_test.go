package causes_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/internal/sample"
)

func TestACounterThatWrapsNamesTheNumber(t *testing.T) {
	sample.Slow(t)
	f := caused(t, "post-plants-answered", broke(func(n, _ int) bool { return n%256 == 0 }), "baseline", "integers", "long-runs")
	assert.Equal(t, "every 256th such request fails, on whatever connection", sentence(f))
	f = caused(t, "post-plants-answered", broke(func(_, place int) bool { return place%256 == 0 }), "baseline", "integers", "long-runs")
	assert.Equal(t, "every 256th such request on a connection fails", sentence(f))
}

func TestWhatFailsOnlyAfterAPauseSaysSo(t *testing.T) {
	idle := func(key func(fake.Call) int) func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
			last := map[int]time.Time{}
			return func(c fake.Call) *exchange.Exchange {
				before, used := last[key(c)]
				last[key(c)] = time.Now()
				if used && time.Since(before) > 500*time.Millisecond && valid(doc, c) {
					return broken()
				}
				return doc.Conforming(c.Request)
			}
		}
	}
	f := caused(t, "post-plants-answered", idle(func(c fake.Call) int { return c.Connection }), "baseline", "integers", "idle-connections")
	assert.Equal(t, "fails after a pause of 1.1s on the same connection, and not without", sentence(f))
	assert.Len(t, f.Failure.Steps, 2)
	f = caused(t, "post-plants-answered", idle(func(fake.Call) int { return 0 }), "baseline", "integers", "idle-connections")
	assert.Equal(t, "fails after a pause of 1.1s in which the target got no request, on whatever connection, and not without", sentence(f))
}

func TestOneOfSeveralWorkersIsNamedByTheConnectionsThatItHas(t *testing.T) {
	f := caused(t, "post-plants-answered", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(c fake.Call) *exchange.Exchange {
			if c.Connection%4 == 2 && valid(doc, c) {
				return broken()
			}
			return doc.Conforming(c.Request)
		}
	}, "baseline", "integers", "recoveries", "random-interleavings")
	assert.Equal(t, "always fails on every 4th new connection and never on the others, as if one of 4 workers were at fault", sentence(f))
}

// The second wrong token on a connection is accepted: not for its place, but because the
// first one was refused.
func TestWhatFailsBehindItsOwnRefusalIsNotExplainedByItsPlace(t *testing.T) {
	f := caused(t, "bearer-token", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		refused := map[int]bool{}
		return func(c fake.Call) *exchange.Exchange {
			e := doc.Conforming(c.Request)
			if _, wrong := bearer(c); wrong && refused[c.Connection] {
				e = letIn(doc, c)
			}
			refused[c.Connection] = e.Response.Status != 200
			return e
		}
	}, "baseline", "wrong-types", "syntax-errors", "credentials", "credential-changes", "random-interleavings")
	assert.Equal(t, "fails only behind a request that was refused on the same connection", sentence(f))
}

func TestAnAnswerThatIsKeptByTheLengthOfTheBodySaysSo(t *testing.T) {
	f := caused(t, "answer-belongs", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		length, kept := 0, (*exchange.Exchange)(nil)
		return func(c fake.Call) *exchange.Exchange {
			own := doc.Conforming(c.Request)
			if own.Response.Status != 200 {
				return own
			}
			if kept != nil && len(c.Body) == length {
				return fake.Answer(200, "application/json", string(kept.Response.Content))
			}
			length, kept = len(c.Body), own
			return own
		}
	}, "baseline", "integers")
	assert.Equal(t, "fails behind a request whose body has the same length: the answer has the values of that one, on whatever connection that came", sentence(f))
	assert.Len(t, f.Failure.Steps, 2)
}

func TestABodyThatCannotBeReadAndIsAnsweredForTheOneBeforeSaysSo(t *testing.T) {
	f := caused(t, "answer-belongs", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		var kept *exchange.Exchange
		return func(c fake.Call) *exchange.Exchange {
			own := doc.Conforming(c.Request)
			switch {
			case own.Response.Status == 200:
				kept = own
			case kept != nil && bytes.Contains(c.Head, []byte("Bearer "+fake.Token+"\r\n")):
				return fake.Answer(200, "application/json", string(kept.Response.Content))
			}
			return own
		}
	}, "baseline", "syntax-errors", "wrong-types", "random-interleavings")
	assert.Equal(t, "the answer has the values of the request before, on whatever connection that came", sentence(f))
	require.Len(t, f.Failure.Steps, 2)
}

// Credentials are tried last, so few of them were tried before they broke something.
func TestWhatWrongCredentialsBreakForGoodIsShownByValidRequests(t *testing.T) {
	f := caused(t, "post-plants-answered", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		wrongs := 0
		return func(c fake.Call) *exchange.Exchange {
			if _, wrong := bearer(c); wrong {
				wrongs++
			}
			if wrongs > 30 && valid(doc, c) {
				return broken()
			}
			return doc.Conforming(c.Request)
		}
	}, "baseline", "integers", "string-values", "credentials", "credential-changes")
	assert.Regexp(t, "(such|valid) requests passed before, and all fail since about request", sentence(f))
}

// Every second connection fails at more places than the others: no sentence about a place of each
// connection is true.
func TestConnectionsThatFailAtDifferentPlacesHaveNoPlaceInCommon(t *testing.T) {
	for _, more := range []int{0, 1} {
		f := caused(t, "post-plants-answered", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
			places := map[int]int{}
			return func(c fake.Call) *exchange.Exchange {
				if !valid(doc, c) {
					return doc.Conforming(c.Request)
				}
				places[c.Connection]++
				if at := places[c.Connection]; at == 12 || at%20 == 0 && c.Connection%2 == more {
					return broken()
				}
				return doc.Conforming(c.Request)
			}
		}, "baseline", "integers", "long-runs")
		assert.NotContains(t, sentence(f), "of every connection")
	}
}

func TestARepeatedValueThatIsRefusedWrongNamesItsMember(t *testing.T) {
	refuses := func(also bool) func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
			used := map[string]bool{}
			return func(call fake.Call) *exchange.Exchange {
				if !valid(doc, call) {
					if e := doc.Conforming(call.Request); e.Response.Status != 400 || !also {
						return e
					}
					return fake.Answer(409, "application/json", `{"error":409,"message":"taken"}`)
				}
				p, err := jsontree.Parse(call.Body)
				if err != nil {
					return doc.Conforming(call.Request)
				}
				id := p.Root.Get("id").Text
				if used[id] {
					return fake.Answer(409, "application/json", `{"error":409,"message":"taken"}`)
				}
				used[id] = true
				return doc.Conforming(call.Request)
			}
		}
	}
	f := caused(t, "post-plants-400-status", refuses(false), "baseline", "wrong-types", "unusual-numbers", "repeats")
	assert.Equal(t, "fails with the /id of a request that was accepted before, and not with a new one", sentence(f))
	require.Len(t, f.Failure.Steps, 2)
	id := func(i int) string { return f.Failure.Steps[i].Sent.Body.Root().Get("id").Text }
	assert.Equal(t, id(0), id(1))

	f = caused(t, "post-plants-400-status", refuses(true), "baseline", "wrong-types", "unusual-numbers", "repeats")
	assert.NotContains(t, sentence(f), "/id", "invalid requests fail, too")
}

// What is left of a body that nobody reads is taken for the next request.
func TestWhatFailsBehindAnUnreadBodyNamesTheRequestBeforeIt(t *testing.T) {
	f := caused(t, "post-plants-answered", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		unread := map[int]bool{}
		return func(c fake.Call) *exchange.Exchange {
			was := unread[c.Connection]
			unread[c.Connection] = len(c.Body) == 2
			if was {
				return fake.Answer(501, "text/html", "unsupported method")
			}
			return doc.Conforming(c.Request)
		}
	}, "baseline", "wrong-types", "missing-members")
	assert.Regexp(t, "^fails only behind a request such as that of post-plants/invalid/[-/a-z0-9]+ on the same connection$", sentence(f))
	require.Len(t, f.Failure.Steps, 2)
	assert.Len(t, f.Failure.Steps[0].Exchange.Request.Body, 2)
}
