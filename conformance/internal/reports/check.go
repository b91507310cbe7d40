package reports

import (
	"errors"
	"fmt"
	"strings"

	"plantstore/conformance/report"
)

// check refuses reports that are not all shards of one plan, each once.
func check(list []report.Named) error {
	if len(list) == 0 {
		return errors.New("no report: give the reports of all shards")
	}
	for _, x := range list {
		s := x.Report.Header.Shard
		if s == nil || x.Report.Part == nil {
			return fmt.Errorf("%s is not the report of a shard: write it with run --shard I/N --report json=FILE", x.Name)
		}
		if s.Number < 1 || s.Number > s.Of {
			return fmt.Errorf("%s is shard %s, which no run can be: the report was changed", x.Name, s)
		}
	}
	first := list[0]
	for _, x := range list[1:] {
		if what := different(first.Report, x.Report); what != "" {
			return fmt.Errorf("%s and %s are not from the same plan: %s", first.Name, x.Name, what)
		}
	}
	return complete(list)
}

// different says how two runs differ; empty if they are shards of one plan.
func different(a, b *report.Report) string {
	for _, s := range []struct {
		name string
		a, b any
	}{
		{"suite", a.Tool, b.Tool},
		{"document", a.Header.Document, b.Header.Document},
		{"digest of the document", a.Header.Digest, b.Header.Digest},
		{"seed", a.Header.Seed, b.Header.Seed},
		{"draws", a.Header.Draws, b.Header.Draws},
		{"effort", a.Header.Effort, b.Header.Effort},
		{"target", target(a), target(b)},
		{"subjects", fmt.Sprint(a.Header.Subjects), fmt.Sprint(b.Header.Subjects)},
		{"number of shards", a.Header.Shard.Of, b.Header.Shard.Of},
		{"--fail-on", a.Header.FailOn, b.Header.FailOn},
		{"--require-all", a.Header.RequireAll, b.Header.RequireAll},
		{"--name-cases", a.Header.NamedCases, b.Header.NamedCases},
		{"--traceparent", a.Header.Traced, b.Header.Traced},
		{"selection", strings.Join(a.Header.Selection, " "), strings.Join(b.Header.Selection, " ")},
		{"values", strings.Join(a.Header.Values, " "), strings.Join(b.Header.Values, " ")},
		{"values file", documentOf(a), documentOf(b)},
		{"left out", strings.Join(a.Header.LeftOut, "; "), strings.Join(b.Header.LeftOut, "; ")},
		{"plan", a.Header.Shard.Plan, b.Header.Shard.Plan},
	} {
		if s.a != s.b {
			return fmt.Sprintf("%s %v and %v", s.name, valueOrNone(s.a), valueOrNone(s.b))
		}
	}
	return ""
}

// target names the target. Each run starts its own embedded server.
func target(r *report.Report) string {
	if r.Header.Embedded {
		return "embedded reference server"
	}
	return r.Header.Target
}

func documentOf(r *report.Report) string {
	if r.Header.ValuesFile == nil {
		return ""
	}
	return r.Header.ValuesFile.Digest
}

func valueOrNone(v any) any {
	if v == "" {
		return "none"
	}
	return v
}

// complete refuses a shard that is there twice, and names those that are missing.
func complete(list []report.Named) error {
	of := list[0].Report.Header.Shard
	seen := map[int]string{}
	cases := 0
	for _, x := range list {
		s := x.Report.Header.Shard
		if other, twice := seen[s.Number]; twice {
			return fmt.Errorf("%s and %s are both shard %s: give one of them", other, x.Name, s)
		}
		seen[s.Number] = x.Name
		cases += x.Report.Header.Cases
	}
	var missing []string
	for n := 1; n <= of.Of && len(missing) < mostNamed; n++ {
		if seen[n] == "" {
			missing = append(missing, fmt.Sprintf("%d/%d", n, of.Of))
		}
	}
	switch left := of.Of - len(list) - len(missing); {
	case len(missing) == 1 && left == 0:
		return fmt.Errorf("shard %s is missing: give the reports of all shards", missing[0])
	case left > 0:
		return fmt.Errorf("shards %s and %d more are missing: give the reports of all shards", strings.Join(missing, ", "), left)
	case len(missing) > 0:
		return fmt.Errorf("shards %s are missing: give the reports of all shards", strings.Join(missing, ", "))
	case cases != of.Cases:
		return fmt.Errorf("the shards have %d cases and the plan has %d: a report was changed", cases, of.Cases)
	}
	return nil
}

// mostNamed is how many missing shards are named.
const mostNamed = 8
