package otherservers

import "net/http"

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
	return mux
}
