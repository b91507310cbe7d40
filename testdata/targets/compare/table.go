package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// intro says how both tools were run.
const intro = `# The CRUD service, judged by this suite and by Schemathesis

This suite and %[5]s judged the service of [testdata/crud](../crud) with faults, as variants, and as it is. This command made the page:

    go run ./testdata/targets/compare --crud %[1]d --max-examples %[2]d --results FILE

- The servers are a sample: every %[3]s fault and every %[3]s variant that a single exchange shows, in the order of their names. The authors of this suite wrote the faults and the variants.
- A fault is found if a tool fails something that it does not fail on the service as it is. A right server fails if the tool fails anything. A failure of this suite is a requirement; a failure of Schemathesis is an entry of its baseline, or an error.
- Both have the document, all credentials and seed %[4]d. This suite has its default effort. Schemathesis has all its phases and checks, and --max-examples %[2]d. It leaves a group of cases at the first failure; so it judged what it missed again, with --continue-on-failure and its default of 100 examples.
- A relay counts the answers. CPU seconds are those of the tool, on a machine that had other work to do.

| tool | faults found | right servers failed | requests, median | CPU seconds, median |
|---|---:|---:|---:|---:|
`

// writeTables writes the page about the CRUD service: how both tools were run, what
// they made of all servers together, and a row for each server.
func writeTables(w io.Writer, o options, version string, list []crudServer, done []record) {
	both := tools(o)
	ours, theirs := both[0].name, both[1].name
	again := schemathesisTool(o.generous()).name
	fmt.Fprintf(w, intro, o.nth, o.examples, ordinal(o.nth), o.seed, version)
	total(w, ours, ours, list, done)
	total(w, theirs, theirs, list, done)
	total(w, again, again+" on what it missed", list, done)

	fmt.Fprintf(w, "\n## Faults\n\nWhat a tool failed on the faulty server and not on the service as it is; - if nothing.\n\n| fault | what it breaks | %s | requests | CPU seconds | %s | requests | CPU seconds | %s |\n|---|---|---|---:|---:|---|---:|---:|---|\n", ours, theirs, again)
	for _, s := range list {
		if s.kind == fault {
			cells := append([]string{s.name, s.doc}, costs(done, ours, s)...)
			cells = append(append(cells, costs(done, theirs, s)...), failures(done, again, s))
			row(w, cells)
		}
	}
	fmt.Fprintf(w, "\n## Right servers\n\nWhat a tool failed on the service as it is, and what it failed on a variant besides.\n\n| server | what it does | %s | requests | CPU seconds | %s | requests | CPU seconds |\n|---|---|---|---:|---:|---|---:|---:|\n", ours, theirs)
	for _, s := range list {
		if s.kind != fault {
			row(w, append(append([]string{s.name, s.doc}, costs(done, ours, s)...), costs(done, theirs, s)...))
		}
	}
}

// total writes the row of a tool, with the servers that it judged.
func total(w io.Writer, tool, name string, list []crudServer, done []record) {
	faults, hits, rights, failed := 0, 0, 0, 0
	var requests, cpu []float64
	for _, s := range list {
		r, ok := recorded(done, tool, s)
		switch {
		case !ok:
			continue
		case s.kind == fault:
			faults++
			if len(fresh(done, tool, s)) > 0 {
				hits++
			}
		default:
			rights++
			if len(r.Failed) > 0 {
				failed++
			}
		}
		requests, cpu = append(requests, float64(r.Requests)), append(cpu, r.CPU)
	}
	row(w, []string{name, fmt.Sprintf("%d of %d", hits, faults), fmt.Sprintf("%d of %d", failed, rights),
		fmt.Sprintf("%.0f", median(requests)), fmt.Sprintf("%.1f", median(cpu))})
}

func median(numbers []float64) float64 {
	if len(numbers) == 0 {
		return 0
	}
	slices.Sort(numbers)
	return numbers[len(numbers)/2]
}

// costs are the cells of a run: failures, requests and CPU seconds.
func costs(done []record, tool string, s crudServer) []string {
	r, _ := recorded(done, tool, s)
	return []string{failures(done, tool, s), fmt.Sprint(r.Requests), fmt.Sprintf("%.1f", r.CPU)}
}

// failures is the cell with what a tool failed on a server: all of it on the service
// as it is, and on another what is new. It is empty if the tool did not run.
func failures(done []record, tool string, s crudServer) string {
	r, ok := recorded(done, tool, s)
	failed := r.Failed
	if s.kind != right {
		failed = fresh(done, tool, s)
	}
	switch {
	case !ok:
		return ""
	case len(failed) == 0:
		return "-"
	}
	return strings.Join(failed, ", ")
}

func row(w io.Writer, cells []string) {
	for _, c := range cells {
		fmt.Fprintf(w, "| %s ", strings.ReplaceAll(c, "|", "\\|"))
	}
	fmt.Fprintln(w, "|")
}

// ordinal words a place in a list.
func ordinal(n int) string {
	switch n {
	case 1:
		return "one"
	case 2:
		return "second"
	case 3:
		return "third"
	}
	return fmt.Sprintf("%dth", n)
}
