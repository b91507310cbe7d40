package requirement

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"io"
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/hints"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// readItems reads the parts of a stream as a list. Of one that went on, only the whole parts count.
func readItems(m *openapi.Media, media string, r *exchange.Response) *schema.Reading {
	text := strings.TrimPrefix(string(r.Content), "\uFEFF")
	events := media == "text/event-stream"
	if events {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	end := "\n"
	if events {
		end = "\n\n"
	}
	if r.Open || events { // an event ends with an empty line
		text = text[:strings.LastIndex(text, end)+1]
	}
	list := jsontree.NewArray()
	for part := range strings.SplitSeq(text, end) {
		var item *jsontree.Value
		var err error
		switch {
		case events:
			item, err = event(part, m.DataJSON)
		case strings.Trim(part, " \t\r\x1e") != "":
			item, err = whole(strings.TrimPrefix(part, "\x1e"))
		}
		if err != nil {
			return &schema.Reading{Kind: schema.NotJSON, Syntax: fmt.Errorf("part %d: %w", len(list.Items)+1, err)}
		}
		if item != nil {
			list.Items = append(list.Items, item)
		}
	}
	return m.Shape.ReadValue(list, nil, schema.Bindings{})
}

func whole(text string) (*jsontree.Value, error) {
	doc, err := jsontree.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	return doc.Root, nil
}

// event reads an event (HTML, 9.2.6); nil if it has no data and means nothing.
func event(block string, asJSON bool) (*jsontree.Value, error) {
	var data []string
	out := jsontree.NewObject()
	for line := range strings.SplitSeq(block, "\n") {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			data = append(data, value)
		case "event", "id", "retry":
			out.Set(name, jsontree.NewString(value))
		}
	}
	if data == nil {
		return nil, nil
	}
	held := jsontree.NewString(strings.Join(data, "\n"))
	if asJSON {
		v, err := whole(held.Text)
		if err != nil {
			return nil, err
		}
		held = v
	}
	out.Set("data", held)
	return out, nil
}

// readXML checks whether a body is well-formed. It returns nil if that cannot be decided:
// the encoding is not UTF-8, or the body defines entities.
func readXML(body []byte) *schema.Reading {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\uFEFF"))))
	unknown := false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) {
		unknown = true
		return in, nil
	}
	roots, depth := 0, 0
	for {
		token, err := d.Token()
		switch t := token.(type) {
		case xml.StartElement:
			if depth == 0 {
				roots++
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.Directive:
			unknown = unknown || bytes.Contains(t, []byte("ENTITY"))
		}
		switch {
		case unknown, len(body) > 1 && (body[0] == 0xFF || body[0] == 0xFE || body[0] == 0):
			return nil
		case errors.Is(err, io.EOF) && roots == 1:
			return &schema.Reading{}
		case errors.Is(err, io.EOF):
			err = errors.New("not one root element")
		}
		if err != nil {
			return &schema.Reading{Kind: schema.NotJSON, Syntax: err}
		}
	}
}

// xmlMembers returns the texts of the elements below the root element, as members of an object; nil
// if the body is not well-formed.
func xmlMembers(body []byte) *jsontree.Value {
	var doc struct {
		Below []struct {
			XMLName xml.Name
			Text    string `xml:",chardata"`
		} `xml:",any"`
	}
	if xml.Unmarshal(body, &doc) != nil {
		return nil
	}
	out := jsontree.NewObject()
	for _, e := range doc.Below {
		out.Members = append(out.Members, jsontree.M(e.XMLName.Local, jsontree.NewString(strings.TrimSpace(e.Text))))
	}
	return out
}

// saidBytes is how much of a message is kept, in bytes, saidLooked how much of a body is looked at.
const (
	saidBytes  = 200
	saidLooked = 64 << 10
)

// Said returns what the body of an answer says for people, on one line: the member of JSON that
// holds the message, the exception of an error page or of a stack trace, else the first line of the
// text. It shows what the server says; no failure rests on it.
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
	regexp.MustCompile(`(?is)<h[1-6][^>]*>\s*(?:exception|error)\s*</h[1-6]>\s*<p[^>]*>(.*?)</p>`),
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
// addresses and numbers, with the unit of a size.
var drawn = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`']*[`']|\u201c[^\u201d]*\u201d|\\b[0-9a-fA-F]{8}-[0-9a-fA-F-]{27}\\b|\\b0x[0-9a-fA-F]+\\b|\\b[0-9a-fA-F]{12,}\\b|[-+]?\\w*\\d[\\w.,:+-]*(?:\\s[kKMGTPE]i?B\\b)?")

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
