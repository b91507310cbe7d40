package faults_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"plantstore/reference"
)

// grammarProbes show the faults of the families grammar and marks.
func grammarProbes() (list []probe) {
	for _, body := range []string{
		`{"id":7301,"name":"a","more":[1,trux]}`, `{"id":7302[,"name":"a"}`, `{"id":7303,"name":"a","more":"a\u12`, `{"id":7304,"name":"a","more":"a\uD83D\u"}`,
		`{"id":7305,"name":"a","{}":1}`, `{'id':7306,"name":"a"}`,
	} {
		list = append(list, plain(body))
	}
	for _, name := range []string{":cactus: a", "a (tm)", "a :-)", "# a", "a\U000E0100", "'", "a\u2069", "a\U00010A0F", "a\U0004FFFE"} {
		list = append(list, plain(`{"id":7306,"name":"`+name+`"}`))
	}
	return list
}

// insideProbes show the faults of the family inside.
func insideProbes() (list []probe) {
	for range 12 {
		list = append(list, plain(`{"id":7401}`))
	}
	for _, body := range []string{
		`{"id":7402,"name":"a"}`, `{"id":7403,"more":{"name":"a"}}`, `{"id":7404,"name":"a: 12345678901234567890"}`,
		`{"id":7405,"name":"a","__proto__":{"tag":"b"}}`, `{"id":7406,"name":"a"}`,
		`{"id":7412,"__proto__":{"name":"a"}}`, `{"id":7410,"name":"again"}`, `{"id":7410,"name":"again","tag":5}`,
		`{"id":7408,"name":"a","tag":"b|c"}`, `{"id":7409,"name":"a|b","tag":"c"}`,
	} {
		list = append(list, plain(body))
	}
	return append(list, probe{body: `{"id":7410,"name":"again"}`}, with(`{"id":7411}`, "Accept-Encoding", "gzip"),
		with(`{"id":7407,"name":"`+strings.Repeat("n", 1200)+`"}`, "Accept-Encoding", "gzip"))
}

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

// blockProbes show the faults of the family blocks.
func blockProbes() (list []probe) {
	padded := func(size int, body string) string { return strings.Repeat(" ", max(0, size-len(body))) + body }
	// until puts the end of a buffer behind the given text.
	until := func(size int, before, behind string) string { return padded(size, before) + behind }
	for _, body := range []string{
		until(1024, `{"id":7101,"name":"a`+"\xe6", "\xa4\x8d\"}"),
		until(4096, `{"id":7102,"name":"a`+"\xe6", "\xa4\x8d\"}"),
		until(8192, `{"id":7103,"name":"a`+"\xe6", "\xa4\x8d\"}"),
		until(512, `{"id":7104,"name":"\u6`, `90d"}`),
		until(2048, `{"id":7105,"name":"\ud83c`, `\udf31"}`),
		until(256, `{"id":71`, `06,"name":"a"}`),
		padded(2048, `{"id":7107,"name":"a"}`),
		padded(4097, `{"id":7108,"name":"a"}`),
	} {
		list = append(list, plain(body))
	}
	return list
}

// splitChunks is a plant in two chunks, of which the first ends inside a character, as
// no client of net/http sends it.
func splitChunks() string {
	first, second := "{\"id\":7109,\"name\":\"a\xe6", "\xa4\x8d\"}"
	return fmt.Sprintf("POST /plants HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"+
		"%x\r\n%s\r\n%x\r\n%s\r\n0\r\n\r\n", secret, len(first), first, len(second), second)
}

// crossingProbes show the faults of the family crossings.
func crossingProbes() []probe {
	wrong := []string{"Bearer x" + secret}
	return []probe{
		{body: "[]", auth: wrong, last: true},
		{body: "[]", auth: []string{"Basic " + secret}, chunked: true, last: true},
		plain(`{"id":117,"name":"a\"b","tag":"é"}`),
		plain(`{"id":9007199254740999,"name":"a\\b"}`),
		plain(`{"id":119,"name":"twin","tag":"one"}`), plain(`{"id":120,"name":" Twin","tag":"two"}`),
		{body: `{"id":118,"name":"a"}`, header: http.Header{"User-Agent": {"kube-probe/1.29"}}},
		{body: `{"id":121,"name":"a"}`, header: http.Header{"Sec-Websocket-Protocol": {"x"}}},
	}
}

// pause is where the sender of raw bytes waits.
const pause = "<pause>"

