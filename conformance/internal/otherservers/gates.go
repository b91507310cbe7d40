package otherservers

import (
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

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
