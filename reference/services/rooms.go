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

	"plantstore/reference/kit"
)

// Hotel serves hotel.yaml: nobody makes a room or a key of it, and only lists show their
// numbers and codes. What is named wrong, if anything, is done wrong.
func Hotel(wrong string) http.Handler {
	var bookings kit.Store
	service := kit.New(wrong)
	rooms := []map[string]any{{"number": "B-204", "beds": 2}, {"number": "C-017", "beds": 1}}
	find := func(number string) map[string]any {
		for _, room := range rooms {
			if room["number"] == number {
				return room
			}
		}
		return nil
	}
	service.On("GET /rooms", func(*kit.Check, *http.Request) (int, any) {
		return 200, map[string]any{"rooms": rooms}
	})
	service.On("GET /rooms/{number}", kit.About("number", find, func(_ *kit.Check, _ *http.Request, room map[string]any) (int, any) {
		if wrong == "beds as text" {
			return 200, map[string]any{"number": room["number"], "beds": "two"}
		}
		return 200, room
	}))
	service.On("POST /rooms/{number}/bookings", kit.About("number", find, func(c *kit.Check, r *http.Request, room map[string]any) (int, any) {
		guest := c.Word(c.Object("booking", c.Body(r), true, "guest"), "guest")
		return bookings.Made(c, map[string]any{"guest": guest, "number": room["number"]})
	}))
	keys := map[any]string{"B-204": "7731", "C-017": "0926"}
	service.On("GET /rooms/{number}/keys", kit.About("number", find, func(_ *kit.Check, _ *http.Request, room map[string]any) (int, any) {
		return 200, []any{map[string]string{"code": keys[room["number"]]}}
	}))
	service.On("GET /rooms/{number}/keys/{code}", kit.About("number", find, func(_ *kit.Check, r *http.Request, room map[string]any) (int, any) {
		switch {
		case keys[room["number"]] != r.PathValue("code"):
			return 404, nil
		case wrong == "key as number":
			return 200, map[string]int{"code": 7731}
		}
		return 200, map[string]string{"code": keys[room["number"]]}
	}))
	return service.Keeping(bookings.Shown(nil))
}

