package services

import (
	"fmt"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"plantstore/reference/kit"
)

// Tickets serves tickets.yaml; what is named wrong, if anything, is done wrong.
func Tickets(wrong string) http.Handler {
	k := kit.Far()
	service := kit.New(wrong)
	service.On("POST /tickets", func(c *kit.Check, r *http.Request) (int, any) {
		b := c.Object("ticket", c.Body(r), true, "title")
		title := c.Word(b, "title")
		if c.Complaint != "" {
			return 422, nil
		}
		return 201, k.Add(map[string]any{"title": title})
	})
	service.On("GET /tickets", func(c *kit.Check, r *http.Request) (int, any) {
		sizes := r.URL.Query()["size"]
		switch {
		case len(sizes) > 1 && wrong == "fails at a parameter twice":
			return 500, nil
		case len(sizes) > 1 && wrong == "refuses a parameter twice":
			return 400, nil
		case len(sizes) > 0:
			n, err := strconv.Atoi(sizes[0])
			c.Want("size", err == nil && n >= 1 && n <= 50 && strconv.Itoa(n) == sizes[0])
		}
		return 422 - 222*btoi(c.Complaint == ""), []any{}
	})
	service.On("GET /tickets/{id}", func(c *kit.Check, r *http.Request) (int, any) {
		id := r.PathValue("id")
		_, err := strconv.ParseInt(id, 10, 64)
		switch {
		case wrong == "fails at many digits" && len(id) > 18 && strings.Trim(id, "0123456789") == "",
			wrong == "fails at NUL" && strings.Contains(id, "\x00"),
			wrong == "fails at long segments" && len(id) > 255:
			return 500, nil
		case wrong == "reads 12abc":
			n := 0
			_, _ = fmt.Sscanf(id, "%d", &n) // it stops at the first letter
			id = strconv.Itoa(n)
		case err != nil && wrong == "422 for a wrong id":
			return 422, nil
		}
		if found := k.Find(id); found != nil {
			return 200, found
		}
		return 404, nil
	})
	service.On("POST /notes", func(c *kit.Check, r *http.Request) (int, any) {
		if _, params, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil && params["boundary"] == "" {
			switch wrong {
			case "fails without a boundary":
				return 500, nil
			case "takes a body without a boundary":
				return 201, map[string]any{}
			}
			return 400, nil // the framework does so, before it knows the operation
		}
		if err := r.ParseMultipartForm(1 << 20); err != nil {
			return 422, nil
		}
		text := r.MultipartForm.Value["text"]
		c.Want("text", len(text) > 0)
		return 422 - 221*btoi(c.Complaint == ""), map[string]any{}
	})
	return service.Keeping(k.Shown(nil))
}

func btoi(is bool) int {
	if is {
		return 1
	}
	return 0
}
