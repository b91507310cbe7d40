package requirement

import (
	"html"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

// saidBytes is how much of a message is kept, in bytes, saidLooked how much of a body is looked at.
const (
	saidBytes  = 200
	saidLooked = 64 << 10
)

// Said returns what the body of an answer says for people, on one line: the member of JSON that
// holds the message, the exception of an error page or of a stack trace, else the first line of the
// text. It only shows what the server says, and decides nothing.
func Said(body []byte) string {
	text := strings.TrimSpace(strings.ToValidUTF8(string(body[:min(len(body), saidLooked)]), "\uFFFD"))
	if text == "" {
		return ""
	}
	if d, err := jsontree.Parse([]byte(text)); err == nil && d.Root.Kind != jsontree.Number {
		if said := messageOf(d.Root, 0); said != "" {
			return saidLine(tracedLine(said))
		}
		return saidLine(d.Root.String())
	}
	if cut := begunJSON.FindStringSubmatch(text); cut != nil {
		return saidLine(cut[2]) // the rest was not kept
	}
	if text[0] == '<' {
		return saidLine(pageLine(text))
	}
	return saidLine(tracedLine(text))
}

// begunJSON is JSON of which a part is missing, with the first message in it.
var begunJSON = regexp.MustCompile(`(?is)^[{\[].*?"(message|detail|msg|title|error)"\s*:\s*"([^"]+)"`)

// saidLine makes one short line of a text.
func saidLine(text string) string {
	return jsontree.Cut(strings.Join(strings.Fields(text), " "), saidBytes)
}

// sayings are the names of members that hold a message, the most telling first.
var sayings = []string{"message", "detail", "errormessage", "errordescription", "msg", "title", "reason", "description", "error", "errors", "details", "exception", "fault", "cause", "status"}

// messageOf returns the message in a value: a text, what a member with such a name holds, or that of
// the first item of a list.
func messageOf(v *jsontree.Value, depth int) string {
	const deepest = 4
	if v == nil || depth > deepest {
		return ""
	}
	switch v.Kind {
	case jsontree.String:
		return strings.TrimSpace(v.Text)
	case jsontree.Array:
		if len(v.Items) > 0 {
			if said := messageOf(v.Items[0], depth+1); said != "" {
				return about(v.Items[0]) + said
			}
		}
	case jsontree.Object:
		// The detail of problem+json says more than its title; the two belong together (RFC 9457, 3.1).
		if title, detail := v.Get("title"), v.Get("detail"); title != nil && detail != nil && title.Kind == jsontree.String && detail.Kind == jsontree.String && title.Text != detail.Text {
			return strings.TrimRight(title.Text, ". ") + ": " + detail.Text
		}
		for _, name := range sayings {
			i := slices.IndexFunc(v.Members, func(m jsontree.Member) bool { return hints.Flat(m.Name) == name })
			if i < 0 {
				continue
			}
			if said := messageOf(v.Members[i].Value, depth+1); said != "" {
				return said
			}
		}
		if len(v.Members) == 1 {
			return messageOf(v.Members[0].Value, depth+1)
		}
	}
	return ""
}

// about names the part of the request that a message in a list is about, as validators write it.
func about(v *jsontree.Value) string {
	for _, name := range []string{"loc", "field", "instancepath", "pointer", "path", "property"} {
		i := slices.IndexFunc(v.Members, func(m jsontree.Member) bool { return hints.Flat(m.Name) == name })
		if i < 0 {
			continue
		}
		switch at := v.Members[i].Value; at.Kind {
		case jsontree.String:
			if at.Text != "" {
				return at.Text + ": "
			}
		case jsontree.Array:
			var parts []string
			for _, item := range at.Items {
				parts = append(parts, item.Text)
			}
			if len(parts) > 0 {
				return strings.Join(parts, ".") + ": "
			}
		}
	}
	return ""
}

// The parts of an error page that may hold the exception, the most telling first.
var pageParts = []*regexp.Regexp{
	regexp.MustCompile(`(?is)<[^>]*class="?(?:exception_value|errormsg)[^>]*>(.*?)</`),
	regexp.MustCompile(`(?is)<b>message</b>(.*?)</p>`),
	regexp.MustCompile(`(?is)<pre[^>]*>(.*?)</pre>`),
	regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`),
	regexp.MustCompile(`(?is)<h1[^>]*>(.*?)</h1>`),
}

var (
	pageHidden = regexp.MustCompile(`(?is)<!--.*?-->|<(style|script)[^>]*>.*?</(style|script)>`)
	pageBreak  = regexp.MustCompile(`(?i)<(br|/p|/div|/h[1-6]|/li|/title)[^>]*>`)
	pageTag    = regexp.MustCompile(`<[^>]*>`)
)

// pageLine returns the line of an error page, or of XML, that names the error.
func pageLine(page string) string {
	page = pageHidden.ReplaceAllString(page, "")
	for _, part := range pageParts {
		if found := part.FindStringSubmatch(page); found != nil {
			if said := tracedLine(plain(found[1])); said != "" {
				return said
			}
		}
	}
	return tracedLine(plain(page))
}

// plain returns the text of a piece of HTML.
func plain(text string) string {
	text = pageTag.ReplaceAllString(pageBreak.ReplaceAllString(text, "\n"), "")
	return strings.TrimSpace(strings.ReplaceAll(html.UnescapeString(text), "\u00a0", " "))
}

// traceFrame is a line of a stack trace below the exception: of Node, Java, .NET, Ruby or PHP.
var traceFrame = regexp.MustCompile(`^\s*(at\s+\S.*|from\s+\S+:\d+.*|#\d+\s.*|\.\.\. \d+ more)$`)

// exceptionLine is a line that names an exception and says something.
var exceptionLine = regexp.MustCompile(`^[\w.$:]*(Error|Exception|Panic|Warning|Exit|Interrupt)\b`)

// tracedLine returns the line of a text that names the exception, if the text has a stack trace, else
// its first line.
func tracedLine(text string) string {
	lines := slices.DeleteFunc(strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), func(l string) bool { return strings.TrimSpace(l) == "" })
	if len(lines) == 0 {
		return ""
	}
	for i, line := range lines {
		switch {
		case strings.HasPrefix(line, "Traceback (most recent call last)"):
			// Python: the exception stands behind the frames, which are indented.
			for _, l := range lines[i+1:] {
				if l[0] != ' ' && l[0] != '\t' {
					return l
				}
			}
		case strings.HasPrefix(line, "panic: "), strings.Contains(line, ": panic serving "):
			return line
		case i > 0 && traceFrame.MatchString(line):
			for j := i - 1; j >= 0; j-- {
				if exceptionLine.MatchString(strings.TrimSpace(lines[j])) {
					return strings.TrimSpace(lines[j])
				}
			}
			return strings.TrimSpace(lines[i-1])
		}
	}
	return strings.TrimSpace(lines[0])
}

// drawn are parts of a message that differ from one request to the next: what stands in quotes, ids,
// addresses and numbers.
var drawn = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`']*[`']|\u201c[^\u201d]*\u201d|\\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\\b|\\b0x[0-9a-fA-F]+\\b|\\b[0-9a-fA-F]{12,}\\b|[-+]?\\w*\\d[\\w.,:+-]*")

// several are such parts with nothing but punctuation between them: a list with more items.
var several = regexp.MustCompile("[\\[{(]*…(?:[\\s,:{}\\[\\]()]*…)*[\\]})]*")

// Words returns a message without what differs from one request to the next: two errors with other
// words are two faults.
func Words(said string, sent *message.Sent) string {
	var values []string
	note := func(_ string, v *jsontree.Value) {
		if v.Kind == jsontree.String {
			values = append(values, v.Text)
		}
	}
	if sent != nil && sent.Body != nil {
		sent.Body.Root().Walk(note)
		sent.Body.Values.Walk(note)
	}
	return Same(said, values)
}

// Same returns a message without what differs from one request to the next. Values are texts of the
// request that it may repeat.
func Same(said string, values []string) string {
	slices.SortFunc(values, func(a, b string) int { return len(b) - len(a) })
	for _, v := range values {
		if len(v) > 2 {
			said = strings.ReplaceAll(said, v, "…")
		}
	}
	return several.ReplaceAllString(drawn.ReplaceAllString(said, "…"), "…")
}
