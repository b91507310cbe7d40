package conformance

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"plantstore/conformance/internal/judge"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/redact"
	"plantstore/conformance/internal/reports"
	"plantstore/conformance/report"
)

// DiffTargets runs the plan against two targets, one after the other, and tells where they
// answer differently. Both get the same requests: Config.Target is not used. A target that
// cannot be tried is a *SetupError.
func DiffTargets(ctx context.Context, c Config, a, b string) (*report.TargetDiff, error) {
	if c.Cache == nil {
		c.Cache = &Cache{}
	}
	var both [2]*report.Report
	var seen [2]*answered
	for i, target := range []string{a, b} {
		c.Target, seen[i] = target, &answered{by: map[reports.Request]string{}}
		c.answered = seen[i]
		r, err := Run(ctx, c)
		switch {
		case err != nil:
			return nil, err
		case ctx.Err() != nil:
			return nil, errors.New("interrupted: nothing was compared")
		case len(seen[i].by) == 0:
			why := "nothing was answered"
			if len(r.Summary.Reasons) > 0 {
				why = r.Summary.Reasons[0]
			}
			return nil, fmt.Errorf("%s cannot be compared: %s", r.Header.Target, why)
		}
		both[i] = r
	}
	return reports.Targets(both[0], both[1], seen[0].by, seen[1].by), nil
}

// answered keeps how each request of the plan was answered the first time.
type answered struct {
	redactor *redact.Redactor // for what the target chose
	mu       sync.Mutex
	by       map[reports.Request]string
}

// note keeps an answer, unless there is one of that request.
func (n *answered) note(c *plan.Case, step int, p *judge.Played) {
	text := "no answer"
	if p.Answer != nil {
		text = n.redactor.Text(p.Answer.String())
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	at := reports.Request{Case: c.ID, Step: step}
	if _, known := n.by[at]; !known {
		n.by[at] = text
	}
}
