package replay

import (
	"fmt"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

// headRead is the head of a request, in parts.
type headRead struct {
	method, path, query, proto string
	lines                      []string // of the fields, to the blank
	fields                     []exchange.Field
}

func readHead(text string) headRead {
	lines := strings.Split(text, "\r\n")
	var h headRead
	h.method, h.path, _ = strings.Cut(lines[0], " ")
	if i := strings.LastIndexByte(h.path, ' '); i >= 0 {
		h.path, h.proto = h.path[:i], h.path[i+1:]
	}
	h.path, h.query, _ = strings.Cut(h.path, "?")
	h.lines = lines[1:]
	for _, l := range h.lines {
		name, value, _ := strings.Cut(l, ":")
		h.fields = append(h.fields, exchange.Field{Name: name, Value: strings.TrimPrefix(value, " ")})
	}
	return h
}

func (h *headRead) value(name string) (string, bool) {
	for _, f := range h.fields {
		if strings.EqualFold(f.Name, name) {
			return f.Value, true
		}
	}
	return "", false
}

// narrow returns a message without what shrinking removed: fields, a query, a
// framing, or a change that removes fields.
func (h *headRead) narrow(known *message.Message) *message.Message {
	m := known.Clone()
	kept := m.Fields[:0]
	for _, f := range m.Fields {
		if slices.Contains(h.fields, f) {
			kept = append(kept, f)
		} else if v, found := h.value(f.Name); found && (v == f.Value || len(v) == len(f.Value) && alikeButFresh(v, f.Value)) {
			kept = append(kept, exchange.Field{Name: f.Name, Value: v})
		}
	}
	m.Fields = kept
	m.Drop = slices.DeleteFunc(m.Drop, func(name string) bool {
		_, found := h.value(name)
		return found
	})
	if alikeButFresh(h.query, m.Query) || h.query == "" {
		m.Query = h.query
	}
	if h.proto == exchange.UsualVersion {
		m.Version = ""
	}
	_, chunked := h.value("Transfer-Encoding")
	_, awaits := h.value("Expect")
	if m.Framing.Chunky() && !chunked || m.Framing == message.Expect && !awaits {
		m.Framing = message.Length
	}
	return m
}

// ways returns the ways in which a recorded head differs from that of the plan.
func (h *headRead) ways(known headRead) []string {
	var out []string
	if h.method != known.method {
		out = append(out, fmt.Sprintf("method %s, not %s", printed(h.method), known.method))
	}
	if h.path != known.path {
		out = append(out, fmt.Sprintf("path %s, not %s", printed(h.path), known.path))
	}
	if h.query != known.query {
		out = append(out, fmt.Sprintf("query %s, which the plan does not send", printed(h.query)))
	}
	if h.proto != known.proto {
		out = append(out, fmt.Sprintf("%s, not %s", printed(h.proto), known.proto))
	}
	for _, l := range h.lines {
		if !slices.Contains(known.lines, l) {
			out = append(out, fmt.Sprintf("field %s, which the plan does not send", printed(l)))
		}
	}
	for _, l := range known.lines {
		if !slices.Contains(h.lines, l) {
			out = append(out, "no field "+printed(l))
		}
	}
	if len(out) == 0 && !slices.Equal(h.lines, known.lines) {
		out = append(out, "its headers are in another order")
	}
	return out
}

// printed returns a text of a report in a form that is safe to print, because
// anybody may have written it.
func printed(s string) string { return jsontree.Cut(exchange.Visible([]byte(s)), 120) }
