package redact

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"encoding/base64"
	"io"
	"slices"
	"strings"
)

// search finds pieces of forms in folded bytes.
type search struct {
	sizes []int
	// parts are the pieces of each size, with the number of their secret; starts
	// tells which two bytes any piece begins with.
	parts  map[int]map[string]int
	starts [1 << 16]bool
	heads  []head
	whole  map[string]bool // pieces that count between words alone
}

// head is the beginning of a form, for what was cut: longer ones are pieces.
type head struct {
	text   string
	secret int
	whole  bool
}

func (s *search) add(f form, secret int) {
	f.part = min(f.part, len(f.text))
	if f.part < minimum {
		return
	}
	if s.parts == nil {
		s.parts, s.whole = map[int]map[string]int{}, map[string]bool{}
	}
	if s.parts[f.part] == nil {
		s.parts[f.part] = map[string]int{}
		s.sizes = append(s.sizes, f.part)
	}
	for i := 0; i+f.part <= len(f.text); i++ {
		piece := f.text[i : i+f.part]
		if _, known := s.parts[f.part][piece]; !known || s.whole[piece] {
			s.whole[piece] = f.whole // a piece of another secret counts everywhere
		}
		s.parts[f.part][piece] = secret
		s.starts[pair(piece[0], piece[1])] = true
	}
	s.heads = append(s.heads, head{f.text[:f.part], secret, f.whole})
}

func pair(a, b byte) int { return int(a)<<8 | int(b) }

// in marks every piece that stands in a view, by its place in the source.
func (s *search) in(v view, ends ending, found *marks) {
	for i := 0; i+1 < len(v.text); i++ {
		if !s.starts[pair(v.text[i], v.text[i+1])] {
			continue
		}
		for _, n := range s.sizes {
			if i+n > len(v.text) {
				continue
			}
			if secret, ok := s.parts[n][string(v.text[i:i+n])]; ok && !(s.whole[string(v.text[i:i+n])] && inWord(v.text, i, i+n)) {
				found.add(v.from[i], v.to[i+n-1], secret)
			}
		}
	}
	if ends.last {
		s.before(v, len(v.text), 1, found)
	}
	for at := 0; ; {
		i := bytes.Index(v.text[at:], ellipsis)
		if i < 0 {
			return
		}
		at += i
		s.before(v, at, ends.minimum, found)
		at += len(ellipsis)
	}
}

// ellipsis is what this suite writes where it cuts a text.
var ellipsis = []byte("…")

// cutMin is how much of the beginning of a secret is taken out before an
// ellipsis.
const cutMin = 3

// ending says where a text may have been cut: before an ellipsis, and at its
// end if last is set.
type ending struct {
	minimum int
	last    bool
}

// before marks the longest beginning of a form that ends at a place.
func (s *search) before(v view, end, minimum int, found *marks) {
	for _, h := range s.heads {
		for n := min(len(h.text), end); n >= minimum; n-- {
			if string(v.text[end-n:end]) == h.text[:n] && !(h.whole && inWord(v.text[:end], end-n, end)) {
				found.add(v.from[end-n], v.to[end-1], h.secret)
				break
			}
		}
	}
}

// marks are places of the source that are taken out.
type marks []mark

type mark struct{ from, to, secret int }

func (m *marks) add(from, to, secret int) { *m = append(*m, mark{from, to, secret}) }

// replace puts what is shown into the places; those that touch are one.
func (m marks) replace(b []byte, secrets []Secret) []byte {
	if len(m) == 0 {
		return b
	}
	slices.SortFunc(m, func(a, b mark) int { return a.from - b.from })
	var out []byte
	at := 0
	for i := 0; i < len(m); {
		from, to := m[i].from, m[i].to
		first := m[i].secret
		for i++; i < len(m) && m[i].from <= to; i++ {
			to, first = max(to, m[i].to), min(first, m[i].secret)
		}
		out = append(append(out, b[at:from]...), secrets[first].Shown...)
		at = to
	}
	return append(out, b[at:]...)
}

// Header reports whether the value of a field with that name looks like a secret.
func Header(name string) bool {
	n := strings.ToLower(name)
	for _, part := range []string{"auth", "cookie", "token", "secret", "apikey", "api-key", "api_key", "password", "passwd", "credential", "session", "signature", "jwt"} {
		if strings.Contains(n, part) {
			return true
		}
	}
	return strings.HasSuffix(n, "-key") || strings.HasSuffix(n, "_key") || n == "key"
}

// Field gives the secrets of a field that the user gave: its value, without a
// scheme before it, or the values of its cookies. The password of a Basic credential is one
// too.
func Field(name, value string) []Secret {
	shown := Shown(name)
	if strings.Contains(strings.ToLower(name), "cookie") {
		var out []Secret
		for _, c := range strings.Split(value, ";") {
			name, v, found := strings.Cut(c, "=")
			if !found {
				v = name
			}
			out = append(out, Secret{strings.Trim(v, ` "`), shown})
		}
		return out
	}
	if scheme, rest, found := strings.Cut(value, " "); found && !strings.ContainsAny(scheme, "=;,") {
		value = strings.TrimSpace(rest)
		if plain, err := base64.StdEncoding.DecodeString(value); err == nil && strings.EqualFold(scheme, "Basic") {
			_, password, _ := strings.Cut(string(plain), ":")
			return []Secret{{value, shown}, {string(plain), shown}, {password, shown}}
		}
	}
	return []Secret{{value, shown}}
}

// Shown is what stands for the value of a secret field: a variable of the shell.
func Shown(name string) string {
	var b strings.Builder
	b.WriteString("$CONFORMANCE_HEADER_")
	for _, c := range strings.ToUpper(name) {
		if c < 'A' || c > 'Z' {
			if c < '0' || c > '9' {
				c = '_'
			}
		}
		b.WriteRune(c)
	}
	return b.String()
}

// maxUnpacked bounds what is unpacked of one answer, in bytes.
const maxUnpacked = 64 << 10

// unpacked replaces compressed bytes that contain a secret with their content,
// because an answer that could not be decoded is still compressed. It unpacks one
// layer only: some archives contain themselves.
func (r *Redactor) unpacked(b []byte) []byte {
	for _, p := range []struct {
		magic []byte
		open  func(io.Reader) (io.ReadCloser, error)
	}{
		{[]byte{0x1f, 0x8b, 0x08}, func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
		{[]byte{0x78, 0x01}, zlib.NewReader}, {[]byte{0x78, 0x9c}, zlib.NewReader}, {[]byte{0x78, 0xda}, zlib.NewReader},
	} {
		at := bytes.Index(b, p.magic)
		if at < 0 {
			continue
		}
		in, err := p.open(bytes.NewReader(b[at:]))
		if err != nil {
			continue
		}
		plain, _ := io.ReadAll(io.LimitReader(in, maxUnpacked)) // what can be read is what counts
		if safe := r.unencoded(plain, true); !bytes.Equal(safe, plain) {
			return append(append(bytes.Clone(b[:at]), "(unpacked) "...), safe...)
		}
	}
	return b
}
