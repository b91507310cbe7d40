package otherservers

import (
	"net/http"
	"regexp"
	"time"
)

// debtCents is how much each debt is at first.
const debtCents = 1_000_000

var clerkName = regexp.MustCompile(`^[a-z]{2,12}$`)

var utcTime = regexp.MustCompile(`^20[3-9]\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$`)

// Debts serves debts.yaml, with rules that no schema states. What is named wrong, if anything,
// is done wrong.
func Debts(wrong string) http.Handler {
	var debts, payments keeper
	sent, paid := map[string]bool{}, map[string]int64{}
	mux := http.NewServeMux()
	debts.handle(mux, wrong, "POST /debts", func(c *check, r *http.Request) (int, any) {
		v := c.object("debt", c.body(r), true, "start", "end", "clerk")
		start, end := c.time(v, "start"), c.time(v, "end")
		clerk, given := c.text("clerk", v["clerk"])
		c.want("clerk pattern", !given || clerkName.MatchString(clerk))
		switch {
		case c.complaint != "":
			return 400, nil
		case given && clerk != "alice" && clerk != "bob", end.Before(start), end.After(start.AddDate(10, 0, 0)):
			return 422, nil
		}
		debt := map[string]any{"start": v["start"], "end": v["end"]}
		if given {
			debt["clerk"] = clerk
		}
		return 201, debts.add(debt)
	})
	about := func(pattern string, serve func(c *check, r *http.Request, id string, debt map[string]any) (int, any)) {
		debts.handle(mux, wrong, pattern, func(c *check, r *http.Request) (int, any) {
			id := r.PathValue("debtId")
			debt := debts.find(id)
			if debt == nil {
				return 404, nil
			}
			return serve(c, r, id, debt)
		})
	}
	about("GET /debts/{debtId}", func(_ *check, _ *http.Request, _ string, debt map[string]any) (int, any) { return 200, debt })
	about("POST /debts/{debtId}/send", func(_ *check, _ *http.Request, id string, debt map[string]any) (int, any) {
		sent[id] = true
		return 200, debt
	})
	about("POST /debts/{debtId}/payments", func(c *check, r *http.Request, id string, _ map[string]any) (int, any) {
		v := c.object("payment", c.body(r), true, "cents")
		n, ok := c.integer("cents", c.member("cents", v, "cents"))
		if ok {
			c.want("cents bounds", least(n, 1) && most(n, 2_000_000_000))
		}
		if c.complaint != "" || !ok {
			return 400, nil
		}
		cents := n.Num().Int64()
		if c.strict("few cents only", cents > 5000); c.complaint != "" {
			return 400, nil
		}
		if !sent[id] || paid[id]+cents > debtCents {
			return 409, nil
		}
		paid[id] += cents
		return 201, payments.add(map[string]any{"cents": cents, "debt": id})
	})
	about("GET /debts/{debtId}/payments/{paymentId}", func(c *check, r *http.Request, id string, _ map[string]any) (int, any) {
		p := payments.find(r.PathValue("paymentId"))
		switch {
		case p == nil || p["debt"] != id:
			return 404, nil
		case wrong == "cents as text":
			return 200, map[string]any{"id": p["id"], "cents": "1"}
		}
		return 200, p
	})
	return mux
}

// time reads a required time in UTC.
func (c *check) time(v map[string]value, name string) time.Time {
	text, ok := c.text(name, c.member(name, v, name))
	at, err := time.Parse(time.RFC3339, text)
	if ok {
		c.want(name+" time", err == nil && utcTime.MatchString(text))
	}
	return at
}
