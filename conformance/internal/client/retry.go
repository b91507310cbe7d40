package client

import (
	"context"
	"time"
)

// Retry paces requests that are sent again until a target shows something.
type Retry struct {
	began time.Time
	next  time.Duration
}

// firstPause is how long a target has before it is asked again. Each pause is twice as
// long as the one before.
const firstPause = 20 * time.Millisecond

// NewRetry returns a Retry whose time begins now.
func NewRetry() *Retry { return &Retry{began: time.Now(), next: firstPause} }

// Within reports whether the next pause ends within a time from the beginning.
func (r *Retry) Within(most time.Duration) bool { return r.Took()+r.next <= most }

// Took returns how long ago the Retry began.
func (r *Retry) Took() time.Duration { return time.Since(r.began) }

// Pause waits before the next request. It returns false if the context ends first.
func (r *Retry) Pause(ctx context.Context) bool {
	Pause(ctx, r.next)
	r.next *= 2
	return ctx.Err() == nil
}
