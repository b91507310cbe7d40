package formats

import (
	"fmt"
	"strings"
)

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
