package serialize

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// pairs are the names and raw values of a query, a form or the cookies.
type pairs struct {
	*reader
	base   string
	params []*openapi.Parameter
	cookie bool
	plus   bool // "+" is a blank, without a reason
	names  []string
	raws   []string
	used   []bool
	at     map[string][]int
}

// newPairs takes the pairs between "&" apart.
func newPairs(r *reader, base string, list []*openapi.Parameter, text string, plus bool) *pairs {
	texts := strings.Split(text, "&")
	ps := &pairs{reader: r, base: base, params: list, plus: plus, at: map[string][]int{}}
	for _, text := range texts {
		if text == "" {
			if len(texts) > 1 {
				r.because(base, "empty pair")
			}
			continue
		}
		name, raw, equals := strings.Cut(text, "=")
		name = ps.decode(name, base)
		if !equals {
			r.because(below(base, name), "name without \"=\"")
		}
		ps.add(name, raw)
	}
	return ps
}

// newCookies takes the pairs of a Cookie field. Their names are not encoded.
func newCookies(r *reader, list []*openapi.Parameter, texts []string) *pairs {
	ps := &pairs{reader: r, base: "/cookie", params: list, at: map[string][]int{}, cookie: true}
	for _, text := range texts {
		name, raw, equals := strings.Cut(strings.Trim(text, " \t"), "=")
		if !equals {
			r.because(below(ps.base, name), "name without \"=\"")
		}
		ps.add(name, raw)
	}
	return ps
}

func (ps *pairs) add(name, raw string) {
	ps.at[name] = append(ps.at[name], len(ps.names))
	ps.names, ps.raws, ps.used = append(ps.names, name), append(ps.raws, raw), append(ps.used, false)
}

// values reads each parameter of the list, nil for one that is absent. Objects that
// are spread over pairs take what no other parameter has.
func (ps *pairs) values() []*jsontree.Value {
	out := make([]*jsontree.Value, len(ps.params))
	var spread []int
	for i, p := range ps.params {
		var later bool
		if out[i], later = ps.one(p); later {
			spread = append(spread, i)
		}
	}
	owners := ps.owners(spread)
	for _, i := range spread {
		out[i] = ps.spread(ps.params[i], i, owners)
	}
	for i, name := range ps.names {
		if path := below(ps.base, name); !ps.used[i] && !slices.Contains(ps.out.Unknown, path) {
			if len(ps.out.Unknown) == maxUnknown {
				break
			}
			ps.out.Unknown = append(ps.out.Unknown, path)
		}
	}
	return out
}

// maxUnknown bounds the names that are listed.
const maxUnknown = 64

// one reads a parameter. later reports that it is an object whose members are pairs.
func (ps *pairs) one(p *openapi.Parameter) (v *jsontree.Value, later bool) {
	path := below(ps.base, p.Name)
	if p.Style == "deepObject" && p.Media == "" {
		return ps.deep(p, path), false
	}
	own := ps.at[p.Name]
	k := ps.kindsOf(p.Schema)
	exploded := p.Explode && p.Media == ""
	if exploded && k&isObject != 0 && k != anyKind && len(own) == 0 {
		return nil, true
	}
	if len(own) == 0 {
		return nil, false
	}
	for _, i := range own {
		ps.used[i] = true
	}
	single := k&(scalars|isNull) != 0
	if exploded && k&isArray != 0 && (!single || len(own) > 1) {
		if single || k&isObject != 0 {
			ps.because(path, "one value or several")
		}
		return ps.several(p, own, path), false
	}
	if len(own) > 1 {
		ps.because(path, Twice)
	}
	t := flatText{p: p, raw: ps.raws[own[0]], path: path, split: commas, decode: ps.decoder(p), separators: ","}
	switch {
	case exploded && single:
		if k&(isArray|isObject) != 0 && k != anyKind {
			ps.because(path, "one value or several")
		}
		return ps.scalar(p.Schema, t.decode(t.raw, path), path), false
	case p.Style == "spaceDelimited":
		t.split = func(raw string) []string {
			if !ps.plus && strings.Contains(raw, "+") {
				ps.because(path, "\"+\" for a blank")
			}
			return strings.Split(strings.ReplaceAll(raw, "+", "%20"), "%20")
		}
		t.separators = " "
	case p.Style == "pipeDelimited":
		t.split = func(raw string) []string {
			return strings.Split(strings.ReplaceAll(strings.ReplaceAll(raw, "%7c", "|"), "%7C", "|"), "|")
		}
		t.separators = "|"
	}
	return ps.value(t), false
}

