package message

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
)

// Auth is how the requests of an operation authenticate. A nil *Auth sends nothing.
type Auth struct {
	op           *openapi.Operation
	alternatives []alternative // as in the document
	keys         []part        // the schemes of all alternatives, each once
	once         sync.Once
	attempts     []Attempt
}

// alternative is what a request has to satisfy together.
type alternative struct {
	parts []part
	given bool
}

// part is a scheme of the document and the entry that serves it.
type part struct {
	*Scheme
	of *openapi.Scheme
}

// NewAuth finds the entries that serve the schemes of an operation. It returns nil
// for an operation without security.
func NewAuth(list []Scheme, op *openapi.Operation) (*Auth, error) {
	if op.Security == nil {
		return nil, nil
	}
	a := &Auth{op: op}
	for i, alt := range op.Security {
		one := alternative{given: op.Tried(i)}
		for _, s := range alt {
			p := part{FindScheme(list, s), s}
			if p.Scheme == nil {
				return nil, fmt.Errorf("%s: no scheme of the catalogue can send %s", op.Slug, s.Name)
			}
			one.parts = append(one.parts, p)
			if !slices.ContainsFunc(a.keys, func(k part) bool { return k.of.Name == s.Name }) {
				a.keys = append(a.keys, p)
			}
		}
		a.alternatives = append(a.alternatives, one)
	}
	return a, nil
}

// Required reports whether a request without a valid credential has to be refused,
// and can be sent.
func (a *Auth) Required() bool { return a != nil && a.op.Secured() }

// Valid returns the credentials of the chosen alternative.
func (a *Auth) Valid() []Presented { return a.alternatives[a.op.Chosen].valid(nil) }

// valid presents all parts but one.
func (alt alternative) valid(but *openapi.Scheme) []Presented {
	out := []Presented{}
	for _, p := range alt.parts {
		if p.of != but {
			out = append(out, p.present(p.Scheme.Valid(p.of))...)
		}
	}
	return out
}

// present says whose credentials these are.
func (p part) present(list []Presented) []Presented {
	out := slices.Clone(list)
	for i := range out {
		out[i].Scheme = p.of.Name
	}
	return out
}

// Others returns the other alternatives that are tried as right, by their labels, in
// the order of the document.
func (a *Auth) Others() []Attempt {
	if a == nil || a.op.Header != "" {
		return nil
	}
	var out []Attempt
	for i, alt := range a.alternatives {
		if i != a.op.Chosen && alt.given {
			out = append(out, Attempt{Name: openapi.Label(a.op.Security[i]), Presented: alt.valid(nil)})
		}
	}
	return out
}

// Attempts returns the credentials to try, in a fixed order: for each scheme those
// of its entry, with the other schemes of its alternative right, and without any
// credential of another alternative.
func (a *Auth) Attempts() []Attempt {
	a.once.Do(func() { a.attempts = a.tries() })
	return a.attempts
}

func (a *Auth) tries() []Attempt {
	var out []Attempt
	done := map[string]bool{} // schemes
	order := []int{a.op.Chosen}
	for i := range a.alternatives {
		if i != a.op.Chosen && a.alternatives[i].given {
			order = append(order, i)
		}
	}
	several := len(a.op.Schemes()) > 1
	absent := false // a request without any credential is one attempt
	for _, i := range order {
		alt := a.alternatives[i]
		for _, p := range alt.parts {
			if done[p.of.Name] {
				continue
			}
			done[p.of.Name] = true
			beside := alt.valid(p.of)
			for _, t := range p.Scheme.Attempts(p.of) {
				t.Presented, t.Beside, t.Scheme = p.present(t.Presented), beside, p.of.Name
				nothing := len(t.Presented)+len(beside) == 0
				if nothing && absent || several && !a.constant(t) {
					continue
				}
				absent = absent || nothing
				if several && !nothing {
					t.Prefix = p.of.Slug + "-"
				}
				out = append(out, t)
			}
			if several && len(beside) > 0 && !absent {
				absent = true
				out = append(out, Attempt{Name: "absent", Presented: []Presented{}})
			}
		}
	}
	return out
}

