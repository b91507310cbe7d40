package exchange

import (
	"context"
	"io"
)

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
