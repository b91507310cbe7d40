package formats

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/report"
)

// How much of a report the text form shows; the JSON form shows everything.
const (
	defaultWidth  = 100
	fieldLines    = 3    // lines of one field
	fullFailures  = 10   // requirements shown with all fields
	waysShown     = 3    // failures of one requirement
	rowsShown     = 40   // rows of each list
	rowsBeside    = 10   // rows of what is observed, beside a failure
	classBytes    = 150  // of the classes of one failure
	curlBytes     = 4000 // a longer command is not pasted by anyone
	stepsShown    = 3    // steps of one example
	storyLines    = 3    // of one request of a story
	requestLines  = 14   // lines of a request in an example
	responseLines = 8    // lines of a response in an example
)

// style is how a piece of text stands out.
type style int

const (
	ordinary style = iota
	good
	bad
	doubtful
	strong
	quiet
)

// code is the SGR parameter of a style, as every terminal knows it.
func (s style) code() string {
	return [...]string{ordinary: "", good: "32", bad: "1;31", doubtful: "33", strong: "1", quiet: "2"}[s]
}

// page collects lines and is written at once, so that a report is never torn by
// what others print.
type page struct {
	strings.Builder
	colour bool
	width  int
	// fits says that the width is that of the reader, so that no line may be longer.
	fits bool
	// headed says that a line was printed before this sheet.
	headed bool
}

func newPage(o Options) *page {
	s := &page{colour: o.Colour, width: o.Width, headed: o.HeaderPrinted, fits: o.Width > 0}
	if s.width <= 0 {
		s.width = defaultWidth
	}
	return s
}

// paint gives text in a style; text is escaped already.
func (s *page) paint(st style, text string) string {
	if !s.colour || st == ordinary || text == "" {
		return text
	}
	return "\x1b[" + st.code() + "m" + text + "\x1b[0m"
}

// line writes one line that is escaped already.
func (s *page) line(format string, args ...any) {
	fmt.Fprintf(s, format+"\n", args...)
}

// long writes a text that is one line, unless the reader has fewer columns.
func (s *page) long(st style, text string, indent int) {
	for i, l := range s.fitting(text, indent) {
		if i > 0 {
			l = strings.Repeat(" ", indent) + l
		}
		s.line("%s", s.paint(st, l))
	}
}

// fitting divides a text into lines, with room for an indent, if the reader has fewer columns
// than it needs.
func (s *page) fitting(text string, indent int) []string {
	if !s.fits || utf8.RuneCountInString(text) <= s.width {
		return []string{text}
	}
	return wrap(text, max(s.width-indent, 20))
}

// blank parts two blocks; never two blank lines, none at the start.
func (s *page) blank() {
	switch text := s.String(); {
	case text == "" && !s.headed, text == "\n", strings.HasSuffix(text, "\n\n"):
	default:
		s.WriteByte('\n')
	}
}

// field writes a label and a value, wrapped below itself and cut after some
// lines. An empty value writes nothing.
func (s *page) field(indent int, label, value string, lines int) {
	if value == "" {
		return
	}
	column := indent + 10
	room := max(s.width-column, 20)
	text := cut(value, room*lines)
	if strings.HasSuffix(text, " bytes)") && len(value) > room*lines {
		text = cut(value, room*lines-len("… (1048576 bytes)"))
	}
	for i, l := range wrap(text, room) {
		if i > 0 {
			s.line("%*s%s", column, "", l)
			continue
		}
		s.line("%*s%s%s", indent, "", s.paint(quiet, fmt.Sprintf("%-10s", label)), l)
	}
}

// rows writes a heading and a list that is cut after some rows.
func (s *page) rows(heading string, rows []string, limit int) {
	if len(rows) == 0 {
		return
	}
	s.blank()
	s.line("%s", s.paint(strong, heading))
	for i, r := range rows {
		if i == limit && len(rows) > limit+1 {
			s.line("  … and %d more: see the JSON report", len(rows)-i)
			return
		}
		s.long(ordinary, "  "+r, 4)
	}
}

// row makes a text of ours fit one row of a list.
func (s *page) row(text string) string {
	text = Escape(text)
	if utf8.RuneCountInString(text) <= s.width-2 {
		return text
	}
	return string([]rune(text)[:s.width-3]) + "…"
}

// send writes the sheet.
func (s *page) send(w io.Writer) error {
	_, err := io.WriteString(w, s.String())
	return err
}

// counted says "1 case", "2 cases".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// levels is the order in which levels are told, worst first.
func levels() []report.Level {
	return report.Levels()
}

