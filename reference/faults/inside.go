package faults

import (
	"net/http"
	"regexp"
	"strings"
	"sync/atomic"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

var (
	nameInside   = regexp.MustCompile(`"name":("(?:[^"\\]|\\.)*")`)
	tagOfAll     = regexp.MustCompile(`"(?:__proto__|prototype)":\{[^{}]*"tag":"([^"\\]*)"`)
	numberInText = regexp.MustCompile(`: ?(\d{16,})`)
)

const (
	// opensAt is how many failures in a row open the circuit breaker.
	opensAt = 10
	// codedFrom is the length in bytes above which an answer is compressed.
	codedFrom = 1000
)

// inside goes wrong because of what is inside other members or texts, because a compressed
// answer is long, or because of many refusals in a row.
func inside() []Fault {
	return []Fault{
		{Name: "name-at-any-depth", Breaks: nameRequired, Rare: true,
			Doc: "takes a name inside an unknown member for the missing one, as a search in the whole tree does",
			alter: alter.Absent("name", func(others []alter.Pair) string {
				for _, p := range others {
					if found := nameInside.FindStringSubmatch(p.Value); found != nil {
						return found[1]
					}
				}
				return ""
			})},
		{Name: "name-inherited", Breaks: nameRequired, Rare: true,
			Doc: "takes a name inside __proto__ for the missing one, because members are copied to an object that inherits it",
			alter: alter.Absent("name", func(others []alter.Pair) string {
				if inherited, ok := alter.Object([]byte(find(others, "__proto__"))); ok {
					return find(inherited, "name")
				}
				return ""
			})},
		{Name: "tag-of-all", Breaks: belongs, Rare: true,
			Doc: "merges bodies deeply, so a tag inside __proto__ becomes that of every later plant without one", alter: tagForAll},
		{Name: "long-numbers-quoted", Breaks: echoName, Rare: true,
			Doc:   "puts quotes around long numbers before it parses a body, even inside texts, because its parser reads doubles",
			alter: alter.Name(func(n string) string { return numberInText.ReplaceAllString(n, `:"$1"`) })},
		{Name: "breaker-opens", Breaks: answered, Rare: true,
			Doc: "answers 500 to a plant after ten refused bodies in a row, because its circuit breaker counts them as failures", alter: breaker},
		{Name: "gzip-unlabelled", Breaks: okJSON, Rare: true,
			Doc: "compresses answers of a kilobyte where the request accepts gzip, and does not say so", alter: unlabelled(http.StatusOK, codedFrom)},
		{Name: "refusal-gzip-unlabelled", Breaks: badJSON, Rare: true,
			Doc: "compresses refusals where the request accepts gzip, and does not say so, because an error handler sets the fields anew", alter: unlabelled(http.StatusBadRequest, 0)},
	}
}

func tagForAll(s *reference.Stages) {
	var tag atomic.Pointer[string]
	alter.Body(func(b []byte) []byte {
		if found := tagOfAll.FindSubmatch(b); found != nil {
			text := string(found[1])
			tag.Store(&text)
		}
		return b
	})(s)
	alter.Echo(func(p *plant) {
		if p.Tag == nil {
			p.Tag = tag.Load()
		}
	})(s)
}

func breaker(s *reference.Stages) {
	var failed atomic.Int64
	alter.Decode(func(next func([]byte) (plant, error), b []byte) (plant, error) {
		p, err := next(b)
		if err != nil {
			failed.Add(1)
			return p, err
		}
		if failed.Swap(0) >= opensAt {
			return plant{}, alter.Crash()
		}
		return p, nil
	})(s)
}

// unlabelled compresses answers with a status that are longer than so many bytes.
func unlabelled(status, above int) alter.Change {
	return func(s *reference.Stages) {
		next := s.Send
		s.Send = func(w http.ResponseWriter, r *http.Request, resp reference.Response) {
			if resp.Status == status && len(resp.Body) > above && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
				resp.Body = alter.Zipped(resp.Body)
			}
			next(w, r, resp)
		}
	}
}
