package pattern

import (
	"math/rand"
	"strings"
	"testing"
	"time"

	"github.com/dlclark/regexp2"
	"github.com/stretchr/testify/require"
)

// drawn is one expression in two spellings: as ECMA-262 writes it, and as
// regexp2 must be told to mean the same. Its own reading of $, \s and . is
// another one.
type drawn struct{ ours, theirs string }

func same(s string) drawn { return drawn{s, s} }

func (d drawn) around(open, closing string) drawn {
	return drawn{open + d.ours + closing, open + d.theirs + closing}
}

const theirSpace = `\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff`

func drawAtom(r *rand.Rand, depth int) drawn {
	signs := []drawn{same("a"), same("b"), same("1"), same("_"), same("-"), same("é"), same(`\n`), same(`\x61`), same(`\u0062`), same(`\.`),
		{`\d`, `[0-9]`}, {`\D`, `[^0-9]`}, {`\w`, `[0-9A-Za-z_]`}, {`\W`, `[^0-9A-Za-z_]`}, {`\s`, `[` + theirSpace + `]`}, {`\S`, `[^` + theirSpace + `]`},
		{`.`, `[^\n\r\u2028\u2029]`}, {`[^]`, `[\s\S]`}, {`[]`, `(?!)`}, same(`[ab1]`), same(`[^a]`), same(`[a-b]`), {`[\d_]`, `[0-9_]`}, same(`\p{L}`)}
	switch kind := r.Intn(10); {
	case kind < 5 || depth > 3:
		return signs[r.Intn(len(signs))]
	case kind < 7:
		return drawAlternatives(r, depth+1).around("(?:", ")")
	case kind < 8:
		return drawAlternatives(r, depth+1).around("(", ")")
	case kind < 9:
		return drawAlternatives(r, depth+1).around([]string{"(?=", "(?!", "(?<=", "(?<!"}[r.Intn(4)], ")")
	}
	return []drawn{{`^`, `\A`}, {`$`, `\z`}}[r.Intn(2)]
}

func drawAlternatives(r *rand.Rand, depth int) drawn {
	var out drawn
	for i := 0; i == 0 || r.Intn(4) == 0; i++ {
		if i > 0 {
			out.ours, out.theirs = out.ours+"|", out.theirs+"|"
		}
		for range r.Intn(4) {
			a, times := drawAtom(r, depth), ""
			if look := strings.HasPrefix(a.ours, "(?=") || strings.HasPrefix(a.ours, "(?!") || strings.HasPrefix(a.ours, "(?<"); !look && a.ours != "^" && a.ours != "$" {
				times = []string{"", "", "", "*", "+", "?", "*?", "{2}", "{1,3}", "{2,}"}[r.Intn(10)]
			}
			out.ours, out.theirs = out.ours+a.ours+times, out.theirs+a.theirs+times
		}
	}
	return out
}

func drawText(r *rand.Rand) string {
	signs := []string{"a", "b", "1", "_", "-", "é", "\n", "\r", "\u2028", "\ufeff", "\u00a0", "\u0085", "Ω", ".", " "}
	var b strings.Builder
	for range r.Intn(9) {
		b.WriteString(signs[r.Intn(len(signs))])
	}
	return b.String()
}

// TestMatchAgreesWithAnotherEngineOnDrawnPatterns compares RE2, our steps and
// regexp2, three engines that share nothing but the tree.
func TestMatchAgreesWithAnotherEngineOnDrawnPatterns(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	compared, regular := 0, 0
	for range 1500 {
		d := drawAlternatives(r, 0)
		theirs, err := regexp2.Compile(d.theirs, regexp2.None)
		require.NoError(t, err, d.theirs)
		theirs.MatchTimeout = 50 * time.Millisecond // what it does not answer is not compared
		p, err := Compile(d.ours)
		require.NoError(t, err, d.ours)
		for range 6 {
			text := drawText(r)
			want, err := theirs.MatchString(text)
			if err != nil {
				continue // it has no answer either
			}
			stepped, _ := p.code.search(characters(text))
			if stepped != Unknown {
				require.Equal(t, answerOf(want), stepped, "in steps: %q on %q", d.ours, text)
			}
			if p.re != nil {
				require.Equal(t, want, p.re.MatchString(text), "in RE2: %q as %q on %q", d.ours, p.re, text)
				regular++
			}
			compared++
		}
	}
	require.Greater(t, compared, 8000)
	require.Greater(t, regular, 4000)
}
