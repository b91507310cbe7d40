package faults_test

import (
	"net/http"
	"strings"
)

// headProbes show the faults of the family heads.
func headProbes() (list []probe) {
	const body = `{"id":116,"name":"a"}`
	for _, f := range [][2]string{{"If-Match", `"x`}, {"If-Unmodified-Since", "0"}, {"Date", "x"}, {"From", "@"}, {"Depth", "x"}, {"Forwarded", `for="`},
		{"Max-Forwards", "0"}, {"Cookie", "a=%zz"}, {"Content-Encoding", "gzip"}, {"Sec-Ch-Ua", `"`}, {"Soapaction", "x"}, {"Range", "bytes=0-"}} {
		p := with(body, f[0], f[1])
		p.last = true
		list = append(list, p)
	}
	for _, f := range [][2]string{{"Accept-Language", ";q=x"}, {"Accept-Charset", "iso-8859-1"}} {
		p := with(`{"id":117,"name":"é植"}`, f[0], f[1])
		p.last = true
		list = append(list, p)
	}
	list = append(list, probe{body: body + strings.Repeat(" ", 2000), header: http.Header{}})
	for _, query := range []string{"q=" + strings.Repeat("q", 2000), "q=%FF", "q", "name=b", strings.Repeat("q=1&", 300) + "q=1"} {
		list = append(list, probe{body: body, auth: []string{"Bearer " + secret}, header: http.Header{}, query: query})
	}
	return list
}
