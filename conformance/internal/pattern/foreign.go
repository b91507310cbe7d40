package pattern

import (
	"time"

	"github.com/dlclark/regexp2"
)

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
