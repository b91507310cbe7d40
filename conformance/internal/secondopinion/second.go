// Package crosscheck compares the exact judge with a second reader of the document.
// It keeps the distinct answers of a run and asks about them after the verdicts.
package secondopinion

import (
	"context"
	"errors"
	"time"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/redact"
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
