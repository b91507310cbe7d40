package exchange

import "time"

// Limits is the table of every wait and every size of an exchange. A zero row
// takes its value from [DefaultLimits].
//
// None of the waits decides a verdict. Answer bounds a whole exchange, dialling
// included; an exchange that takes longer is TimedOut, which is never judged when
// it happens (see package limits). Dial bounds probes that send no request. After
// Continue the body is sent anyway (RFC 9110, 10.1.1). After Silence and Left nothing
// more is expected of a request that is broken, and nothing judged. Pause separates the pieces
// of a request and does not change its bytes.
type Limits struct {
	Dial     time.Duration // connecting without a request, including the TLS handshake
	Answer   time.Duration // a whole exchange, from Do to the last byte, dialling included
	Continue time.Duration // waiting for an answer to a head alone before the body follows
	Silence  time.Duration // before the sender of a broken request ends its half of the connection
	Left     time.Duration // before it leaves, where the server may wait for more
	Pause    time.Duration // between the pieces of a request that is cut
	Rest     time.Duration // the same, of a request that comes slowly
	LongRest time.Duration // the same, of one that comes very slowly
	Stream   time.Duration // from the head of a stream to its first part
	More     time.Duration // and from there on: a stream that is short ends

	Head       int // bytes of one response head, of all interim ones, and of the trailers
	Fields     int // fields of one head, and of the trailers
	Interim    int // 1xx responses before the final one
	EmptyLines int // empty lines tolerated before a status line

	Body       int // bytes of a body as on the wire, for an empty request
	BodyFactor int // further body bytes for each byte of the request (an echo in escapes takes 6)
	Framing    int // bytes of chunk lines in one body
	ChunkLine  int // bytes of one chunk line with its extensions
	Content    int // bytes of a body after decoding; BodyFactor is added to it too
	Codings    int // content codings applied one over the other

	Surplus  int // bytes kept of what follows the end of an answer
	Received int // bytes kept of a head that did not become one

	Segment int // bytes of a request that go out in one write
	Inline  int // bytes of a request written before reading; more are written while reading
}

// DefaultLimits returns the limits of a run: 10 s for an answer, 256 KiB of
// head, 1 MiB of body and 6 bytes more for each byte of the request.
func DefaultLimits() Limits {
	return Limits{
		Dial:     5 * time.Second,
		Answer:   10 * time.Second,
		Continue: time.Second,
		Silence:  100 * time.Millisecond,
		Left:     time.Second,
		Pause:    10 * time.Millisecond,
		Rest:     250 * time.Millisecond,
		LongRest: 2 * time.Second,
		Stream:   time.Second,
		More:     50 * time.Millisecond,

		Head:       256 << 10,
		Fields:     4000,
		Interim:    100,
		EmptyLines: 2,

		Body:       1 << 20,
		BodyFactor: 6,
		Framing:    8 << 20,
		ChunkLine:  4 << 10,
		Content:    1 << 20,
		Codings:    3,

		Surplus:  4 << 10,
		Received: 1 << 10,

		Segment: 64 << 10,
		Inline:  16 << 10, // fits the smallest usual send buffer, so the write cannot block
	}
}

// withDefaults fills the rows that are zero or below.
func (l Limits) withDefaults() Limits {
	d := DefaultLimits()
	for _, row := range [...]struct{ have, want *time.Duration }{
		{&l.Dial, &d.Dial}, {&l.Answer, &d.Answer}, {&l.Continue, &d.Continue}, {&l.Silence, &d.Silence}, {&l.Left, &d.Left}, {&l.Pause, &d.Pause}, {&l.Rest, &d.Rest}, {&l.LongRest, &d.LongRest}, {&l.Stream, &d.Stream}, {&l.More, &d.More},
	} {
		if *row.have <= 0 {
			*row.have = *row.want
		}
	}
	for _, row := range [...]struct{ have, want *int }{
		{&l.Head, &d.Head}, {&l.Fields, &d.Fields}, {&l.Interim, &d.Interim},
		{&l.EmptyLines, &d.EmptyLines}, {&l.Body, &d.Body}, {&l.BodyFactor, &d.BodyFactor},
		{&l.Framing, &d.Framing}, {&l.ChunkLine, &d.ChunkLine}, {&l.Content, &d.Content},
		{&l.Codings, &d.Codings}, {&l.Surplus, &d.Surplus}, {&l.Received, &d.Received},
		{&l.Segment, &d.Segment}, {&l.Inline, &d.Inline},
	} {
		if *row.have <= 0 {
			*row.have = *row.want
		}
	}
	return l
}

// sizes returns the most bytes of body and of content that r may be answered
// with.
func (l *Limits) sizes(r *Request) (body, content int) {
	extra := l.BodyFactor * (len(r.Head) + len(r.Body))
	body, content = l.Body+extra, l.Content+extra
	if r.BodyLimit > 0 {
		body, content = r.BodyLimit, r.BodyLimit
	}
	return body, content
}
