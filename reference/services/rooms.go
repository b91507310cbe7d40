package services

import (
	"encoding/base64"
	"io"
	"mime"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
)

// Hotel serves hotel.yaml: nobody makes a room or a key of it, and only lists show their
// numbers and codes. What is named wrong, if anything, is done wrong.
func Hotel(wrong string) http.Handler {
	var bookings keeper
	mux := http.NewServeMux()
	rooms := []map[string]any{{"number": "B-204", "beds": 2}, {"number": "C-017", "beds": 1}}
	find := func(number string) map[string]any {
		for _, room := range rooms {
			if room["number"] == number {
				return room
			}
		}
		return nil
	}
	bookings.handle(mux, wrong, "GET /rooms", func(*check, *http.Request) (int, any) {
		return 200, map[string]any{"rooms": rooms}
	})
	bookings.handle(mux, wrong, "GET /rooms/{number}", func(_ *check, r *http.Request) (int, any) {
		room := find(r.PathValue("number"))
		switch {
		case room == nil:
			return 404, nil
		case wrong == "beds as text":
			return 200, map[string]any{"number": room["number"], "beds": "two"}
		}
		return 200, room
	})
	bookings.handle(mux, wrong, "POST /rooms/{number}/bookings", func(c *check, r *http.Request) (int, any) {
		room := find(r.PathValue("number"))
		if room == nil {
			return 404, nil
		}
		guest := c.word(c.object("booking", c.body(r), true, "guest"), "guest")
		if c.complaint != "" {
			return 400, nil
		}
		return 201, bookings.add(map[string]any{"guest": guest, "number": room["number"]})
	})
	keys := map[any]string{"B-204": "7731", "C-017": "0926"}
	bookings.handle(mux, wrong, "GET /rooms/{number}/keys", func(_ *check, r *http.Request) (int, any) {
		room := find(r.PathValue("number"))
		if room == nil {
			return 404, nil
		}
		return 200, []any{map[string]string{"code": keys[room["number"]]}}
	})
	bookings.handle(mux, wrong, "GET /rooms/{number}/keys/{code}", func(_ *check, r *http.Request) (int, any) {
		room := find(r.PathValue("number"))
		switch {
		case room == nil || keys[room["number"]] != r.PathValue("code"):
			return 404, nil
		case wrong == "key as number":
			return 200, map[string]int{"code": 7731}
		}
		return 200, map[string]string{"code": keys[room["number"]]}
	})
	return storing(mux, bookings.shown(nil))
}

