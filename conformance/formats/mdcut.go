package formats

import (
	"bytes"
	"strings"
)

const tooLong = "\nThis report is too long for this place and was cut here. --report markdown=FILE writes the whole.\n"

// CutMarkdown keeps at most so many bytes of a report that Markdown wrote. It cuts
// between two lines, closes what is open there, and says so. The verdict is at the
// top, and stays. The result is empty if there is no room to say anything.
func CutMarkdown(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	var open []string // what has to be written behind each line, outermost first
	kept, ending := 0, ""
	for at := 0; at < len(text); {
		end := len(text)
		if i := bytes.IndexByte(text[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := strings.TrimRight(string(text[at:end]), "\n")
		mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		fenced := len(open) > 0 && open[len(open)-1][0] == '`'
		switch {
		case fenced && line == open[len(open)-1], !fenced && line == "</details>" && len(open) > 0:
			open = open[:len(open)-1]
		case fenced:
		case len(mark) >= 3:
			open = append(open, mark)
		case strings.HasPrefix(line, "<details>"):
			open = append(open, "</details>")
		}
		closing := closed(open)
		if end+len(closing)+len(tooLong) > most {
			break
		}
		kept, ending, at = end, closing, end
	}
	if kept == 0 {
		return nil
	}
	return append(append(bytes.Clone(text[:kept]), ending...), tooLong...)
}

// closed ends what is open, innermost first.
func closed(open []string) string {
	out := ""
	for _, mark := range open {
		if mark[0] == '`' {
			out = mark + "\n" + out
		} else {
			out = "\n" + mark + "\n" + out
		}
	}
	return out
}
