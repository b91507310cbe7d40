package faults

import (
	"context"
	"hash/crc32"
	"net/http"
	"strings"
	"sync"
	"time"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

const belongs = "answer-belongs"

// sharing answers with what belongs to another request.
func sharing() []Fault {
	return []Fault{
		{Name: "shared-variable", Breaks: belongs, Also: []string{echoName}, Rare: true,
			Doc: "keeps the plant in a variable of the server while it is stored, so overlapping requests get the last one's", alter: sharedVariable},
		{Name: "single-flight", Breaks: belongs, Also: []string{echoName}, Rare: true,
			Doc: "answers requests that overlap with the answer to the first of them", alter: singleFlight},
		{Name: "answers-exchanged", Breaks: belongs, Also: []string{echoName}, Rare: true,
			Doc: "exchanges the answers of two requests that overlap, as replies taken from a queue in the wrong order", alter: exchanged},
		{Name: "cache-by-double", Breaks: belongs, Also: []string{echoName}, Rare: true,
			Doc: "caches answers by an id held in a double, where 2^53 and 2^53+1 are the same", alter: cached(func(p plant) any { return float64(p.ID) })},
		{Name: "cache-by-low-byte", Breaks: belongs, Also: []string{echoName},
			Doc: "caches answers in 256 slots by id and does not compare the rest of it", alter: cached(func(p plant) any { return p.ID & 0xff })},
		{Name: "cache-by-int32", Breaks: belongs, Also: []string{echoName}, Rare: true,
			Doc: "caches answers by the low 32 bits of the id", alter: cached(func(p plant) any { return int32(p.ID) })},
		{Name: "cache-by-name-checksum", Breaks: belongs, Also: []string{echoName},
			Doc: "caches answers by one byte of a checksum of the name", alter: cached(func(p plant) any { return byte(crc32.ChecksumIEEE([]byte(p.Name))) })},
		{Name: "cache-by-body-length", Breaks: belongs, Also: []string{echoName},
			Doc: "caches answers by the length of the body", alter: cached(func(p plant) any {
				if p.Tag != nil {
					return len(p.Name) + len(*p.Tag)
				}
				return len(p.Name)
			})},
		{Name: "cache-by-joined-key", Breaks: echoName, Also: []string{belongs}, Rare: true,
			Doc: "caches answers under name and tag joined by a bar, so different pairs are the same key if they have bars themselves", alter: cached(func(p plant) any {
				if p.Tag != nil {
					return p.Name + "|" + *p.Tag
				}
				return p
			})},
		{Name: "tag-by-name", Breaks: belongs, Rare: true,
			Doc: "answers with the tag that a name had first, blanks and case aside, as a cache with a normalised key does", alter: tagByName},
		{Name: "single-flight-by-name", Breaks: belongs, Rare: true,
			Doc: "joins requests that overlap and have the same name, and answers them with the tag of the first", alter: flightByName},
		{Name: "previous-answer", Breaks: belongs, Also: []string{echoName},
			Doc: "answers with the plant before, because it reads back before it commits", alter: previous(1)},
		{Name: "previous-answer-sometimes", Breaks: belongs, Also: []string{echoName}, Rare: true,
			Doc: "answers one request in 25 with the plant before, as a replica that lags does", alter: previous(25)},
		{Name: "tag-of-last-request", Breaks: belongs, Rare: true,
			Doc: "answers a plant without a tag with the tag of the one before, because the struct is reused", alter: tagKept},
		{Name: "refused-tag-leaks", Breaks: belongs, Rare: true,
			Doc: "answers the plant after a refused one with the refused one's tag", alter: tagLeaks},
		{Name: "refused-name-leaks", Breaks: belongs, Also: []string{echoName}, Rare: true,
			Doc: "answers the plant after a refused one on the same connection with the refused one's name", alter: leaksOnConnection(false)},
		{Name: "unauthenticated-name-leaks", Breaks: belongs, Also: []string{echoName}, Rare: true,
			Doc: "answers the plant after a request without a valid credential on the same connection with that one's name", alter: leaksOnConnection(true)},
	}
}

func sharedVariable(s *reference.Stages) {
	var mu sync.Mutex
	var current plant
	store, answer := s.Append, s.Answer
	s.Append = func(ctx context.Context, p plant) error {
		mu.Lock()
		current = p
		mu.Unlock()
		pause()
		return store(ctx, p)
	}
	s.Answer = func(plant) reference.Response {
		mu.Lock()
		defer mu.Unlock()
		return answer(current)
	}
}

func singleFlight(s *reference.Stages) {
	type flight struct {
		landed chan struct{}
		plant  plant
	}
	var mu sync.Mutex
	var current *flight
	alter.Echo(func(p *plant) {
		mu.Lock()
		if f := current; f != nil {
			mu.Unlock()
			<-f.landed
			*p = f.plant
			return
		}
		f := &flight{landed: make(chan struct{}), plant: *p}
		current = f
		mu.Unlock()
		pause()
		mu.Lock()
		current = nil
		mu.Unlock()
		close(f.landed)
	})(s)
}

func exchanged(s *reference.Stages) {
	type waiter struct {
		plant plant
		other chan plant
	}
	var mu sync.Mutex
	var waiting *waiter
	alter.Echo(func(p *plant) {
		mu.Lock()
		if w := waiting; w != nil {
			waiting = nil
			w.other <- *p
			*p = w.plant
			mu.Unlock()
			return
		}
		me := &waiter{*p, make(chan plant, 1)}
		waiting = me
		mu.Unlock()
		select {
		case *p = <-me.other:
			return
		case <-time.After(2 * time.Millisecond):
		}
		mu.Lock()
		defer mu.Unlock()
		if waiting == me {
			waiting = nil
			return
		}
		*p = <-me.other
	})(s)
}

// cached answers with the first plant of a key.
func cached(key func(plant) any) alter.Change {
	return func(s *reference.Stages) {
		var first sync.Map
		alter.Echo(func(p *plant) {
			if p.ID <= 0 {
				return
			}
			kept, _ := first.LoadOrStore(key(*p), *p)
			// An id used before may rightly show what is stored under it.
			if kept := kept.(plant); kept.ID != p.ID {
				*p = kept
			}
		})(s)
	}
}

func tagByName(s *reference.Stages) {
	var first sync.Map
	alter.Echo(func(p *plant) {
		kept, _ := first.LoadOrStore(strings.ToLower(strings.TrimSpace(p.Name)), *p)
		if kept := kept.(plant); p.Tag != nil && kept.Tag != nil && p.ID != kept.ID {
			p.Tag = kept.Tag
		}
	})(s)
}

func flightByName(s *reference.Stages) {
	var flights sync.Map
	alter.Echo(func(p *plant) {
		kept, joined := flights.LoadOrStore(p.Name, *p)
		if joined {
			if kept := kept.(plant); p.Tag != nil && kept.Tag != nil {
				p.Tag = kept.Tag
			}
			return
		}
		pause()
		flights.Delete(p.Name)
	})(s)
}

// previous answers each n-th plant with the one before it.
func previous(n int64) alter.Change {
	return func(s *reference.Stages) {
		var mu sync.Mutex
		var last *plant
		due := every(n)()
		alter.Echo(func(p *plant) {
			mu.Lock()
			defer mu.Unlock()
			now := *p
			if last != nil && due() {
				*p = *last
			}
			last = &now
		})(s)
	}
}

func tagKept(s *reference.Stages) {
	var mu sync.Mutex
	var last *string
	alter.Echo(func(p *plant) {
		mu.Lock()
		defer mu.Unlock()
		if p.Tag == nil {
			p.Tag, last = last, nil
			return
		}
		last = p.Tag
	})(s)
}

// tagLeaks answers an accepted plant with the tag of the refused one before.
func tagLeaks(s *reference.Stages) {
	var mu sync.Mutex
	left := ""
	alter.Undecoded(func(body []byte, why *reference.Refusal) (plant, error) {
		pairs, _ := alter.Object(body)
		mu.Lock()
		defer mu.Unlock()
		left, _ = alter.String(find(pairs, "tag"))
		return plant{}, why
	})(s)
	alter.Echo(func(p *plant) {
		mu.Lock()
		defer mu.Unlock()
		if left != "" && p.Tag == nil {
			tag := left
			p.Tag = &tag
		}
		left = ""
	})(s)
}

// leaksOnConnection answers an accepted plant with the name of the request
// before it on the same connection, when that one was refused.
func leaksOnConnection(forCredential bool) alter.Change {
	return func(s *reference.Stages) {
		var mu sync.Mutex
		left := map[string]string{}
		alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
			_, bad := reference.Decode(body)
			unknown := s.Authenticate(r)
			name := ""
			if pairs, ok := alter.Object(body); ok && (forCredential && unknown != nil || !forCredential && bad != nil) {
				name, _ = alter.String(find(pairs, "name"))
			}
			mu.Lock()
			leaked := left[r.RemoteAddr]
			left[r.RemoteAddr] = name
			mu.Unlock()
			if leaked != "" && bad == nil && unknown == nil {
				reference.Send(w, r, s.Answer(plant{Name: leaked}))
				return
			}
			next.ServeHTTP(w, r)
		})(s)
	}
}