// Escape makes bytes from anywhere safe to print: control characters,
// direction marks, unassigned characters and broken UTF-8 are written as
// backslash escapes, everything else stays readable.
func Escape(s string) string {
	if clean(s) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, r)
		case r < 0x10000:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			fmt.Fprintf(&b, `\U%08x`, r)
		}
		i += n
	}
	return b.String()
}

// clean reports whether Escape would change nothing.
func clean(s string) bool {
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 || !unicode.IsPrint(r) {
			return false
		}
		i += n
	}
	return true
}

// cut escapes s and keeps at most so many characters; what was cut is said with
// the length of the whole in bytes.
func cut(s string, runes int) string {
	// An escape is at most ten characters for one byte, so that a huge value
	// need not be escaped in full before most of it is thrown away.
	head := s
	if len(head) > 4*runes {
		head = head[:4*runes]
	}
	e := Escape(head)
	if len(head) == len(s) && utf8.RuneCountInString(e) <= runes {
		return e
	}
	i := 0
	for n := 0; n < runes && i < len(e); n++ {
		_, w := utf8.DecodeRuneInString(e[i:])
		i += w
	}
	return e[:i] + fmt.Sprintf("… (%d bytes)", len(s))
}

// wrap breaks s at blanks into lines of at most width characters; a word that is
// longer than a line is broken anywhere.
func wrap(s string, width int) []string {
	var lines []string
	for utf8.RuneCountInString(s) > width {
		end, blank := 0, -1
		for n := 0; n <= width && end < len(s); n++ {
			if s[end] == ' ' && n > width/3 {
				blank = end
			}
			if n < width {
				_, w := utf8.DecodeRuneInString(s[end:])
				end += w
			}
		}
		if blank < 0 {
			lines, s = append(lines, s[:end]), s[end:]
			continue
		}
		lines, s = append(lines, s[:blank]), strings.TrimLeft(s[blank:], " ")
	}
	return append(lines, s)
}

// How text of others is put into Markdown. GitHub reads more than CommonMark there:
// @name and #12 in prose become links, and tell people.

// mdProse escapes a text that is read as a sentence, anywhere but at the start of a
// line: nothing in it is markup, a link, a mention or a formula.
func mdProse(text string) string {
	return mdEntities(text, func(b *strings.Builder, c byte, behind string) {
		b.WriteByte(c)
		if c == '@' || behind != "" && behind[0] >= '0' && behind[0] <= '9' {
			// GitHub looks for mentions after it decodes entities, so a zero-width
			// space breaks them.
			b.WriteString("&#8203;")
		}
	})
}

// mdEntities writes the characters that have a meaning as entities. Entities do not hide
// @ and #: named writes those.
func mdEntities(text string, named func(b *strings.Builder, c byte, behind string)) string {
	text = Escape(text)
	var b strings.Builder
	for i := range len(text) {
		c, behind := text[i], text[i+1:]
		switch {
		case c == '@', c == '#':
			named(&b, c, behind)
		case strings.IndexByte("\\`*_[]<>&|~$!", c) >= 0,
			c == ':' && strings.HasPrefix(behind, "//"),
			c == '.' && i >= 3 && strings.EqualFold(text[i-3:i], "www"):
			fmt.Fprintf(&b, "&#%d;", c)
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

// mdCode shows a text as it is, in a line of prose.
func mdCode(text string) string {
	text = Escape(text)
	if text == "" {
		return ""
	}
	mark := strings.Repeat("`", longest(text)+1)
	if text[0] == '`' || text[len(text)-1] == '`' || text[0] == ' ' && text[len(text)-1] == ' ' {
		text = " " + text + " "
	}
	return mark + text + mark
}

// mdCell shows a text as it is, in a cell of a table or in a line of HTML. A code span
// would not do: where a | ends a cell is decided before spans are read.
func mdCell(text string) string {
	if text == "" {
		return ""
	}
	return "<code>" + mdEntities(text, func(b *strings.Builder, c byte, _ string) { b.WriteByte(c) }) + "</code>"
}

// mdFence puts lines that are escaped already into a block that they cannot end.
func mdFence(language, text string) string {
	mark := strings.Repeat("`", max(3, longest(text)+1))
	return mark + language + "\n" + strings.TrimRight(text, "\n") + "\n" + mark + "\n"
}

// longest is the length of the longest run of backticks.
func longest(text string) int {
	maximum, n := 0, 0
	for i := range len(text) {
		if text[i] != '`' {
			n = 0
			continue
		}
		n++
		maximum = max(maximum, n)
	}
	return maximum
}
