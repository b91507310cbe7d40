package faults_test

import (
	"net/http"
	"strings"
)

// sizeProbes show the faults of the family sizes.
func sizeProbes() (list []probe) {
	many := `{"id":7201,"name":"a"`
	for i := range 126 {
		many += `,"x` + strings.Repeat("y", i) + `":1`
	}
	behind40 := `{"id":7207,"name":"a"`
	for i := range 40 {
		behind40 += `,"y` + strings.Repeat("y", i) + `":1`
	}
	for _, body := range []string{
		`{"id":7202,"name":"a","` + strings.Repeat("n", 256) + `":1}`,
		many + "}",
		behind40 + `,"tag":"t"}`,
		`{"id":7203,"name":"a","more":[1` + strings.Repeat(",1", 255) + `]}`,
		`{"id":7204,"name":"a","more":"` + strings.Repeat("植", 1100) + `"}`,
		`{"id":"` + strings.Repeat("植", 100) + `","name":"a"}`,
		`{"id":"` + strings.Repeat("x", 5000) + `","name":"a"}`,
		strings.Repeat("植", 100),
	} {
		list = append(list, plain(body))
	}
	const body = `{"id":7205,"name":"a"}`
	list = append(list, with(body, "User-Agent", strings.Repeat("x", 300)), with(body, "Referer", strings.Repeat("x", 1100)),
		with(body, "X-Sized", strings.Repeat("x", 1024-len("X-Sized: "))))
	cut := probe{body: body, auth: []string{"Bearer " + secret}, header: http.Header{}, query: "q=" + strings.Repeat("q", 509) + "%E6%A4%8D"}
	return append(list, with(body, "Accept-Language", "en"+strings.Repeat(",de", 70)), cut, credential("Bearer "+strings.Repeat("x", 256)))
}
