package formats

import (
	"fmt"
	"strings"
	"time"

	"plantstore/conformance/report"
)

// FailureText is a failed requirement as the text report shows it, without colour.
func FailureText(r report.Result) string {
	s := newPage(Options{})
	s.failure(r)
	return strings.TrimSpace(s.String())
}

// failure writes one failed requirement in full.
func (s *page) failure(r report.Result) {
	s.blank()
	word := s.paint(bad, "FAIL")
	if r.Known != nil {
		word = s.paint(doubtful, "KNOWN")
	}
	s.line("%s %s (%s)", word, s.paint(strong, Escape(r.Requirement)), Escape(string(r.Level)))
	s.field(5, "rule", r.Sentence, fieldLines)
	s.field(5, "clause", clauseOf(r), fieldLines)
	s.evidence(r)
	for i, f := range r.Failures {
		if i == waysShown && len(r.Failures) > i+1 {
			s.line("     … and %d more failures: see the JSON report", len(r.Failures)-i)
			break
		}
		if len(r.Failures) > 1 {
			s.line("     %s", s.paint(strong, fmt.Sprintf("failure %d of %d", i+1, len(r.Failures))))
		}
		s.way(r, f)
	}
	if len(r.Failures) == 0 {
		s.field(5, "cases", caseCounts(r.Cases), fieldLines)
	}
}

// clauseOf is the clause that a requirement rests on, with the line of the file where that
// is known: most terminals open it.
func clauseOf(r report.Result) string {
	if r.Place == nil {
		return r.Clause
	}
	return fmt.Sprintf("%s (%s:%d)", r.Clause, r.Place.File, r.Place.Line)
}

// way writes one failure: what was sent and came, and how to see it again.
func (s *page) way(r report.Result, f report.Failure) {
	s.field(5, "sent", f.Sent, fieldLines)
	s.field(5, "expected", f.Expected, fieldLines)
	s.field(5, "got", answerOf(&f), fieldLines)
	if len(r.Failures) == 1 {
		s.field(5, "cases", caseCounts(r.Cases)+classCounts(f.Classes), fieldLines)
	} else {
		s.field(5, "cases", strings.TrimPrefix(classCounts(f.Classes), "; "), fieldLines)
	}
	s.field(5, "common", f.Common, fieldLines)
	s.field(5, "cause", f.Cause, fieldLines)
	s.again(&f)
	s.story(f)
	for i, one := range f.Suspects {
		if i == maxSuspects {
			s.line("               … and %d more: see the JSON report", len(f.Suspects)-i)
			break
		}
		label := ""
		if i == 0 {
			label = "suspects"
		}
		s.line("     %s%s", s.paint(quiet, fmt.Sprintf("%-10s", label)), cut(one, 4*s.width))
	}
	s.example(f)
	s.field(5, "trace", f.TraceID(), 1)
	s.line("     %s%s", s.paint(quiet, "replay    "), Escape(f.Replay))
	if f.Cause != "" && len(f.Steps) > 1 {
		s.line("               conformance replay REPORT.json#%d, with --report json=REPORT.json and --target, sends these steps", f.N)
	}
}

// maxSuspects is how many suspects the terminal and Markdown show.
const maxSuspects = 10

// again says that a failure did not come again, or why that is not known.
func (s *page) again(f *report.Failure) {
	switch {
	case f.NotTriedAgain != "":
		s.line("     %s  %s", s.paint(doubtful, "not tried again"), cut(f.NotTriedAgain, 4*s.width))
	case !f.Stable && f.Cause == "":
		s.line("     %s  %s", s.paint(doubtful, "unstable"), "it passed when tried again")
	}
}

// story writes a failure that several requests show, in a line for each.
func (s *page) story(f report.Failure) {
	if len(f.Story) == 0 {
		return
	}
	s.line("     %s", s.paint(quiet, "story"))
	for i, line := range f.Story {
		s.line("       %d  %s", i+1, cut(line, storyLines*s.width))
	}
}

// example writes the smallest example as a command, where there is one that can
// be pasted: a character that must not reach a terminal sends us to the bytes.
func (s *page) example(f report.Failure) {
	label := "example"
	if !f.Minimal && f.Cause == "" {
		label = "example (may not be the smallest)"
	}
	switch {
	case !s.canPaste(f.Curl):
		if len(f.Steps) > 0 && len(f.Story) == 0 {
			s.line("     %s", s.paint(quiet, label))
			s.steps(7, f.Steps, stepsShown, requestLines, responseLines)
		}
	case strings.Contains(f.Curl, "\n") || len(label) > 10:
		// Continued lines stay at the left margin: blanks before them could
		// land inside a quoted body.
		s.line("     %s\n%s", s.paint(quiet, label), f.Curl)
	default:
		s.line("     %s%s", s.paint(quiet, fmt.Sprintf("%-10s", label)), f.Curl)
	}
}

// canPaste reports whether a command is there and can be taken from a terminal.
func (s *page) canPaste(curl string) bool {
	return curl != "" && len(curl) <= curlBytes && clean(strings.ReplaceAll(curl, "\n", ""))
}

