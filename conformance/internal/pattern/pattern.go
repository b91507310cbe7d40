// Package pattern decides whether a text matches a pattern of JSON Schema, an
// ECMA-262 expression with the flag u. The answer never depends on a clock: a
// pattern that means the same in RE2 is evaluated there, in linear time; every
// other one in counted steps; and what these do not decide is unknown.
package pattern

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2"
)

// Answer is what a pattern says of a text.
type Answer uint8

// The answers.
const (
	No Answer = iota
	Yes
	// Unknown says that no answer was found within the steps that a match may
	// take: the text neither matches nor fails to.
	Unknown
)

// String names the answer.
func (a Answer) String() string { return [...]string{"no", "yes", "unknown"}[a] }

func answerOf(matches bool) Answer {
	if matches {
		return Yes
	}
	return No
}

// What a match may cost. All are counts, so that a busy machine changes no
// answer.
const (
	maxSteps   = 1 << 20 // of one match by backtracking
	maxChoices = 1 << 18 // left open by it, 12 bytes each
	maxWork    = 1 << 26 // instructions x characters in RE2
)

// Pattern is a compiled pattern; any number of goroutines may use it.
type Pattern struct {
	text   string
	tree   *node          // nil where the pattern is of another dialect
	re     *regexp.Regexp // nil where RE2 cannot say the same
	size   int            // instructions of re
	code   *program       // nil where re is all that can be asked
	slow   *foreign       // a dialect that only a library reads
	opaque bool           // it asks for a property that is in no table here
	// skeleton is the expression without what looks around or back.
	skeleton *syntax.Regexp
}

// Compile reads a pattern. One that is no ECMA-262 is read as Go reads it
// ((?i), \A), else as .NET and Perl do. The error is that of the ECMA-262
// reading, in one line, where nobody can read it.
func Compile(text string) (*Pattern, error) { return compile(text, false) }

// CompileWide is Compile for the engines in which \d, \w and \s are any digit, word
// character or white space of Unicode (Unicode Technical Standard 18, 1.2). In a negated class
// and in \b they stay those of ECMA-262.
func CompileWide(text string) (*Pattern, error) { return compile(text, true) }

func compile(text string, wide bool) (*Pattern, error) {
	p := &Pattern{text: text}
	tree, err := parse(text, wide)
	switch {
	case err == errOpaque:
		p.opaque = true
		return p, nil
	case err != nil:
		if p.readForeign() {
			return p, nil
		}
		return nil, fmt.Errorf("pattern %.200q: %w", text, err)
	}
	p.tree = tree
	if text, ok := translate(tree); ok {
		p.setRE2(text)
	} else if text, ok = translate(tree.bare()); ok {
		if parsed, err := syntax.Parse(text, syntax.Perl); err == nil {
			p.skeleton = parsed.Simplify()
		}
	}
	p.code = assemble(tree)
	return p, nil
}

func (p *Pattern) setRE2(text string) bool {
	parsed, err := syntax.Parse(text, syntax.Perl)
	if err != nil {
		return false // it repeats more often than RE2 does
	}
	parsed = parsed.Simplify()
	made, err := syntax.Compile(parsed)
	if err != nil {
		return false
	}
	if p.re, err = regexp.Compile(text); err != nil {
		return false
	}
	p.size, p.skeleton = len(made.Inst), parsed
	return true
}

// Skeleton is an expression that a generator may expand into texts to try with
// Match: what looks ahead, behind or back is left out of it. It is nil where there
// is none, and must not be changed.
func (p *Pattern) Skeleton() *syntax.Regexp { return p.skeleton }

// String gives the pattern as it was written.
func (p *Pattern) String() string { return p.text }

// Match reports whether some part of the text matches (JSON Schema 2020-12,
// Validation, 6.3.3: patterns are not anchored). A lone surrogate, three bytes
// of WTF-8, is one character.
func (p *Pattern) Match(text string) Answer {
	answer, _ := p.Decide(text)
	return answer
}

// Decide is Match, and also returns the steps that it took: a step of backtracking
// counts one. In RE2 each pair of an instruction and a character counts an eighth: few
// instructions are active at a character, and the others cost nothing.
func (p *Pattern) Decide(text string) (Answer, int) {
	switch {
	case p.opaque:
		return Unknown, 1
	case p.slow != nil:
		return p.slow.match(text), maxSteps
	case p.re != nil && (p.code == nil || utf8.ValidString(text)):
		if len(text)+1 > maxWork/p.size {
			return Unknown, 1
		}
		return answerOf(p.re.MatchString(text)), p.size * (len(text) + 1) / 8
	}
	return p.code.search(characters(text))
}

// characters decodes WTF-8; a byte that belongs to no character stands for
// U+FFFD.
func characters(text string) []rune {
	out := make([]rune, 0, len(text))
	for i := 0; i < len(text); {
		c, n := utf8.DecodeRuneInString(text[i:])
		if n == 1 && c == utf8.RuneError && i+2 < len(text) && text[i] == 0xED && text[i+1]&0xE0 == 0xA0 && text[i+2]&0xC0 == 0x80 {
			c, n = 0xD000|rune(text[i+1]&0x3F)<<6|rune(text[i+2]&0x3F), 3
		}
		out = append(out, c)
		i += n
	}
	return out
}

// foreign is a pattern that is neither ECMA-262 nor RE2, such as (?>a)b. A
// library reads it that counts no steps.
type foreign struct{ re *regexp2.Regexp }

const (
	// foreignTime is how long the library may search. A busy machine can only
	// turn an answer into Unknown.
	foreignTime = 2 * time.Second
	// foreignText is the longest text that it is given, in bytes.
	foreignText = 64 << 10
)

// readForeign reads a pattern of another dialect.
func (p *Pattern) readForeign() bool {
	if p.setRE2(p.text) {
		return true
	}
	re, err := regexp2.Compile(p.text, regexp2.None)
	if err != nil {
		return false
	}
	re.MatchTimeout = foreignTime
	p.slow = &foreign{re}
	return true
}

func (f *foreign) match(text string) Answer {
	if len(text) > foreignText {
		return Unknown
	}
	ok, err := f.re.MatchString(text)
	if err != nil {
		return Unknown
	}
	return answerOf(ok)
}
