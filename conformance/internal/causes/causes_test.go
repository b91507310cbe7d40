package causes_test

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/causes"
	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/fakerun"
	"plantstore/conformance/internal/jsontree"
	"plantstore/internal/sample"
)

// caused runs the cases against a server, in a bubble where time costs nothing, and
// returns the one finding of a requirement.
func caused(t *testing.T, id string, serve func(doc *fake.Document) func(fake.Call) *exchange.Exchange, mutators ...string) diagnose.Finding {
	t.Helper()
	var out *diagnose.Finding
	synctest.Test(t, func(t *testing.T) {
		doc := fakerun.Plants(t, mutators...)
		run := fakerun.Over(t, doc, &fake.Client{ServeCall: serve(doc)})
		_, found := diagnose.Diagnose(t.Context(), run, nil, causes.List()...)
		for i := range found {
			if run.Judge.Bound[found[i].At].ID == id {
				out = &found[i]
			}
		}
	})
	require.NotNil(t, out, id)
	return *out
}

func sentence(f diagnose.Finding) string {
	if f.Cause == nil {
		return ""
	}
	return f.Cause.Sentence
}

// valid reports whether the reference would accept a request.
func valid(doc *fake.Document, c fake.Call) bool {
	return doc.Conforming(c.Request).Response.Status == 200
}

func broken() *exchange.Exchange { return fake.Answer(500, "text/plain", "no") }

func TestWhatFailsOnlyBehindTheRightCredentialOnItsConnectionSaysSo(t *testing.T) {
	f := caused(t, "bearer-token", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		seen := map[int]bool{}
		return func(c fake.Call) *exchange.Exchange {
			right := bytes.Contains(c.Head, []byte("Bearer "+fake.Token+"\r\n"))
			seen[c.Connection] = seen[c.Connection] || right
			if !right && seen[c.Connection] && bytes.Contains(c.Head, []byte("Bearer ")) {
				repaired := *c.Request
				head := strings.Split(string(c.Head), "\r\n")
				for i, line := range head {
					if strings.HasPrefix(line, "Authorization: ") {
						head[i] = "Authorization: Bearer " + fake.Token
					}
				}
				repaired.Head = []byte(strings.Join(head, "\r\n"))
				return doc.Conforming(&repaired)
			}
			return doc.Conforming(c.Request)
		}
	}, "baseline", "wrong-types", "syntax-errors", "credentials", "credential-changes")
	assert.Equal(t, "fails only behind a request with the right credential on the same connection", sentence(f))
	assert.Len(t, f.Failure.Steps, 2, "the example has the steps that matter")
}

// Jetty keeps the header fields of a connection and finds them again without regard to case.
func TestACredentialInAnotherCaseThatAFieldCacheAcceptsSaysSo(t *testing.T) {
	f := caused(t, "bearer-token", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		kept := map[int]string{}
		return func(c fake.Call) *exchange.Exchange {
			line := "Authorization: " + fake.Field(c.Request, "Authorization")
			if old := kept[c.Connection]; strings.EqualFold(old, line) {
				repaired := *c.Request
				repaired.Head = bytes.Replace(c.Head, []byte(line), []byte(old), 1)
				return doc.Conforming(&repaired)
			}
			kept[c.Connection] = line
			return doc.Conforming(c.Request)
		}
	}, "baseline", "wrong-types", "syntax-errors", "credentials", "credential-changes")
	assert.Contains(t, sentence(f), "the server keeps the header fields of a connection and compares them without case")
	assert.Len(t, f.Failure.Steps, 2)
}

func TestWhatFailsOnlyBehindARefusedBodySaysSo(t *testing.T) {
	f := caused(t, "post-plants-answered", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		bad := map[int]bool{}
		return func(c fake.Call) *exchange.Exchange {
			was := bad[c.Connection]
			e := doc.Conforming(c.Request)
			bad[c.Connection] = e.Response.Status == 400
			if was && e.Response.Status == 200 {
				return broken()
			}
			return e
		}
	}, "baseline", "wrong-types", "syntax-errors", "credentials")
	assert.Contains(t, sentence(f), "fails only behind a request whose body was refused")
	assert.Contains(t, sentence(f), "on the same connection")
}

