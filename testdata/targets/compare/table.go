package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// intro says how the tools were run.
const intro = `# The CRUD service, judged by this suite and by Schemathesis

This suite and %[4]s judged the service of [reference/services/crud](../../reference/services/crud) with faults, as variants, and as it is. This command made the page:

    go run ./testdata/targets/compare --crud %[1]d --max-examples %[2]d --results FILE

- The servers are a sample: one in %[1]d faults and variants, chosen by a hash of their names. The authors of this suite wrote the faults and the variants. One exchange shows some of them; it takes several exchanges to show the others, such as a GET after a PUT.
- A fault is found if a tool fails something that it does not fail on the service as it is. A right server fails if the tool fails anything. A failure of this suite is a requirement, a MUST or a SHOULD; a failure of Schemathesis is an entry of its baseline, or an error.
- All have the document, all credentials and seed %[3]d. This suite has the [requirements file](../../reference/services/crud/requirements.yaml) of the service too, which says what its lists promise. It ran with its default effort, and with its smallest. Schemathesis has all its phases and checks, and --max-examples %[2]d. It leaves a group of cases at the first failure; so it judged what it missed again, with --continue-on-failure and its default of 100 examples.
- A relay counts the answers. CPU seconds are those of the tool, on a machine that had other work to do.

| tool | faults of one exchange found | faults of several found | right servers failed | requests, median | CPU seconds, median |
|---|---:|---:|---:|---:|---:|
`

// writeTables writes the page about the CRUD service: how the tools were run, what
// they made of all servers together, and a row for each server.
func writeTables(w io.Writer, o options, version string, list []crudServer, done []record) {
	all := crudTools(o)
	ours, smoke, theirs, again := all[0].name, all[1].name, all[2].name, all[3].name
	fmt.Fprintf(w, intro, o.oneIn, o.examples, o.seed, version)
	total(w, ours, ours, list, done)
	total(w, smoke, smoke, list, done)
	total(w, theirs, theirs, list, done)
	total(w, again, again+" on what it missed", list, done)

	heads := []string{ours, "requests", "CPU seconds", smoke, "requests", "CPU seconds", theirs, "requests", "CPU seconds"}
	table := func(title, note string, heads []string, in func(s crudServer) bool, rest func(s crudServer) []string) {
		fmt.Fprintf(w, "\n## %s\n\n%s\n\n", title, note)
		row(w, heads)
		fmt.Fprintln(w, strings.Repeat("|---", len(heads))+"|")
		for _, s := range list {
			if in(s) {
				cells := []string{s.name, s.doc}
				for _, t := range []string{ours, smoke, theirs} {
					cells = append(cells, costs(done, t, s)...)
				}
				row(w, append(cells, rest(s)...))
			}
		}
	}
	missed := "What a tool failed on the faulty server and not on the service as it is; - if nothing."
	faulty := append(append([]string{"fault", "what it breaks"}, heads...), again)
	more := func(s crudServer) []string { return []string{failures(done, again, s)} }
	table("Faults that one exchange shows", missed, faulty, func(s crudServer) bool { return s.kind == fault && !s.several }, more)
	table("Faults that several exchanges show", missed, faulty, func(s crudServer) bool { return s.kind == fault && s.several }, more)
	table("Right servers", "What a tool failed on the service as it is, and what it failed on a variant besides.", append([]string{"server", "what it does"}, heads...),
		func(s crudServer) bool { return s.kind != fault }, func(crudServer) []string { return nil })
}

// total writes the row of a tool, with the servers that it judged.
func total(w io.Writer, tool, name string, list []crudServer, done []record) {
	var one, several, rights count
	var requests, cpu []float64
	for _, s := range list {
		r, ok := recorded(done, tool, s)
		switch {
		case !ok:
			continue
		case s.kind != fault:
			rights.add(len(r.Failed) > 0)
		case s.several:
			several.add(len(fresh(done, tool, s)) > 0)
		default:
			one.add(len(fresh(done, tool, s)) > 0)
		}
		requests, cpu = append(requests, float64(r.Requests)), append(cpu, r.CPU)
	}
	row(w, []string{name, one.String(), several.String(), rights.String(), fmt.Sprintf("%.0f", median(requests)), fmt.Sprintf("%.1f", median(cpu))})
}

// count is how many of some servers have a property.
type count struct{ have, all int }

func (c *count) add(has bool) {
	c.all++
	if has {
		c.have++
	}
}

func (c count) String() string { return fmt.Sprintf("%d of %d", c.have, c.all) }

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