// Rooms serves rooms.yaml: a room is known only to the tenant that made it. What is named
// wrong, if anything, is done wrong, or right in an unusual way.
func Rooms(wrong string) http.Handler {
	var k, guests kit.Store
	owners, seen := map[string]string{}, map[string]bool{}
	service := kit.New(wrong)
	handle := func(pattern string, serve func(c *kit.Check, r *http.Request, tenant string) (int, any)) {
		service.On(pattern, func(c *kit.Check, r *http.Request) (int, any) {
			tenant := r.Header.Get("X-Tenant-Id")
			n := len([]rune(tenant))
			c.Want("tenant", n >= 4 && n <= 40)
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
	own := func(c *kit.Check, r *http.Request) {
		id := r.Header.Get("X-Request-Id")
		c.Want("request", kit.HasFormat("uuid", id))
		c.Want("request once", wrong != "requests once" || !seen[id])
		if c.Complaint == "" {
			seen[id] = true
		}
	}
	handle("POST /rooms", func(c *kit.Check, r *http.Request, tenant string) (int, any) {
		own(c, r)
		label := c.Word(c.Object("room", c.Body(r), true, "label"), "label")
		text, _ := c.Text("label", label)
		c.Strict("short labels", len([]rune(text)) > 14)
		if c.Complaint != "" {
			return 400, nil
		}
		room := k.Add(map[string]any{"label": label})
		owners[strconv.Itoa(len(k.Things))] = tenant
		return 201, room
	})
	handle("GET /rooms", func(c *kit.Check, r *http.Request, tenant string) (int, any) {
		own(c, r)
		if list, given := r.URL.Query()["order"]; given {
			c.Want("order", len(list) == 1 && (list[0] == "label" || list[0] == "-label"))
			c.Strict("no way down", list[0] == "-label")
		}
		list := []any{}
		for i, room := range k.Things {
			if room != nil && owners[strconv.Itoa(i+1)] == tenant && c.Complaint == "" {
				list = append(list, room)
			}
		}
		return 200, list
	})
	handle("GET /rooms/{id}", func(_ *kit.Check, r *http.Request, tenant string) (int, any) {
		room := k.Find(r.PathValue("id"))
		if room == nil || owners[r.PathValue("id")] != tenant {
			return 404, nil
		}
		return 200, room
	})
	handle("DELETE /rooms/{id}", func(c *kit.Check, r *http.Request, tenant string) (int, any) {
		id := r.PathValue("id")
		if k.Find(id) == nil || owners[id] != tenant {
			return 404, nil
		}
		if n, err := strconv.Atoi(id); err == nil && c.Complaint == "" {
			k.Things[n-1] = nil
		}
		return 204, nil
	})
	service.On("POST /guests", func(c *kit.Check, r *http.Request) (int, any) {
		nick := c.Word(c.Object("guest", c.Body(r), true, "nick"), "nick")
		return guests.Made(c, map[string]any{"nick": nick})
	})
	service.On("GET /stays", func(c *kit.Check, r *http.Request) (int, any) {
		guest := r.URL.Query()["guestId"]
		if !c.Want("guest", len(guest) == 1) {
			return 400, nil
		}
		if _, err := strconv.Atoi(guest[0]); !c.Want("guest", err == nil) {
			return 400, nil
		}
		if maximum, given := r.URL.Query()["most"]; given {
			n, err := strconv.Atoi(maximum[0])
			c.Want("most", err == nil && n >= 1 && n <= 9 && len(maximum) == 1)
			c.Strict("most below nine", n == 9)
		}
		if c.Complaint == "" && guests.Find(guest[0]) == nil {
			return 404, nil
		}
		return 200, []any{}
	})
	return service.Keeping(k.Shown(func(of map[string]any) bool {
		of["owner"] = owners[strconv.Itoa(of["id"].(int))]
		return true
	}), guests.Shown(nil))
}

// Seats serves seats.yaml: each of 27 seats is booked once, and refused with a status when it is
// asked for again. The seats of a closed row are refused too.
func Seats(again int, closed string) http.Handler {
	taken, seat := map[string]bool{}, regexp.MustCompile(`^[A-C][1-9]$`)
	service := kit.New("")
	service.On("POST /bookings", func(c *kit.Check, r *http.Request) (int, any) {
		given := c.Object("booking", c.Body(r), true, "seat")
		id, ok := c.Text("seat", c.Member("seat", given, "seat"))
		c.Want("seat pattern", !ok || seat.MatchString(id))
		switch {
		case c.Complaint != "", closed != "" && strings.HasPrefix(id, closed):
			return http.StatusBadRequest, nil
		case taken[id]:
			return again, nil
		}
		taken[id] = true
		return http.StatusCreated, map[string]string{"seat": id}
	})
	return service.Keeping(func() []map[string]any {
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
	service := kit.New(wrong)
	service.HandleFunc("POST /notes", func(w http.ResponseWriter, r *http.Request) {
		c := &kit.Check{Wrong: wrong}
		sent := r.Header.Values("Authorization")
		scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		if !c.Want("credential required", len(sent) > 0) || !c.Want("credential right", len(sent) == 0 ||
			strings.EqualFold(scheme, "Bearer") && strings.Trim(token, " ") == Key) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		o := readNote(c, r)
		title, ok := c.Text("title", c.Member("title", o, "title"))
		if n := utf8.RuneCountInString(title); ok {
			c.Want("title short", n >= 1)
			c.Want("title long", n <= 80)
		}
		c.Boolean("urgent", o["urgent"])
		if c.Complaint != "" {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		kit.Answer(w, http.StatusOK, map[string]any{"title": title})
	})
	return service
}

// readNote reads the members of a note from a JSON text or a form. Done wrong, a form is
// taken as it is.
func readNote(c *kit.Check, r *http.Request) map[string]value {
	media, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if media != "application/x-www-form-urlencoded" {
		return c.Object("note", c.Body(r), false)
	}
	b, err := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	fields, bad := url.ParseQuery(string(b))
	if c.Wrong == "form" {
		return map[string]value{"title": value(`"any"`)}
	}
	c.Want("form", err == nil && bad == nil && utf8.Valid(b))
	out := map[string]value{}
	for name, list := range fields {
		text, err := json.Marshal(list[0])
		c.Want("form text", err == nil && len(list) == 1)
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
	service := kit.New(wrong)
	gate := func(path string, pass func(c *kit.Check, r *http.Request) bool, more func(c *kit.Check, r *http.Request)) {
		service.HandleFunc("GET "+path, func(w http.ResponseWriter, r *http.Request) {
			c := &kit.Check{Wrong: wrong}
			if !pass(c, r) {
				w.Header().Set("WWW-Authenticate", "Bearer")
				w.WriteHeader(http.StatusUnauthorized)
				return
			}
			if more(c, r); c.Complaint != "" {
				w.WriteHeader(http.StatusBadRequest)
				return
			}
			kit.Answer(w, http.StatusOK, map[string]bool{"open": true})
		})
	}
	nothing := func(*kit.Check, *http.Request) {}
	gate("/both", func(c *kit.Check, r *http.Request) bool {
		return c.Want("both staff", staff(r)) && c.Want("both app", app(r))
	}, nothing)
	gate("/either", func(c *kit.Check, r *http.Request) bool {
		if token(r, "token") || c.Wrong == "either token any" && strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") {
			return true
		}
		if session(r) && c.Wrong != "either session refused" || c.Wrong == "either session any" && len(r.CookiesNamed("session")) > 0 {
			return true
		}
		return (login(r) || c.Wrong == "either login unchecked") && staff(r)
	}, nothing)
	gate("/query", func(c *kit.Check, r *http.Request) bool {
		inHeader := c.Wrong == "query in header" && r.Header.Get("X-API-Key") == Credentials()["app"]
		return inHeader || c.Want("query", app(r))
	}, func(c *kit.Check, r *http.Request) {
		if list, given := r.URL.Query()["limit"]; given {
			n, err := strconv.Atoi(list[0])
			c.Want("limit", err == nil && n >= 1 && n <= 9)
		}
	})
	gate("/cookie", func(c *kit.Check, r *http.Request) bool {
		prefix := c.Wrong == "cookie prefix" && len(r.CookiesNamed("session")) == 1 && strings.HasPrefix(Credentials()["session"], r.CookiesNamed("session")[0].Value)
		return prefix || c.Want("cookie", session(r))
	}, func(c *kit.Check, r *http.Request) {
		if lang, err := r.Cookie("lang"); err == nil {
			c.Want("lang", lang.Value == "de" || lang.Value == "en")
		}
	})
	gate("/basic", func(c *kit.Check, r *http.Request) bool {
		user, password, _ := r.BasicAuth()
		let := c.Wrong == "basic password" || c.Wrong == "basic password empty" && password == ""
		return let && user == "keeper" || login(r)
	}, nothing)
	gate("/grant", func(c *kit.Check, r *http.Request) bool { return c.Want("grant", token(r, "grant")) }, nothing)
	gate("/open", func(c *kit.Check, r *http.Request) bool {
		return c.Wrong != "open closed" || token(r, "token")
	}, nothing)
	gate("/machine", func(*kit.Check, *http.Request) bool { return true }, nothing)
	gate("/free", func(*kit.Check, *http.Request) bool { return true }, nothing)
	return service
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
