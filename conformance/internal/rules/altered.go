package rules

import (
	"html"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/jsontree"
)

// change is what became of a value that was sent.
type change uint8

const (
	// unchanged values are the same, or in a spelling that stores use.
	unchanged change = iota
	// replaced values have nothing to do with what was sent: the server may set them itself.
	replaced
	// damaged values are what is left of those that were sent.
	damaged
)

// changeOf tells what became of a value. The schema is that of the answer, and may be nil.
func changeOf(s *contract.Schema, want, got *jsontree.Value) change {
	switch {
	case want.Kind == jsontree.Null || jsontree.Equal(want, got):
		return unchanged
	case want.Kind == jsontree.Number && got.Kind == jsontree.Number:
		return changeOfNumber(s, want.Text, got.Text)
	case want.Kind == jsontree.String && got.Kind == jsontree.String:
		return changeOfText(s, want, got)
	case want.Kind == jsontree.Bool && got.Kind == jsontree.Bool:
		return replaced
	case want.Kind == jsontree.Object && got.Kind == jsontree.Object:
		return changeOfObject(s, want, got)
	case want.Kind == jsontree.Array && got.Kind == jsontree.Array:
		return changeOfArray(s, want, got)
	}
	return unchanged // another form of it, such as the thing that a key names
}

func changeOfNumber(s *contract.Schema, want, got string) change {
	a, errA := strconv.ParseFloat(want, 64)
	b, errB := strconv.ParseFloat(got, 64)
	switch {
	case near(want, got), rounded(want, got), errA != nil || errB != nil, s != nil && s.Format == "float" && float32(a) == float32(b):
		return unchanged
	case a == b && !strings.ContainsAny(want, ".eE"):
		return damaged // it went through a double
	}
	return replaced
}

// rounded reports whether a number is another one with fewer decimals.
func rounded(want, got string) bool {
	_, decimals, _ := strings.Cut(got, ".")
	a, okA := jsontree.Rat(want)
	b, okB := jsontree.Rat(got)
	if !okA || !okB || a.IsInt() || strings.ContainsAny(got, "eE") {
		return false
	}
	digits := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(len(decimals))), nil)
	far := new(big.Rat).Sub(a, b)
	return far.Abs(far).Mul(far, new(big.Rat).SetInt(digits)).Cmp(big.NewRat(1, 1)) < 0
}

// leastWords is how many words a text has that is no name, code or label, whose letters a
// store may fold.
const leastWords = 4

func changeOfText(s *contract.Schema, want, got *jsontree.Value) change {
	a, b := norm.NFC.String(strings.TrimSpace(want.Text)), norm.NFC.String(strings.TrimSpace(got.Text))
	free := s == nil || s.Format == "" && s.Pattern == "" && len(s.Enum) == 0
	switch {
	case free && a != b && len(strings.Fields(a)) >= leastWords && (b == strings.ToLower(a) || b == strings.ToUpper(a)):
		return damaged
	case sameText(want, got), strings.Contains(b, a):
		return unchanged
	case s != nil && len(s.Enum) > 0:
		return replaced
	case !free:
		return unchanged // a format has several spellings of a value
	}
	x, y := letters(a), letters(b)
	switch {
	case x == y || strings.Contains(y, x):
		return unchanged
	case y != "" && strings.HasPrefix(x, y), ascii(x) != "" && ascii(x) != x && strings.HasPrefix(y, ascii(x)[:min(len(ascii(x)), leastText)]):
		return damaged // cut off, or without the letters of other scripts
	}
	return replaced
}

// letters returns the letters and digits of a text in small letters, with no other signs.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, norm.NFKC.String(html.UnescapeString(text)))
}

func ascii(text string) string {
	return strings.Map(func(r rune) rune {
		if r > unicode.MaxASCII {
			return -1
		}
		return r
	}, text)
}

// changeOfObject is the worst that became of a member. A member that a schema does not name
// must be there; one that it names may be left out, if it is empty.
func changeOfObject(s *contract.Schema, want, got *jsontree.Value) change {
	out := unchanged
	for _, m := range want.Members {
		var q *contract.Property
		if s != nil {
			q = s.Property(m.Name)
		}
		v := got.Get(m.Name)
		switch {
		case secret(m.Name) || decided(m.Name) || q != nil && (q.Schema.ReadOnly || q.Schema.WriteOnly):
		case v != nil && q != nil:
			out = max(out, changeOf(q.Schema, m.Value, v))
		case v != nil:
			out = max(out, changeOf(nil, m.Value, v))
		case s == nil || empty(m.Value):
		case q == nil && s.Extra != nil:
			out = damaged
		case q != nil:
			out = max(out, replaced)
		}
	}
	return out
}

// changeOfArray looks for the items that were sent. Their order may change, and the same
// items may become one.
func changeOfArray(s *contract.Schema, want, got *jsontree.Value) change {
	var item *contract.Schema
	if s != nil {
		item = s.Items
	}
	var missing, further []*jsontree.Value
	for _, v := range want.Items {
		if !slices.ContainsFunc(got.Items, func(w *jsontree.Value) bool { return changeOf(item, v, w) == unchanged }) {
			missing = append(missing, v)
		}
	}
	for _, w := range got.Items {
		if !slices.ContainsFunc(want.Items, func(v *jsontree.Value) bool { return changeOf(item, v, w) == unchanged }) {
			further = append(further, w)
		}
	}
	switch {
	case len(missing) == 0:
		return unchanged
	case len(further) == 0 && len(got.Items) > 0:
		return damaged // some of them are lost
	case len(missing) != len(further):
		return replaced
	}
	out := unchanged
	for i, v := range missing {
		out = max(out, changeOf(item, v, further[i]))
	}
	return out
}

// empty reports whether a store may leave out a value.
func empty(v *jsontree.Value) bool {
	switch v.Kind {
	case jsontree.String:
		return v.Text == ""
	case jsontree.Number:
		return jsontree.Compare(v.Text, "0") == 0
	case jsontree.Array:
		return len(v.Items) == 0
	case jsontree.Object:
		return len(v.Members) == 0
	case jsontree.Bool:
		return !v.Bool
	}
	return true
}

// decided reports whether a member has a name of those that a server decides on, whatever a
// client asks for.
func decided(name string) bool {
	name = strings.ToLower(name)
	return name == "id" || slices.ContainsFunc([]string{"_id", "uuid", "status", "state", "role", "permission", "scope", "grant", "owner", "author", "creat", "updat", "modif",
		"version", "revision", "etag", "slug", "url", "uri", "href", "link", "rank", "order", "position", "index", "verif", "approv", "active", "enabled", "lock", "admin", "total", "count", "balance"},
		func(word string) bool { return strings.Contains(name, word) }) || strings.HasSuffix(name, "id")
}
