package proof

import (
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Write prints rows and summary in one of the forms.
func Write(w io.Writer, format string, rows []Row, s Summary) error {
	switch format {
	case "json":
		return writeJSON(w, rows, s)
	case "markdown":
		return writeMarkdown(w, rows, s)
	}
	return writeText(w, rows, s)
}

// state words a row: what was wanted happened, or what went wrong, by which
// seed, and the first reason why the run was incomplete.
func (r *Row) state() string {
	what := "ok"
	switch {
	case r.Err != nil:
		what = "error: " + r.Err.Error()
	case r.Good():
		return what
	case r.elsewhere():
		what = "ELSEWHERE"
	case !r.Killed():
		what = map[Kind]string{Fault: "MISSED", Variant: "FALSE ALARM", Hostile: "UNCLEAR"}[r.Kind]
	default:
		what = "STRAY: " + strings.Join(r.Unrelated(), ", ")
	}
	what = fmt.Sprintf("%s (seed %d)", what, r.Seed)
	if len(r.Tripped) == 0 && len(r.Reasons) > 0 {
		what += ": " + r.Reasons[0]
	}
	return what
}

// Said is what the suite made of the server.
func (r *Row) Said() string {
	out := append([]string(nil), r.Tripped...)
	for _, id := range r.Warned {
		out = append(out, id+" (warning)")
	}
	if len(out) == 0 {
		return string(r.Outcome)
	}
	return strings.Join(out, ", ")
}

func writeText(w io.Writer, rows []Row, s Summary) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "KIND\tNAME\tSHOULD TRIP\tTRIPPED\tFINDINGS\tREQUESTS\tTIME\tSTATE\tWITHOUT LINES")
	for i := range rows {
		r := &rows[i]
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%d\t%d\t%s\t%s\t%s\n", r.Kind, r.Name, orDash(r.Breaks), r.Said(), len(r.Findings), r.Requests,
			r.Took.Round(10*time.Millisecond), r.state(), orDash(r.Bare))
	}
	if err := t.Flush(); err != nil {
		return err
	}
	for _, line := range s.lines() {
		if _, err := fmt.Fprintln(w, line); err != nil {
			return err
		}
	}
	return nil
}

// lines words the summary, without hostile targets where there are none, and without
// a question that nobody asked.
func (s *Summary) lines() []string {
	out := []string{
		fmt.Sprintf("runs: %d over %d servers", s.Runs, s.Faults+s.Variants+s.Hostile),
		fmt.Sprintf("exchanges of a run against a fault or a variant: median %d, most %d", s.MedianRequests, s.MaxRequests),
		fmt.Sprintf("faults found: %d of %d (%s)", s.Killed, s.Faults, percent(s.Killed, s.Faults)),
	}
	if s.Bare+s.Suspected > 0 {
		out = append(out, fmt.Sprintf("without the lines of the requirements file: %d found, %d more suspected", s.Bare, s.Suspected))
	}
	if s.Elsewhere > 0 {
		out = append(out, fmt.Sprintf("faults that fail only other MUSTs than the one they name: %d more", s.Elsewhere))
	}
	out = append(out, fmt.Sprintf("false alarms: %d over %d variants", s.Alarms, s.Variants))
	if s.Hostile > 0 {
		out = append(out, fmt.Sprintf("hostile targets without a clear end: %d of %d", s.Unclear, s.Hostile))
	}
	out = append(out, fmt.Sprintf("failed MUSTs of a fault: median %d, most %d", s.MedianTripped, s.MaxTripped),
		fmt.Sprintf("findings for one fault: median %d, most %d", s.MedianFindings, s.MostFindings))
	if s.Unkilled != nil {
		out = append(out, fmt.Sprintf("requirements without a fault or variant that shows them: %s", list(s.Unkilled)))
	}
	return append(out, fmt.Sprintf("faults that trip something unrelated: %s", list(s.Strays)))
}

func list(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func percent(n, of int) string {
	if of == 0 {
		return "nothing tried"
	}
	return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of))
}

func orDash(s string) string {
	if s == "" {
		return "-"
	}
	return s
}

func writeMarkdown(w io.Writer, rows []Row, s Summary) error {
	var b strings.Builder
	for _, line := range s.lines() {
		fmt.Fprintf(&b, "- %s\n", line)
	}
	for _, part := range []struct {
		kind        Kind
		title, head string
	}{
		{Fault, "Faults", "| fault | what it does | should trip | tripped | findings | state |\n|---|---|---|---|---|---|\n"},
		{Variant, "Variants", "| variant | what it does | verdict | state |\n|---|---|---|---|\n"},
		{Hostile, "Hostile targets", "| target | what it does | verdict | state |\n|---|---|---|---|\n"},
	} {
		if !slices.ContainsFunc(rows, func(r Row) bool { return r.Kind == part.kind }) {
			continue
		}
		lines := slices.ContainsFunc(rows, func(r Row) bool { return r.Kind == part.kind && r.Bare != "" })
		if lines {
			part.head = "| fault | what it does | should trip | tripped | findings | state | without lines |\n|---|---|---|---|---|---|---|\n"
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s", part.title, part.head)
		for i := range rows {
			r := &rows[i]
			if r.Kind != part.kind {
				continue
			}
			cells := []string{r.Name, r.Doc}
			if r.Kind == Fault {
				cells = append(cells, r.Breaks)
			}
			cells = append(cells, r.Said())
			if r.Kind == Fault {
				cells = append(cells, strconv.Itoa(len(r.Findings)))
			}
			if cells = append(cells, r.state()); lines {
				cells = append(cells, orDash(r.Bare))
			}
			for _, c := range cells {
				fmt.Fprintf(&b, "| %s ", strings.ReplaceAll(c, "|", "\\|"))
			}
			b.WriteString("|\n")
		}
	}
	if s.Ablation != nil {
		s.Ablation.write(&b)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// jsonRow is a row for machines.
type jsonRow struct {
	Kind     Kind     `json:"kind"`
	Name     string   `json:"name"`
	Doc      string   `json:"doc"`
	Breaks   string   `json:"breaks,omitempty"`
	Tripped  []string `json:"tripped"`
	Warned   []string `json:"warned"`
	Findings []string `json:"findings"`
	Mutators []string `json:"mutators,omitempty"`
	Rules    []string `json:"rules,omitempty"`
	Outcome  string   `json:"outcome"`
	Requests int      `json:"requests"`
	TookMS   int64    `json:"took_ms"`
	State    string   `json:"state"`
	Bare     string   `json:"without_lines,omitempty"`
}

func writeJSON(w io.Writer, rows []Row, s Summary) error {
	doc := struct {
		Rows    []jsonRow `json:"rows"`
		Summary Summary   `json:"summary"`
		Good    bool      `json:"good"`
	}{Summary: s, Good: s.Good()}
	for i := range rows {
		r := &rows[i]
		doc.Rows = append(doc.Rows, jsonRow{r.Kind, r.Name, r.Doc, r.Breaks, r.Tripped, r.Warned, r.Findings, r.Mutators, r.Rules, string(r.Outcome), r.Requests,
			r.Took.Milliseconds(), r.state(), r.Bare})
	}
	b, err := json.Marshal(doc, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	_, err = w.Write(append(b, '\n'))
	return err
}
