package pattern

import (
	"bufio"
	"math/rand"
	"os"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
)

func compiled(t *testing.T, text string) *Pattern {
	t.Helper()
	p, err := Compile(text)
	require.NoError(t, err, text)
	return p
}

func TestMatchReadsAPatternAsECMA262Does(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          Answer
	}{
		{`^a$`, "a\n", No},      // not before a line end at the end
		{`^\s$`, "\uFEFF", Yes}, // more than Zs
		{`^\s$`, "\u0085", No},  // less than Unicode's White_Space
		{`^.$`, "\u2028", No},   //
		{`^.$`, "\u0085", Yes},  //
		{`^\d$`, "٣", No},       // ASCII alone
		{`^.{1}$`, "😀", Yes},    // a character, not two units
		{`^[^]$`, "\n", Yes},    //
		{`[]`, "a", No},         //
		{`^\cJ$`, "\n", Yes},    //
		{`^\u{1F600}$`, "😀", Yes} /**/, {`^\ud83d\ude00$`, "😀", Yes},
		{`^.$`, "\xed\xa0\xbd", Yes}, // a lone surrogate is one character
		{`^\ud83d$`, "\xed\xa0\xbd", Yes},
		{`^\p{Script=Greek}+$`, "λόγος", Yes},
		{`^\p{sc=Cyrl}$`, "я", Yes},
		{`^\p{Lowercase_Letter}$`, "a", Yes},
		{`^\p{Cn}$`, "\U000E0080", Yes},
		{`^(?=.*[A-Z])(?=.*\d).{4,}$`, "abC1", Yes},
		{`^(?!0)\d+$`, "012", No},
		{`(\w)\1`, "hello", Yes},
		{`^(?<x>a|b)\k<x>$`, "ab", No},
	} {
		assert.Equal(t, c.want, compiled(t, c.pattern).Match(c.text), "%s on %q", c.pattern, c.text)
	}
}

// What documents in the wild write, beyond the letter of the flag u.
func TestMatchReadsWhatIsCommonAndMeansOneThing(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          Answer
	}{
		{`^[\w-\.]+@x$`, "a-b.c@x", Yes},
		{`^\-\_\@\"\#$`, `-_@"#`, Yes},
		{`^{a}]$`, "{a}]", Yes},
		{`^x{,5}$`, "x{,5}", Yes},
		{`(?i)^abc$`, "ABC", Yes},
		{`\Aab\z`, "ab", Yes},
		{`^[[:alpha:]]+$`, "abc", Yes},
		{`^(?P<year>\d{4})$`, "2016", Yes},
		{`^(?>a+)b$`, "aab", Yes},
		{`^(?>a+)ab$`, "aab", No},
		{`\Aa\Z`, "a", Yes},
	} {
		assert.Equal(t, c.want, compiled(t, c.pattern).Match(c.text), "%s on %q", c.pattern, c.text)
	}
}

