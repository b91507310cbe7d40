package pattern

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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
