package explore_test

import (
	"context"
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
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/schema"
	"plantstore/internal/limits"
)

// slots is a client of a target that serves a few connections, and closes the one that
// was idle for longest when another one has waited.
type slots struct {
	*fake.Client
	maximum int
	turn    chan struct{} // a mutex would not let the clock of the bubble go on
	open    []*slot
}

// Session opens a session that needs a slot for each request.
func (c *slots) Session() explore.Session { return &slot{c.Client.Session(), c} }

type slot struct {
	explore.Session
	client *slots
}

func (s *slot) Do(ctx context.Context, r *exchange.Request, timeout time.Duration) *exchange.Exchange {
	c := s.client
	c.turn <- struct{}{}
	defer func() { <-c.turn }()
	at := slices.Index(c.open, s)
	switch {
	case at >= 0:
		c.open = slices.Delete(c.open, at, at+1)
	case len(c.open) == c.maximum:
		time.Sleep(150 * time.Millisecond)
		c.open[0].Fresh()
		c.open = c.open[1:]
	}
	c.open = append(c.open, s)
	return s.Session.Do(ctx, r, timeout)
}

// Close gives the slot back.
func (s *slot) Close() {
	s.client.turn <- struct{}{}
	defer func() { <-s.client.turn }()
	s.client.open = slices.DeleteFunc(s.client.open, func(o *slot) bool { return o == s })
	s.Session.Close()
}

func TestConnectionsThatAreServedInPlaceOfIdleOnesAreNotServedBesideThem(t *testing.T) {
	for _, maximum := range []int{1, 2, 5, limits.Probed, limits.Probed + 2, limits.Probed + limits.Spare} {
		synctest.Test(t, func(t *testing.T) {
			d := fake.Plants(t)
			c := &slots{maximum: maximum, turn: make(chan struct{}, 1), Client: &fake.Client{ServeCall: func(call fake.Call) *exchange.Exchange { return d.Conforming(call.Request) }}}
			o := d.Over(c.Client)
			o.Client, o.Timeout = c, 10*time.Second
			tg := explore.New(o)
			assert.True(t, tg.Learn(t.Context()), "%v", tg.Reasons)
			assert.Equal(t, min(maximum, limits.Probed), tg.Facts.Connections)
			assert.Equal(t, maximum < limits.Probed, tg.Facts.Few)
			assert.Equal(t, maximum >= limits.Probed+limits.Spare, tg.Facts.Spare > 0, "%d", maximum)
		})
	}
}

// late is a target whose answers take so long.
type late struct {
	*fake.Client
	took time.Duration
}

type lateSession struct {
	explore.Session
	took time.Duration
}

func (c *late) Session() explore.Session { return &lateSession{c.Client.Session(), c.took} }

func (s *lateSession) Do(ctx context.Context, r *exchange.Request, timeout time.Duration) *exchange.Exchange {
	time.Sleep(s.took)
	return s.Session.Do(ctx, r, timeout)
}

func TestATargetThatIsSlowGetsMoreConnections(t *testing.T) {
	for took, spare := range map[time.Duration]int{time.Millisecond: limits.Spare, 100 * time.Millisecond: limits.Spare + limits.SlowSpare} {
		synctest.Test(t, func(t *testing.T) {
			d := fake.Plants(t)
			o := d.Over(&fake.Client{ServeCall: func(call fake.Call) *exchange.Exchange {
				e := d.Conforming(call.Request)
				e.Took = took
				return e
			}})
			o.Client, o.Timeout = &late{o.Client.(*fake.Client), took}, 10*time.Second
			tg := explore.New(o)
			assert.True(t, tg.Learn(t.Context()), "%v", tg.Reasons)
			assert.Equal(t, spare, tg.Facts.Spare, "%s", took)
		})
	}
}

// tagged is a baseline request with a tag.
func (s scene) tagged(tag string) *message.Message {
	m := s.baseline()
	m.Set("/tag", jsontree.NewString(tag))
	return m
}

// Which tags are accepted is open. One that was accepted twice must be accepted again.
func TestAValueThatWasAcceptedTwiceMustBeAcceptedAgain(t *testing.T) {
	script(t, conforming, func(s scene) {
		f := s.learn()
		s.LearnValues(s.t.Context())
		require.NotNil(t, f.Of(s.Op()).Known["/tag"])
		m := s.tagged("another")
		assert.Equal(t, schema.MayRefuse, m.Reading().Kind)
		f.Of(s.Op()).UseKnown(m)
		assert.Equal(t, f.Of(s.Op()).Known["/tag"].Text, m.At("/tag").Text)
		assert.Equal(t, schema.MustAccept, m.Reading().Kind)

		odd := s.tagged("another")
		odd.Set("/id", jsontree.NewNumber("0"))
		f.Of(s.Op()).UseKnown(odd)
		assert.Equal(t, "another", odd.At("/tag").Text, "it may be refused for its id too")
	})
}

