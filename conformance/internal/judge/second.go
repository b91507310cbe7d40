package judge

import (
	"context"
	"time"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/parallel"
	"plantstore/conformance/report"
)

// Second is another reader of the document: it says whether it takes an answer
// to an operation, else why not.
type Second func(op *contract.Operation, status int, contentType string, body []byte) (takes bool, why string)

// SecondReader names it in reports.
const SecondReader = "libopenapi-validator"

// secondTime is how long all questions together may take, so that a slow reader
// holds no run up; it decides no verdict.
const secondTime = 10 * time.Second

// secondOpinion asks about the distinct answers of the run.
func (j *Judge) secondOpinion(ctx context.Context) *report.SecondOpinion {
	if j.Second == nil {
		return nil
	}
	list := j.answers.taken()
	out := &report.SecondOpinion{Reader: SecondReader}
	if len(list) == 0 {
		return out
	}
	ctx, stop := context.WithTimeout(ctx, secondTime)
	defer stop()
	// In a goroutine of its own: a reader that hangs ends with the program.
	got := make(chan *report.Difference)
	failed := make(chan error, 1)
	asking := parallel.Start(func() {
		defer close(got)
		ask, err := j.Second()
		if err != nil {
			failed <- err
			return
		}
		for _, a := range list {
			select {
			case got <- j.compare(ask, a):
			case <-ctx.Done():
				return
			}
		}
	})
	for asked := 0; ; asked++ {
		select {
		case d, more := <-got:
			if !more {
				asking.Wait()
				out.NotAsked = len(list) - asked
				out.Reason = j.unasked(ctx, failed, out.NotAsked)
				return out
			}
			if d == nil {
				out.Agreed++
				continue
			}
			out.Disagreed++
			file(out, *d)
		case <-ctx.Done():
			out.NotAsked, out.Reason = len(list)-asked, "the time for it was spent"
			return out
		}
	}
}

// file adds a difference, or counts it where both said the same before.
func file(out *report.SecondOpinion, d report.Difference) {
	for i := range out.Differences {
		if old := &out.Differences[i]; old.Exact == d.Exact && old.Second == d.Second && old.Status == d.Status {
			old.Answers++
			return
		}
	}
	d.Answers = 1
	out.Differences = append(out.Differences, d)
}

// unasked says why some answers have no second opinion.
func (j *Judge) unasked(ctx context.Context, failed <-chan error, left int) string {
	select {
	case err := <-failed:
		return j.hide(err.Error())
	default:
	}
	if left > 0 && ctx.Err() != nil {
		return "the time for it was spent"
	}
	return j.answers.partial()
}

// compare asks about one answer; nil where both say the same.
func (j *Judge) compare(ask Second, a *distinctAnswer) *report.Difference {
	takes, why := ask(a.op, a.status, a.contentType, a.body)
	if takes == a.exact {
		return nil
	}
	if takes {
		why = "valid"
	}
	// Both name members, which are the target's words.
	word := func(s string) string { return jsontree.Cut(j.hide(s), 300) }
	return &report.Difference{Case: a.caseID, Status: a.status, ContentType: word(a.contentType),
		Exact: word(a.says), Second: word(why), Body: j.cut(a.body, kept)}
}
