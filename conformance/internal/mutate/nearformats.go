package mutate

import (
	"math/big"
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/schema"
)

// otherDigit turns ASCII digits into Arabic ones, which \d does not mean in
// ECMA-262.
func otherDigit(c rune) rune {
	if c >= '0' && c <= '9' {
		return c - '0' + '٠'
	}
	return c
}

// notOfFormat are texts that look like a format and are outside it.
func notOfFormat(format string) []string {
	switch format {
	case "date-time":
		return []string{"2024-01-01", "2024-01-01T00:00:00", "2024-20-01T00:00:00Z", "2024-01-40T00:00:00Z", "2024-01-01T30:00:00Z", "2024-01-01T00:00:00+0100", "1704067200", "Mon, 01 Jan 2024 00:00:00 GMT", "2024-1-1T0:0:0Z"}
	case "date":
		return []string{"2024-01-40", "2024-20-01", "2024-99-99", "2024-1-1", "01/02/2024", "20240101", "2024-01-01T00:00:00Z", "24-01-01"}
	case "time":
		return []string{"30:00:00Z", "12:60:00Z", "12:00", "12:00:00", "noon"}
	case "duration":
		return []string{"P", "PT", "1D", "P1", "P1S", "PT1D"}
	case "email":
		return []string{"a", "@example.com", "a@", "a b@example.com", "a@@example.com", "a@example..com"}
	case "hostname":
		return []string{"-a.example", "a..example", "a b", "a_b.example", ".example"}
	case "ipv4":
		return []string{"256.0.0.1", "1.2.3", "1.2.3.4.5", "1.2.3.04", "::1", "0x7f.0.0.1", "1.2.3.4/8"}
	case "ipv6":
		return []string{"1.2.3.4", ":::", "1::2::3", "12345::", "g::1", "::1%eth0"}
	case "uri":
		return []string{"/relative", "a b", "//host", "http://[::1", "not a uri", "http://a b/"}
	case "iri":
		return []string{"/relative", "a b", "//host", "http://[::1", "\u00fc", "http://a b/"}
	case "uri-reference", "iri-reference":
		return []string{"http://[::1", "%zz", "a\\b", "\\\\host\\share", ":", "1:2"}
	case "uri-template":
		return []string{"/{", "/}", "/{a", "/a}", "/{{a}", "/{a b}"}
	case "json-pointer":
		return []string{"a", "/~", "/~2", "#/a", "a/b", " /a", "0"}
	case "relative-json-pointer":
		return []string{"/a", "-1", "01/a", "a", "1##", "1a", "#"}
	case "regex":
		return []string{"(", "[", "a)", "*", "a{2,1}", "[z-a]", "(?<n", "\\"}
	case "byte":
		return []string{"a", "YWJjZ", "YW*j", "YW Jj", "YWJ\u00e9", "!"}
	case "base64url":
		return []string{"a", "YWJjZ", "YW+j", "YW/j", "YW Jj", "!"}
	case "http-date":
		return []string{"2024-01-01T00:00:00Z", "1704067200", "Mon, 01 Jan 2024", "Mon, 32 Jan 2024 00:00:00 GMT", "Mon, 01 Jan 2024 00:00:00 +0100", "01/01/2024"}
	case "uuid":
		return []string{"123e4567e89b12d3a456426614174000", "123e4567-e89b-12d3-a456-42661417400", "{123e4567-e89b-12d3-a456-426614174000}", "g23e4567-e89b-12d3-a456-426614174000", "1"}
	}
	return nil
}