func TestAValueThatIsTakenOnlyOnceIsNotKnown(t *testing.T) {
	tags := 0
	once := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if strings.Contains(string(c.Request.Body), `"tag"`) {
			if tags++; tags > 1 {
				return refusal()
			}
		}
		return d.Conforming(c.Request)
	}
	script(t, once, func(s scene) {
		f := s.learn()
		tags = 0
		s.LearnValues(s.t.Context())
		assert.Empty(t, f.Of(s.Op()).Known)
	})
}

func TestAKnownValueIsForgottenWhereBaselineRequestsWithItAreRefused(t *testing.T) {
	refused := false
	serve := func(d *fake.Document, c fake.Call) *exchange.Exchange {
		if refused {
			return refusal()
		}
		return d.Conforming(c.Request)
	}
	script(t, serve, func(s scene) {
		f := s.learn()
		s.LearnValues(s.t.Context())
		m := s.tagged("x")
		f.Of(s.Op()).UseKnown(m)
		session := s.Session()
		defer session.Close()
		assert.True(t, s.KeepsKnown(s.t.Context(), session, m))
		refused = true
		assert.False(t, s.KeepsKnown(s.t.Context(), session, m))
		assert.True(t, s.KeepsKnown(s.t.Context(), session, s.baseline()), "it has no such value")
	})
}

// What the first media type has accepted cannot be what another one lacks.
func TestARefusedMediaTypeIsAFailureAndNotAnOperationThatIsNotReached(t *testing.T) {
	d := fake.Of(t, fake.SeveralMedia)
	o := d.Over(&fake.Client{Serve: d.Pets("", "application/x-www-form-urlencoded")})
	o.Stated = false
	to := explore.New(o)
	require.True(t, to.Learn(t.Context()))
	last := to.Openings[len(to.Openings)-1]
	assert.Equal(t, "application/x-www-form-urlencoded", last.Op.Body.Media)
	assert.Equal(t, 400, last.Exchange.Response.Status)
	assert.Empty(t, to.Facts.Of(last.Op).Unreached)
	require.Len(t, to.Ways(), 1)
	assert.Equal(t, "createPet <- nothing needed", to.Ways()[0].String())
}

func TestWhatWasMadeWithAFurtherMediaTypeIsDeletedToo(t *testing.T) {
	var next int
	kept := map[string]bool{}
	text := document(path("/users", "", operation("post", "addUser", named, "201", identified)),
		path("/users/{userId}", "integer", operation("delete", "dropUser", "", "204", "")))
	text = strings.Replace(text, "{application/json: {schema: "+named+"}}", "{application/json: {schema: "+named+"}, text/json: {schema: "+named+"}}", 1)
	require.Contains(t, text, "text/json")
	w := learned(t, text, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			next++
			kept[fmt.Sprint(next)] = true
			respond(w, http.StatusCreated, `{"id": %d}`, next)
			return
		}
		if id := strings.TrimPrefix(r.URL.Path, "/users/"); kept[id] {
			delete(kept, id)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		w.WriteHeader(http.StatusBadRequest)
	}))
	s := w.Session()
	defer s.Close()
	w.Target.Send(t.Context(), s, w.Baseline(w.Fresh(w.op("addUser").Additional[0])), "c", "c")
	require.NotEmpty(t, kept)
	w.CleanUp(t.Context())
	assert.Empty(t, kept)
}

// interrupted gives an answer only after something else happened.
type interrupted struct {
	explore.Session
	first func()
}

func (s interrupted) Do(ctx context.Context, r *exchange.Request, timeout time.Duration) *exchange.Exchange {
	e := s.Session.Do(ctx, r, timeout)
	s.first()
	e.Took = time.Since(e.Began)
	return e
}

// A database gives the highest key again as soon as it is free, so the answer to a deletion may be read
// after another request made a thing with the same key.
func TestAKeyThatIsGivenAgainBeforeTheDeletionIsAnsweredIsDeletedInTheEnd(t *testing.T) {
	kept := map[string]bool{}
	s := http.NewServeMux()
	s.HandleFunc("POST /users", func(w http.ResponseWriter, _ *http.Request) {
		id := fmt.Sprint(len(kept) + 1)
		kept[id] = true
		respond(w, http.StatusCreated, `{"id": %s}`, id)
	})
	s.HandleFunc("DELETE /users/{id}", func(w http.ResponseWriter, r *http.Request) {
		if id := r.PathValue("id"); kept[id] {
			delete(kept, id)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		respond(w, http.StatusNotFound, `{}`)
	})
	w := learned(t, document(path("/users", "", operation("post", "addUser", named, "201", identified)),
		path("/users/{userId}", "integer", operation("delete", "dropUser", "", "204", ""))), s)
	m, err := w.bound("dropUser")
	require.NoError(t, err)
	one, other := w.Session(), w.Session()
	defer one.Close()
	defer other.Close()
	w.Target.Send(t.Context(), interrupted{one, func() {
		w.Target.Send(t.Context(), other, w.Baseline(w.Fresh(w.op("addUser"))), "c", "c")
	}}, m, "c", "c")
	require.NotEmpty(t, kept)
	w.CleanUp(t.Context())
	assert.Empty(t, kept)
}