func TestCompileRefusesInOneLineWhatNobodyReads(t *testing.T) {
	for _, text := range []string{`(`, `a)`, `[`, `*`, `a{2,1}`, `\`, `(?`, `\p{Nonsense}`, `[b-a]`, `(?`} {
		_, err := Compile(text)
		if assert.Error(t, err, text) {
			assert.NotContains(t, err.Error(), "\n")
		}
	}
}

// A pattern that once ran out of time and then counted as "no match" has an
// exact answer, whatever the machine does beside it.
func TestMatchDecidesAtOnceWhatBacktrackingTakesForEverFor(t *testing.T) {
	for _, text := range []string{`^(a+)+$`, `^(a|aa)+$`, `^(\w+\s?)*$`, `^([a-z]*)*$`} {
		p := compiled(t, text)
		assert.Equal(t, Yes, p.Match(strings.Repeat("a", 5000)), text)
		assert.Equal(t, No, p.Match(strings.Repeat("a", 5000)+"!"), text)
	}
}

func TestMatchIsUnknownWhereItsStepsDoNotSuffice(t *testing.T) {
	p := compiled(t, `^(?=(a+)+$)b`)
	assert.Equal(t, Unknown, p.Match(strings.Repeat("a", 40)+"!"))
	assert.Equal(t, No, p.Match("aa!"), "a short text takes few steps")
	assert.Equal(t, Unknown, compiled(t, `^(a+)+\1$`).Match(strings.Repeat("a", 60)+"!"))
	assert.Equal(t, Unknown, compiled(t, `^(?=a).*$`).Match(strings.Repeat("a", 1<<20)), "more ways left open than are kept")
	assert.Equal(t, Unknown, compiled(t, `^(?:[a-f]{900}){0,900}$|(x.{900}y){9}`).Match(strings.Repeat("a", 1<<20)))
	assert.Equal(t, Unknown, compiled(t, `^\p{Emoji}$`).Match("😀"), "a property without a table")
}

// A step is a step: the answer, unknown too, is the same however often and
// however many at once ask.
func TestALongDomainNameTakesFewSteps(t *testing.T) {
	p, err := Compile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$`)
	require.NoError(t, err)
	answer, steps := p.Decide(strings.Repeat("plants.", 35) + "example")
	assert.Equal(t, Yes, answer)
	assert.Less(t, steps, 1<<14, "a request that holds a dozen of them may not cost too much to be tried")
}

func TestMatchGivesTheSameAnswerUnderLoad(t *testing.T) {
	p := compiled(t, `^(?=(a+)+$)b`)
	text := strings.Repeat("a", 40) + "!"
	answers := make(chan Answer, 32)
	for range cap(answers) {
		go func() { answers <- p.Match(text) }()
	}
	for range cap(answers) {
		assert.Equal(t, Unknown, <-answers)
	}
}

func FuzzCompileAndMatch(f *testing.F) {
	for _, s := range [][2]string{{`^(a|b)*\1$`, "ab"}, {`(?<=a{2,})b`, "aab"}, {`[\w-\.]`, "\xed\xa0\x80"}, {`\u{110000}`, ""}, {`(?:){1000000}`, "x"}, {`(?=(?!(?<=a)))*`, "a"}} {
		f.Add(s[0], s[1])
	}
	f.Fuzz(func(t *testing.T, pattern, text string) {
		if len(pattern) > 200 || len(text) > 200 {
			return
		}
		p, err := Compile(pattern)
		if err != nil || p.code == nil {
			return
		}
		steps, _ := p.code.search(characters(text))
		if got := p.Match(text); got != Unknown && steps != Unknown && got != steps {
			t.Fatalf("%q on %q: %s, in steps %s", pattern, text, got, steps)
		}
	})
}

// Python, Rust and .NET take the characters of Unicode for \d, \w and \s.
func TestAWidePatternTakesTheCharactersOfUnicodeToo(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          Answer
	}{
		{`^tok_\w+$`, "tok_é٣", Yes},
		{`^\d{2}$`, "٣4", Yes},
		{`^\s$`, "\u0085", Yes},
		{`^[\w.]+$`, "ü.a", Yes},
		{`^[a-z]+$`, "é", No},
		{`^\w+$`, "a-b", No},
		{`^[^\d]$`, "٣", Yes}, // as in ECMA-262
	} {
		p, err := CompileWide(c.pattern)
		require.NoError(t, err)
		assert.Equal(t, c.want, p.Match(c.text), "%s on %q", c.pattern, c.text)
	}
}

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

// testdata/v8.txt records what V8 (node 20) says with the flag u: yes or no, a
// pattern and a text, each a JSON string.
func TestMatchAgreesWithV8(t *testing.T) {
	f, err := os.Open("testdata/v8.txt")
	require.NoError(t, err)
	defer f.Close()
	inRE2, stepped := 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); {
		parts := strings.Split(lines.Text(), "\t")
		require.Len(t, parts, 3, lines.Text())
		want := answerOf(parts[0] == "yes")
		text := unquoted(t, parts[2])
		p, err := Compile(unquoted(t, parts[1]))
		if !assert.NoError(t, err, lines.Text()) {
			continue
		}
		assert.Equal(t, want, p.Match(text), "%s", lines.Text())
		require.NotNil(t, p.code, "%s is no other dialect", parts[1])
		assert.Equal(t, want, first(p.code.search(characters(text))), "in steps: %s", lines.Text())
		stepped++
		if p.re != nil && utf8.ValidString(text) {
			assert.Equal(t, want == Yes, p.re.MatchString(text), "in RE2: %s as %s", lines.Text(), p.re)
			inRE2++
		}
	}
	assert.Greater(t, stepped, 1000)
	assert.Greater(t, inRE2, 300)
}

func unquoted(t *testing.T, quoted string) string {
	t.Helper()
	d, err := jsontree.Parse([]byte(quoted))
	require.NoError(t, err)
	return d.Root.Text
}

func first(a Answer, _ int) Answer { return a }
