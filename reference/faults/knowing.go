package faults

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"

	"plantstore/reference"
	"plantstore/reference/internal/alter"
)

// knowing checks the body of some requests only, and chooses them by something other
// than the body. It passes a suite whose order or values reveal what a request tests.
func knowing() []Fault {
	return []Fault{
		{Name: "name-unchecked-at-first", Breaks: nameString, Rare: true,
			Doc:   "takes a name of any type in the first 250 requests, while the schemas are still being loaded",
			alter: uncheckedWhile(func() func([]byte) bool { due := first(250)(); return func([]byte) bool { return due() } })},
		{Name: "name-unchecked-below-first-id", Breaks: nameString, Rare: true,
			Doc: "takes a name of any type beside an id below the first that came, as plants of the old system have",
			alter: uncheckedWhile(func() func([]byte) bool {
				var minimum atomic.Int64
				return func(b []byte) bool {
					pairs, _ := alter.Object(b)
					id, err := strconv.ParseInt(find(pairs, "id"), 10, 64)
					if err != nil {
						return false
					}
					minimum.CompareAndSwap(0, id)
					return id < minimum.Load()
				}
			})},
	}
}

// uncheckedWhile takes any name in the requests that a counter of each server says.
func uncheckedWhile(count func() func(body []byte) bool) alter.Change {
	return func(s *reference.Stages) {
		due := count()
		alter.Requests(func(w http.ResponseWriter, r *http.Request, body []byte, next http.Handler) {
			if due(body) {
				body = named(body, func([]alter.Pair, string) string { return `"x"` })
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
			}
			next.ServeHTTP(w, r)
		})(s)
	}
}