// several reads an array whose items are pairs of one name.
func (ps *pairs) several(p *openapi.Parameter, own []int, path string) *jsontree.Value {
	var texts []string
	for _, i := range own {
		text := ps.decoder(p)(ps.raws[i], path+"/*")
		if strings.Contains(text, ",") {
			ps.ambiguous(path, "a separator inside an item")
		}
		texts = append(texts, text)
	}
	if len(own) > 1 && !ps.exploded(p) {
		ps.ambiguous(path, "items in pairs of their own, where no rule says so")
	}
	return ps.list(p.Schema, texts, path)
}

// owners returns for each pair the object that has it as a member, by its place in
// the list, or -1: the first one with a property of that name, else the first one
// that says it has others, if it was sent. Any request may have a name of no parameter.
func (ps *pairs) owners(spread []int) []int {
	out := make([]int, len(ps.names))
	takes := map[int]bool{}
	for _, i := range spread {
		takes[i] = takesOthers(ps.params[i].Schema, func(name string) bool {
			return slices.ContainsFunc(ps.at[name], func(n int) bool { return !ps.used[n] })
		})
	}
	byName := map[string]int{}
	for n, name := range ps.names {
		owner, done := byName[name]
		if !done {
			owner = -1
			for _, i := range spread {
				if _, known := Member(ps.params[i].Schema, name); known {
					if ps.used[n] {
						ps.ambiguous(below(ps.base, name), "one name of two parameters")
					}
					owner = i
					break
				}
				if takes[i] && owner < 0 {
					owner = i
				}
			}
			byName[name] = owner
		}
		out[n] = owner
	}
	return out
}

// spread reads an object whose members are pairs of their own.
func (ps *pairs) spread(p *openapi.Parameter, owner int, owners []int) *jsontree.Value {
	path := below(ps.base, p.Name)
	var names, texts []string
	for i, name := range ps.names {
		if owners[i] == owner && !ps.used[i] {
			ps.used[i] = true
			names, texts = append(names, name), append(texts, ps.decoder(p)(ps.raws[i], below(path, name)))
		}
	}
	if names == nil {
		return nil
	}
	if !ps.exploded(p) {
		ps.ambiguous(path, "members in pairs of their own, where no rule says so")
	}
	return ps.object(p.Schema, names, texts, path)
}

// deep reads the members of an object from pairs such as name[key]=value.
func (ps *pairs) deep(p *openapi.Parameter, path string) *jsontree.Value {
	var names, texts []string
	found := false
	for i, name := range ps.names {
		rest, ok := strings.CutPrefix(name, p.Name)
		if !ok || rest != "" && rest[0] != '[' {
			continue
		}
		found, ps.used[i] = true, true
		key, ok := strings.CutSuffix(strings.TrimPrefix(rest, "["), "]")
		if !ok || key == "" || strings.ContainsAny(key, "[]") {
			ps.because(path, "key "+quoted(rest))
			continue
		}
		at := below(path, key)
		if _, known := Member(p.Schema, key); !known {
			if isOpen, free := open(p.Schema); isOpen && !free {
				ps.because(at, "unknown key")
			}
		}
		names, texts = append(names, key), append(texts, ps.decode(ps.raws[i], at))
	}
	if !found {
		return nil
	}
	return ps.object(p.Schema, names, texts, path)
}

// exploded reports whether a rule says that each part is a pair of its own.
func (ps *pairs) exploded(p *openapi.Parameter) bool {
	return p.Style == "cookie" || p.Style == "form" && !ps.cookie
}

