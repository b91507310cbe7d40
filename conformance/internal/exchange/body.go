package exchange

import "math"

// body reads what the framing promises; what came before an error is kept.
func (rd *reader) body(resp *Response, length, limit int, l *Limits) (err error) {
	switch resp.Framing {
	case Length:
		if length > limit {
			return tooLarge(largeBody)
		}
		rd.announced = length
		resp.Body, err = rd.take(make([]byte, 0, min(length, bodyStep)), length)
	case Chunked:
		resp.Body, err = rd.chunks(resp, limit, l)
	case UntilClose:
		resp.Body, err = rd.rest(nil, limit)
	}
	return err
}

// chunks reads a chunked body and its trailers (RFC 9112, 7.1).
func (rd *reader) chunks(resp *Response, limit int, l *Limits) (body []byte, err error) {
	body = []byte{}
	for framing := 0; ; {
		line, bare, err := rd.bodyLine(l.ChunkLine, "chunk line")
		if err != nil {
			return body, err
		}
		if bare {
			resp.odd(OddLF)
		}
		if framing += len(line); framing > l.Framing {
			return body, tooLarge("chunk lines")
		}
		size, err := chunkSize(line)
		switch {
		case err != nil:
			return body, err
		case size == 0:
			return body, rd.trailers(resp, l)
		case size > limit-len(body):
			return body, tooLarge(largeBody)
		}
		if body, err = rd.take(body, size); err != nil {
			return body, err
		}
		if rd.part != nil {
			rd.part(body)
		}
		// a chunk ends in an empty line; two bytes are enough to know
		line, bare, err = rd.bodyLine(2, "")
		switch _, failed := err.(*Failure); {
		case failed || err == nil && len(line) != 0:
			return body, malformed("chunk longer than its size")
		case err != nil:
			return body, err
		case bare:
			resp.odd(OddLF)
		}
	}
}

// chunkSize reads 1*HEXDIG and passes over extensions.
func chunkSize(line []byte) (int, error) {
	size, i := 0, 0
	for ; i < len(line); i++ {
		digit, ok := hexDigit(line[i])
		if !ok {
			break
		}
		if size > math.MaxInt>>4 {
			return 0, tooLarge("chunk size")
		}
		size = size<<4 | digit
	}
	rest := line[i:]
	for len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\t') {
		rest = rest[1:]
	}
	if i == 0 || len(rest) > 0 && rest[0] != ';' {
		return 0, malformed("bad chunk size")
	}
	return size, nil
}

func hexDigit(c byte) (int, bool) {
	switch {
	case isDigit(c):
		return int(c - '0'), true
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10, true
	}
	return 0, false
}

// trailers reads the trailer section (RFC 9112, 7.1.2) under the limits of a
// head.
func (rd *reader) trailers(resp *Response, l *Limits) error {
	var text []byte
	for {
		line, bare, err := rd.bodyLine(l.Head-len(text), "trailers")
		switch {
		case err != nil:
			return err
		case bare:
			resp.odd(OddLF)
		}
		if len(line) == 0 {
			break
		}
		text = append(append(text, line...), "\r\n"...)
	}
	if len(text) == 0 {
		return nil
	}
	fields, err := parseFields(string(text)+"\r\n", l.Fields, resp)
	resp.Trailers = fields
	return err
}
