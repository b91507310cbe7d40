package crud

import (
	"net/http"
	"time"
)

// accepting is about services that accept first and work afterwards: a creation is
// answered with 202.
func accepting() []Variant {
	const moment = 100 * time.Millisecond
	accepted := on("createUser createProject createTask", func(c *call, do func(*call) *answer) *answer {
		a := do(c)
		if a.status == http.StatusCreated {
			a.status = http.StatusAccepted
		}
		return a
	})
	return []Variant{
		{Name: "created-later", Doc: "answers a creation with 202, as documented, and reads what it made 100 ms later", Wider: true,
			around: both(accepted, both(madeAt, lateReads(moment)))},
	}
}

// limits are about services that limit how many requests they serve.
func limits() []Variant {
	limited := func(wait string) *answer {
		a := refusal(http.StatusTooManyRequests, "too many requests")
		a.header.Set("Retry-After", wait)
		return a
	}
	return []Variant{
		{Name: "limited-at-times", Doc: "answers 429 with Retry-After to one request in ten, and serves the next (RFC 6585, 4)",
			around: func(c *call, do func(*call) *answer) *answer {
				c.store.Lock()
				n, _ := c.store.memory["requests"].(int)
				c.store.memory["requests"] = n + 1
				c.store.Unlock()
				if n%10 == 9 {
					return limited("0")
				}
				return do(c)
			}},
		{Name: "limited-by-second", Doc: "answers 429 with Retry-After to what comes above 1,000 requests in a second",
			around: func(c *call, do func(*call) *answer) *answer {
				now := time.Now().Unix()
				c.store.Lock()
				if second, _ := c.store.memory["second"].(int64); second != now {
					c.store.memory["second"], c.store.memory["served"] = now, 0
				}
				n, _ := c.store.memory["served"].(int)
				c.store.memory["served"] = n + 1
				c.store.Unlock()
				if n >= 1000 {
					return limited("1")
				}
				return do(c)
			}},
	}
}
