package explore_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/fake"
	"plantstore/internal/limits"
)

// slots is a client of a target that serves a few connections, and closes the one that
// was idle for longest when another one has waited.
type slots struct {
	*fake.Client
	most int
	turn chan struct{} // a mutex would not let the clock of the bubble go on
	open []*slot
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
	case len(c.open) == c.most:
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
	for _, most := range []int{1, 2, 5, limits.Probed, limits.Probed + 2, limits.Probed + limits.Spare} {
		synctest.Test(t, func(t *testing.T) {
			d := fake.Plants(t)
			c := &slots{most: most, turn: make(chan struct{}, 1), Client: &fake.Client{ServeCall: func(call fake.Call) *exchange.Exchange { return d.Conforming(call.Request) }}}
			o := d.Over(c.Client)
			o.Client, o.Timeout = c, 10*time.Second
			tg := explore.New(o)
			assert.True(t, tg.Learn(t.Context()), "%v", tg.Reasons)
			assert.Equal(t, min(most, limits.Probed), tg.Facts.Connections)
			assert.Equal(t, most < limits.Probed, tg.Facts.Few)
			assert.Equal(t, most >= limits.Probed+limits.Spare, tg.Facts.Spare > 0, "%d", most)
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
