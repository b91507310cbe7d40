package main

func targetMutants() []mutant {
	return []mutant{
		{
			Name: "every-conflict-excused", File: "shared.go",
			Old: ` || e.Response.Status != status`, New: ``,
			Why: "a server that answers 409 to valid requests passes", Also: []string{"conformance/internal/execute"},
		},
		{
			Name: "wrong-credential-taken-for-another-principal", File: "operations.go",
			Old: `!p.likeWrongToken(ctx, e)`, New: `(true || !p.likeWrongToken(ctx, e))`,
			Why: "a server passes that refuses the second credential everywhere",
		},
		{
			Name: "refused-media-type-not-reached", File: "reached.go",
			Old: `if p.op.IsAdditional() && p.t.Facts`, New: `if false && p.t.Facts`,
			Why: "a media type that the server refuses is no failure",
		},
		{
			Name: "made-in-another-media-type-stays", File: "made.go",
			Old: `k.makers[m.Op.First()]`, New: `k.makers[m.Op]`,
			Why: "what forms made stays in the server",
		},
		{
			Name: "timeout-answer-never-resent", File: "send.go",
			Old: `case outOfTime(e) && tries < limits.OutOfTimeTries:`, New: `case false:`,
			Why: "a busy machine makes a conforming server fail with 408",
		},
		{
			Name: "timeout-answer-resent-for-ever", File: "send.go",
			Old: `outOfTime(e) && tries < limits.OutOfTimeTries`, New: `outOfTime(e)`,
			Why: "a server that answers 408 to everything is never judged",
		},
		{
			Name: "timeout-answer-on-same-connection", File: "send.go",
			Old: "tries < limits.OutOfTimeTries:\n\t\t\ts.Fresh()", New: "tries < limits.OutOfTimeTries:",
			Why: "the second try meets a connection that the server is closing",
		},
		{
			Name: "throttled-answer-judged", File: "send.go",
			Old: `		d, limited := t.throttle.Timeout(e, tries)`, New: `		d, limited := t.throttle.Timeout(e, tries)
		limited = false`,
			Why: "429 fails a server that only asks to wait",
		},
		{
			Name: "patience-without-end", File: "send.go",
			Old: `waited > limits.ThrottleWait`, New: `false`,
			Why: "a run never ends where a target always answers 429",
		},
		{
			Name: "lockouts-never-seen", File: "send.go",
			Old: `case limited && t.lockedOut(ctx, s, m, e, d):`, New: `case limited && t.lockedOut(ctx, s, m, e, d) && false:`,
			Why: "a server that answers 429 to wrong credentials is never seen to refuse them",
		},
		{
			Name: "lockout-without-control", File: "send.go",
			Old: `return Accepted(m.Op, behind)`, New: `return behind != nil`,
			Why: "a limit on all requests is taken for the refusal of a credential",
		},
		{
			Name: "lockout-control-about-no-thing", File: "send.go",
			Old: `t.Baseline(t.Fresh(m.Op)).Put(m.Bound)`, New: `t.Baseline(t.Fresh(m.Op))`,
			Why: "a server that answers 429 to wrong credentials is never seen to refuse them where a thing is needed",
		},
		{
			Name: "credential-throttling-learned", File: "send.go",
			Old: `d, valid && !beyond)`, New: `d, valid || !beyond)`,
			Why: "the throttling of wrong credentials slows the whole run",
		},
		{
			Name: "pace-not-measured", File: "send.go",
			Old: `			t.pace.Answered(e.Took)`, New: ``,
			Why: "a slow target is waited for as if it were fast",
		},
		{
			Name: "closing-connection-judged", File: "send.go",
			Old: `t.Facts.Few && e.Fresh && closed(e) && tries < limits.ClosingTries`, New: `false`,
			Why: "a server with one connection fails because the one before is still closing",
		},
		{
			Name: "user-rate-ignored", File: "send.go",
			Old: `!t.paced(ctx) || `, New: ``,
			Why: "--rate does nothing",
		},
		{
			Name: "cancelled-request-judged", File: "send.go",
			Old: `e.Failure.Kind == exchange.Canceled`, New: `false`,
			Why: "the end of a run fails the server",
		},
		{
			Name: "control-without-answer-counts", File: "send.go",
			Old: `return e, e != nil && e.Failure == nil`, New: `return e, e != nil`,
			Why: "a dead target is taken for one that lives, and a time-out is charged to a request",
		},
		{
			Name: "needed-members-not-given", File: "send.go",
			Old: `	t.Facts.Complete(g, m)`, New: ``,
			Why: "every baseline request is refused",
		},
		{
			Name: "repeat-places-overlap", File: "target.go",
			Old: `return int(t.retries.Add(n) - n + 1)`, New: `return int(t.retries.Add(min(n, 1)))`,
			Why: "the retry of a sequence sends values that were sent before",
		},
		{
			Name: "generation-tried-once", File: "operations.go",
			Old: "	for i := range limits.GenerationTries {\n\t\tgeneration := laterGeneration(start, i)", New: "	for i := range 1 {\n\t\tgeneration := laterGeneration(start, i)",
			Why: "the second run against a store of unique ids fails",
		},
		{
			Name: "unauthorised-taken-for-repeat", File: "operations.go",
			Old: `status != 401 && `, New: ``,
			Why: "a token that is not valid is sent twenty times, and the client is locked out",
		},
		{
			Name: "needs-not-learned", File: "operations.go",
			Old: `				p.facts.Needs = needs`, New: `				_ = needs`,
			Why: "a server that needs an optional member fails every case",
		},
		{
			Name: "needs-learned-too-soon", File: "operations.go",
			Old: `if p.lacks(ctx, set) {`, New: `if p.lacks(ctx, set) || true {`,
			Why: "one refusal hides that a server takes no request without an optional member",
		},
		{
			Name: "repeats-not-learned", File: "operations.go",
			Old: `if !ok && p.last != nil && p.last.Failure == nil {`, New: `if !ok && p.last == nil {`,
			Why: "a store of unique ids fails sequences that repeat an id",
		},
		{
			Name: "starting-server-charged", File: "operations.go",
			Old: `return e.Failure != nil || slices.Contains([]int{408, 429, 502, 503, 504}, e.Response.Status)`, New: `return e.Failure != nil || slices.Contains([]int{408, 429}, e.Response.Status)`,
			Why: "a server that is still starting fails",
		},
		{
			Name: "first-refusal-forgotten", File: "preflight.go",
			Old: `		p.t.Hold(*r)`, New: ``,
			Why: "a server that refuses the first valid request passes",
		},
		{
			Name: "earlier-runs-not-seen", File: "made.go",
			Old: `			p.t.Facts.EarlierRuns = round`, New: ``,
			Why: "the second run against a store of unique ids fails for the largest integer",
		},
		{
			Name: "turned-away-taken-for-served", File: "preflight.go",
			Old: `				turned[i] = true`, New: `				answers.Add(1)`,
			Why: "429 on a connection too many counts as served, and the run is refused all the time",
		},
		{
			Name: "all-connections-served", File: "preflight.go",
			Old: `served := int(answers.Load())`, New: `served := limits.Probed - 1 + 0*int(answers.Load())`,
			Why: "a server with one connection gets eight, and its time-outs fail it",
		},
		{
			Name: "slow-connection-not-served", File: "broken.go",
			Old: `for range limits.ServedAnswers {`, New: `for range limits.ServedAnswers * 0 {`,
			Why: "a busy machine makes a target serve one connection, and concurrency is not tested",
		},
		{
			Name: "request-limit-taken-for-connections", File: "send.go",
			Old: `first.Failure == nil && !client.Throttled(first)`, New: `first.Failure == nil`,
			Why: "a limit on requests leaves one connection, and concurrency is not tested",
		},
		{
			Name: "unknown-token-charged", File: "shared.go",
			Old: `e.Failure == nil && p.likeWrongToken(ctx, e)`, New: `false`,
			Why: "a user who mistypes the token is told that the server is wrong",
		},
		{
			Name: "any-refusal-charged-on-token", File: "shared.go",
			Old: `got.Response.Status != e.Response.Status`, New: `false`,
			Why: "a server that refuses a valid request passes as one with an unknown token",
		},
		{
			Name: "base-address-not-hinted", File: "shared.go",
			Old: `e.Response.Status == http.StatusNotFound`, New: `e.Response.Status == -http.StatusNotFound`,
			Why: "a user with a wrong --target is not told so",
		},
		{
			Name: "small-head-may-be-closed", File: "broken.go",
			Old: `return closed(e) && len(e.Request.Head) > exchange.LargeHead`, New: `return closed(e) && len(e.Request.Head) > exchange.LargeHead*0`,
			Why: "a server that drops ordinary requests passes",
		},
		{
			Name: "refusal-of-fresh-value-excused", File: "facts.go",
			Old: `r.Status == g.Status && !fresh && r.form.Fits(g)`, New: `r.Status == g.Status && (!fresh || fresh) && r.form.Fits(g)`,
			Why: "a store of unique ids may refuse any value",
		},
		{
			Name: "every-refusal-like-a-repeat", File: "facts.go",
			Old: `r.Status == g.Status && !fresh && r.form.Fits(g)`, New: `r.Status == g.Status && !fresh`,
			Why: "a store of unique ids may refuse the largest integer for whatever reason",
		},
	}
}
