package message

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
)

// longestCurl is the largest body, in bytes, that a command is written for.
const longestCurl = 8 << 10

// Curl returns a request as a curl command. It is empty if curl would send other
// bytes.
func (e *Endpoint) Curl(m *Message) string {
	alone := !m.Behind && len(m.Followed) == 0
	if m.Framing != Length && m.Framing != Chunked || m.Order != UsualOrder || m.Gap != OneBlank || m.Version != "" || m.Rest != RestNever || m.Ends || !alone {
		return ""
	}
	var b strings.Builder
	body, media, _ := m.encode()
	inputs, err := m.inputs()
	if err != nil {
		return ""
	}
	data := ""
	switch {
	case len(body) > longestCurl:
		return ""
	case len(body) > 0 && typeable(body):
		data = " --data-binary " + quote(string(body), false)
	case len(body) > 0:
		fmt.Fprintf(&b, "printf %%s %s | base64 -d | ", base64.StdEncoding.EncodeToString(body))
		data = " --data-binary @-"
	case m.hasLength(): // curl writes no length if it has no data
		data = " --data-binary ''"
	}
	b.WriteString("curl")
	presented, keys := e.presented(m), e.keysOf(m)
	if !typesQuery(presented) {
		return ""
	}
	credential := e.wireQuery(presented, keys, true)
	expands := strings.Contains(credential, "CONFORMANCE_")
	if strings.ContainsAny(inputs.Path+inputs.Query+m.Query, "[]{}") {
		b.WriteString(" -g") // else they stand for several addresses
	}
	inputs.Query = joined(inputs.Query, credential)
	inputs.Cookie = append(inputs.Cookie, e.cookies(presented, keys, true)...)
	fmt.Fprintf(&b, " -i -X %s %s", m.Op.Method, quote(e.Target.Origin()+e.addressOf(m, inputs), expands))
	typed := false
	for _, f := range e.fields(m, inputs, presented, keys, "", media, len(body), true) { // a case is for the log of one run
		name := strings.ToLower(f.Name)
		own := slices.ContainsFunc(m.Fields, func(f exchange.Field) bool { return strings.EqualFold(f.Name, name) })
		switch {
		case name == "content-type":
			typed = true
		case !own && (name == "host" || name == "user-agent" || name == "content-length" || name == "accept" && f.Value == "application/json"):
			continue // as curl writes them, or as no server should mind
		}
		if f.Value == "" {
			b.WriteString(" -H " + quote(f.Name+";", false))
			continue
		}
		b.WriteString(" -H " + quote(f.Name+": "+f.Value, written(f, presented)))
	}
	for _, name := range []string{"Host", "User-Agent", "Accept", "Content-Length"} {
		if m.drops(name) && (name != "Content-Length" || len(body) > 0) {
			b.WriteString(" -H '" + name + ":'") // else curl writes one
		}
	}
	if data != "" && !typed {
		data = " -H 'Content-Type:'" + data // else curl names a type of its own
	}
	b.WriteString(data)
	if !utf8.ValidString(b.String()) {
		return ""
	}
	return b.String()
}

// written reports whether the value of a field is what a shell would write: with the
// variable that stands for the token, or with a command for many letters. Other values
// may look like that, and stand for themselves.
func written(f exchange.Field, list []Presented) bool {
	return strings.Contains(f.Value, "CONFORMANCE_") || slices.ContainsFunc(list, func(p Presented) bool {
		return p.In != "query" && strings.Contains(p.Show, "$(printf ") && strings.Contains(f.Value, p.Show)
	})
}

// typesQuery reports whether a shell writes the credentials in the query as they are
// sent, for a token of unreserved characters.
func typesQuery(list []Presented) bool {
	for _, p := range list {
		if v := p.Value("aB3dE5fG7hJ9kM1nP"); p.In == "query" && strings.Contains(p.Show, tokenVariable) && escape(v) != v {
			return false
		}
	}
	return true
}

// typeable reports whether a shell word can hold the bytes as they are.
func typeable(b []byte) bool {
	if !utf8.Valid(b) {
		return false
	}
	for _, c := range string(b) {
		if !unicode.IsPrint(c) {
			return false
		}
	}
	return b[0] != '@'
}