// decoder returns how the values of a parameter are decoded.
func (ps *pairs) decoder(p *openapi.Parameter) func(raw, path string) string {
	if p.Style != "cookie" {
		return ps.decode
	}
	return func(raw, path string) string {
		ps.cookieText(raw, path)
		return raw
	}
}

// decode decodes a name or a value.
func (ps *pairs) decode(raw, path string) string {
	text, valid := unescape(raw, !ps.cookie)
	if !valid {
		ps.because(path, "invalid percent-encoding")
	}
	if ps.cookie {
		ps.cookieText(raw, path)
	} else {
		if !ps.plus && strings.Contains(raw, "+") {
			ps.because(path, "\"+\" for a blank")
		}
		ps.unencoded(raw, path, "\"<>\\^`{}|[]#;")
	}
	ps.characters(withoutLineEnds.Replace(text), path)
	return text
}

// withoutLineEnds takes out white space that a server may refuse, but reads as it is.
var withoutLineEnds = strings.NewReplacer("\n", "", "\r", "", "\t", "")

// cookieText adds the reasons of a cookie. Servers do or do not decode it.
func (ps *pairs) cookieText(raw, path string) {
	if strings.ContainsAny(raw, "%+") {
		ps.because(path, "percent-encoding in a cookie")
	}
	if strings.ContainsAny(raw, " \"\\;") {
		ps.because(path, "a character that a cookie does not have")
	}
	ps.unencoded(raw, path, "")
}

// unencoded adds a reason for bytes that a request target does not have (RFC 3986,
// 3.3).
func (r *reader) unencoded(raw, path, others string) {
	for i := range len(raw) {
		if c := raw[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(others, c) >= 0 {
			r.because(path, "a character that is not percent-encoded")
			return
		}
	}
}

const hexDigits = "0123456789ABCDEF"

func unreserved(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// escape percent-encodes every byte that is neither unreserved nor one of keep (RFC
// 3986, 2.1).
func escape(text, keep string) string {
	var b strings.Builder
	for i := range len(text) {
		c := text[i]
		if unreserved(c) || strings.IndexByte(keep, c) >= 0 {
			b.WriteByte(c)
		} else {
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	return b.String()
}

// What stays unencoded besides what is unreserved. Reserved characters that a
// server could take for a delimiter are encoded even where allowReserved is true:
// the document leaves that to the application (OpenAPI 3.1, 4.8.12.2).
const (
	literalKeep  = "!$&'()*+,;=:@"
	reservedKeep = ":/?@!$'()*"
	segmentKeep  = ":@!$'()*"
	cookieKeep   = "!#$'()*+/:<>?@[]^`{|}"
)

// escapeLiteral encodes what a path cannot have, and keeps what is encoded already.
func escapeLiteral(text string) string {
	var b strings.Builder
	for text != "" {
		n := 1
		if _, ok := triplet(text); ok {
			n = 3
			b.WriteString(text[:n])
		} else {
			b.WriteString(escape(text[:n], literalKeep))
		}
		text = text[n:]
	}
	return b.String()
}

// triplet returns the byte that a text starts with if it is percent-encoded.
func triplet(text string) (byte, bool) {
	if len(text) < 3 || text[0] != '%' {
		return 0, false
	}
	high, low := strings.IndexByte(hexDigits, upper(text[1])), strings.IndexByte(hexDigits, upper(text[2]))
	return byte(high<<4 | low), high >= 0 && low >= 0
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		return c - 'a' + 'A'
	}
	return c
}

// unescape decodes a text and reports whether each "%" was part of a triplet.
func unescape(raw string, plus bool) (string, bool) {
	if !strings.ContainsAny(raw, "%+") {
		return raw, true
	}
	b, valid := make([]byte, 0, len(raw)), true
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		switch d, ok := triplet(raw[i:]); {
		case ok:
			c, i = d, i+2
		case c == '%':
			valid = false
		case c == '+' && plus:
			c = ' '
		}
		b = append(b, c)
	}
	return string(b), valid
}
