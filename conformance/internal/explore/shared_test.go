package explore_test

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/fake"
	"plantstore/internal/limits"
)

// together gets the values of four requests of an operation at the same time, from a
// server that takes a second for each answer. It returns those it got.
func together(t *testing.T, s http.Handler, then func()) (values []string) {
	t.Helper()
	w := learned(t, users, s)
	w.Client.ServeCall = func(c fake.Call) *exchange.Exchange {
		e := fake.Handled(s)(c.Request)
		e.Took = time.Second
		return e
	}
	then()
	got := make(chan string)
	for range 4 {
		go func() {
			m, err := w.bound("getUser")
			if err != nil {
				got <- ""
				return
			}
			got <- m.At("path/userId").Text
		}()
	}
	for range 4 {
		values = append(values, <-got)
	}
	return values
}

func TestRequestsAtTheSameTimeWaitForOneThing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, made := newService(`{"id":%d}`), 0
		values := together(t, s, func() { made = s.users })
		assert.Equal(t, made+1, s.users)
		for _, v := range values {
			assert.Equal(t, values[0], v)
		}
	})
}

func TestWhoeverWaitedInVainMakesTheThing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, refuse, began := newService(`{"id":%d}`), 0, time.Time{}
		values := together(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == "POST" && refuse > 0 {
				refuse--
				respond(w, 400, `{}`)
				return
			}
			s.ServeHTTP(w, r)
		}), func() { refuse, began = limits.SetUpTries, time.Now() })
		failed := slices.DeleteFunc(values, func(v string) bool { return v != "" })
		assert.Len(t, failed, 1, "the first, which was refused each time")
		assert.Equal(t, (limits.SetUpTries+1)*time.Second, time.Since(began), "none of them waits again")
	})
}