// quote returns a shell word. If expands is set, $ is expanded inside double
// quotes.
func quote(s string, expands bool) string {
	if expands {
		return `"` + escaped(s) + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// inDoubleQuotes escapes what a shell would read in double quotes.
var inDoubleQuotes = strings.NewReplacer("\\", `\\`, `"`, `\"`, "`", "\\`")

// escaped escapes a text for double quotes. A command in it, $(...), is a text of its own
// and stays as it is.
func escaped(s string) string {
	before, rest, found := strings.Cut(s, "$(")
	if !found {
		return inDoubleQuotes.Replace(s)
	}
	for i, open := 0, 1; i < len(rest); i++ {
		switch rest[i] {
		case '(':
			open++
		case ')':
			open--
		}
		if open == 0 {
			return inDoubleQuotes.Replace(before) + "$(" + rest[:i+1] + escaped(rest[i+1:])
		}
	}
	return inDoubleQuotes.Replace(s)
}

// PathSpelling is a way to write the path. Some servers take it for the same path, but not
// what stands before them, such as a check of credentials; others for another one.
type PathSpelling uint8

// The spellings.
const (
	PathAsUsual     PathSpelling = iota
	LetterEncoded                // the first letter is percent-encoded, the address the same (RFC 3986, 6.2.2.2)
	SlashBehind                  // as routers that are not strict ignore it
	SlashTwice                   // at the beginning
	DotBefore                    // a segment that means nothing (RFC 3986, 5.2.4)
	UpperCase                    // of the first segment
	SemicolonBehind              // with an empty parameter of the segment (RFC 3986, 3.3)
	pathSpellings
)

// String is the name of the spelling in case ids.
func (p PathSpelling) String() string {
	return [...]string{"usual-path", "encoded-path", "slash-behind-path", "two-slashes-before-path", "dot-before-path", "upper-case-path", "semicolon-behind-path"}[p]
}

// PathSpellings returns the unusual spellings of the paths of an operation. What follows an
// expression could be taken for a part of its value.
func PathSpellings(template string) []PathSpelling {
	var out []PathSpelling
	for p := LetterEncoded; p < pathSpellings; p++ {
		if written := p.in(template); written != template && usualPath(template, written) == template {
			out = append(out, p)
		}
	}
	return out
}

// in writes a path.
func (p PathSpelling) in(path string) string {
	switch p {
	case LetterEncoded:
		return encoded(path)
	case SlashBehind:
		return path + "/"
	case SlashTwice:
		return "/" + path
	case DotBefore:
		return "/." + path
	case UpperCase:
		first := firstSegment(path)
		return strings.ToUpper(first) + path[len(first):]
	case SemicolonBehind:
		return path + ";x"
	}
	return path
}

// usualPath undoes every spelling in a path of an operation.
func usualPath(template, path string) string {
	path = decoded(path)
	if !strings.HasSuffix(template, "}") {
		path = strings.TrimSuffix(path, ";x")
		if !strings.HasSuffix(template, "/") {
			path = strings.TrimSuffix(path, "/")
		}
	}
	for _, before := range []string{"/.", "/"} {
		if rest, found := strings.CutPrefix(path, before); found && strings.HasPrefix(rest, "/") && firstSegment(template) != before {
			path = rest
		}
	}
	first, own := firstSegment(path), firstSegment(template)
	if !strings.Contains(own, "{") && strings.EqualFold(first, own) {
		path = own + path[len(first):]
	}
	return path
}

// firstSegment returns the first segment of a path, with the slash before it.
func firstSegment(path string) string {
	if len(path) < 2 {
		return path
	}
	if end := strings.IndexByte(path[1:], '/'); end >= 0 {
		return path[:end+1]
	}
	return path
}

// encoded writes the first letter of a path percent-encoded. A path without one stays as it
// is.
func encoded(path string) string {
	for i := 0; i < len(path); i++ {
		switch {
		case path[i] == '{':
			return path // a template whose paths may have no letter
		case path[i] == '%':
			i += 2 // the digits of an escape
		case isLetter(rune(path[i])):
			return fmt.Sprintf("%s%%%02X%s", path[:i], path[i], path[i+1:])
		}
	}
	return path
}

func isLetter(c rune) bool { return 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z' }

// decoded undoes encoded, wherever a letter is written so.
func decoded(path string) string {
	return encodedLetter.ReplaceAllStringFunc(path, func(escape string) string {
		if c, _ := strconv.ParseUint(escape[1:], 16, 8); isLetter(rune(c)) {
			return string(rune(c))
		}
		return escape
	})
}

var encodedLetter = regexp.MustCompile(`%[4-7][0-9A-Fa-f]`)
