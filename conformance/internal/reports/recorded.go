package reports

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/plan"
	"plantstore/conformance/internal/serialize"
	"plantstore/conformance/report"
	"plantstore/internal/limits"
)

// Recorded is a failure in a report. Anybody may have written it, so it is not
// trusted.
type Recorded struct {
	report.Failure
	// Endpoint is that of the run, as far as the report says: its target and its
	// User-Agent. Nothing is sent to it. It only says what the requests looked
	// like.
	Endpoint   message.Endpoint
	Generation int
	// SameOrigin reports whether the target of the report is the current one. Only
	// then may a request carry the token.
	SameOrigin bool
	// AsRecorded also sends bytes that differ from the plan, without a verdict.
	AsRecorded bool
}

// DiffersError says how a recorded request differs from what the plan sends.
type DiffersError struct {
	Request int // from 1
	Ways    []string
}

// Error returns one line.
func (e *DiffersError) Error() string {
	return fmt.Sprintf("request %d: %s", e.Request, strings.Join(e.Ways, "; "))
}

// Recorded sends the requests of a recorded failure again and judges the answers.
// The plan makes the requests. Only bodies, and fresh values in a query, come from
// the report, if the case of the plan can have led to them. If the requests differ,
// nothing is sent and the error is a *DiffersError.
func (p *Player) Recorded(ctx context.Context, c *plan.Case, r Recorded) (*report.Transcript, error) {
	if len(r.Steps) == 0 {
		return nil, errors.New("the failure has no request: replay the case " + c.ID + " instead")
	}
	if i := r.tooLarge(); i >= 0 {
		return nil, fmt.Errorf("request %d of the failure was too large for the report: replay the case %s instead", i+1, c.ID)
	}
	steps, err := p.recognise(c, r)
	if err != nil {
		if r.AsRecorded {
			return p.asRecorded(ctx, c, r, err)
		}
		return nil, err
	}
	t := &report.Transcript{Case: c.ID}
	if e, _ := p.target.Control(ctx, c.Op); !explore.Accepted(c.Op, e) {
		if t.Reason = p.Learn(ctx); t.Reason != "" {
			return t, nil
		}
	}
	return p.play(ctx, c, plan.Identity{}, steps, t), nil
}

// tooLarge returns the index of the first step of which the report has only a part of the
// request, or -1.
func (r Recorded) tooLarge() int {
	return slices.IndexFunc(r.Steps, func(st report.Step) bool { return st.Request.Cut > 0 })
}

// recognise finds the steps of the plan that match the recorded requests, in order.
// Shrinking may have removed some.
func (p *Player) recognise(c *plan.Case, r Recorded) ([]plan.Step, error) {
	id := plan.Identity{Seed: p.target.Seed, Generation: min(max(r.Generation, 0), plan.Generations-1)}
	known := p.target.Plan.Build(c, id)
	baseline := plan.Step{Message: p.target.Plan.Preflight(c.Op, id, plan.Example).Baseline()}
	from := sources(p.target.Plan, c, id, known)
	if r.Cause != "" && len(r.Steps) > 1 && c.Class.Phase != plan.Scenarios {
		return p.arranged(c, r, id, append(known, baseline), from)
	}
	var out []plan.Step
	next := 0
	for i, st := range r.Steps {
		var best *DiffersError
		found := false
		for k := next; k <= len(known) && !found; k++ {
			step := baseline // of the pre-flight, or a control
			if k < len(known) {
				step = known[k]
			}
			got, ways := p.same(c, r, st, step, from)
			if found = len(ways) == 0; found {
				out = append(out, got)
				next = min(k+1, len(known))
			} else if best == nil || len(ways) < len(best.Ways) {
				best = &DiffersError{Request: i + 1, Ways: ways}
			}
		}
		if !found {
			return nil, best
		}
	}
	return out, nil
}

// same returns the step of the plan with the recorded body, or the ways in which
// the two differ, apart from what shrinking and repeating change.
func (p *Player) same(c *plan.Case, r Recorded, st report.Step, step plan.Step, from [][]byte) (plan.Step, []string) {
	head, framed, ok := bytes.Cut(st.Request.Data, []byte("\r\n\r\n"))
	if !ok {
		return step, []string{"its headers have no end"}
	}
	if st.Parallel != step.Parallel {
		return step, []string{"it is not sent in parallel as in the plan"}
	}
	was := readHead(string(head))
	m := was.narrow(step.Message)
	followed(step, m, was)
	m.Tree, m.Raw = nil, framed
	switch {
	case m.Framing.Chunky():
		m.Raw = unchunk(framed)
	case len(framed) == 0 && step.Message.Tree == nil && step.Message.Raw == nil:
		m.Raw = nil // an operation without a body
	case m.Raw == nil:
		m.Raw = []byte{}
	}
	if was.path = nameless(r.Endpoint.Target.Prefix, step.Message, was.path); step.From == (plan.Located{}) {
		was.path = r.Endpoint.Target.Prefix + step.Message.Path()
	}
	ways := p.ways(c, r, was, framed, m)
	// Shrinking may have brought back the usual spelling of names, or the usual order.
	for _, restore := range []func(*message.Message){
		func(m *message.Message) { m.Names = nil },
		func(m *message.Message) { m.PathSpelling = message.PathAsUsual },
		func(m *message.Message) { m.Gap = message.OneBlank },
		func(m *message.Message) { m.Order = message.UsualOrder },
	} {
		if len(ways) == 0 {
			break
		}
		usual := m.Clone()
		restore(usual)
		if fewer := p.ways(c, r, was, framed, usual); len(fewer) < len(ways) {
			m, ways = usual, fewer
		}
	}
	ways = append(ways, p.otherBody(step.Message, m, from, step.Kind == plan.Refers)...)
	if c.Class.Phase != plan.Scenarios { // whose requests are never smaller than those of the plan
		step.Message = m
	}
	return step, ways
}

