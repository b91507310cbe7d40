package fake

import (
	"bufio"
	"bytes"
	"net/http"
	"net/http/httptest"
	"slices"

	"plantstore/conformance/internal/exchange"
)

// Handled returns a server that answers like a handler.
func Handled(h http.Handler) Server {
	return func(r *exchange.Request) *exchange.Exchange {
		read, err := http.ReadRequest(bufio.NewReader(bytes.NewReader(slices.Concat(r.Head, r.Body))))
		if err != nil {
			return Answer(http.StatusBadRequest, "", "")
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, read)
		e := Answer(w.Code, "", w.Body.String())
		for name, values := range w.Header() {
			for _, v := range values {
				e.Response.Fields = append(e.Response.Fields, exchange.Field{Name: name, Value: v})
			}
		}
		return e
	}
}
