package main

func paceMutants() []mutant {
	return []mutant{
		{
			Name: "retry-after-ignored", File: "throttle.go",
			Old: `		return min(time.Duration(n), 3600) * time.Second, true`,
			New: `		_ = n`,
			Why: "a target that asks for a minute is asked again after 200 ms",
		},
		{
			Name: "service-unavailable-is-patience", File: "throttle.go",
			Old: `r.Status == 503 && r.Get("Retry-After") != ""`,
			New: `r.Status == 503`,
			Why: "a server that answers 503 to a bad request is never judged for it",
		},
		{
			Name: "patience-grows-without-end", File: "throttle.go",
			Old: `first << min(tries, 6)`, New: `first << tries`,
			Why: "a case waits for minutes where seconds would do",
		},
		{
			Name: "wait-does-not-hold-others", File: "throttle.go",
			Old: `		t.until = until`, New: `		_ = until`,
			Why: "the other workers go on while the target asks for patience",
		},
		{
			Name: "throttle-never-forgets", File: "throttle.go",
			Old: `if now.Sub(t.since) > ceilingKept {`, New: `if false {`,
			Why: "a target that was busy once is tested slowly to the end",
		},
		{
			Name: "throttle-learns-from-credentials", File: "throttle.go",
			Old: `if !learns || together ||`, New: `if together ||`,
			Why: "the throttling of wrong credentials slows the whole run",
		},
		{
			Name: "one-burst-counts-for-each-request", File: "throttle.go",
			Old: `if !learns || together ||`, New: `if !learns || together && false ||`,
			Why: "eight refusals of one moment lower the rate eight times",
		},
		{
			Name: "flying-without-limit", File: "throttle.go",
			Old: `if t.maximum > 0 && t.flying >= t.maximum {`, New: `if false {`,
			Why: "a target that serves few requests at once is never asked for fewer",
		},
		{
			Name: "landed-not-counted", File: "throttle.go",
			Old: `	t.flying--`, New: ``,
			Why: "a run with a limit on requests stands still",
		},
		{
			Name: "rate-grows-over-ceiling", File: "throttle.go",
			Old: `grown = min(t.rate*rateGrowth, t.ceiling*rateMargin)`, New: `grown = t.rate * rateSearch`,
			Why: "a target with a limit is pushed beyond it again and again",
		},
		{
			Name: "rate-unlimited", File: "throttle.go",
			Old: `		t.next = t.next.Add(gap)`, New: `		_ = gap`,
			Why: "a learned rate is not kept",
		},
		{
			Name: "hopeless-rate-kept", File: "throttle.go",
			Old: `t.rate, t.hopeless = 0, true`, New: `t.hopeless = true`,
			Why: "a target that throttles at random is tested at a crawl",
		},
		{
			Name: "lockouts-not-counted", File: "times.go",
			Old: `	p.lockouts += d`, New: ``,
			Why: "a run waits for each wrong credential, for hours",
		},
		{
			Name: "fastest-taken-for-median", File: "times.go",
			Old: `return s[len(s)/2]`, New: `return s[0]`,
			Why: "a slow target is taken for a fast one",
		},
		{
			Name: "slow-tail-ignored", File: "times.go",
			Old: `max(limits.PaceFactor*s[n/2], 2*s[n*99/100])`, New: `limits.PaceFactor*s[n/2]`,
			Why: "answers that are slow now and then become time-outs",
		},
		{
			Name: "large-answers-all-at-once", File: "throttle.go",
			Old: `	n := min(int64(len(e.Response.Content)), maxRead)`, New: `	n := int64(1)`,
			Why: "eight answers of a megabyte are read at once, and the machine has no memory left",
		},
		{
			Name: "room-never-given-back", File: "throttle.go",
			Old: `return func() { f.read.Release(n) }, true`, New: `return func() {}, true`,
			Why: "a run stops after the first megabyte of answers",
		},
	}
}