// nameless returns a recorded path with the values that stand in the plan for those which
// the target gave. A path that does not fit the template stays.
func nameless(prefix string, m *message.Message, whole string) string {
	path := strings.TrimPrefix(whole, prefix)
	got := serialize.ReadParameters(m.Op.Path, m.Op.Parameters, serialize.Encoded{Path: path})
	if got.Mismatch || m.Params == nil || len(m.Bound) == 0 {
		return whole
	}
	bound := m.Clone()
	for place := range m.Bound {
		if v := got.Values.At("/" + place); v != nil && strings.HasPrefix(place, "path/") {
			bound.Set(place, v.Clone())
		}
	}
	if bound.Path() != path {
		return whole
	}
	return prefix + m.Path()
}

// ways returns the ways in which the bytes of a step differ from those of a
// message.
func (p *Player) ways(c *plan.Case, r Recorded, was headRead, framed []byte, m *message.Message) []string {
	shown := r.Endpoint.Shown(m, c.ID)
	out := was.ways(readHead(strings.TrimSuffix(string(p.judge.Redactor.Own(shown.Head)), "\r\n\r\n")))
	if !bytes.Equal(shown.Body, framed) {
		out = append(out, "its body has other chunks")
	}
	return out
}

// unchunk is the inverse of exchange.Chunk.
func unchunk(b []byte) []byte {
	head := []byte("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
	e := exchange.ReadResponse(bytes.NewReader(append(head, b...)), &exchange.Request{Method: "POST", BodyLimit: len(b) + 1}, exchange.DefaultLimits())
	if e.Response == nil {
		return nil
	}
	return e.Response.Body
}

// sources returns the bodies that a recorded one may have come from: those of the
// case, also in the usual spelling, and the baseline body with and without optional
// members.
func sources(p *plan.Plan, c *plan.Case, id plan.Identity, steps []plan.Step) [][]byte {
	var out [][]byte
	add := func(m *message.Message) {
		out = append(out, stripped(m.Body()), stripped(opened(m.Body())))
		if m.Tree != nil {
			out = append(out, stripped(m.Tree.Emit()))
		}
	}
	for _, st := range steps {
		add(st.Message)
	}
	g := p.Preflight(c.Op, id, plan.Example)
	baseline := g.Baseline()
	add(baseline)
	if g.Give(baseline, c.Op.Optional()) {
		add(baseline)
	}
	return out
}

// otherBody returns the ways in which a recorded body cannot have come from the
// plan: it is another kind of request, or has words that are in none of the
// sources. Shrinking removes characters, and repeating takes other fresh values. One that
// refers to a thing of the run has the key of that one.
func (p *Player) otherBody(known, m *message.Message, from [][]byte, refers bool) []string {
	for _, w := range words(opened(m.Raw)) {
		if left := stripped(w); len(left) > 0 && !within(left, from) {
			return []string{"its body has " + printed(string(w)) + ", which the plan does not send"}
		}
	}
	a := p.target.Endpoint.Classify(known, p.target.Endpoint.Wire(known, ""))
	b := p.target.Endpoint.Classify(m, p.target.Endpoint.Wire(m, ""))
	switch {
	case refers && known.Keyed(b.Body):
		return nil
	case a.Body != nil && b.Body != nil && a.Body.Kind != b.Body.Kind:
		return []string{"its body is " + b.Body.Kind.String() + ", and the plan has " + a.Body.Kind.String()}
	case a.Expectation() != b.Expectation() && a.Expectation() != message.Anything:
		return []string{"it requests something else than the plan"}
	}
	return nil
}

// words returns the pieces of a body between the punctuation of JSON.
func words(b []byte) [][]byte {
	return bytes.FieldsFunc(b, func(c rune) bool { return c <= ' ' || strings.ContainsRune(`{}[]:,"`, c) })
}

// fresh are the characters of which fresh values are made: words without vowels,
// numbers, and the digits of UUIDs and escapes.
const fresh = "bcdfghjkmnpqrstvwxzBCDFGHJKMNPQRSTVWXZ0123456789aeAE-"

// stripped removes what may belong to a fresh value: the fresh characters, and the
// ideographs above U+FFFF in long fresh names.
func stripped(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		c, n := utf8.DecodeRune(b)
		if (n > 1 || strings.IndexByte(fresh, b[0]) < 0) && (c < 0x20000 || !unicode.Is(unicode.Han, c)) {
			out = append(out, b[:n]...)
		}
		b = b[n:]
	}
	return out
}

// opened decodes an encoding in which every byte depends on the values inside.
func opened(b []byte) []byte {
	if z, err := gzip.NewReader(bytes.NewReader(b)); err == nil {
		if plain, err := io.ReadAll(io.LimitReader(z, int64(limits.Kept))); err == nil {
			return plain
		}
	}
	if plain, err := base64.StdEncoding.DecodeString(string(b)); err == nil && len(plain) > 0 {
		return plain
	}
	return b
}

// within reports whether the characters are in one of the sources, in order.
func within(left []byte, from [][]byte) bool {
	for _, source := range from {
		at := 0
		for _, c := range source {
			if at < len(left) && c == left[at] {
				at++
			}
		}
		if at == len(left) {
			return true
		}
	}
	return false
}

// alikeButFresh reports whether two texts differ only in fresh values.
func alikeButFresh(a, b string) bool {
	return bytes.Equal(stripped([]byte(a)), stripped([]byte(b)))
}
