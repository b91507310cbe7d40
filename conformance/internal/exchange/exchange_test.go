package exchange

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// both reads raw whole and byte by byte, which must not matter.
func both(t *testing.T, raw, method string, l Limits) *Exchange {
	t.Helper()
	r := &Request{Method: method}
	whole := ReadResponse(strings.NewReader(raw), r, l)
	single := ReadResponse(iotest.OneByteReader(strings.NewReader(raw)), r, l)
	assertSame(t, whole, single)
	return whole
}

// assertSame compares but for surplus, which only shows where it came at once.
func assertSame(t *testing.T, a, b *Exchange) {
	t.Helper()
	require.Equal(t, kindOf(a), kindOf(b))
	require.Equal(t, a.Response == nil, b.Response == nil)
	require.Len(t, b.Interim, len(a.Interim))
	if a.Response != nil {
		require.Equal(t, a.Response.Body, b.Response.Body)
		require.Equal(t, a.Response.Fields, b.Response.Fields)
		require.Equal(t, a.Response.Framing, b.Response.Framing)
		require.Equal(t, a.Response.Close, b.Response.Close)
	}
}

func kindOf(e *Exchange) string {
	if e.Failure == nil {
		return ""
	}
	return e.Failure.Error()
}

func TestUnusualAnswersAreRead(t *testing.T) {
	const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
	for name, row := range map[string]struct {
		raw, method string
		status      int
		body        string
		framing     Framing
		close       bool
		odd         []string
	}{
		"plain":               {raw: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length},
		"empty body":          {raw: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", status: 400, framing: Length},
		"length in zeros":     {raw: "HTTP/1.1 200 OK\r\ncontent-length:0002\r\n\r\nhi", status: 200, body: "hi", framing: Length},
		"no reason":           {raw: "HTTP/1.1 200 \r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length},
		"no reason, no blank": {raw: "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length, odd: []string{OddStatusLine}},
		"blanks":              {raw: "HTTP/1.1  200 OK\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length, odd: []string{OddStatusBlanks}},
		"any status":          {raw: "HTTP/1.1 999 Own\r\nContent-Length: 0\r\n\r\n", status: 999, framing: Length},
		"bare lf":             {raw: "HTTP/1.1 200 OK\nContent-Length: 2\n\nhi", status: 200, body: "hi", framing: Length, odd: []string{OddLF}},
		"empty lines":         {raw: "\r\n\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length, odd: []string{OddEmptyLine}},
		"folded":              {raw: "HTTP/1.1 200 OK\r\nA: b\r\n\t c\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length, odd: []string{OddFold}},
		"control character":   {raw: "HTTP/1.1 200 O\x7fK\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length, odd: []string{OddControl}},
		"high bytes":          {raw: "HTTP/1.1 200 \xe4\r\nA: \xff\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length},
		"length twice":        {raw: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length, odd: []string{OddTwoLengths}},
		"length list":         {raw: "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nhi", status: 200, body: "hi", framing: Length, odd: []string{OddTwoLengths}},
		"chunked":             {raw: chunked + "1\r\nh\r\n1\r\ni\r\n0\r\n\r\n", status: 200, body: "hi", framing: Chunked},
		"chunk spelling":      {raw: strings.Replace(chunked, "chunked", "CHUNKED ", 1) + "0002 ;a=\"b\"\r\nhi\r\n00;x\r\n\r\n", status: 200, body: "hi", framing: Chunked},
		"chunks by lf":        {raw: chunked + "2\nhi\n0\n\n", status: 200, body: "hi", framing: Chunked, odd: []string{OddLF}},
		"chunked, no bytes":   {raw: chunked + "0\r\n\r\n", status: 200, framing: Chunked},
		"chunked and length":  {raw: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 9\r\n\r\n2\r\nhi\r\n0\r\n\r\n", status: 200, body: "hi", framing: Chunked, close: true, odd: []string{OddBothLengths}},
		"chunked in 1.0":      {raw: "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", status: 200, body: "hi", framing: Chunked, close: true, odd: []string{OddChunkedOld}},
		"until close":         {raw: "HTTP/1.1 200 OK\r\nConnection: keep-alive\r\n\r\nhi", status: 200, body: "hi", framing: UntilClose, close: true},
		"no field at all":     {raw: "HTTP/1.0 200 OK\r\n\r\nhi", status: 200, body: "hi", framing: UntilClose, close: true},
		"1.0":                 {raw: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length, close: true},
		"1.0 keeps":           {raw: "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length},
		"close in a list":     {raw: "HTTP/1.1 200 OK\r\nConnection: x, CLOSE\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length, close: true},
		"head":                {raw: "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", method: "HEAD", status: 200, framing: None},
		"204":                 {raw: "HTTP/1.1 204 No Content\r\n\r\n", status: 204, framing: None},
		"204 with length 0":   {raw: "HTTP/1.1 204 No Content\r\nContent-Length: 0\r\n\r\n", status: 204, framing: None},
		"304 with length":     {raw: "HTTP/1.1 304 Not Modified\r\nContent-Length: 9\r\n\r\n", status: 304, framing: None},
		"101":                 {raw: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", status: 101, framing: None, close: true},
		"after interim":       {raw: "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", status: 200, body: "hi", framing: Length},
	} {
		t.Run(name, func(t *testing.T) {
			e := both(t, row.raw, row.method, Limits{})
			require.Nil(t, e.Failure)
			r := e.Response
			assert.Equal(t, row.status, r.Status)
			assert.Equal(t, row.body, string(r.Body))
			assert.Equal(t, row.body, string(r.Content))
			assert.Equal(t, row.framing, r.Framing)
			assert.Equal(t, row.close, r.Close)
			assert.Equal(t, row.odd, r.Oddities)
			assert.Contains(t, row.raw, string(r.Head))
		})
	}
}

func TestTheAnswerToARequestOfHTTP10EndsTheConnectionUnlessItSaysOtherwise(t *testing.T) {
	for raw, row := range map[string]struct {
		close bool
		odd   []string
	}{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi":                            {close: true},
		"HTTP/1.1 200 OK\r\nConnection: keep-alive\r\nContent-Length: 2\r\n\r\nhi":  {},
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n": {close: true, odd: []string{OddChunkedFor}},
	} {
		e := ReadResponse(strings.NewReader(raw), &Request{Method: "GET", Head: []byte("GET / HTTP/1.0\r\nHost: a\r\n\r\n")}, Limits{})
		require.Nil(t, e.Failure, raw)
		assert.Equal(t, "hi", string(e.Response.Body))
		assert.Equal(t, row.close, e.Response.Close, raw)
		assert.Equal(t, row.odd, e.Response.Oddities, raw)
	}
}

func TestMalformedAnswersAreNamed(t *testing.T) {
	const (
		head    = "HTTP/1.1 200 OK\r\n"
		chunked = head + "Transfer-Encoding: chunked\r\n\r\n"
	)
	for raw, want := range map[string]string{
		"":                                        "dropped: connection closed before the first byte of the answer",
		"HTT":                                     "truncated: connection closed inside the head",
		"\r\n":                                    "truncated: connection closed inside the head",
		head + "A: b\r\n":                         "truncated: connection closed inside the head",
		"hello":                                   "malformed: not an http/1.x response",
		"http/1.1 200 OK\r\n\r\n":                 "malformed: not an http/1.x response",
		"HTTP/2 200\r\n\r\n":                      "malformed: not an http/1.x response",
		"\r\n\r\n\r\n" + head:                     "malformed: empty lines before the status line",
		"HTTP/1.x 200 OK\r\n\r\n":                 "malformed: bad status line",
		"HTTP/1.10 200 O\r\n\r\n":                 "malformed: bad status line",
		"HTTP/1.1\r\n\r\n":                        "malformed: bad status line",
		"HTTP/1.1 200 O\rK\r\n\r\n":               "malformed: bad status line",
		"HTTP/1.1 20 OK\r\n\r\n":                  "malformed: bad status code",
		"HTTP/1.1 2000 OK\r\n\r\n":                "malformed: bad status code",
		"HTTP/1.1 099 OK\r\n\r\n":                 "malformed: bad status code",
		"HTTP/1.1 2x0 OK\r\n\r\n":                 "malformed: bad status code",
		"HTTP/1.1 OK\r\n\r\n":                     "malformed: bad status code",
		head + "nocolon\r\n\r\n":                  "malformed: field without a colon",
		head + ": b\r\n\r\n":                      "malformed: bad field name",
		head + "A : b\r\n\r\n":                    "malformed: bad field name",
		head + "A\xe4: b\r\n\r\n":                 "malformed: bad field name",
		head + " A: b\r\n\r\n":                    "malformed: white space before the first field",
		head + "A: b\rc\r\n\r\n":                  "malformed: bad field value",
		head + "A: b\x00\r\n\r\n":                 "malformed: bad field value",
		head + "A: b\r\n \x00\r\n\r\n":            "malformed: bad field value",
		head + "Content-Length: x\r\n\r\n":        "malformed: bad content-length",
		head + "Content-Length: +5\r\n\r\nhello":  "malformed: bad content-length",
		head + "Content-Length: -1\r\n\r\n":       "malformed: bad content-length",
		head + "Content-Length: \r\n\r\n":         "malformed: bad content-length",
		head + "Content-Length: 0x5\r\n\r\nhello": "malformed: bad content-length",
		head + "Content-Length: 1,\r\n\r\nh":      "malformed: bad content-length",
		head + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nhi":                          "malformed: content-lengths that differ",
		head + "Content-Length: 1, 2\r\n\r\nhi":                                            "malformed: content-lengths that differ",
		head + "Content-Length: 99999999999999999999999999\r\n\r\nhi":                      "too large: content-length",
		head + "Content-Length: 99999999999\r\n\r\nhi":                                     "too large: body",
		head + "Transfer-Encoding: gzip, chunked\r\n\r\n":                                  "malformed: transfer-encoding other than chunked",
		head + "Transfer-Encoding: identity\r\n\r\n":                                       "malformed: transfer-encoding other than chunked",
		head + "Transfer-Encoding: \r\n\r\n":                                               "malformed: transfer-encoding other than chunked",
		head + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n": "malformed: transfer-encoding other than chunked",
		head + "Content-Length: 3\r\n\r\nhi":                                               "truncated: connection closed inside the body",
		chunked:                                                                            "truncated: connection closed inside the body",
		chunked + "2\r\nh":                                                                 "truncated: connection closed inside the body",
		chunked + "2\r\nhi\r\n":                                                            "truncated: connection closed inside the body",
		chunked + "2\r\nhi\r\n0\r\n":                                                       "truncated: connection closed inside the body",
		chunked + "x\r\n":                                                                  "malformed: bad chunk size",
		chunked + "\r\n":                                                                   "malformed: bad chunk size",
		chunked + "-1\r\n":                                                                 "malformed: bad chunk size",
		chunked + "2 x\r\nhi\r\n":                                                          "malformed: bad chunk size",
		chunked + "1\r\nhi\r\n0\r\n\r\n":                                                   "malformed: chunk longer than its size",
		chunked + "2\r\nhi0\r\n\r\n":                                                       "malformed: chunk longer than its size",
		chunked + "fffffffffffffffffff\r\nhi":                                              "too large: chunk size",
		chunked + "ffffffff\r\nhi":                                                         "too large: body",
		chunked + "0\r\nno trailer\r\n\r\n":                                                "malformed: field without a colon",
	} {
		t.Run(raw, func(t *testing.T) {
			assert.Equal(t, want, kindOf(both(t, raw, "POST", Limits{})))
		})
	}
}

func TestPartsOfAnIncompleteAnswerAreKept(t *testing.T) {
	e := both(t, "HTTP/1.1 500 Oops\r\nContent-Length: 10\r\n\r\nstack", "POST", Limits{})
	assert.Equal(t, Truncated, e.Failure.Kind)
	assert.Equal(t, 500, e.Response.Status)
	assert.Equal(t, "stack", string(e.Response.Body))
	e = both(t, "garbage", "POST", Limits{})
	assert.Nil(t, e.Response)
	e = ReadResponse(strings.NewReader("garbage"), new(Request), Limits{})
	assert.Equal(t, "garbage", string(e.Received))
}

func TestFieldsKeepOrderAndSpelling(t *testing.T) {
	e := both(t, "HTTP/1.1 200 Fine by me\r\nb:  2\t\r\nA: 1\r\nB:3\r\nE:\r\nContent-Length: 0\r\n\r\n", "POST", Limits{})
	r := e.Response
	assert.Equal(t, "HTTP/1.1", r.Proto)
	assert.Equal(t, "Fine by me", r.Reason)
	assert.Equal(t, []Field{{"b", "2"}, {"A", "1"}, {"B", "3"}, {"E", ""}, {"Content-Length", "0"}}, r.Fields)
	assert.Equal(t, "2", r.Get("B"))
	assert.Equal(t, []string{"2", "3"}, r.Values("b"))
	assert.Empty(t, r.Get("missing"))
	assert.Nil(t, r.Values("missing"))
}

func TestTrailersAreRead(t *testing.T) {
	e := both(t, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nA: b\r\nC:d\r\n\r\n", "POST", Limits{})
	require.Nil(t, e.Failure)
	assert.Equal(t, []Field{{"A", "b"}, {"C", "d"}}, e.Response.Trailers)
	assert.Empty(t, e.Response.Oddities)
}

func TestBytesBehindTheEndAreSurplus(t *testing.T) {
	for _, raw := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi|tail",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n|tail",
		"HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\n|tail",
	} {
		e := ReadResponse(strings.NewReader(raw), new(Request), Limits{Surplus: 3})
		require.Nil(t, e.Failure)
		assert.Equal(t, "|ta", string(e.Response.Surplus))
		assert.Contains(t, e.Response.Oddities, OddSurplus)
	}
}

func TestBodyLimitGrowsWithTheRequestOrIsItsOwn(t *testing.T) {
	answer := func(n int) io.Reader { return strings.NewReader(ok(strings.Repeat("x", n))) }
	r := &Request{Head: make([]byte, 4), Body: make([]byte, 6)}
	l := Limits{Body: 100, BodyFactor: 2}
	assert.Nil(t, ReadResponse(answer(120), r, l).Failure)
	assert.Equal(t, "too large: body", kindOf(ReadResponse(answer(121), r, l)))
	r.BodyLimit = 10
	assert.Nil(t, ReadResponse(answer(10), r, l).Failure)
	assert.Equal(t, "too large: body", kindOf(ReadResponse(answer(11), r, l)))
}

func TestContentCodingsAreUndone(t *testing.T) {
	const text = "a plant, a plant, a plant"
	pack := func(w io.WriteCloser, buf *bytes.Buffer, s string) string {
		_, _ = io.WriteString(w, s)
		require.NoError(t, w.Close())
		return buf.String()
	}
	var g, z, f, gg bytes.Buffer
	raw, err := flate.NewWriter(&f, 9)
	require.NoError(t, err)
	gzipped := pack(gzip.NewWriter(&g), &g, text)
	zlibbed := pack(zlib.NewWriter(&z), &z, text)
	deflated := pack(raw, &f, text)
	twice := pack(gzip.NewWriter(&gg), &gg, gzipped)

	for name, row := range map[string]struct {
		coding, body, content, shown string
		err                          error
	}{
		"none":           {"identity", text, text, "", nil},
		"gzip":           {"gzip", gzipped, text, "gzip", nil},
		"x-gzip":         {"X-GZip", gzipped, text, "x-gzip", nil},
		"two members":    {"gzip", gzipped + gzipped, text + text, "gzip", nil},
		"zlib":           {"deflate", zlibbed, text, "deflate", nil},
		"raw deflate":    {"deflate", deflated, text, "deflate", nil},
		"twice":          {"gzip, gzip", twice, text, "gzip, gzip", nil},
		"too often":      {"gzip, gzip, gzip, gzip", twice, "", "gzip, gzip, gzip, gzip", ErrUnknownCoding},
		"brotli":         {"br", "x", "", "br", ErrUnknownCoding},
		"zstd":           {"zstd", "x", "", "zstd", ErrUnknownCoding},
		"not gzip":       {"gzip", text, "", "gzip", ErrCorruptContent},
		"not deflate":    {"deflate", "\xff\xff\xff", "", "deflate", ErrCorruptContent},
		"not zlib":       {"deflate", "\x78\x9c\xff\xff", "", "deflate", ErrCorruptContent},
		"truncated gzip": {"gzip", gzipped[:len(gzipped)-3], "", "gzip", ErrCorruptContent},
		"gzip and tail":  {"gzip", gzipped + "tail", "", "gzip", ErrCorruptContent},
		"empty":          {"gzip", "", "", "gzip", nil},
	} {
		t.Run(name, func(t *testing.T) {
			answer := strings.Replace(ok(row.body), "\r\n", "\r\nContent-Encoding: "+row.coding+"\r\n", 1)
			e := both(t, answer, "POST", Limits{})
			require.Nil(t, e.Failure)
			assert.Equal(t, row.body, string(e.Response.Body))
			assert.Equal(t, row.content, string(e.Response.Content))
			assert.Equal(t, row.shown, e.Response.Coding)
			require.ErrorIs(t, e.Response.ContentErr, row.err)
		})
	}
}

// meter counts what is read.
type meter struct {
	*bytes.Reader
	read int
}

func (m *meter) Read(b []byte) (int, error) {
	n, err := m.Reader.Read(b)
	m.read += n
	return n, err
}

// FuzzReadResponse: no input panics, none is kept or read beyond the limits,
// and how it is cut into segments does not matter.
func FuzzReadResponse(f *testing.F) {
	for _, seed := range []string{
		"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2;x=y\r\nhi\r\n0\r\nA: b\r\n\r\n",
		"HTTP/1.0 200 OK\n\nbody until close",
		"\r\n\r\nHTTP/1.1 103 Early Hints\r\nA: b\r\n c\r\n\r\nHTTP/1.1 204 No Content\r\n\r\nsurplus",
		"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\n\x1f\x8b\x08",
		"HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n\x78\x9c\x03\x00\x00\x00\x00\x01",
		"HTTP/1.1 200 OK\r\nContent-Length: 5, 5\r\nConnection: close\r\n\r\nhello",
		"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nContent-Length: -1\r\n\r\n",
		"HTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\nHTTP/1.1 100 C\r\n\r\n",
		"garbage", "HTTP/1.", "\r", "",
	} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	l := Limits{
		Head: 200, Fields: 5, Interim: 3, EmptyLines: 2, Body: 300, Framing: 400,
		ChunkLine: 30, Content: 500, Surplus: 20, Received: 40,
	}
	f.Fuzz(func(t *testing.T, raw []byte, head bool) {
		r := &Request{Method: "POST"}
		if head {
			r.Method = "HEAD"
		}
		src := &meter{Reader: bytes.NewReader(raw)}
		e := ReadResponse(src, r, l)
		maximum := (l.Interim+2)*l.Head + l.Body + l.Framing + 4*l.Body + 2*firstBuffer
		require.LessOrEqual(t, src.read, maximum)
		require.LessOrEqual(t, len(e.Interim), l.Interim)
		require.LessOrEqual(t, len(e.Received), l.Received)
		require.True(t, e.Response != nil || e.Failure != nil)
		if e.Response != nil {
			require.LessOrEqual(t, len(e.Response.Head), l.Head)
			require.LessOrEqual(t, len(e.Response.Fields), l.Fields)
			require.LessOrEqual(t, len(e.Response.Body), l.Body)
			require.LessOrEqual(t, len(e.Response.Content), max(l.Content, l.Body))
			require.LessOrEqual(t, len(e.Response.Surplus), l.Surplus)
			require.LessOrEqual(t, len(e.Response.Trailers), l.Fields)
		}
		assertSame(t, e, ReadResponse(iotest.OneByteReader(bytes.NewReader(raw)), r, l))
	})
}