func TestWhatFailsFromANumberInFlightOnNamesTheNumber(t *testing.T) {
	for _, minimum := range []int{2, 3, 5, 8} {
		f := caused(t, "post-plants-answered", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
			return func(c fake.Call) *exchange.Exchange {
				e := doc.Conforming(c.Request)
				if c.Concurrent >= minimum {
					e = broken()
				}
				e.Took = time.Millisecond
				return e
			}
		}, "baseline", "concurrency")
		want := "fails only while another request is in flight"
		if minimum > 2 {
			want = "fails with " + string(rune('0'+minimum)) + " or more requests in flight"
		}
		assert.Equal(t, want, sentence(f))
	}
}

// broke answers 500 where the number of a request among the valid ones, or its place
// among those of the connection, is due.
func broke(due func(number, place int) bool) func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
	return func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		n, places := 0, map[int]int{}
		return func(c fake.Call) *exchange.Exchange {
			if !valid(doc, c) {
				return doc.Conforming(c.Request)
			}
			n++
			places[c.Connection]++
			if due(n, places[c.Connection]) {
				return broken()
			}
			return doc.Conforming(c.Request)
		}
	}
}

func TestWhatFailsAtARegularDistanceNamesTheDistance(t *testing.T) {
	for _, due := range []int{7, 83} {
		f := caused(t, "post-plants-answered", broke(func(n, _ int) bool { return n%due == 0 }), "baseline", "integers", "long-runs")
		assert.Regexp(t, "^every "+strconv.Itoa(due)+"(th|rd) such request fails, on whatever connection$", sentence(f))
	}
}

func TestWhatFailsAtAPlaceOfEachConnectionNamesThePlace(t *testing.T) {
	f := caused(t, "post-plants-answered", broke(func(_, place int) bool { return place == 12 }), "baseline", "integers", "long-runs")
	assert.Equal(t, "only the 12th request on a connection fails", sentence(f))
	f = caused(t, "post-plants-answered", broke(func(_, place int) bool { return place >= 23 }), "baseline", "integers", "long-runs")
	assert.Equal(t, "fails from the 23rd request on a connection on", sentence(f))
}

func TestWhatFailsSinceSomethingIsUsedUpSaysSinceWhen(t *testing.T) {
	f := caused(t, "post-plants-answered", broke(func(n, _ int) bool { return n > 60 }), "baseline", "integers", "string-values")
	assert.Regexp(t, `^such requests passed before, and all fail since about request \d+ of the run, of which about \d+ were refused$`, sentence(f))
	assert.True(t, f.Stable)
}

func TestWhatFailedOnlyAtFirstSaysSo(t *testing.T) {
	f := caused(t, "post-plants-answered", broke(func(n, _ int) bool { return n == 1 }), "baseline", "integers")
	assert.Equal(t, "failed only in the first request of the run, and never since", sentence(f))
}

func TestAnAnswerToTheRequestBeforeSaysSo(t *testing.T) {
	serve := func(key func(fake.Call) int) func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
			before := map[int]*exchange.Exchange{}
			return func(c fake.Call) *exchange.Exchange {
				own := doc.Conforming(c.Request)
				if own.Response.Status != 200 {
					return own
				}
				last := before[key(c)]
				before[key(c)] = own
				if last == nil {
					return own
				}
				return fake.Answer(200, "application/json", string(last.Response.Content))
			}
		}
	}
	f := caused(t, "answer-belongs", serve(func(fake.Call) int { return 0 }), "baseline", "integers")
	assert.Equal(t, "each answer has the values of the request before, on whatever connection that came", sentence(f))
	assert.Len(t, f.Failure.Steps, 2)
	f = caused(t, "answer-belongs", serve(func(c fake.Call) int { return c.Connection }), "baseline", "integers")
	assert.Equal(t, "each answer has the values of the request before on the same connection", sentence(f))
}

