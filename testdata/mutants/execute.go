package main

func executeMutants() []mutant {
	return []mutant{
		{
			Name: "things-of-others-changed", File: "lifecycle.go",
			Old: "			if changes(steps[i+1:]) && of.another() {", New: "			if false {",
			Why: "a run deletes what the other principal had before, and a server fails that numbers the things of each",
		},
		{
			Name: "strangers-tried", File: "case.go",
			Old: `if why := run.secondPrincipal(steps); why != "" {`, New: `if why := run.secondPrincipal(steps); false && why != "" {`,
			Why: "a server passes that refuses the second credential everywhere",
		},
		{
			Name: "drops-never-retried", File: "case.go",
			Old: `if transport(out[i].Exchange) {`, New: `if transport(out[i].Exchange) && Hung(out[i].Exchange) {`,
			Why: "one crash fails the innocent requests beside it",
		},
		{
			Name: "time-outs-never-retried", File: "case.go",
			Old: `if transport(out[i].Exchange) {`, New: `if transport(out[i].Exchange) && !Hung(out[i].Exchange) {`,
			Why: "a busy machine fails a conforming server",
		},
		{
			Name: "retries-left", File: "phases.go",
			Old: `	run.retryAll(ctx, cases)`, New: `	_ = cases`,
			Why: "a server that drops requests is never charged",
		},
		{
			Name: "all-drops-large", File: "retry.go",
			Old: `case broken && large(last):`, New: `case broken:`,
			Why: "a server that drops requests passes",
		},
		{
			Name: "large-resets-judged", File: "retry.go",
			Old: `case broken && large(last):`, New: `case broken && large(last) && false:`,
			Why: "a server fails that refuses a large body while it is sent",
		},
		{
			Name: "small-writes-excused", File: "retry.go",
			Old: "case exchange.DroppedWriting:\n\t\treturn size > limits.LostAnswer", New: "case exchange.DroppedWriting:\n\t\treturn size > limits.LostEnd",
			Why: "a server that drops a body of 10 kB passes",
		},
		{
			Name: "orderly-end-excused", File: "retry.go",
			Old: "case exchange.Dropped:\n\t\treturn size > limits.LostAnswer && !whole", New: "case exchange.Dropped:\n\t\treturn size > limits.LostAnswer",
			Why: "a server that crashes on large bodies passes",
		},
		{
			Name: "first-control-ignored", File: "retry.go",
			Old: `if e, ok := run.Target.Control(ctx, c.Op); !ok {`, New: `if e, ok := run.Target.Control(ctx, c.Op); !ok && e == nil {`,
			Why: "a dead target is charged with the request that was tried next",
		},
		{
			Name: "second-control-ignored", File: "retry.go",
			Old: `	case broken && !scenarios:`, New: `	case broken && !scenarios && false:`,
			Why: "a request that kills the target is one failure among many, and what follows is noise",
		},
		{
			Name: "no-time-to-come-back", File: "retry.go",
			Old: `if ok || !time.Now().Before(end) {`, New: `if true || ok || !time.Now().Before(end) {`,
			Why: "a server that a supervisor starts again is lost",
		},
		{
			Name: "lost-target-asked-on", File: "end.go",
			Old: "	run.lost.Store(true)\n	if e == nil", New: "	if e == nil",
			Why: "a run waits for a dead target for hours",
		},
		{
			Name: "lost-target-not-charged", File: "end.go",
			Old: `	r.Failures = append(r.Failures, run.unansweredFailure(c, p, id, requirement.Failed("died"`, New: `	_ = append(r.Failures, run.unansweredFailure(c, p, id, requirement.Failed("died"`,
			Why: "a server that a request kills does not fail",
		},
		{
			Name: "retry-with-used-values", File: "retry.go",
			Old: "	defer own.Close()\n	id := run.Target.Identity(run.Target.RetryOf(c))", New: "	defer own.Close()\n	id := run.Target.Identity(0)",
			Why: "a store of unique ids refuses the retry and fails",
		},
		{
			Name: "all-retries-tried", File: "retry.go",
			Old: `if failed[c.Class.Slug] >= limits.RetriesJudged {`, New: `if false {`,
			Why: "a run against a server that hangs takes hours",
		},
		{
			Name: "flaky-probe-never-started", File: "retry.go",
			Old: `if last != nil && !run.lost.Load() {`, New: `if false {`,
			Why: "a server that drops every tenth request passes",
		},
		{
			Name: "one-drop-starts-probe", File: "retry.go",
			Old: `if innocent < limits.FlakyDrops {`, New: `if innocent == 0 {`,
			Why: "one dropped request costs four hundred more",
		},
		{
			Name: "kept-connection-for-fresh-step", File: "steps.go",
			Old: "if list[i].Step.Fresh {\n\t\t\ts.Fresh()", New: "if list[i].Step.Fresh {\n\t\t\t_ = s",
			Why: "what only a fresh connection shows is never tried",
		},
		{
			Name: "parallel-steps-one-by-one", File: "steps.go",
			Old: `for steps[0].Parallel && n < len(steps) && steps[n].Parallel &&`, New: `for false &&`,
			Why: "a race in the server is never tried",
		},
		{
			Name: "repeats-not-marked", File: "steps.go",
			Old: `				out[i].Sent.Reused = true`, New: ``,
			Why: "a store of unique ids fails when an id is sent twice",
		},
		{
			Name: "race-has-a-winner", File: "steps.go",
			Old: ` || out[i].Step.Parallel && u.count[v.text] > 1`, New: ``,
			Why: "a store of unique ids fails when two requests with one id are sent at once",
		},
		{
			Name: "refusals-store", File: "steps.go",
			Old: `return !d.Refuses() && d != message.RefuseCredential || explore.Accepted(`, New: `return true || !d.Refuses() && d != message.RefuseCredential || explore.Accepted(`,
			Why: "a server that keeps the id of a refused request passes",
		},
		{
			Name: "judged-behind-failure", File: "steps.go",
			Old: `	*failed = p.Checked.Reason != nil`, New: ``,
			Why: "one fault is reported once for each request behind it",
		},
		{
			Name: "sequence-goes-on-after-drop", File: "steps.go",
			Old: `slow || transport(out[to-1].Exchange) && len(steps) > 1`, New: `slow`,
			Why: "what comes behind a dropped request is judged as if that had been answered",
		},
		{
			Name: "time-out-taken-for-answer", File: "steps.go",
			Old: `case exchange.Malformed, exchange.TooLarge:`, New: `case exchange.Malformed, exchange.TooLarge, exchange.TimedOut:`,
			Why: "a time-out is charged without a control",
		},
		{
			Name: "truncated-judged-at-once", File: "steps.go",
			Old: `case exchange.Malformed, exchange.TooLarge:`, New: `case exchange.Malformed, exchange.TooLarge, exchange.Truncated:`,
			Why: "one crash fails the answers beside it",
		},
		{
			Name: "sequences-in-parallel", File: "phases.go",
			Old: `		if connections == 1 && run.slow() {`, New: `		if connections == 1 {`,
			Why: "a sequence fails for what another left behind",
		},
		{
			Name: "heavy-in-parallel", File: "phases.go",
			Old: `		run.phase(ctx, cases, &row{cases: cases}, workerPool{workers: 1})
	default:`, New: `		run.phase(ctx, cases, &row{cases: cases}, workerPool{workers: workers})
	default:`,
			Why: "a server runs out of memory that stands each body alone",
		},
		{
			Name: "credentials-first", File: "phases.go",
			Old: `for i, stage := range stages {`,
			New: `for i := range stages {
		stage := stages[len(stages)-1-i]`,
			Why: "refused credentials lock the client out before anything else is tried",
		},
		{
			Name: "credentials-never", File: "phases.go",
			Old: `range stages {`, New: `range stages[:len(stages)-1] {`,
			Why: "a server without authentication passes",
		},
		{
			Name: "inapplicable-sent", File: "case.go",
			Old: `case min(c.Class.Connections, limits.Probed) > max(1, run.Target.Facts.Connections):`, New: `case false:`,
			Why: "a server with one connection fails the concurrent cases",
		},
		{
			Name: "workers-beyond-connections", File: "phases.go",
			Old: `		n = min(n, facts.Connections)`, New: ``,
			Why: "a server with two connections turns away most of the run",
		},
		{
			Name: "first-of-class-not-first", File: "phases.go",
			Old: `cmp.Compare(run.rounds[a], run.rounds[b]), cmp.Compare(a.Seed`, New: `0, cmp.Compare(a.Seed`,
			Why: "a slow target is tried in some classes and not in others",
		},
		{
			Name: "plan-order-on-the-wire", File: "phases.go",
			Old: `cmp.Compare(a.Seed, b.Seed)`, New: `0`,
			Why: "a target can tell from the order what comes next",
		},
		{
			Name: "late-cases-sent", File: "phases.go",
			Old: `if c.Draw > 0 && run.late() {`, New: `if false {`,
			Why: "a slow target is tried in the first classes alone",
		},
		{
			Name: "first-of-class-left-out-when-late", File: "phases.go",
			Old: `if c.Draw > 0 && run.late() {`, New: `if run.late() {`,
			Why: "a slow target is tried in the first classes alone",
		},
		{
			Name: "unaccepted-operation-tried", File: "case.go",
			Old: `case !facts.Accepted && facts.Unreached == "":`, New: `case false:`,
			Why: "a server that refuses everything keeps every refusal, and much of it passes",
		},
		{
			Name: "others-deleted", File: "end.go",
			Old: `r == nil || r.Kind < schema.Invalid {`, New: `r == nil {`,
			Why: "the run deletes what the target had before",
		},
		{
			Name: "set-up-failure-unsaid", File: "steps.go",
			Old: `fmt.Errorf("what it needs could not be made: %w", err)`, New: `fmt.Errorf("%w", errStopped)`,
			Why: "a user is told to lower the rate where a set-up failed",
		},
		{
			Name: "full-thing-kept", File: "case.go",
			Old: `		run.Target.Unshare(c.Op)
`, New: ``,
			Why: "a right server fails once a thing that cases share is full",
		},
		{
			Name: "collection-deleted-beside-others", File: "phases.go",
			Old: `return run.Target.Clears(c.Op) })`, New: `return run.Target.Clears(c.Op) && false })`,
			Why: "the run deletes what a case is about, and a right server fails",
		},
		{
			Name: "write-hides-itself", File: "lifecycle.go",
			Old: `return op.Method == http.MethodGet || op.Method == http.MethodHead || rule.Aspect == requirement.AspectDeleted`, New: `return true || op.Method == http.MethodGet`,
			Why: "a DELETE that another principal may send is found to be refused the second time", Also: []string{"reference/services"},
		},
		{
			Name: "deletions-beside-others", File: "phases.go",
			Old: `return c.Class.Alone })`, New: `return false })`,
			Why: "a server fails that gives the key of a deleted thing to another one", Also: []string{"reference/services"},
		},
		{
			Name: "deletions-of-one-family-together", File: "run.go",
			Old: `if !one.taken && len(one.cases) > 0`, New: `if len(one.cases) > 0`,
			Why: "a deleted key is given to the case beside it",
		},
		{
			Name: "disturbed-not-tried-alone", File: "run.go",
			Old: `return len(r.Failures) > 0 || strings.HasPrefix(`, New: `return false && strings.HasPrefix(`,
			Why: "a server fails whose kinds share their keys",
		},
		{
			Name: "patience-taken-for-end", File: "end.go",
			Old: `case ctx.Err() != nil:`, New: `default:`,
			Why: "a user is not told that --rate would help",
		},
		{
			Name: "cut-short-passes", File: "case.go",
			Old: `if len(out) < len(steps) && len(r.Failures) == 0 {`, New: `if false {`,
			Why: "half a sequence passes for a whole one",
		},
		{
			Name: "failures-behind-the-first-kept", File: "case.go",
			Old: "run.Judge.InPart(got)) {\n			break", New: "run.Judge.InPart(got)) {\n			continue",
			Why: "one fault is reported once for each request behind it",
		},
		{
			Name: "openings-not-judged", File: "phases.go",
			Old: `		run.judgeOpening(o)`, New: `		_ = o`,
			Why: "a server that refuses the first valid request passes",
		},
		{
			Name: "opening-hides-case", File: "end.go",
			Old: `		r.Failures = slices.Concat(old.Failures, r.Failures)`, New: `		_ = slices.Concat(old.Failures, r.Failures)`,
			Why: "the failures of the first case are lost",
		},
		{
			Name: "needed-members-not-in-cases", File: "case.go",
			Old: `		run.Target.Facts.Complete(run.Target.FreshAs(m.Op, id), m)`, New: `		_ = id`,
			Why: "a server that needs an optional member fails every case",
		},
		{
			Name: "wrong-bytes-not-noticed", File: "case.go",
			Old: `				r.OwnFault = "the bytes of`, New: `				_ = "the bytes of`,
			Why: "a fault of the suite is charged to the target",
		},
		{
			Name: "unanswered-passes", File: "timeouts.go",
			Old: `	r.Suppressed.Union(run.Judge.Covers(c))`, New: `	r.Passed.Union(run.Judge.Covers(c))`,
			Why: "requests without an answer are green",
		},
		{
			Name: "unanswered-without-reason", File: "timeouts.go",
			Old: `	r.SuppressedBy = by.requirement`, New: ``,
			Why: "the report does not say why a requirement was not tried",
		},
		{
			Name: "hang-confirmed-for-ever", File: "retry.go",
			Old: `		run.timeouts.confirm(c,`, New: `		_ = func(...any) {}; new(timeouts).confirm(c,`,
			Why: "every case of a class that hangs is waited for in full",
		},
		{
			Name: "slow-class-forgotten", File: "timeouts.go",
			Old: `limits.SlowFactor*h.slow[c.Class.Slug]`, New: `0`,
			Why: "each case of a slow class is tried twice",
		},
		{
			Name: "pace-not-waited-for", File: "timeouts.go",
			Old: `max(minimum, pace, `, New: `max(minimum, `,
			Why: "on a slow target every first try is a time-out",
		},
		{
			Name: "user-time-exceeded", File: "timeouts.go",
			Old: `return min(whole, max(minimum`, New: `return max(whole, max(minimum`,
			Why: "each first try waits the whole time, and a server that hangs costs hours",
		},
		{
			Name: "answered-again-left-out", File: "retry.go",
			Old: `r.State == judge.ToRetry {
		run.records.set(c, run.unanswered(c, by))`, New: `r.State != judge.Tried || true {
		run.records.set(c, run.unanswered(c, by))`,
			Why: "a class that is answered is left behind the time-out of another",
		},
	}
}
