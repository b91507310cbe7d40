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
	}
}