// bearer returns what a request shows behind the scheme, and whether that is wrong.
func bearer(c fake.Call) (field string, wrong bool) {
	field = fake.Field(c.Request, "Authorization")
	token, is := strings.CutPrefix(field, "Bearer ")
	return field, is && strings.TrimSpace(token) != fake.Token
}

// letIn answers a request as if it had the right credential.
func letIn(doc *fake.Document, c fake.Call) *exchange.Exchange {
	repaired := *c.Request
	repaired.Head = bytes.Replace(c.Head, []byte(fake.Field(c.Request, "Authorization")), []byte("Bearer "+fake.Token), 1)
	return doc.Conforming(&repaired)
}

func TestAWrongCredentialThatFailsTheSecondTimeSaysSo(t *testing.T) {
	f := caused(t, "post-plants-answered", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		seen := map[string]bool{}
		return func(c fake.Call) *exchange.Exchange {
			field, wrong := bearer(c)
			if wrong && seen[field] {
				return broken()
			}
			seen[field] = true
			return doc.Conforming(c.Request)
		}
	}, "baseline", "credentials", "credential-changes")
	assert.Contains(t, sentence(f), "fails only with a wrong credential that was sent before, on whatever connection")
	assert.Len(t, f.Failure.Steps, 2)
}

func TestACredentialThatIsAcceptedForItsLengthSaysSo(t *testing.T) {
	cached := func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		seen := map[int]bool{}
		return func(c fake.Call) *exchange.Exchange {
			field, wrong := bearer(c)
			if wrong && seen[len(field)] {
				return letIn(doc, c)
			}
			e := doc.Conforming(c.Request)
			seen[len(field)] = seen[len(field)] || e.Response.Status == 200
			return e
		}
	}
	f := caused(t, "bearer-token", cached, "baseline", "credentials", "credential-changes")
	assert.Equal(t, "fails only after a request with the right credential whose header field has the same length", sentence(f))
	assert.Len(t, f.Failure.Steps, 2)

	compared := func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(c fake.Call) *exchange.Exchange {
			if field, wrong := bearer(c); wrong && len(field) == len("Bearer "+fake.Token) {
				return letIn(doc, c)
			}
			return doc.Conforming(c.Request)
		}
	}
	f = caused(t, "bearer-token", compared, "baseline", "credentials", "credential-changes")
	assert.Equal(t, "fails with any credential that is as long as the right one, and not with longer or shorter ones", sentence(f))
}

func TestWhatPassedAtFirstAndFailsIfItIsSentAgainSaysSo(t *testing.T) {
	f := caused(t, "bearer-token", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		n := 0
		return func(c fake.Call) *exchange.Exchange {
			if _, wrong := bearer(c); wrong {
				if n++; n > 15 {
					return letIn(doc, c)
				}
			}
			return doc.Conforming(c.Request)
		}
	}, "baseline", "credentials", "credential-changes")
	assert.Regexp(t, `^passed about \d+ times at first and fails from then on: what passed before fails if it is sent again$`, sentence(f))
}

func TestACredentialThatIsAcceptedForItsBeginningIsNotExplainedByItsLength(t *testing.T) {
	f := caused(t, "bearer-token", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(c fake.Call) *exchange.Exchange {
			if field, wrong := bearer(c); wrong && strings.HasPrefix(field, "Bearer "+fake.Token[:4]) {
				return letIn(doc, c)
			}
			return doc.Conforming(c.Request)
		}
	}, "baseline", "credentials", "credential-changes")
	assert.Nil(t, f.Cause)
}

func TestAFailureThatNeedsNothingHasNoCause(t *testing.T) {
	f := caused(t, "bearer-required", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(c fake.Call) *exchange.Exchange {
			if !bytes.Contains(c.Head, []byte("Authorization")) {
				repaired := *c.Request
				repaired.Head = bytes.Replace(c.Head, []byte("\r\n"), []byte("\r\nAuthorization: Bearer "+fake.Token+"\r\n"), 1)
				return doc.Conforming(&repaired)
			}
			return doc.Conforming(c.Request)
		}
	}, "baseline", "credentials", "credential-changes")
	assert.Nil(t, f.Cause)
}