// misses break one part of a valid text of a format. The rest stays valid, because a server
// may refuse other texts for another reason: they do not match a pattern, or are in the past.
func misses(format string) []func(string) string {
	part := func(from, to int, by string) func(string) string {
		return func(t string) string {
			if len(t) < to {
				return by
			}
			return t[:from] + by + t[to:]
		}
	}
	first := func(n int) func(string) string { return func(t string) string { return t[:min(n, len(t))] } }
	switch format {
	case "date":
		return []func(string) string{part(5, 7, "20"), part(8, 10, "40"), part(5, 7, "99"), part(8, 10, "99"), part(5, 6, ""), first(7)}
	case "date-time":
		return []func(string) string{first(10), part(11, 13, "30"), first(19), part(5, 7, "20"), part(8, 10, "40"), part(14, 16, "60")}
	case "time":
		return []func(string) string{part(0, 2, "30"), part(3, 5, "60"), first(5)}
	case "uuid":
		return []func(string) string{part(35, 36, "g"), first(35), part(8, 9, "")}
	case "email":
		return []func(string) string{before("@"), func(t string) string { return strings.ReplaceAll(t, "@", " ") }}
	}
	return nil
}

// hyphenless replaces the first hyphen of a UUID with a digit. A check of the length and of the
// characters alone accepts that; a parser of UUIDs does not.
func hyphenless(format string) []func(string) string {
	if format != "uuid" {
		return nil
	}
	return []func(string) string{func(t string) string { return strings.Replace(t, "-", "0", 1) }}
}

// varied reports whether the texts of a format differ so much that the same change
// corrupts one and not the next.
func varied(format string) bool {
	return slices.Contains([]string{"byte", "base64url", "http-date"}, format)
}

// spoiling changes a text that a pattern or format takes.
var spoiling = []func(string) string{
	before(" "), behind(" "), behind("\n"), before("x"), behind("x"), behind("!"), before("-"), split(" "), split("\u00e9"), split("🌱"),
	butLast, butFirst, strings.ToUpper, strings.ToLower, twice, reversed, func(string) string { return "" },
	func(string) string { return "x" }, fullWidth, alike, behind("\u0000"),
	func(s string) string { return strings.Map(otherDigit, s) },
	func(s string) string { return strings.ReplaceAll(s, "-", "") },
	func(s string) string { return strings.ReplaceAll(s, "-", "/") },
	func(s string) string { return strings.ReplaceAll(s, ".", ",") },
	func(s string) string { return strings.ReplaceAll(s, "@", "") },
	func(s string) string { return strings.ReplaceAll(s, "@", "@@") },
	func(s string) string { return strings.ReplaceAll(s, ":", "") },
	func(s string) string { return strings.ReplaceAll(s, "T", "") },
	func(s string) string { return strings.TrimSuffix(s, "Z") },
}

// lookalikes are texts of the form of those in a list, such as FVS for EUR. A server that
// checks only the form takes them.
func lookalikes(list []*jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range list {
		if v.Kind != jsontree.String || v.Text == "" {
			continue
		}
		for by := rune(1); by < 10; by++ {
			text := strings.Map(func(c rune) rune { return turned(c, by) }, v.Text)
			if text != v.Text && !slices.ContainsFunc(list, func(one *jsontree.Value) bool { return one.Text == text }) {
				out = append(out, jsontree.NewString(text))
				break
			}
		}
	}
	return distinct(out)
}

// turned returns the letter or digit so many places further, of the same kind.
func turned(c, by rune) rune {
	switch {
	case c >= 'a' && c <= 'z':
		return 'a' + (c-'a'+by)%26
	case c >= 'A' && c <= 'Z':
		return 'A' + (c-'A'+by)%26
	case c >= '0' && c <= '9':
		return '0' + (c-'0'+by)%10
	}
	return c
}

// casings are the texts of a list in other letter case.
func casings(list []*jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range list {
		if v != nil && v.Kind == jsontree.String {
			for _, t := range []string{title(v.Text), strings.ToUpper(v.Text), strings.ToLower(v.Text)} {
				out = append(out, jsontree.NewString(t))
			}
		}
	}
	return distinct(out)
}

// beside are values that are nearly one of a list: other case, blanks, parts,
// another type.
func beside(list []*jsontree.Value) []*jsontree.Value {
	var out []*jsontree.Value
	for _, v := range list {
		out = append(out, besideOne(v)...)
	}
	if len(list) > 1 && list[0].Kind == jsontree.String && list[1].Kind == jsontree.String {
		out = append(out, jsontree.NewString(list[0].Text+","+list[1].Text), jsontree.NewString(list[0].Text+list[1].Text))
	}
	return distinct(out)
}

