package exchange

import (
	"bytes"
	"context"
	"io"
	"slices"
	"time"
)

const (
	wantHTTP    = "HTTP/1." // of the status line
	firstBuffer = 4 << 10   // holds a usual answer whole
	bodyStep    = 64 << 10  // a body's memory grows with what came, not with what was announced
)

// reader is a buffer over a connection that can look for the end of a head
// again where a time limit interrupted it.
type reader struct {
	src  io.Reader
	buf  []byte
	r, w int // buf[r:w] is not consumed yet

	line, scan int  // within buf[r:]: start of the current line, and how far it was searched
	empty      int  // empty lines skipped before the status line
	any        bool // something came since begin

	part      func(body []byte) // told of each piece of a body that need not end; nil for others
	last      time.Time         // when something came
	pause     time.Duration     // the longest wait between two pieces
	announced int               // the length of the body
}

func (rd *reader) begin() {
	rd.any, rd.line, rd.scan, rd.empty, rd.pause, rd.announced = false, 0, 0, 0, 0, 0
}

func (rd *reader) buffered() []byte { return rd.buf[rd.r:rd.w] }

// fill reads once, making room first.
func (rd *reader) fill() error {
	if rd.r == rd.w {
		rd.r, rd.w = 0, 0
	}
	if rd.w == len(rd.buf) {
		if rd.r > 0 {
			rd.w = copy(rd.buf, rd.buf[rd.r:rd.w])
			rd.r = 0
		} else {
			grown := make([]byte, max(firstBuffer, 2*len(rd.buf)))
			copy(grown, rd.buf[:rd.w])
			rd.buf = grown
		}
	}
	n, err := rd.read(rd.buf[rd.w:])
	rd.w += n
	return err
}

// read reads at least one byte, or returns an error.
func (rd *reader) read(b []byte) (int, error) {
	for range 100 {
		n, err := rd.src.Read(b)
		if n > 0 {
			now := time.Now()
			if rd.any {
				rd.pause = max(rd.pause, now.Sub(rd.last))
			}
			rd.any, rd.last = true, now
			return n, nil // an error with bytes comes again with the next call
		}
		if err != nil {
			return 0, err
		}
	}
	return 0, io.ErrNoProgress
}

// head consumes a response head and returns it with its closing empty line;
// the bytes are valid until the next call. After an error that is not a
// Failure it may be called again.
func (rd *reader) head(l *Limits) ([]byte, error) {
	for {
		pending := rd.buffered()
		i := bytes.IndexByte(pending[rd.scan:], '\n')
		if i < 0 {
			rd.scan = len(pending)
			if rd.line == 0 && !startsHTTP(pending) {
				return nil, notHTTP1(pending)
			}
			if len(pending) > l.Head {
				return nil, tooLarge("head")
			}
			if err := rd.fill(); err != nil {
				return nil, err
			}
			continue
		}
		end := rd.scan + i + 1
		line := trimCR(pending[rd.line : end-1])
		switch {
		case rd.line == 0 && len(line) > 0 && (len(line) < len(wantHTTP) || !startsHTTP(line)):
			return nil, notHTTP1(pending)
		case end > l.Head:
			return nil, tooLarge("head")
		case len(line) == 0 && rd.line == 0:
			if rd.empty++; rd.empty > l.EmptyLines {
				return nil, malformed("empty lines before the status line")
			}
			rd.r += end
			rd.scan = 0
		case len(line) == 0:
			rd.r += end
			rd.line, rd.scan = 0, 0
			return pending[:end], nil
		default:
			rd.line, rd.scan = end, end
		}
	}
}

// startsHTTP reports whether b can become a status line or an empty one: a
// server that talks something else is recognised by its first byte.
func startsHTTP(b []byte) bool {
	if len(b) == 1 && b[0] == '\r' {
		return true
	}
	n := min(len(b), len(wantHTTP))
	return string(b[:n]) == wantHTTP[:n]
}

// bodyLine consumes one line of chunked framing of at most limit bytes and
// returns it without its end, and whether that end was LF alone.
func (rd *reader) bodyLine(limit int, what string) (line []byte, bare bool, err error) {
	scan := 0
	for {
		pending := rd.buffered()
		if i := bytes.IndexByte(pending[scan:], '\n'); i >= 0 {
			end := scan + i
			if end >= limit {
				return nil, false, tooLarge(what)
			}
			rd.r += end + 1
			line = trimCR(pending[:end])
			return line, len(line) == end, nil
		}
		if scan = len(pending); scan >= limit {
			return nil, false, tooLarge(what)
		}
		if err := rd.fill(); err != nil {
			return nil, false, err
		}
	}
}