// Rooms serves rooms.yaml: a room is known only to the tenant that made it. What is named
// wrong, if anything, is done wrong, or right in an unusual way.
func Rooms(wrong string) http.Handler {
	var k, guests keeper
	owners, seen := map[string]string{}, map[string]bool{}
	mux := http.NewServeMux()
	handle := func(pattern string, serve func(c *check, r *http.Request, tenant string) (int, any)) {
		k.handle(mux, wrong, pattern, func(c *check, r *http.Request) (int, any) {
			tenant := r.Header.Get("X-Tenant-Id")
			n := len([]rune(tenant))
			c.want("tenant", n >= 4 && n <= 40)
			if wrong == "known tenants" && tenant != "acme" {
				return 404, nil
			}
			if wrong == "tenants once" && r.PathValue("id") == "" && seen[tenant] {
				return 409, nil
			}
			status, body := serve(c, r, tenant)
			seen[tenant] = seen[tenant] || status/100 == 2
			return status, body
		})
	}
	own := func(c *check, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		c.want("request", uuid(id))
		c.want("request once", wrong != "requests once" || !seen[id])
		if c.complaint == "" {
			seen[id] = true
		}
	}
	handle("POST /rooms", func(c *check, r *http.Request, tenant string) (int, any) {
		own(c, r)
		label := c.word(c.object("room", c.body(r), true, "label"), "label")
		text, _ := c.text("label", label)
		c.strict("short labels", len([]rune(text)) > 14)
		if c.complaint != "" {
			return 400, nil
		}
		room := k.add(map[string]any{"label": label})
		owners[strconv.Itoa(len(k.resources))] = tenant
		return 201, room
	})
	handle("GET /rooms", func(c *check, r *http.Request, tenant string) (int, any) {
		own(c, r)
		if list, given := r.URL.Query()["order"]; given {
			c.want("order", len(list) == 1 && (list[0] == "label" || list[0] == "-label"))
			c.strict("no way down", list[0] == "-label")
		}
		list := []any{}
		for i, room := range k.resources {
			if room != nil && owners[strconv.Itoa(i+1)] == tenant && c.complaint == "" {
				list = append(list, room)
			}
		}
		return 200, list
	})
	handle("GET /rooms/{id}", func(_ *check, r *http.Request, tenant string) (int, any) {
		room := k.find(r.PathValue("id"))
		if room == nil || owners[r.PathValue("id")] != tenant {
			return 404, nil
		}
		return 200, room
	})
	handle("DELETE /rooms/{id}", func(c *check, r *http.Request, tenant string) (int, any) {
		id := r.PathValue("id")
		if k.find(id) == nil || owners[id] != tenant {
			return 404, nil
		}
		if n, err := strconv.Atoi(id); err == nil && c.complaint == "" {
			k.resources[n-1] = nil
		}
		return 204, nil
	})
	guests.handle(mux, wrong, "POST /guests", func(c *check, r *http.Request) (int, any) {
		nick := c.word(c.object("guest", c.body(r), true, "nick"), "nick")
		if c.complaint != "" {
			return 400, nil
		}
		return 201, guests.add(map[string]any{"nick": nick})
	})
	guests.handle(mux, wrong, "GET /stays", func(c *check, r *http.Request) (int, any) {
		guest := r.URL.Query()["guestId"]
		if !c.want("guest", len(guest) == 1) {
			return 400, nil
		}
		if _, err := strconv.Atoi(guest[0]); !c.want("guest", err == nil) {
			return 400, nil
		}
		if maximum, given := r.URL.Query()["most"]; given {
			n, err := strconv.Atoi(maximum[0])
			c.want("most", err == nil && n >= 1 && n <= 9 && len(maximum) == 1)
			c.strict("most below nine", n == 9)
		}
		if c.complaint == "" && guests.find(guest[0]) == nil {
			return 404, nil
		}
		return 200, []any{}
	})
	return storing(mux, k.shown(func(of map[string]any) bool {
		of["owner"] = owners[strconv.Itoa(of["id"].(int))]
		return true
	}), guests.shown(nil))
}

// Seats serves seats.yaml: each of 27 seats is booked once, and refused with a status when it is
// asked for again. The seats of a closed row are refused too.
func Seats(again int, closed string) http.Handler {
	var k keeper
	taken, seat := map[string]bool{}, regexp.MustCompile(`^[A-C][1-9]$`)
	mux := http.NewServeMux()
	k.handle(mux, "", "POST /bookings", func(c *check, r *http.Request) (int, any) {
		given := c.object("booking", c.body(r), true, "seat")
		id, ok := c.text("seat", c.member("seat", given, "seat"))
		c.want("seat pattern", !ok || seat.MatchString(id))
		switch {
		case c.complaint != "", closed != "" && strings.HasPrefix(id, closed):
			return http.StatusBadRequest, nil
		case taken[id]:
			return again, nil
		}
		taken[id] = true
		return http.StatusCreated, map[string]string{"seat": id}
	})
	return storing(mux, func() []map[string]any {
		var out []map[string]any
		for id := range taken {
			out = append(out, map[string]any{"seat": id})
		}
		return out
	})
}

// Desk serves what can be judged of desk.yaml; what is named wrong, if anything,
// is done wrong.
func Desk(wrong string) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /notes", func(w http.ResponseWriter, r *http.Request) {
		c := &check{wrong: wrong}
		sent := r.Header.Values("Authorization")
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !c.want("credential required", len(sent) > 0) || !c.want("credential right", len(sent) == 0 ||
			strings.EqualFold(scheme, "Bearer") && strings.Trim(token, " ") == Key) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		o := c.note(r)
		title, ok := c.text("title", c.member("title", o, "title"))
		if n := utf8.RuneCountInString(title); ok {
			c.want("title short", n >= 1)
			c.want("title long", n <= 80)
		}
		c.boolean("urgent", o["urgent"])
		if c.complaint != "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		answer(w, http.StatusOK, map[string]any{"title": title})
	})
	return mux
}

