package faults_test

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

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
