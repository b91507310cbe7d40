package mutate

import (
	"strings"
	"unicode"
)

// names applies the renamings; the name itself and repeats are dropped.
func names(name string, to []func(string) string) []string {
	seen := map[string]bool{name: true}
	var out []string
	for _, f := range to {
		if n := f(name); !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// snake turns a camel case name into a snake case one.
func snake(n string) string {
	var out strings.Builder
	for i, c := range n {
		if unicode.IsUpper(c) && i > 0 {
			out.WriteByte('_')
		}
		out.WriteRune(unicode.ToLower(c))
	}
	return out.String()
}

func lowerFirst(n string) string {
	r := []rune(n)
	if len(r) > 0 {
		r[0] = unicode.ToLower(r[0])
	}
	return string(r)
}

func before(s string) func(string) string { return func(n string) string { return s + n } }

func behind(s string) func(string) string { return func(n string) string { return n + s } }

func wrap(a, b string) func(string) string { return func(n string) string { return a + n + b } }

func split(s string) func(string) string {
	return func(n string) string {
		r := []rune(n)
		return string(r[:len(r)/2]) + s + string(r[len(r)/2:])
	}
}

func title(n string) string {
	r := []rune(n)
	if len(r) > 0 {
		r[0] = unicode.ToUpper(r[0])
	}
	return string(r)
}

func lastUpper(n string) string {
	r := []rune(n)
	if len(r) > 0 {
		r[len(r)-1] = unicode.ToUpper(r[len(r)-1])
	}
	return string(r)
}

// camel turns a snake or kebab name into camel case.
func camel(n string) string {
	parts := strings.FieldsFunc(n, func(c rune) bool { return c == '_' || c == '-' })
	for i := 1; i < len(parts); i++ {
		parts[i] = title(parts[i])
	}
	return strings.Join(parts, "")
}

func butLast(n string) string {
	r := []rune(n)
	return string(r[:max(0, len(r)-1)])
}

func butFirst(n string) string {
	r := []rune(n)
	return string(r[min(1, len(r)):])
}

func twice(n string) string { return n + n }

func reversed(n string) string {
	var out strings.Builder
	r := []rune(n)
	for i := len(r) - 1; i >= 0; i-- {
		out.WriteRune(r[i])
	}
	return out.String()
}

// alike spells a name with letters of another script that look the same.
func alike(n string) string {
	return strings.NewReplacer("a", "а", "c", "с", "d", "ԁ", "e", "е", "i", "і", "j", "ј", "o", "о", "p", "р",
		"s", "ѕ", "x", "х", "y", "у", "m", "м", "q", "ԛ", "k", "к", "t", "т").Replace(n)
}

func fullWidth(n string) string {
	return strings.Map(func(c rune) rune {
		if c > ' ' && c <= '~' {
			return c + 0xFEE0
		}
		return c
	}, n)
}
