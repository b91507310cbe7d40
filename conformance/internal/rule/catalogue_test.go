package rule_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/rule"
)

func TestABadRuleIsRefused(t *testing.T) {
	check := func(*rule.Input) rule.Outcome { return rule.None }
	good := rule.Rule{Name: "a-rule", Rank: rule.Class, Doc: "D.", Explanation: "E.", Fix: "F.", Check: check}
	assert.NoError(t, rule.Validate([]rule.Rule{good}))
	assert.Equal(t, "arule.go", good.File())
	with := func(change func(r *rule.Rule)) []rule.Rule {
		r := good
		change(&r)
		return []rule.Rule{r}
	}
	for want, list := range map[string][]rule.Rule{
		`rule "A rule": the name is not`:  with(func(r *rule.Rule) { r.Name = "A rule" }),
		"rule a-rule: Doc is not":         with(func(r *rule.Rule) { r.Doc = "" }),
		"rule a-rule: Explanation is not": with(func(r *rule.Rule) { r.Explanation = "no sentence" }),
		"rule a-rule: Fix is not":         with(func(r *rule.Rule) { r.Fix = "" }),
		"rule a-rule checks nothing":      with(func(r *rule.Rule) { r.Check = nil }),
		"rule a-rule is listed twice":     {good, good},
	} {
		assert.ErrorContains(t, rule.Validate(list), want)
	}
	assert.NoError(t, rule.Validate(with(func(r *rule.Rule) { r.Rank, r.Fix = rule.Observed, "" })), "what is only observed needs no fix")
}
