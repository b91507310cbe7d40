package generate

import (
	"regexp/syntax"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestAnExpressionVariesIfItHasMoreThanOneText(t *testing.T) {
	for expression, varied := range map[string]bool{
		``: false, `abc`: false, `[a]`: false, `a{0}`: false, `[a-z]{0}`: false, `^a$`: false, `(ab)c?`: false,
		`[ab]`: true, `.`: true, `a[ab]`: true, `([ab])?`: true, `[ab]*`: true, `x(y(z[ab])+)?`: true, `a|[0-9]`: true,
		`[a-z]{0,3}`: true, `([a-z]{2,5}|b){1,7}`: true,
	} {
		re, err := syntax.Parse(expression, syntax.Perl)
		require.NoError(t, err, expression)
		for _, re := range []*syntax.Regexp{re, re.Simplify()} {
			assert.Equal(t, varied, varies(re, 0), expression)
			assert.Equal(t, bits(re, 0) > 0, varies(re, 0), expression)
		}
	}
	deep, err := syntax.Parse(`a[ab]`, syntax.Perl)
	require.NoError(t, err)
	assert.False(t, varies(deep, expandDepth), "nothing is drawn below it")
}
