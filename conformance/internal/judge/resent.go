package judge

import (
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// Resent keeps what rules say of answers that no case sees, because the client waited and sent the
// request again: the first answer that passes and the first one that fails, for each requirement.
type Resent struct {
	mu   sync.Mutex
	list []Played
	seen map[verdictAt]bool
}

type verdictAt struct {
	at      int
	verdict report.Verdict
}

// JudgeResent applies the rules about header fields to an answer after which the client sent the
// request again. The rest of such an answer says nothing about the request.
func (j *Judge) JudgeResent(m *message.Message, e *exchange.Exchange) {
	if e.Failure != nil || e.Response == nil {
		return
	}
	sent, got := j.Endpoint.Classify(m, e.Request), requirement.Read(m.Op, e)
	p := requirement.Input{Op: m.Op, Exchange: e, Sent: sent, Got: got, Hide: j.Redactor.Text}
	checked := &Checked{Passed: j.NewSet(m.Op), Suppressed: j.NewSet(m.Op)}
	j.Resent.mu.Lock()
	defer j.Resent.mu.Unlock()
	news := false
	for i, end := j.Of(m.Op); i < end; i++ {
		b := &j.Bound[i]
		if b.Rule.Rank != requirement.Header || !b.About(m.Op) {
			continue
		}
		p.Requirement = b.Requirement
		o := b.Rule.Check(&p)
		if !j.Resent.first(i, o.Verdict) {
			continue
		}
		news = true
		j.shorten(&o)
		switch {
		case o.Verdict == report.Pass:
			checked.Passed.Add(i)
		case b.Level == report.Must && checked.Reason == nil:
			checked.Reason = &Finding{i, o}
		case b.Level == report.Must:
			checked.Apart = append(checked.Apart, Finding{i, o})
		default:
			checked.Warnings = append(checked.Warnings, Finding{i, o})
		}
	}
	if !news {
		return
	}
	played := Played{Sender: "again", Sent: sent, Exchange: e, Answer: got, Checked: checked}
	played.Step.Message = m.Clone()
	j.Lighten(&played)
	j.Resent.list = append(j.Resent.list, played)
}

// first reports whether a verdict is pass or fail, and the first such one on its requirement.
func (r *Resent) first(at int, v report.Verdict) bool {
	key := verdictAt{at, v}
	if v != report.Pass && v != report.Fail || r.seen[key] {
		return false
	}
	if r.seen == nil {
		r.seen = map[verdictAt]bool{}
	}
	r.seen[key] = true
	return true
}

// Take returns the answers that were judged since it was called last.
func (r *Resent) Take() []Played {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}
