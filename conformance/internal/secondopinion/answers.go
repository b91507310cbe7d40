package secondopinion

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"sync"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
)

// Bounds of the answers that are kept until the second opinion is asked: many small
// ones and some large ones, at most 10 MiB.
const (
	smallAnswers, smallBytes = 4096, 1 << 10
	largeAnswers, largeBytes = 64, 64 << 10
)

// digest identifies a distinct answer. Two answers are the same if they differ only
// in fresh words and the exact judge says the same of both.
type digest [sha256.Size]byte

// answers keeps distinct answers for the second opinion.
type answers struct {
	mu           sync.Mutex
	small, large shelf
	huge         int // answers, not all distinct, above largeBytes
}

// shelf keeps the answers with the smallest digests, so that the choice does not
// depend on the order.
type shelf struct {
	known map[digest]*distinctAnswer
	// limit is set once answers were dropped: none above it is kept.
	limit *digest
}

// distinctAnswer is one answer. Of equal answers, the one whose case name sorts
// first is kept.
type distinctAnswer struct {
	digest            digest
	op                *openapi.Operation
	caseID            string
	status            int
	contentType, says string
	exact             bool
	body              []byte
}

// note keeps an answer after the exact judge has read it.
func (a *answers) note(caseID string, p *judge.Played) {
	if p.Answer == nil || p.Answer.Reading == nil || p.Answer.NotJSON || p.Answer.Reading.Kind == openapi.Undecided {
		return
	}
	body := p.Exchange.Response.Content
	if len(body) > largeBytes || len(p.Exchange.Response.Get("Content-Type")) > smallBytes {
		a.mu.Lock()
		a.huge++
		a.mu.Unlock()
		return
	}
	x := &distinctAnswer{op: p.Step.Message.Op, caseID: caseID, status: p.Answer.Status, contentType: p.Exchange.Response.Get("Content-Type"), body: body}
	x.exact, x.says = exactly(p.Answer.Reading)
	x.digest = x.sum()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(body) <= smallBytes {
		a.small.put(x, smallAnswers)
	} else {
		a.large.put(x, largeAnswers)
	}
}

func (s *shelf) put(x *distinctAnswer, most int) {
	if s.limit != nil && bytes.Compare(x.digest[:], s.limit[:]) > 0 {
		return
	}
	if old := s.known[x.digest]; old != nil &&
		cmp.Or(cmp.Compare(old.caseID, x.caseID), bytes.Compare(old.body, x.body)) <= 0 {
		return
	}
	if s.known == nil {
		s.known = map[digest]*distinctAnswer{}
	}
	x.body = bytes.Clone(x.body)
	s.known[x.digest] = x
	if len(s.known) > most+most/4 {
		s.drop(most)
	}
}

// drop keeps the answers with the smallest digests and removes the others.
func (s *shelf) drop(most int) []*distinctAnswer {
	list := make([]*distinctAnswer, 0, len(s.known))
	for _, x := range s.known {
		list = append(list, x)
	}
	slices.SortFunc(list, func(x, y *distinctAnswer) int { return bytes.Compare(x.digest[:], y.digest[:]) })
	if len(list) > most {
		for _, x := range list[most:] {
			delete(s.known, x.digest)
		}
		list, s.limit = list[:most], &list[most-1].digest
	}
	return list
}

// taken returns what was kept, in the order of the cases, and empties the shelves.
func (a *answers) taken() []*distinctAnswer {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := append(a.small.drop(smallAnswers), a.large.drop(largeAnswers)...)
	a.small.known, a.large.known = nil, nil
	slices.SortFunc(list, func(x, y *distinctAnswer) int {
		return cmp.Or(cmp.Compare(x.caseID, y.caseID), bytes.Compare(x.digest[:], y.digest[:]))
	})
	return list
}

// partial returns why not every distinct answer was kept. It is empty if each was.
func (a *answers) partial() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	switch {
	case a.small.limit != nil || a.large.limit != nil:
		return "a sample only: there were more distinct answers than are kept"
	case a.huge > 0:
		return "without answers above 64 KiB"
	}
	return ""
}

// exactly returns what the exact judge says of the body of an answer.
func exactly(r *openapi.Reading) (bool, string) {
	switch {
	case r.Kind == openapi.NotJSON:
		return false, "not JSON"
	case len(r.Violations) > 0:
		v := r.Violations[0]
		return false, "violates " + v.Keyword + " at " + cmp.Or(v.Path, "the root")
	case r.Document == nil:
		return false, "nested too deeply"
	case !r.Sound():
		return false, r.Document.Issues[0].Kind.String()
	}
	return true, "valid"
}

func (x *distinctAnswer) sum() (d digest) {
	h := sha256.New()
	for _, s := range []string{x.op.Slug, strconv.Itoa(x.status), x.contentType, x.says} {
		h.Write(binary.AppendUvarint(nil, uint64(len(s))))
		h.Write([]byte(s))
	}
	h.Write(form(x.body))
	h.Sum(d[:0])
	return d
}

// form returns a body with every run of six or more lower-case letters and digits,
// such as a fresh word, replaced by its length.
func form(body []byte) []byte {
	out := make([]byte, 0, len(body))
	for from := 0; from < len(body); {
		to := from
		for to < len(body) && (body[to] >= 'a' && body[to] <= 'z' || body[to] >= '0' && body[to] <= '9' && to > from) {
			to++
		}
		switch word := body[from:to]; {
		case len(word) == 0:
			out = append(out, body[from])
			to++
		case len(word) >= 6 && bytes.ContainsAny(word, "0123456789"):
			out = strconv.AppendInt(append(out, '*'), int64(len(word)), 10)
		default:
			out = append(out, word...)
		}
		from = to
	}
	return out
}
