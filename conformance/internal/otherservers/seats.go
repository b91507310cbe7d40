package otherservers

import (
	"net/http"
	"regexp"
	"strings"
)

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
	return mux
}
