// Package secondopinion asks libopenapi-validator, which users know, what it
// makes of the distinct answers of a run, and compares that with the exact judge, after the
// verdicts. It decides nothing; the report tells where the two differ.
//
// It is the only importer of libopenapi and its validator, and hands out no type
// of theirs: their generic types would be compiled again in every package that
// can reach them.
package secondopinion

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"
	"strconv"
	"sync"
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
	"plantstore/internal/parallel"
)

// Second is another reader of the document. It reports whether it accepts an answer
// to an operation, and if not, why.
type Second func(op *openapi.Operation, status int, contentType string, body []byte) (takes bool, why string)

// SecondReader is its name in reports.
const SecondReader = "libopenapi-validator"

// secondTime is how long all questions together may take, so that a slow reader
// does not delay a run. It decides no verdict.
const secondTime = 10 * time.Second

// Check keeps the distinct answers of a run until a second reader is asked.
type Check struct {
	// Open makes the reader, once.
	Open func() (Second, error)
	// Redactor removes credentials from what is shown.
	Redactor *redact.Redactor
	// Agreed and Disagreed identify the answers that Ask asked about, as in
	// report.Part: those that both say the same of, and those of each difference, in their order.
	Agreed    []byte
	Disagreed [][]byte
	answers   answers
}

// Note keeps the answer of a step after the exact judge has read it.
func (k *Check) Note(caseID string, p *judge.Played) { k.answers.note(caseID, p) }

// cut removes secrets from what a target sent, then shortens it.
func (k *Check) cut(b []byte) report.Bytes {
	b = k.Redactor.Bytes(b, false)
	if len(b) <= limits.Kept {
		return report.Bytes{Data: b}
	}
	return report.Bytes{Data: b[:limits.Kept], Cut: len(b) - limits.Kept}
}

// Ask asks about the distinct answers of the run. It returns nil if there is no
// second reader.
func (k *Check) Ask(ctx context.Context) *report.SecondOpinion {
	if k == nil {
		return nil
	}
	list := k.answers.taken()
	out := &report.SecondOpinion{Reader: SecondReader}
	if len(list) == 0 {
		return out
	}
	ctx, stop := context.WithTimeout(ctx, secondTime)
	defer stop()
	// In a goroutine, so that the run can continue if a reader hangs.
	type asked struct {
		difference *report.Difference
		digest     digest
	}
	got := make(chan asked)
	failed := make(chan error, 1)
	asking := parallel.Start(func() {
		defer close(got)
		ask, err := k.Open()
		if err != nil {
			failed <- err
			return
		}
		for _, a := range list {
			select {
			case got <- asked{k.compare(ask, a), a.digest}:
			case <-ctx.Done():
				return
			}
		}
	})
	for n := 0; ; n++ {
		select {
		case x, more := <-got:
			if !more {
				asking.Wait()
				out.NotAsked = len(list) - n
				out.Reason = k.unasked(ctx, failed, out.NotAsked)
				return out
			}
			if x.difference == nil {
				out.Agreed++
				k.Agreed = append(k.Agreed, x.digest[:report.AnswerBytes]...)
				continue
			}
			out.Disagreed++
			at := file(out, *x.difference)
			if at == len(k.Disagreed) {
				k.Disagreed = append(k.Disagreed, nil)
			}
			k.Disagreed[at] = append(k.Disagreed[at], x.digest[:report.AnswerBytes]...)
		case <-ctx.Done():
			out.NotAsked, out.Reason = len(list)-n, over(ctx)
			return out
		}
	}
}

// file adds a difference, or counts it if the same one is known, and returns its index.
func file(out *report.SecondOpinion, d report.Difference) int {
	for i := range out.Differences {
		if out.Differences[i].Same(d) {
			out.Differences[i].Answers++
			return i
		}
	}
	d.Answers = 1
	out.Differences = append(out.Differences, d)
	return len(out.Differences) - 1
}

// unasked returns why some answers have no second opinion.
func (k *Check) unasked(ctx context.Context, failed <-chan error, left int) string {
	select {
	case err := <-failed:
		return k.Redactor.Text(err.Error())
	default:
	}
	if left > 0 && ctx.Err() != nil {
		return over(ctx)
	}
	return k.answers.partial()
}

// over says why the context of the questions ended. That of the run may have its own limit.
func over(ctx context.Context) string {
	if errors.Is(ctx.Err(), context.Canceled) {
		return "the run was interrupted"
	}
	return "it reached its time limit"
}

// compare asks about one answer. It returns nil if both agree.
func (k *Check) compare(ask Second, a *distinctAnswer) *report.Difference {
	takes, why := ask(a.op, a.status, a.contentType, a.body)
	if takes == a.exact {
		return nil
	}
	if takes {
		why = "valid"
	}
	// Both texts name members, which the target chose.
	word := func(s string) string { return jsontree.Cut(k.Redactor.Text(s), 300) }
	return &report.Difference{Case: a.caseID, Status: a.status, ContentType: word(a.contentType),
		Exact: word(a.says), Second: word(why), Body: k.cut(a.body)}
}

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
	if p.Answer == nil || p.Answer.Reading == nil || p.Answer.NotJSON || p.Answer.Reading.Kind == schema.Undecided {
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

func (s *shelf) put(x *distinctAnswer, maximum int) {
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
	if len(s.known) > maximum+maximum/4 {
		s.drop(maximum)
	}
}

// drop keeps the answers with the smallest digests and removes the others.
func (s *shelf) drop(maximum int) []*distinctAnswer {
	list := make([]*distinctAnswer, 0, len(s.known))
	for _, x := range s.known {
		list = append(list, x)
	}
	slices.SortFunc(list, func(x, y *distinctAnswer) int { return bytes.Compare(x.digest[:], y.digest[:]) })
	if len(list) > maximum {
		for _, x := range list[maximum:] {
			delete(s.known, x.digest)
		}
		list, s.limit = list[:maximum], &list[maximum-1].digest
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
func exactly(r *schema.Reading) (bool, string) {
	switch {
	case r.Kind == schema.NotJSON:
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

// Answer is what an opinion is about.
type Answer struct {
	Method, Path string // as the document spells them
	Status       int
	ContentType  string // the field's value; empty where there was none
	Body         []byte // without content coding
}

// Opinion is what libopenapi-validator says of one answer.
type Opinion struct {
	OK  bool
	Why string // the first reason, one line; empty where OK
}

// Reader gives opinions; it may be asked from one goroutine at a time.
type Reader interface {
	Ask(Answer) Opinion
}

// New reads a document, which is JSON and refers to nothing but itself. The error
// says in one line why libopenapi cannot read it.
func New(document []byte) (Reader, error) { return open(document) }
