package formats

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"plantstore/conformance/report"
)

// htmlPage is what the template shows. Its texts are escaped for a reader, but not
// for HTML: that is the work of the template.
type htmlPage struct {
	htmlParts

	Title    string // the whole line of the verdict
	Verdict  string
	Besides  []string
	Look     string // good, bad or doubtful
	Scope    []string
	About    []htmlField
	More     []htmlField
	Counts   []htmlCount
	Verdicts []htmlChoice
	Levels   []htmlChoice
	// Operations are those of the requirements; a row has the index of its own.
	Operations []htmlChoice
	Rows       []htmlRow
	Failed     []htmlResult
	Warned     []htmlResult
	Suspected  []htmlResult
	Known      []htmlResult
	Observed   []htmlPoint
	Second     *htmlSecond
	Times      *htmlTimes
	Ways       []string
	Reach      string
	LeftOut    []string
}

// htmlField is a label and its value.
type htmlField struct{ Label, Value string }

// htmlChoice is an option of a filter and how many rows it selects.
type htmlChoice struct {
	Value, Text string
	Count       int
}

// htmlCount is a row of the table of counts.
type htmlCount struct {
	Level string
	// Counts are those of Verdicts, in their order.
	Counts   []int
	Verdicts []htmlChoice
}

func newHTMLPage(r *report.Report, o Options) *htmlPage {
	line, st := verdictLine(r, o)
	v := verdictParts(r, o)
	p := &htmlPage{htmlParts: newHTMLParts(htmlStyle, htmlFilter+htmlScript), Title: line, Verdict: v.head, Besides: slices.Concat(v.also, v.limits), Look: look(st),
		Scope: htmlScope(r, line), About: htmlAbout(r), More: htmlMore(r), Second: htmlOpinion(r.Second), Times: newHTMLTimes(&r.Times), Reach: reached(r.Reach)}
	for _, x := range r.Header.LeftOut {
		p.LeftOut = append(p.LeftOut, Escape(x))
	}
	if r.Reach != nil {
		for _, x := range r.Reach.Ways {
			p.Ways = append(p.Ways, Escape(x))
		}
	}
	p.rows(r, o)
	p.failures(r, o)
	p.worstFirst()
	p.observed(r)
	return p
}

// htmlScope says what the verdict is about and what it does not cover, where the line
// of the verdict does not say so.
func htmlScope(r *report.Report, verdict string) []string {
	out := []string{fmt.Sprintf("The verdict covers what this run sent to this target, and nothing else: %s planned, %s.",
		counted(r.Header.Cases, "case"), counted(r.Summary.Exchanges, "exchange"))}
	for _, x := range r.Summary.Reasons {
		if reason := cut(x, htmlFieldRunes); !strings.Contains(verdict, reason) {
			out = append(out, "Incomplete: "+reason)
		}
	}
	for _, line := range OutOfDate(r) {
		out = append(out, "Known failures out of date: "+line)
	}
	if r.Header.NamedCases {
		out = append(out, "Every request carried its case id: a target could have answered by it.")
	}
	if r.Header.Traced {
		out = append(out, "Every request carried a trace id that is made of its case id: a target could have answered by it.")
	}
	return out
}

// fields appends a field if it has a value.
func fields(list []htmlField, label, value string) []htmlField {
	if value == "" {
		return list
	}
	return append(list, htmlField{label, value})
}

// htmlAbout says which run this was.
func htmlAbout(r *report.Report) []htmlField {
	h := r.Header
	target := Escape(h.Target)
	if h.Embedded {
		target += " (embedded reference server)"
	}
	out := fields(nil, "Target", target)
	out = fields(out, "Document", Escape(h.Document))
	out = fields(out, "SHA-256", Escape(h.Digest))
	for _, x := range h.Subjects {
		out = fields(out, "Subject", Escape(x.String()))
	}
	out = fields(out, "Selection", Escape(strings.Join(h.Selection, " ")))
	if h.Shard != nil {
		out = fields(out, "Shard", fmt.Sprintf("%s of plan %s with %s", h.Shard, Escape(h.Shard.Plan), counted(h.Shard.Cases, "case")))
	}
	return fields(out, "Seed", fmt.Sprintf("%d, dataset generation %d", h.Seed, h.Generation))
}

// htmlMore says how the run went.
func htmlMore(r *report.Report) []htmlField {
	h := r.Header
	out := fields(nil, "Tool", Escape(r.Tool))
	out = fields(out, "Planned", fmt.Sprintf("%s, %s, %s in each class; may store up to %s", counted(h.Requirements, "requirement"),
		counted(h.Cases, "case"), counted(h.Draws, "random case"), counted(h.MaxStored, "resource")))
	out = fields(out, "Effort", Escape(h.Effort))
	out = fields(out, "Level that gates", Escape(strings.ToUpper(h.FailOn)))
	out = fields(out, "Values", Escape(strings.Join(h.Values, " ")))
	if f := h.ValuesFile; f != nil {
		out = fields(out, "Values file", Escape(f.Name+", SHA-256 "+f.Digest))
	}
	for _, f := range r.Facts {
		out = fields(out, "Learned", Escape(f.Name+": "+f.Value))
	}
	out = fields(out, "Clean-up", Escape(cleanUp(r.CleanUp)))
	if t := r.Times; !t.Began.IsZero() {
		out = fields(out, "Began", t.Began.UTC().Format(time.RFC3339))
		out = fields(out, "Took", fmt.Sprintf("%s; median answer %s, slowest answer %s", t.Took.Round(time.Millisecond),
			t.Median.Round(time.Microsecond), t.Slowest.Round(time.Microsecond)))
	}
	return fields(out, "Limited", Escape(heldBack(r)))
}

// choices counts the values of rows, in the order of known, then as they come.
func choices(known, values []string) []htmlChoice {
	var out []htmlChoice
	at := map[string]int{}
	for _, v := range slices.Concat(known, values) {
		if _, there := at[v]; !there && v != "" {
			at[v] = len(out)
			out = append(out, htmlChoice{Value: v, Text: v})
		}
	}
	for _, v := range values {
		if v != "" {
			out[at[v]].Count++
		}
	}
	return slices.DeleteFunc(out, func(c htmlChoice) bool { return c.Count == 0 })
}

// operationChoices counts the rows of each operation. The value of a choice is its index;
// at has it by the operation.
func operationChoices(operations []string) (list []htmlChoice, at map[string]string) {
	list, at = choices(nil, operations), map[string]string{}
	for i := range list {
		list[i].Value = strconv.Itoa(i)
		at[list[i].Text] = list[i].Value
	}
	return list, at
}