// note reads the members of a note from a JSON text or a form. Done wrong, a form is
// taken as it is.
func (c *check) note(r *http.Request) map[string]value {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media != "application/x-www-form-urlencoded" {
		return c.object("note", c.body(r), false)
	}
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	fields, bad := url.ParseQuery(string(b))
	if c.wrong == "form" {
		return map[string]value{"title": value(`"any"`)}
	}
	c.want("form", err == nil && bad == nil && utf8.Valid(b))
	out := map[string]value{}
	for name, list := range fields {
		text, err := json.Marshal(list[0])
		c.want("form text", err == nil && len(list) == 1)
		out[name] = text
	}
	if urgent := fields.Get("urgent"); urgent == "true" || urgent == "false" {
		out["urgent"] = value(urgent)
	}
	return out
}

// Credentials are what Gates accepts, by scheme.
func Credentials() map[string]string {
	return map[string]string{"staff": "staff-key-5f0b1c7d", "app": "app/key+8a=2e64d1", "session": "91c4e7a3b5-QmFk",
		"token": "token-2b7e151628aed2", "login": "keeper:opens-the-gate-7", "grant": "grant-603deb1015ca71"}
}

// Gates serves gates.yaml; what is named wrong, if anything, is done wrong.
func Gates(wrong string) http.Handler {
	mux := http.NewServeMux()
	gate := func(path string, pass func(c *check, r *http.Request) bool, more func(c *check, r *http.Request)) {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			c := &check{wrong: wrong}
			if !pass(c, r) {
				w.Header().Set("WWW-Authenticate", "Bearer")
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			if more(c, r); c.complaint != "" {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			answer(w, http.StatusOK, map[string]bool{"open": true})
		})
	}
	nothing := func(*check, *http.Request) {}
	gate("/both", func(c *check, r *http.Request) bool {
		return c.want("both staff", staff(r)) && c.want("both app", app(r))
	}, nothing)
	gate("/either", func(c *check, r *http.Request) bool {
		if token(r, "token") || c.wrong == "either token any" && strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
			return true
		}
		if session(r) && c.wrong != "either session refused" || c.wrong == "either session any" && len(r.CookiesNamed("session")) > 0 {
			return true
		}
		return (login(r) || c.wrong == "either login unchecked") && staff(r)
	}, nothing)
	gate("/query", func(c *check, r *http.Request) bool {
		inHeader := c.wrong == "query in header" && r.Header.Get("X-API-Key") == Credentials()["app"]
		return inHeader || c.want("query", app(r))
	}, func(c *check, r *http.Request) {
		if list, given := r.URL.Query()["limit"]; given {
			n, err := strconv.Atoi(list[0])
			c.want("limit", err == nil && n >= 1 && n <= 9)
		}
	})
	gate("/cookie", func(c *check, r *http.Request) bool {
		prefix := c.wrong == "cookie prefix" && len(r.CookiesNamed("session")) == 1 && strings.HasPrefix(Credentials()["session"], r.CookiesNamed("session")[0].Value)
		return prefix || c.want("cookie", session(r))
	}, func(c *check, r *http.Request) {
		if lang, err := r.Cookie("lang"); err == nil {
			c.want("lang", lang.Value == "de" || lang.Value == "en")
		}
	})
	gate("/basic", func(c *check, r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		let := c.wrong == "basic password" || c.wrong == "basic password empty" && password == ""
		return let && user == "keeper" || login(r)
	}, nothing)
	gate("/grant", func(c *check, r *http.Request) bool { return c.want("grant", token(r, "grant")) }, nothing)
	gate("/open", func(c *check, r *http.Request) bool {
		return c.wrong != "open closed" || token(r, "token")
	}, nothing)
	gate("/machine", func(*check, *http.Request) bool { return true }, nothing)
	gate("/free", func(*check, *http.Request) bool { return true }, nothing)
	return mux
}

func staff(r *http.Request) bool {
	return slices.Equal(r.Header.Values("X-Staff-Key"), []string{Credentials()["staff"]})
}

func app(r *http.Request) bool {
	return slices.Equal(r.URL.Query()["app_key"], []string{Credentials()["app"]})
}

func session(r *http.Request) bool {
	list := r.CookiesNamed("session")
	return len(list) == 1 && list[0].Value == Credentials()["session"]
}

func token(r *http.Request, name string) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return strings.EqualFold(scheme, "Bearer") && strings.Trim(token, " ") == Credentials()[name]
}

func login(r *http.Request) bool {
	scheme, encoded, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	plain, err := base64.StdEncoding.DecodeString(strings.Trim(encoded, " "))
	return err == nil && strings.EqualFold(scheme, "Basic") && string(plain) == Credentials()["login"]
}
