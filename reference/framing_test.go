package reference

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const (
	plantText  = `{"id":1,"name":"fern"}`
	plantFrame = "16\r\n" + plantText + "\r\n0\r\n\r\n"
	postHead   = "POST /plants HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer t\r\nContent-Type: application/json\r\n"
	plain      = postHead + "Content-Length: 22\r\n\r\n" + plantText
	chunkedOne = postHead + "Transfer-Encoding: chunked\r\n\r\n" + plantFrame
	both       = postHead + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n" + plantFrame
)

// answers sends text in one go and gives, for each answer, its status and
// whether it ends the connection.
func answers(t *testing.T, url, text string) (list []string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(url, "http://"))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, text)
	require.NoError(t, err)
	require.NoError(t, conn.(*net.TCPConn).CloseWrite())
	in := bufio.NewReader(conn)
	for {
		resp, err := http.ReadResponse(in, nil)
		if err != nil {
			return list
		}
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		how := "keeps"
		if resp.Close {
			how = "ends"
		}
		list = append(list, resp.Status+" "+how)
	}
}

func TestTheConnectionEndsAfterARequestWithLengthAndCoding(t *testing.T) {
	s, err := New(Config{Tokens: []string{"t"}}).Start()
	require.NoError(t, err)
	defer s.Close()
	const keeps, ends = "200 OK keeps", "200 OK ends"
	assert.Equal(t, []string{keeps, keeps, keeps}, answers(t, s.URL, plain+chunkedOne+plain))
	assert.Equal(t, []string{ends}, answers(t, s.URL, both+plain), "what follows is not answered")
	assert.Equal(t, []string{keeps, keeps, ends}, answers(t, s.URL, plain+chunkedOne+both+plain))
	folded := strings.Replace(both, "Encoding: chunked", "Encoding:\r\n\tchunked", 1)
	assert.Equal(t, []string{ends}, answers(t, s.URL, folded+plain))
	assert.Equal(t, []string{keeps, keeps}, answers(t, s.URL, strings.Replace(chunkedOne, "Encoding: chunked", "Encoding:\r\n chunked", 1)+plain))
	assert.Equal(t, []string{"400 Bad Request ends"}, answers(t, s.URL, strings.Replace(both, "Bearer t", "Bearer x", 1)+plain))
	old := strings.Replace(postHead, "HTTP/1.1", "HTTP/1.0", 1) + "Connection: keep-alive\r\nContent-Length: 22\r\n"
	assert.Equal(t, []string{keeps, keeps}, answers(t, s.URL, old+"\r\n"+plantText+plain))
	assert.Equal(t, []string{ends}, answers(t, s.URL, old+"Transfer-Encoding: chunked\r\n\r\n"+plantText+plain), "RFC 9112, 6.1")
}

func TestRequestsAreFollowedHoweverTheirBytesCome(t *testing.T) {
	trailers := strings.Replace(chunkedOne, "0\r\n\r\n", "0;ext=\"\"\r\nContent-Length: 3\r\n\r\n", 1)
	text := plain + trailers + both + strings.ReplaceAll(plain, "\r\n", "\n") + both
	for size := range 40 {
		var f framing
		var found []int
		for rest := []byte(text); len(rest) > 0; {
			n := min(size+1, len(rest))
			found = append(found, f.follow(rest[:n])...)
			rest = rest[n:]
		}
		assert.Equal(t, []int{3, 5}, found, size+1)
	}
}

func FuzzFollowingAnyBytesIsBounded(f *testing.F) {
	f.Add([]byte(plain+chunkedOne+both), byte(7))
	f.Add([]byte("\n\r\n:\n \n\n"), byte(1))
	f.Add([]byte(postHead+"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\n"), byte(3))
	f.Add([]byte(postHead+"Content-Length: -9\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n"), byte(3))
	f.Fuzz(func(t *testing.T, text []byte, size byte) {
		var f framing
		for rest := text; len(rest) > 0; {
			n := min(int(size)+1, len(rest))
			f.follow(rest[:n])
			rest = rest[n:]
			if len(f.line) > maxLine || f.skip < 0 {
				t.Fatalf("%d bytes kept, %d to skip", len(f.line), f.skip)
			}
		}
	})
}
