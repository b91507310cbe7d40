package otherservers

import (
	"net/http"
	"strings"
)

// outlive reports whether a tool that is lent can be deleted.
func (s *toolShop) outlive() bool {
	return s.wrong == "loans outlive tools" || strings.HasSuffix(s.wrong, "of a loan without its tool")
}

func (s *toolShop) serveLoans() {
	s.tools.handle(s.mux, s.wrong, "POST /loans", func(c *check, r *http.Request) (int, any) {
		v := c.object("loan", c.body(r), true, "toolId", "who")
		n, ok := c.integer("toolId", c.member("toolId", v, "toolId"))
		who := c.word(v, "who")
		if c.want("toolId low", !ok || least(n, 1)); c.complaint != "" || !ok {
			return 400, nil
		}
		tool := s.tools.find(n.Num().String())
		switch {
		case tool == nil:
			return 422, nil
		case s.dropped[tool["id"]]:
			return s.or(422, "loan of a deleted tool")
		case s.retired[tool["id"]]:
			return s.or(409, "loan of a retired tool")
		}
		loan := s.loans.add(map[string]any{"toolId": tool["id"], "who": who})
		s.lent[loan["id"]] = tool["id"]
		return 201, loan
	})
	named := func(pattern, what string, serve func(loan map[string]any) (int, any)) {
		s.tools.handle(s.mux, s.wrong, pattern, func(_ *check, r *http.Request) (int, any) {
			loan := s.loans.find(r.PathValue("loanId"))
			switch {
			case loan == nil || s.lent[loan["id"]] == nil:
				return 404, nil
			case s.dropped[loan["toolId"]] && s.wrong == what+" of a loan without its tool":
				return 500, nil
			}
			return serve(loan)
		})
	}
	named("GET /loans/{loanId}", "read", func(loan map[string]any) (int, any) { return 200, loan })
	named("DELETE /loans/{loanId}", "end", func(loan map[string]any) (int, any) {
		delete(s.lent, loan["id"])
		return 204, nil
	})
}
