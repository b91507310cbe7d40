package formats

import (
	"io"
	"slices"
	"strings"

	"plantstore/conformance/report"
)

// answersShown is how many answers to one open point the text and Markdown forms show.
const answersShown = 12

// MatrixText writes for people how the implementations differ: the verdict on each, then
// the requirements that do not pass everywhere, then the open points.
func MatrixText(w io.Writer, m *report.Matrix, o Options) error {
	s := newPage(o)
	s.field(0, "document", m.Document, fieldLines)
	s.field(0, "settings", strings.Join(m.Differ, "; "), fieldLines)
	s.blank()
	s.line("%s", s.paint(strong, counted(len(m.Implementations), "implementation")))
	for _, x := range m.Implementations {
		line, st := matrixLine(x)
		s.line("  %s", s.paint(strong, cut(x.Name, s.width)))
		s.line("     %s", s.paint(st, line))
	}
	passed, headed := 0, false
	for _, row := range m.Requirements {
		list := words(m, row)
		if len(list) > 0 && alike(list) && list[0] == string(report.Pass) {
			passed++
			continue
		}
		if !headed {
			headed = true
			s.blank()
			s.line("%s", s.paint(strong, "requirements that do not pass everywhere"))
		}
		s.line("  %s (%s)", s.paint(strong, Escape(row.Requirement)), Escape(string(row.Level)))
		s.groups(m, list)
	}
	s.answers(m)
	s.blank()
	s.line("%d of %s everywhere", passed, counted(len(m.Requirements), "requirement")+passes(len(m.Requirements)))
	return s.send(w)
}

func passes(n int) string {
	if n == 1 {
		return " passes"
	}
	return " pass"
}

// groups writes a line for each word but pass, worst first, with the implementations that
// have it.
func (s *page) groups(m *report.Matrix, list []string) {
	for _, c := range choices(append(htmlVerdicts(), matrixAbsent), list) {
		if c.Value == string(report.Pass) {
			continue
		}
		var who []string
		for i, word := range list {
			if word == c.Value {
				who = append(who, m.Implementations[i].Name)
			}
		}
		s.who(c.Value, who, len(list))
	}
}

// who writes what several implementations share. All of them are not named one by one.
func (s *page) who(what string, names []string, of int) {
	text := strings.Join(names, ", ")
	if len(names) == of && of > 1 {
		text = "all"
	}
	for i, l := range wrap(cut(text, 6*s.width), s.width-20) {
		if i > 0 {
			what = ""
		}
		s.line("     %-14s %s", what, l)
	}
}

// answers writes the open points that the implementations answer in different ways.
func (s *page) answers(m *report.Matrix) {
	headed := false
	for _, p := range m.Observed {
		list := shares(p)
		if !slices.ContainsFunc(list, func(words []string) bool { return !alike(words) }) {
			continue
		}
		if !headed {
			headed = true
			s.blank()
			s.line("%s", s.paint(strong, "open points with different answers (not judged)"))
		}
		s.line("  %s", s.paint(strong, Escape(p.Requirement)))
		for k, a := range p.Answers[:min(len(p.Answers), answersShown)] {
			s.line("     %s", cut(a.What, s.width-5))
			for _, share := range []string{matrixAlways, matrixPartly} {
				var who []string
				for i, word := range list[k] {
					if word == share {
						who = append(who, m.Implementations[i].Name)
					}
				}
				if len(who) > 0 {
					s.who("  "+share, who, len(m.Implementations))
				}
			}
		}
		if n := len(p.Answers) - answersShown; n > 0 {
			s.line("     … and %s: see the JSON form", moreAnswers(n))
		}
	}
}

func moreAnswers(n int) string {
	return counted(n, "more answer")
}
