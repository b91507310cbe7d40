package requirement_test

import (
	"strings"
	"testing"

	"plantstore/conformance/internal/requirement"
	"plantstore/spec"
)

func FuzzOverlayNeverPanicsAndComplainsInOneLine(f *testing.F) {
	for _, s := range []string{added + "    rule: echo\n    args: {from: /name, classes: ['*']}\n",
		"domains: [{path: /tag, given: may-refuse, operations: [post-plants], maxLength: 9}]", "requirements: [{id: bearer-token, level: MAY, why: x}]",
		"requirements: [7, {id: ~}]", "{\"requirements\": [{\"id\": \"\\ud800\", \"pointer\": \"/~2\"}]}", "domains: [{path: //, minimum: 1e999999999}]",
		"? a\n: &x [*x]\n", "requirements: &r [{id: a, rule: echo, args: {path: /*, statuses: [2XX]}}]\ndomains: *r\n"} {
		f.Add(s)
	}
	c, set := load(f, string(spec.OpenAPI))
	f.Fuzz(func(t *testing.T, file string) {
		if len(file) > 1<<12 {
			return
		}
		out, err := requirement.Overlay(set, c, "r.yaml", []byte(file), rules())
		if err == nil {
			if len(out.List) < len(set.List) {
				t.Fatal("a row was lost")
			}
			for _, r := range out.List {
				if r.ID == "" || r.Sentence == "" || r.Level == "" || r.Op == nil || r.Clause.String() == "" {
					t.Fatalf("incomplete: %+v", r)
				}
			}
			return
		}
		if out != nil || strings.ContainsAny(err.Error(), "\r\n") || !strings.HasPrefix(err.Error(), "r.yaml:") {
			t.Fatalf("not one line: %q", err)
		}
	})
}
