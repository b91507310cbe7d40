package faults

import (
	"net/http"
	"sync"

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
