package execute_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/execute"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/lifecycles"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/target"
	"plantstore/conformance/internal/verdict"
)

// hall is a server of things of several kinds that gives the key of what was deleted to
// the next thing. The client asks for one thing after the other.
type hall struct {
	// joined kinds share their keys and their things, and the document does not tell.
	joined bool
	things map[string]map[string]bool
}

func (h *hall) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	kind, key, item := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if h.joined {
		kind = "all"
	}
	if h.things[kind] == nil {
		h.things[kind] = map[string]bool{}
	}
	switch there := h.things[kind]; {
	case !item:
		n := 1
		for there[fmt.Sprint(n)] {
			n++
		}
		there[fmt.Sprint(n)] = true
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = fmt.Fprintf(w, `{"id":%d}`, n)
	case !there[key]:
		w.WriteHeader(http.StatusNotFound)
	case r.Method == http.MethodDelete:
		delete(there, key)
		w.WriteHeader(http.StatusNoContent)
	default:
		_, _ = w.Write([]byte("a thing"))
	}
}

// among plays the cases of deleted things against a hall of five kinds, with four workers.
// It returns how many requests were under way at most, and how many cases were sent twice.
func among(t *testing.T, h *hall) (most, again int) {
	t.Helper()
	var document strings.Builder
	paths := strings.Index(lamps, "  /lamps:")
	document.WriteString(lamps[:paths])
	for n := range 5 {
		document.WriteString(strings.NewReplacer("lamp", fmt.Sprintf("kind%d", n), "Lamp", fmt.Sprintf("Kind%d", n)).Replace(lamps[paths:]))
	}
	apart := slices.DeleteFunc(lifecycles.List(), func(m plan.Mutator) bool { return m.Name != "deleted" && m.Name != "repeated" })
	synctest.Test(t, func(t *testing.T) {
		h.things = map[string]map[string]bool{}
		d := fake.Of(t, document.String(), apart...)
		d.Endpoint.NameCases = true
		serve := fake.Handled(h)
		c := &fake.Client{ServeCall: func(c fake.Call) *exchange.Exchange {
			return fake.Lasting(time.Duration(1+c.Number%7)*time.Millisecond, serve(c.Request))
		}}
		to, j := target.New(d.Over(c)), verdict.New(d.Set, d.Rules, d.Plan, d.Endpoint)
		j.Facts = to.Facts
		require.True(t, to.Learn(t.Context()))
		learned := len(c.Calls())
		run := execute.New(to, j, execute.Settings{Workers: 4}, d.Plan.Cases, true)
		j.Cover(d.Plan.Cases)
		run.All(t.Context())
		sent := map[string]int{}
		for _, call := range c.Calls()[learned:] {
			most = max(most, call.Concurrent)
			sent[call.Case]++
		}
		require.NotEmpty(t, d.Plan.Cases)
		for _, c := range d.Plan.Cases {
			r := run.Record(c)
			assert.Equal(t, verdict.Tried, r.State, c.ID)
			assert.Empty(t, r.Failures, c.ID)
			if sent[c.ID] > c.Steps() {
				again++
			}
		}
	})
	return most, again
}

func TestADeletionRunsBesideThoseOfThingsOfOtherFamilies(t *testing.T) {
	most, again := among(t, &hall{})
	assert.Equal(t, 4, most)
	assert.Zero(t, again, "no case beside it got the key that was deleted")
}

func TestWhatFailsBesideOthersCountsOnlyIfItFailsAlone(t *testing.T) {
	_, again := among(t, &hall{joined: true})
	assert.Positive(t, again, "cases beside them got the keys that were deleted")
}
