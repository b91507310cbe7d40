package message

import (
	"regexp"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/serialize"
)

// credentials says what a request carries to authenticate.
type credentials struct {
	Credential  Credential
	Faults      []Fault
	Alternative string
	Below       bool
}

// found is what a request carries for one scheme.
type found struct {
	part
	c Credential
}

// classify reads what a request carries. Keys returns the credentials of a scheme,
// the valid one first, then those that were valid before.
func (a *Auth) classify(in Carried, keys func(scheme string) []string) (out credentials) {
	seen := make([]found, 0, len(a.keys))
	for _, p := range a.keys {
		c, below := a.classifyPart(p, in, keys)
		out.Below = out.Below || below
		seen = append(seen, found{p, c})
	}
	chosen := a.alternatives[a.op.Chosen]
	if c, faults := chosen.state(seen); !c.wrong() {
		out.Credential, out.Faults = c, faults
		if beside(chosen, seen) {
			out.Credential = CredentialUnclear
		}
		return out
	}
	for i, alt := range a.alternatives {
		c, _ := alt.state(seen)
		switch {
		case c.wrong():
		case i != a.op.Chosen && c == CredentialValid && alt.given && !beside(alt, seen):
			return credentials{Credential: CredentialOther, Alternative: openapi.Label(a.op.Security[i]), Below: out.Below}
		default:
			out.Credential = CredentialUnclear
			return out
		}
	}
	out.Credential, out.Faults = a.faults(seen)
	return out
}

// faults returns what is wrong in a request that satisfies no alternative. It is
// about the alternatives that the request tries, or about all if it tries none.
func (a *Auth) faults(seen []found) (Credential, []Fault) {
	var tried, all []Fault
	for n := range a.alternatives {
		i := (a.op.Chosen + n) % len(a.alternatives)
		if !a.alternatives[i].given {
			continue
		}
		_, list := a.alternatives[i].state(seen)
		if a.alternatives[i].tried(seen) {
			tried = append(tried, list...)
		}
		all = append(all, list...)
	}
	if len(tried) == 0 {
		return CredentialAbsent, distinct(all)
	}
	c := tried[0].Credential
	if slices.ContainsFunc(tried, func(f Fault) bool { return f.Credential == CredentialToken }) {
		// What is wrong for one scheme is of another scheme for the next.
		c = CredentialToken
		tried = slices.DeleteFunc(tried, func(f Fault) bool { return f.Credential == CredentialScheme })
	}
	return c, distinct(tried)
}

// tried reports whether a request carries something for an alternative.
func (alt alternative) tried(seen []found) bool {
	return slices.ContainsFunc(seen, func(f found) bool {
		return f.c != CredentialAbsent && !f.of.OnConnection() &&
			slices.ContainsFunc(alt.parts, func(p part) bool { return p.of.Name == f.of.Name })
	})
}

// distinct keeps the first of equal faults.
func distinct(list []Fault) []Fault {
	var out []Fault
	for _, f := range list {
		if !slices.Contains(out, f) {
			out = append(out, f)
		}
	}
	return out
}

// state returns what the parts of an alternative are together, and those that are
// not right as usual.
func (alt alternative) state(seen []found) (Credential, []Fault) {
	c := CredentialValid
	var faults []Fault
	for _, p := range alt.parts {
		i := slices.IndexFunc(seen, func(f found) bool { return f.of.Name == p.of.Name })
		one := seen[i].c
		if one == CredentialValid {
			continue
		}
		faults = append(faults, Fault{p.of.Name, one})
		switch {
		case c == CredentialValid, one.wrong() && !c.wrong(), one == CredentialToken, c == CredentialAbsent && one.wrong():
			c = one
		case !c.wrong():
			c = CredentialUnclear
		}
	}
	return c, faults
}

// beside reports whether a request carries something for a scheme that an
// alternative does not need, in a place of its own.
func beside(alt alternative, seen []found) bool {
	return slices.ContainsFunc(seen, func(f found) bool {
		in, name := f.of.Place()
		if in == "" || f.c == CredentialAbsent {
			return false
		}
		return !slices.ContainsFunc(alt.parts, func(p part) bool {
			i, n := p.of.Place()
			return i == in && (n == name || in == "header" && strings.EqualFold(n, name))
		})
	})
}

// classifyPart reads what a request carries for one scheme. The credential of a
// scheme that has none is not known: it may be that of another scheme.
func (a *Auth) classifyPart(p part, in Carried, keys func(scheme string) []string) (Credential, bool) {
	if p.of.Given {
		list := keys(p.of.Name)
		c, below := p.Scheme.Classify(p.of, in, list[0])
		for _, earlier := range list[1:] {
			if old, _ := p.Scheme.Classify(p.of, in, earlier); c.wrong() && !old.wrong() {
				return CredentialUnclear, below
			}
		}
		return c, below
	}
	c, below := p.Scheme.Classify(p.of, in, "\x00")
	if c == CredentialAbsent {
		return c, below
	}
	for _, other := range a.keys {
		if !other.of.Given {
			continue
		}
		for _, k := range keys(other.of.Name) {
			for _, key := range []string{k, k + ":", ":" + k, "user:" + k} {
				if one, _ := p.Scheme.Classify(p.of, in, key); !one.wrong() {
					return CredentialUnclear, below
				}
			}
		}
	}
	return c, below
}