func TestNothingIsSaidOfAFailureThatHappenedOnce(t *testing.T) {
	once := false
	f := caused(t, "post-plants-answered", broke(func(n, _ int) bool {
		was := once
		once = once || n == 50
		return once && !was
	}), "baseline", "integers", "long-runs")
	assert.Nil(t, f.Cause)
	assert.False(t, f.Stable)
}

// C sets errno if a number is too large, and never clears it.
func TestWhatFailsOnlyBehindAnIntegerThatIsTooLargeSaysSo(t *testing.T) {
	f := caused(t, "post-plants-valid-accepted", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		set := map[int]bool{}
		return func(c fake.Call) *exchange.Exchange {
			was := set[c.Connection]
			e := doc.Conforming(c.Request)
			set[c.Connection] = bytes.Contains(c.Body, []byte("9223372036854775808"))
			if was && e.Response.Status == 200 {
				return fake.Answer(400, "application/json", `{"error":400,"message":"out of range"}`)
			}
			return e
		}
	}, "baseline", "number-format", "syntax-errors", "credentials", "after-each-refusal")
	assert.Equal(t, "fails only behind a request with an integer that its format does not hold on the same connection", sentence(f))
	require.Len(t, f.Failure.Steps, 2)
	assert.Contains(t, string(f.Failure.Steps[0].Step.Message.Body()), "9223372036854775808")
}

// A map whose keys are doubles takes another id for one that it has.
func TestANumberThatIsMistakenForAnotherOneIsShownWithIt(t *testing.T) {
	for name, c := range map[string]struct {
		key  func(n int64) string
		want string
	}{
		"doubles": {func(n int64) string { return strconv.FormatFloat(float64(n), 'g', -1, 64) }, "refused like a repeated value after a request with another /id that is equal as a double"},
		"int32":   {func(n int64) string { return strconv.Itoa(int(int32(n))) }, "refused like a repeated value after a request with another /id that is equal as an int32"},
		"all of it": {func(n int64) string {
			if n > 1<<62 {
				return "large"
			}
			return strconv.FormatInt(n, 10)
		}, ""},
	} {
		var has map[string]bool
		f := caused(t, "newplant-id-accepted", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
			has = map[string]bool{}
			return func(call fake.Call) *exchange.Exchange {
				if !valid(doc, call) {
					return doc.Conforming(call.Request)
				}
				p, err := jsontree.Parse(call.Body)
				if err != nil {
					return doc.Conforming(call.Request)
				}
				n, err := strconv.ParseInt(p.Root.Get("id").Text, 10, 64)
				if err == nil && has[c.key(n)] {
					return fake.Answer(400, "application/json", `{"error":400,"message":"taken"}`)
				}
				has[c.key(n)] = true
				return doc.Conforming(call.Request)
			}
		}, "baseline", "integers", "repeats")
		assert.Equal(t, c.want, sentence(f), name)
		last := f.Failure.Steps[len(f.Failure.Steps)-1].Sent.Body.Root().Get("id")
		require.NotNil(t, last, name)
		assert.Greater(t, len(last.Text), 9, "%s: a small id may have been used, and its refusal is fine", name)
		if c.want != "" {
			assert.Len(t, f.Failure.Steps, 2, name)
		}
	}
}

// Tags are lost from the first request on: that says nothing of when names are cut.
func TestAnotherRequirementOfTheSameRuleIsNotWhatPassedBefore(t *testing.T) {
	f := caused(t, "echo-name", func(doc *fake.Document) func(fake.Call) *exchange.Exchange {
		return func(c fake.Call) *exchange.Exchange {
			e := doc.Conforming(c.Request)
			p, err := jsontree.Parse(c.Body)
			if err != nil || e.Response.Status != 200 {
				return e
			}
			name := p.Root.Get("name").Text
			return fake.Answer(200, "application/json", `{"name":`+strconv.Quote(name[:min(len(name), 60)])+`}`)
		}
	}, "baseline", "optional-members", "string-lengths")
	assert.Empty(t, sentence(f))
}

func TestMain(m *testing.M) { sample.Main(m) }