// rawProbes are bytes that no client of net/http sends. Each gets a connection of its
// own, which the server ends.
func rawProbes() (list []string) {
	const body = `{"id":117,"name":"a"}`
	post := func(version, fields string) {
		list = append(list, fmt.Sprintf("POST /plants %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n%s\r\n%s", version, len(body), fields, body))
	}
	const valid = "Authorization: Bearer " + secret + "\r\n"
	post("HTTP/1.0", valid)
	post("HTTP/1.0", "")
	post("HTTP/1.0", valid+"Host: x\r\nConnection: keep-alive\r\n")
	list = append(list, fmt.Sprintf("POST /plants HTTP/1.1\r\nHost:x\r\nAuthorization:Bearer %s\r\nContent-Type:application/json\r\nContent-Length:%d\r\n\r\n%s", secret, len(body), body))
	framed := func(fields, after string) {
		list = append(list, "POST /plants HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+valid+fields+"\r\n"+after)
	}
	framed("Content-Length: x\r\n", body)
	framed("Content-Length: 20\r\nContent-Length: 19\r\n", body)
	framed("Transfer-Encoding: x\r\n", body)
	framed("Content-Length: 19\r\n", body)
	one := func(id int, fields string) string {
		b := fmt.Sprintf(`{"id":%d,"name":"n%d"}`, id, id)
		return fmt.Sprintf("POST /plants HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n%sContent-Length: %d\r\n\r\n%s", fields, len(b), b)
	}
	list = append(list, one(118, valid)+one(119, valid)+one(120, "")+one(121, valid))
	framed("Content-Length: 21\r"+pause+"\n", body[:10]+pause+body[10:])
	framed("Content-Length: 21\r\n", body[:3]+pause+body[3:6]+pause+body[6:9]+pause+body[9:12]+pause+body[12:15]+pause+body[15:])
	framed("Content-Length: -20\r\n", body)
	framed("Content-Length: 20\r\n", body)
	return list
}

// exchanged sends bytes and returns the statuses of what comes back.
func exchanged(t *testing.T, url, raw string) string {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	for i, piece := range strings.Split(raw, pause) {
		if i > 0 {
			time.Sleep(60 * time.Millisecond) // what comes late is what is tried
		}
		if _, err := io.WriteString(conn, piece); err != nil {
			break // a fault closes
		}
	}
	_ = conn.(*net.TCPConn).CloseWrite() // fails where a fault has closed
	answer, _ := io.ReadAll(conn)        // a fault may break the connection off
	var out []string
	for _, part := range strings.Split(string(answer), "HTTP/1.")[1:] {
		status, _, _ := strings.Cut(part, "\r\n")
		_, body, _ := strings.Cut(part, "\r\n\r\n")
		out = append(out, status+" "+body)
	}
	return strings.Join(out, ", ")
}

// beside sends what shows the faults that no other probe shows. It takes a second.
func beside(t *testing.T, s *reference.Server) []string {
	local, err := s.Start()
	require.NoError(t, err)
	defer local.Close()
	c := client()
	defer c.CloseIdleConnections()
	return []string{rested(t, c, local.URL), halfSent(t, local.URL), crowd(t, local.URL)}
}

// rested sends requests on a connection that was idle.
func rested(t *testing.T, c *http.Client, url string) string {
	out := send(t, c, url, plain(`{"id":8001,"name":"rested"}`))
	time.Sleep(350 * time.Millisecond)
	out += send(t, c, url, probe{body: `{"id":8002,"name":"rested"}`})
	time.Sleep(350 * time.Millisecond)
	return out + send(t, c, url, plain(`{"id":8003,"name":"rested"}`))
}

// halfSent sends a request without a credential while one with a credential is on its way.
func halfSent(t *testing.T, url string) string {
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	require.NoError(t, conn.SetDeadline(time.Now().Add(10*time.Second)))
	const inside = len(`{"name":"`) + 1 // of the first character of the name
	body := `{"name":"éhalf","id":8004}`
	_, err = fmt.Fprintf(conn, "POST /plants HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
		secret, len(body), body[:inside])
	require.NoError(t, err)
	other := client()
	defer other.CloseIdleConnections()
	time.Sleep(20 * time.Millisecond) // its head has come
	out := send(t, other, url, probe{body: `{"id":8005,"name":"other"}`})
	_, _ = io.WriteString(conn, body[inside:]) // a fault may have closed the connection
	answer, _ := io.ReadAll(conn)
	status, _, _ := strings.Cut(string(answer), "\r\n")
	return out + status
}

// crowd sends many requests at once, and says which statuses came.
func crowd(t *testing.T, url string) string {
	c := client()
	c.Transport.(*http.Transport).MaxConnsPerHost = 0
	defer c.CloseIdleConnections()
	var mu sync.Mutex
	seen := map[string]bool{}
	var group sync.WaitGroup
	for i := range 40 {
		group.Go(func() {
			got := send(t, c, url, plain(fmt.Sprintf(`{"id":%d,"name":"crowd"}`, 8100+i)))
			mu.Lock()
			defer mu.Unlock()
			seen[got[:min(3, len(got))]] = true
		})
	}
	group.Wait()
	return fmt.Sprint(seen)
}
