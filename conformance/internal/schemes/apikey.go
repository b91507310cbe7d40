package schemes

import (
	"strings"

	"plantstore/conformance/internal/contract"
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/requirement"
)

var apiKey = plan.Scheme{
	Name:   "api-key",
	Doc:    "A key in a header field of its own (OpenAPI 3.1, 4.8.27).",
	Serves: func(s *contract.Scheme) bool { return s.Type == "apiKey" && s.Header != "" },
	Valid: func(s *contract.Scheme) plan.Presented {
		return plan.Presented{Field: s.Header, Value: same, Show: shownToken}
	},
	Attempts: func(s *contract.Scheme) []plan.Attempt {
		key := func(name, show string, value func(string) string) plan.Attempt {
			return plan.Attempt{Name: name, Presented: []plan.Presented{{Field: s.Header, Value: value, Show: show}}}
		}
		out := []plan.Attempt{{Name: "absent", Presented: []plan.Presented{}},
			key("empty", "", func(string) string { return "" }),
			key("with-scheme", bearerOf(shownToken), bearerOf),
			key("with-scheme-apikey", "ApiKey "+shownToken, func(t string) string { return "ApiKey " + t })}
		out = append(out, wrongs(s.Header, same, same)...)
		for _, e := range elsewhereKey(s.Header) {
			out = append(out, plan.Attempt{Name: e.name, Presented: []plan.Presented{{Field: e.field,
				Value: func(t string) string { return e.before + t }, Show: e.before + shownToken}}})
		}
		right := plan.Presented{Field: s.Header, Value: same, Show: shownToken}
		wrong := plan.Presented{Field: s.Header, Value: func(string) string { return "wrong" }, Show: "wrong"}
		return append(out,
			plan.Attempt{Name: "two-fields-wrong-first", Presented: []plan.Presented{wrong, right}},
			plan.Attempt{Name: "two-fields-right-first", Presented: []plan.Presented{right, wrong}},
			key("list-wrong-first", "wrong, "+shownToken, func(t string) string { return "wrong, " + t }))
	},
	Classify: func(s *contract.Scheme, fields []exchange.Field, token string) (requirement.Credential, bool) {
		list, below := values(fields, s.Header)
		switch {
		case len(list) == 0:
			return requirement.CredentialAbsent, below
		case len(list) == 1 && list[0] == token:
			return requirement.CredentialValid, below
		}
		for _, v := range list {
			if v == token {
				return requirement.CredentialUnclear, below
			}
		}
		return requirement.CredentialToken, below
	},
}

type misplaced struct{ name, field, before string }

// elsewhereKey are fields near the one of the key.
func elsewhereKey(header string) []misplaced {
	var out []misplaced
	for _, m := range []misplaced{{"elsewhere-authorization", authorization, "Bearer "}, {"elsewhere-authorization-bare", authorization, ""},
		{"elsewhere-cookie", "Cookie", header + "="}, {"elsewhere-longer-name", header + "2", ""}, {"elsewhere-x-name", "X-" + header, ""},
		{"elsewhere-auth-token", "X-Auth-Token", ""}} {
		if !strings.EqualFold(m.field, header) {
			out = append(out, m)
		}
	}
	return out
}