// caseCounts says how many of how many cases failed.
func caseCounts(c report.Cases) string {
	t := fmt.Sprintf("%d of %s failed", c.Failed, counted(c.Judged, "case"))
	if c.Suppressed > 0 {
		t += fmt.Sprintf(", %d suppressed by a more basic failure", c.Suppressed)
	}
	if c.NotTried > 0 {
		t += fmt.Sprintf(", %d not tried", c.NotTried)
	}
	return t
}

func classCounts(classes []report.ClassCount) string {
	var t strings.Builder
	for i, c := range classes {
		left := len(classes) - i
		if left > 1 && (i == 4 || t.Len()+len(c.Class) > classBytes) {
			fmt.Fprintf(&t, "; and %d other classes", left)
			break
		}
		fmt.Fprintf(&t, "; %s %d of %d", c.Class, c.Failed, c.Judged)
	}
	return t.String()
}

// evidence quotes what a requirement rests on.
func (s *page) evidence(r report.Result) {
	for _, e := range r.Evidence {
		s.field(5, "evidence", evidenceOf(e), 2)
	}
}

// evidence joins the pieces of evidence of a requirement.
func evidence(r report.Result) string {
	var out []string
	for _, e := range r.Evidence {
		out = append(out, evidenceOf(e))
	}
	return strings.Join(out, "; ")
}

// withEvidence is the sentence of a requirement, with what it rests on if that is evidence.
func withEvidence(r report.Result) string {
	if len(r.Evidence) == 0 {
		return r.Sentence
	}
	return r.Sentence + " (" + evidence(r) + ")"
}

// evidenceOf is a piece of evidence in a line: the quote, what it suggests, and its place.
func evidenceOf(e report.Evidence) string {
	text := e.Fact
	if e.Quote != "" {
		text = fmt.Sprintf("%q suggests: %s", e.Quote, e.Fact)
	}
	if e.Place != "" {
		text += " (#" + e.Place + ")"
	}
	return text
}

// steps writes exchanges to the byte: a line for each line of the head, the
// bytes of a request behind ">", those of a response behind "<". A zero limit
// means everything.
func (s *page) steps(indent int, steps []report.Step, limit, request, response int) {
	for i, st := range steps {
		if limit > 0 && i == limit && len(steps) > i+1 {
			s.line("%*s… and %d more steps: see the JSON report", indent, "", len(steps)-i)
			return
		}
		if len(steps) > 1 {
			s.line("%*sstep %d on connection %d%s", indent, "", i+1, st.Connection, together(st))
		}
		s.message(indent, ">", st.Request, request)
		if st.Failure != "" {
			s.line("%*s< %s", indent, "", s.paint(doubtful, "("+cut(st.Failure, 4*s.width)+")"))
		}
		if st.Failure == "" || len(st.Response.Data) > 0 {
			s.message(indent, "<", st.Response, response)
		}
	}
}

func together(st report.Step) string {
	switch {
	case st.Parallel:
		return ", in parallel"
	case st.IdleMS > 0:
		return fmt.Sprintf(", after %v without a request", time.Duration(st.IdleMS)*time.Millisecond)
	}
	return ""
}

// message writes one message. Only CR LF ends a line, as on the wire; any other
// control character is shown as an escape.
func (s *page) message(indent int, mark string, b report.Bytes, limit int) {
	rest := string(b.Data)
	for n := 0; rest != "" || n == 0; n++ {
		if limit > 0 && n == limit {
			s.line("%*s%s … (%d bytes more)", indent, "", mark, len(rest)+b.Cut)
			return
		}
		text, behind, more := strings.Cut(rest, "\r\n")
		if limit > 0 {
			text = cut(text, 2*s.width)
		} else {
			text = Escape(text)
		}
		s.line("%s", strings.TrimRight(fmt.Sprintf("%*s%s %s", indent, "", mark, text), " "))
		if rest = behind; !more {
			break
		}
	}
	if b.Cut > 0 {
		s.line("%*s%s … (%d bytes more)", indent, "", mark, b.Cut)
	}
}

// TriedFirstLine says on one line, while the run goes on, whether what failed in the last
// run fails again.
func TriedFirstLine(x report.TriedFirst) string {
	line := "tried first: " + Escape(x.Requirement) + ": "
	switch judged := x.Cases - x.Unanswered; {
	case x.Failed > 0:
		line += fmt.Sprintf("%d of %s fail again", x.Failed, counted(x.Cases, "case"))
	case judged == 0:
		line += "could not be judged yet"
	default:
		line += fmt.Sprintf("none of %s fails now", counted(judged, "case"))
	}
	if x.Unanswered > 0 && x.Unanswered < x.Cases {
		line += fmt.Sprintf(", %d could not be judged yet", x.Unanswered)
	}
	return line
}

// ConfirmedLine describes a failure on one line while the run goes on: whether it happened
// again, and what was sent, expected and seen.
func ConfirmedLine(r report.Result, f report.Failure, o Options) string {
	what := "confirmed"
	switch {
	case f.NotTriedAgain != "":
		what = "not tried again"
	case !f.Stable:
		what = "unstable"
	}
	s := newPage(o)
	line := fmt.Sprintf("%s (%s): sent %s; expected %s; got %s", Escape(r.Requirement), r.Level, Escape(f.Sent), Escape(f.Expected), Escape(f.Got))
	return s.paint(bad, what) + " " + cut(line, s.width)
}
