package faults

import (
	"context"
	"net/http"
	"sync"
	"sync/atomic"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// again shows only where nearly the same request comes a second time.
func again() []Fault {
	return []Fault{
		{Name: "tag-unchecked-if-known", Breaks: tagString, Rare: true,
			Doc: "checks no tag of a plant whose id and name were accepted before, because it remembers what it has checked", alter: tagOfKnown},
		{Name: "credential-behind-full-cache", Breaks: bearerRequired, Rare: true,
			Doc: "answers the first thousand accepted bodies again without a credential, because a cache in front of the check takes no more", alter: firstThousand},
	}
}

// known is a set of at most so many texts.
type known struct {
	mu      sync.Mutex
	maximum int
	all     map[string]bool
}

func (k *known) has(text string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.all[text]
}

func (k *known) add(text string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.all) < k.maximum {
		k.all[text] = true
	}
}

func tagOfKnown(s *reference.Stages) {
	checked := known{maximum: 1 << 14, all: map[string]bool{}}
	alter.Decode(func(next func([]byte) (plant, error), b []byte) (plant, error) {
		pairs, ok := alter.Object(b)
		key := find(pairs, "id") + find(pairs, "name")
		if ok && checked.has(key) {
			for i := range pairs {
				if pairs[i].Name == "tag" {
					pairs[i].Value = `"x"`
				}
			}
			return next(alter.Text(pairs))
		}
		p, err := next(b)
		if ok && err == nil {
			checked.add(key)
		}
		return p, err
	})(s)
}

func firstThousand(s *reference.Stages) {
	answered := known{maximum: 1000, all: map[string]bool{}}
	alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
		if answered.has(string(body)) {
			r.Header.Set("Authorization", "Bearer "+s.Tokens[0])
		}
		next.ServeHTTP(w, r)
	})(s)
	alter.Decode(func(next func([]byte) (plant, error), b []byte) (plant, error) {
		p, err := next(b)
		if err == nil {
			answered.add(string(b))
		}
		return p, err
	})(s)
}

// unique answers an id used before in another way.
func unique(with func(*reference.Refusal) error) alter.Change {
	return func(s *reference.Stages) {
		var used sync.Map
		next := s.Append
		s.Append = func(ctx context.Context, p plant) error {
			if _, taken := used.LoadOrStore(p.ID, true); taken {
				return with(&reference.Refusal{Kind: reference.Taken, At: "/id", Reason: "is used by another plant"})
			}
			return next(ctx, p)
		}
		// Lets the store return an answer of its own.
		alter.Decoded(func(plant) error { return nil })(s)
	}
}

// wear answers 500, or nothing, after or among many good answers.
func wear() []Fault {
	return []Fault{
		{Name: "every-fortieth-500", Breaks: answered, Rare: true, Doc: "answers 500 to one plant in forty, as an instance that is broken does",
			alter: plantsWhen(every(40), alter.Crash)},
		{Name: "every-fiftieth-dropped", Breaks: answered, Rare: true, Doc: "closes the connection instead of answering one plant in fifty",
			alter: plantsWhen(every(50), alter.Drop)},
		{Name: "first-500", Breaks: answered, Rare: true, Doc: "answers 500 to the first plant of all, while the connection to the database is being made",
			alter: plantsWhen(first(1), alter.Crash)},
		{Name: "first-refused", Breaks: validAccepted, Rare: true, Doc: "refuses the first plant of all, because a table is made on demand",
			alter: plantsWhen(first(1), func() error { return alter.Bad("", "try again") })},
		{Name: "overlap-500", Breaks: answered, Rare: true, Doc: "answers 500 to plants that come while another is stored, as a locked database does", alter: overlap},
		{Name: "leak-after-refusals", Breaks: answered, Rare: true,
			Doc: "answers 500 to everything after 40 refused bodies, each of which keeps a connection to the database", alter: leaky},
		{Name: "out-after-hundred", Breaks: answered, Rare: true, Doc: "answers 503 to every plant after the first hundred",
			alter: plantsWhen(after(100), func() error { return alter.Page(http.StatusServiceUnavailable) })},
	}
}

// plantsWhen answers those plants in another way that a counter says.
func plantsWhen(count counter, with func() error) alter.Change {
	return func(s *reference.Stages) {
		due := count()
		alter.Decoded(func(plant) error {
			if due() {
				return with()
			}
			return nil
		})(s)
	}
}

func overlap(s *reference.Stages) {
	var storing atomic.Int32
	next := s.Append
	s.Append = func(ctx context.Context, p plant) error {
		defer storing.Add(-1)
		if storing.Add(1) > 1 {
			return alter.Crash()
		}
		pause()
		return next(ctx, p)
	}
	// Lets the store return an answer of its own.
	alter.Decoded(func(plant) error { return nil })(s)
}

func leaky(s *reference.Stages) {
	var kept atomic.Int64
	alter.Decode(func(next func([]byte) (plant, error), b []byte) (plant, error) {
		if kept.Load() >= 40 {
			return plant{}, alter.Crash()
		}
		p, err := next(b)
		if err != nil {
			kept.Add(1)
		}
		return p, err
	})(s)
}
