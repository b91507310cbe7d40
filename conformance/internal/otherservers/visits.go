package otherservers

import (
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// visits serves visits.yaml.
type visits struct {
	keeper
	wrong  string // a rule, and behind it the status of the refusal
	status int
	asked  int
}

// Visits serves visits.yaml. A rule that its document does not state, or that it contradicts, may
// be named, with the status of the refusals: "plans exist, 422".
func Visits(rule string) http.Handler {
	name, status, _ := strings.Cut(rule, ", ")
	v := &visits{wrong: name}
	v.status, _ = strconv.Atoi(status)
	mux := http.NewServeMux()
	v.handle(mux, name, "GET /visits", v.list)
	v.handle(mux, name, "POST /visits", v.enter)
	return mux
}

// refuse answers a request that has a complaint: with the status of the rule, if it is due to that.
func (v *visits) refuse(c *check) (int, any) {
	if c.complaint == v.wrong && v.status != 0 {
		return v.status, nil
	}
	return 400, nil
}

var (
	visitMail   = regexp.MustCompile(`^[^@ ]+@[^@ ]+$`)
	visitFilter = regexp.MustCompile(`^[a-z]+ eq \w+$`)
)

func (v *visits) list(c *check, r *http.Request) (int, any) {
	q := r.URL.Query()
	for _, name := range []string{"hosted", "narrow", "most", "order"} {
		c.want(name+" once", len(q[name]) < 2)
	}
	most, err := strconv.Atoi(q.Get("most"))
	plain := q.Get("most") == strconv.Itoa(most)
	c.want("most", !q.Has("most") || err == nil && plain && most >= 1 && most <= 100)
	c.want("order", !q.Has("order") || q.Get("order") == "old" || q.Get("order") == "new")
	v.asked++
	c.strict("hosts exist", q.Has("hosted"))
	c.strict("filters have a syntax", q.Has("narrow") && !visitFilter.MatchString(q.Get("narrow")))
	c.strict("most is below 100", most == 100)
	c.strict("no new", q.Get("order") == "new")
	c.strict("sometimes down", v.asked%50 == 7)
	if c.complaint != "" {
		return v.refuse(c)
	}
	return 200, []any{}
}

func (v *visits) enter(c *check, r *http.Request) (int, any) {
	raw := c.body(r)
	b := c.object("visit", raw, true, "guest", "kind", "mail", "seats", "badge", "plan")
	guest, ok := c.text("guest", c.member("guest", b, "guest"))
	if n := len([]rune(guest)); ok {
		c.want("guest length", n >= 1 && n <= 40)
	}
	kind, _ := c.text("kind", b["kind"])
	c.want("kind", b["kind"] == nil || kind == "short" || kind == "long")
	mail, _ := c.text("mail", b["mail"])
	c.want("mail", b["mail"] == nil || visitMail.MatchString(mail))
	badge, _ := c.text("badge", b["badge"])
	c.want("badge", b["badge"] == nil || uuid(badge))
	seats, counted := c.integer("seats", b["seats"])
	if counted {
		c.want("seats", least(seats, 1) && most(seats, 40))
	}
	c.integer("plan", b["plan"])
	if c.complaint == "" {
		v.asked++
		c.strict("plans exist", b["plan"] != nil)
		c.strict("badges exist", b["badge"] != nil)
		c.strict("names are reserved", slices.Contains([]string{"null", "true", "undefined", "NaN", "none"}, guest))
		c.strict("seats in fives", counted && seats.Num().Int64()%5 > 1)
		c.strict("no seats for a short visit", counted && kind == "short")
		c.strict("no long visit", kind == "long")
		c.strict("no mail", b["mail"] != nil)
		c.strict("guest shorter than 40", len([]rune(guest)) == 40)
		c.strict("guest first", guest != "" && !strings.HasPrefix(strings.TrimLeft(string(raw), "{ \t\r\n"), `"guest"`))
		c.strict("every ninth", v.asked%9 == 0)
		c.strict("undocumented", b["plan"] != nil)
	}
	if c.complaint != "" {
		return v.refuse(c)
	}
	out := map[string]any{}
	for name, value := range b {
		out[name] = value
	}
	return 201, v.add(out)
}