// take appends n bytes to dst; what came before an error is kept.
func (rd *reader) take(dst []byte, n int) ([]byte, error) {
	for {
		have := rd.buffered()
		have = have[:min(len(have), n)]
		dst = append(slices.Grow(dst, min(n, bodyStep)), have...)
		rd.r += len(have)
		if n -= len(have); n == 0 {
			return dst, nil
		}
		if n < len(rd.buf) { // the next line may come with it
			if err := rd.fill(); err != nil {
				return dst, err
			}
			continue
		}
		dst = slices.Grow(dst, min(n, bodyStep))
		got, err := rd.read(dst[len(dst):min(cap(dst), len(dst)+n)])
		dst = dst[:len(dst)+got]
		n -= got
		if err != nil {
			return dst, err
		}
	}
}

// rest appends everything up to the end of src, at most limit bytes.
func (rd *reader) rest(dst []byte, limit int) ([]byte, error) {
	for {
		if len(rd.buffered()) > limit-len(dst) {
			return append(dst, rd.buffered()[:limit-len(dst)]...), tooLarge(largeBody)
		}
		dst = append(dst, rd.buffered()...)
		rd.r = rd.w
		if rd.part != nil {
			rd.part(dst)
		}
		switch err := rd.fill(); err {
		case nil:
		case io.EOF:
			return dst, nil
		default:
			return dst, err
		}
	}
}

func trimCR(line []byte) []byte {
	if n := len(line); n > 0 && line[n-1] == '\r' {
		return line[:n-1]
	}
	return line
}

// parser reads the responses of one connection.
type parser struct {
	reader
	limits *Limits
	dec    *decoder
	more   bool // what follows an answer is another one that was asked for
}

// next reads one head; interim ones have no body.
func (p *parser) next() (*Response, error) {
	raw, err := p.head(p.limits)
	if err != nil {
		return nil, err
	}
	resp, err := parseHead(raw, p.limits)
	if err != nil {
		return nil, err
	}
	if p.empty > 0 {
		resp.odd(OddEmptyLine)
		p.empty = 0
	}
	return resp, nil
}

// interim reports whether another response follows (RFC 9110, 15.2); 101
// ends HTTP on the connection, so nothing follows.
func (resp *Response) interim() bool { return resp.Status < 200 && resp.Status != 101 }

// finish reads the rest of a final response: body, content, surplus.
func (p *parser) finish(resp *Response, r *Request) error {
	length, err := resp.frame(r)
	if err != nil {
		return err
	}
	limit, content := p.limits.sizes(r)
	if err := p.body(resp, length, limit, p.limits); err != nil {
		return err
	}
	p.dec.decode(resp, content, p.limits.Codings)
	switch rest := p.buffered(); {
	case len(rest) == 0 || resp.Status == 101 || p.more:
	case r.last():
		resp.Close = true // they answer what the server took for the next request
	case isTimeoutAnswer(rest):
		resp.Close = true // the server counts the connection as idle already
	default:
		resp.Surplus = append([]byte(nil), rest[:min(len(rest), p.limits.Surplus)]...)
		resp.odd(OddSurplus)
	}
	return nil
}

// ReadResponse reads the answer to r from src as a session would, without a
// connection and its time limits: for recorded bytes. A Failure of src itself
// is Dropped before the first byte, Truncated afterwards.
func ReadResponse(src io.Reader, r *Request, l Limits) *Exchange {
	l = l.withDefaults()
	p := &parser{reader: reader{src: src}, limits: &l, dec: new(decoder)}
	e := &Exchange{Request: r}
	for {
		resp, err := p.next()
		if err != nil {
			e.fail(context.Background(), p, err)
			return e
		}
		if resp.interim() {
			if e.Failure = e.addInterim(resp, &l); e.Failure != nil {
				return e
			}
			continue
		}
		e.Response = resp
		if err := p.finish(resp, r); err != nil {
			e.fail(context.Background(), p, err)
		}
		return e
	}
}