func besideOne(v *jsontree.Value) []*jsontree.Value {
	if v == nil {
		return nil
	}
	var texts []string
	out := []*jsontree.Value{jsontree.NewNull(), jsontree.NewArray(v.Clone()), jsontree.NewNumber("0")}
	switch v.Kind {
	case jsontree.String:
		t := v.Text
		texts = []string{strings.ToUpper(t), strings.ToLower(t), title(t), " " + t, t + " ", t + "\n", t + "s", butLast(t), butFirst(t),
			"", alike(t), t + "\u0000", "\"" + t + "\"", t + t, strings.ReplaceAll(t, "-", "_"), strings.ReplaceAll(t, "_", "-"), "other"}
	case jsontree.Number:
		texts = []string{v.Text}
		if r, ok := jsontree.Rat(v.Text); ok {
			for _, by := range []int64{1, -1, 10} {
				out = append(out, jsontree.NewNumber(decimal(new(big.Rat).Add(r, big.NewRat(by, 1)))))
			}
			out = append(out, jsontree.NewNumber(decimal(new(big.Rat).Add(r, big.NewRat(1, 1000)))))
		}
	default:
		texts = []string{v.String()}
		out = append(out, jsontree.NewNumber("1"), jsontree.NewBool(!v.Bool))
	}
	for _, t := range texts {
		out = append(out, jsontree.NewString(t))
	}
	return out
}

// outerBounds are the numbers just beyond the bounds, by one and by little, of each bound in
// turn.
func outerBounds(s *schema.Schema) []*jsontree.Value {
	var lists [][]*jsontree.Value
	step := stepOf(s)
	for _, b := range bounds(s) {
		r, ok := jsontree.Rat(b.text)
		if !ok {
			continue
		}
		list := []*jsontree.Value{jsontree.NewNumber(b.text)} // an exclusive bound itself
		far := new(big.Rat).Mul(r, big.NewRat(1000, 1))
		steps := []*big.Rat{step, new(big.Rat).Add(step, step), big.NewRat(100, 1), big.NewRat(1_000_000, 1), big.NewRat(1<<40, 1), far.Abs(far)}
		if !s.Whole() {
			steps = append(steps, big.NewRat(1, 2), big.NewRat(1, 100), big.NewRat(1, 1_000_000_000))
		}
		for _, by := range steps {
			n := new(big.Rat).Mul(by, big.NewRat(-b.inward, 1))
			list = append(list, jsontree.NewNumber(decimal(n.Add(n, r))))
		}
		lists = append(lists, list)
	}
	out := inTurn(lists)
	if s.Type() == "number" || s.Type() == "integer" {
		out = append(out, jsontree.NewNumber("-1"), jsontree.NewNumber("0"))
	}
	return distinct(out)
}

func offMultiple(s *schema.Schema) []*jsontree.Value {
	step, ok := jsontree.Rat(s.Multiple)
	if s.Multiple == "" || !ok {
		return nil
	}
	base := new(big.Rat)
	if low, _, _ := plan.Bounds(s); low != nil {
		base.SetInt(low)
	}
	var out []*jsontree.Value
	for _, by := range []*big.Rat{big.NewRat(1, 1), big.NewRat(-1, 1), new(big.Rat).Quo(step, big.NewRat(2, 1)), new(big.Rat).Quo(step, big.NewRat(10, 1)), big.NewRat(3, 2)} {
		for _, k := range []int64{1, 2, 7} {
			n := new(big.Rat).Mul(step, big.NewRat(k, 1))
			out = append(out, jsontree.NewNumber(decimal(n.Add(n, by).Add(n, base))))
		}
	}
	return distinct(out)
}

func lastLetter(s string) string {
	r := []rune(s)
	if len(r) == 0 {
		return "e"
	}
	return string(r[len(r)-1])
}

// spoilings is how many texts are spoilt until one does not match its pattern.
const spoilings = 4