// Wrong reports whether a server has to refuse an attempt, given the credential of
// every scheme, and whether it may refuse it below the application.
func (a *Auth) Wrong(t Attempt, key string) (c Credential, below bool) {
	one := func(string) string { return key }
	got := a.classify(Carry(t.All(), one), func(string) []string { return []string{key} })
	return got.Credential, got.Below
}

// longest is the length of the longest credential of an operation.
func (e *Endpoint) longest(op *openapi.Operation) int {
	n := 0
	for _, s := range op.Schemes() {
		n = max(n, len(e.Credential(s.Name)), len(e.Other[s.Name]))
	}
	return n
}

// carriedIn takes the credentials out of the inputs of a request, and returns them
// with the header fields.
func carriedIn(op *openapi.Operation, fields []exchange.Field, inputs *serialize.Encoded) Carried {
	out := Carried{Fields: fields}
	if op.Security == nil {
		return out
	}
	if inputs.Query != "" && op.Carries("query", "") {
		var rest []string
		for _, pair := range strings.Split(inputs.Query, "&") {
			name, value, _ := strings.Cut(pair, "=")
			if name = unescape(name); name != "" && op.Carries("query", name) {
				out.Query = append(out.Query, exchange.Field{Name: name, Value: unescape(value)})
			} else {
				rest = append(rest, pair)
			}
		}
		inputs.Query = strings.Join(rest, "&")
	}
	if op.Carries("cookie", "") {
		var rest []string
		for _, pair := range inputs.Cookie {
			name, value, _ := strings.Cut(pair, "=")
			if name != "" && op.Carries("cookie", name) {
				out.Cookies = append(out.Cookies, exchange.Field{Name: name, Value: value})
			} else {
				rest = append(rest, pair)
			}
		}
		inputs.Cookie = rest
	}
	return out
}

// unescape decodes percent-encoding; what is none stays as it is.
func unescape(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			hi, lo := digit(s[i+1]), digit(s[i+2])
			if hi >= 0 && lo >= 0 {
				b.WriteByte(byte(hi<<4 | lo))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

func digit(c byte) int { return strings.IndexByte("0123456789abcdef", c|0x20) }

// positive is a weight above 0 (RFC 9110, 12.4.2).
var positive = regexp.MustCompile(`^q=(0\.[0-9]{0,2}[1-9]|0\.[1-9][0-9]{0,2}|1(\.0{0,3})?)$`)

// TakesUsual reports whether an Accept field accepts documented successes and
// nothing else, in the spellings that every server knows: not every server reads
// ranges. Without the field everything is accepted (RFC 9110, 12.5.1).
func TakesUsual(op *openapi.Operation, value string) bool {
	wanted := op.Wanted()
	if value == wanted.Field {
		return true
	}
	for _, part := range strings.Split(value, ",") {
		media, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if media = strings.TrimSpace(media); media != "*/*" && !slices.Contains(wanted.Media, media) {
			return false
		}
		if weight = strings.TrimSpace(weight); weight != "" && !positive.MatchString(weight) {
			return false
		}
	}
	return true
}

// codings matches values of Accept-Encoding and Accept-Language that exclude nothing. They have no
// weights, which not every server reads.
var codings = regexp.MustCompile(`^[A-Za-z0-9*-]+(, ?[A-Za-z0-9*-]+)*$`)

// understood reports whether there are differences, and all of them are such fields.
func understood(differences []string, fields []exchange.Field) bool {
	for _, f := range fields {
		if name := lower(f.Name); (name == "accept-encoding" || name == "accept-language") && !codings.MatchString(f.Value) {
			return false
		}
	}
	for _, what := range differences {
		if what != "field accept-encoding" && what != "field accept-language" {
			return false
		}
	}
	return len(differences) > 0
}

// negotiates reports whether a field asks for another answer than the usual one
// (RFC 9110, 12 and 13; RFC 2295, 3229, 4918, 7089, 7240), or for another method or path.
func negotiates(op *openapi.Operation, f exchange.Field) bool {
	switch lower(f.Name) {
	case "accept":
		return f.Value != op.Wanted().Field && !takesSome(op, f.Value)
	case "range", "if-range", "if-none-match", "if-modified-since":
		// For other methods there are no ranges, and 412 where a condition fails (RFC 9110,
		// 13.1.2 and 14.2).
		return op.Method == "GET" || op.Method == "HEAD"
	case "if-match", "if-unmodified-since":
		return !isParameter(op, lower(f.Name)) // the document says how such a request is answered
	case "prefer", "if", "if-schedule-tag-match", "a-im", "accept-datetime", "accept-features", "negotiate", "accept-version", "api-version", "upgrade-insecure-requests":
		return true
	}
	return slices.Contains(elsewhere, lower(f.Name))
}

// takesSome reports whether an Accept field accepts a documented success, and no
// text that is not documented, such as a page for browsers.
func takesSome(op *openapi.Operation, value string) bool {
	some := strings.Contains(value, "*/*")
	rest := value
	for _, media := range op.Wanted().Media {
		kind, _, _ := strings.Cut(media, "/")
		some = some || strings.Contains(value, media) || strings.Contains(value, kind+"/*")
		rest = strings.ReplaceAll(strings.ReplaceAll(rest, media, ""), kind+"/*", "")
	}
	return some && !strings.Contains(rest, "text/") && !strings.HasSuffix(value, ";q=0")
}