// sample stands for a credential that is not known yet.
const sample = "aB3dE5:fG7hJ9kM1nP"

// constant reports whether an attempt is of the same kind whether the schemes have
// one credential or each its own. One that is not, such as the token of a scheme in
// the place of another, is not tried.
func (a *Auth) constant(t Attempt) bool {
	one := func(string) string { return sample }
	each := func(scheme string) string {
		return fmt.Sprintf("%s:q%dX", sample, slices.IndexFunc(a.keys, func(p part) bool { return p.of.Name == scheme }))
	}
	x := a.classify(Carry(t.All(), one), func(scheme string) []string { return []string{one(scheme)} })
	y := a.classify(Carry(t.All(), each), func(scheme string) []string { return []string{each(scheme)} })
	return x.Credential == y.Credential && slices.Equal(x.Faults, y.Faults)
}

// carriage is how a body travels, as its framing says (RFC 9112, 6.3).
type carriage struct {
	body  []byte
	known bool // the body is what every server has to take for it
	// closes reports whether a server may close the connection without an answer, and
	// waits whether it may wait for more.
	closes, waits bool
}

// isFraming reports whether a field says how a body is framed.
func isFraming(name string) bool {
	return strings.EqualFold(name, "Content-Length") || strings.EqualFold(name, "Transfer-Encoding")
}

// carried reads what follows a head.
func carried(head, after []byte) carriage {
	fields, _ := headFields(head)
	var lengths, codings []string
	for _, f := range fields {
		switch lower(f.Name) {
		case "content-length":
			lengths = append(lengths, strings.Split(f.Value, ",")...)
		case "transfer-encoding":
			codings = append(codings, f.Value)
		}
	}
	switch {
	case len(codings) > 0 && (versionOf(head) == "HTTP/1.0" || !strings.EqualFold(strings.Join(codings, ","), "chunked")):
		return carriage{closes: true, waits: true}
	case len(codings) > 0:
		c := unchunked(after)
		if len(lengths) > 0 {
			c.closes, c.waits = true, true // a server that takes the length may wait for it
		}
		return c
	case len(lengths) > 0:
		return measured(lengths, after)
	}
	return carriage{known: true, closes: len(after) > 0}
}

// measured reads as many bytes as the lengths say.
func measured(lengths []string, after []byte) carriage {
	n := -1
	for _, text := range lengths {
		text = strings.Trim(text, " \t")
		v, err := strconv.ParseUint(text, 10, 62)
		switch {
		case err != nil:
			return carriage{closes: true, waits: exceeds(text, len(after))}
		case v > uint64(len(after)):
			return carriage{closes: true, waits: true}
		case n >= 0 && n != int(v):
			return carriage{closes: true}
		}
		n = int(v)
	}
	return carriage{body: after[:n], known: true, closes: len(lengths) > 1 || n < len(after)}
}

// exceeds reports whether code that reads the digits in a text that is no number may wait
// for more bytes than there are.
func exceeds(text string, maximum int) bool {
	base := 10
	if strings.ContainsAny(text, "xX") {
		base = 16
	}
	digits := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, text)
	n, err := strconv.ParseUint(digits, base, 62)
	return digits != "" && (err != nil || n > uint64(maximum))
}

// unchunked reads chunks. Code that reads them in another way may wait for more.
func unchunked(after []byte) carriage {
	src := bytes.NewReader(append([]byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"), after...))
	e := exchange.ReadResponse(src, &exchange.Request{Method: "POST", BodyLimit: len(after) + 1}, exchange.DefaultLimits())
	if e.Failure != nil {
		return carriage{closes: true, waits: true}
	}
	size, _, _ := bytes.Cut(after, []byte("\r\n"))
	odd := bytes.Contains(size, []byte(";")) || len(e.Response.Trailers) > 0 // no usual client sends that
	return carriage{body: e.Response.Body, known: true, closes: e.Response.Surplus != nil || odd}
}
