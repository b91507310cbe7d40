package message

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/serialize"
)

// TraceField is the header field with the trace context (W3C Trace Context, 3.2).
const TraceField = "Traceparent"

// The sizes of the ids of a trace context, in bytes. The second half of our parent ids is a
// checksum, which tells our field from one that a case is about.
const (
	traceBytes  = 16
	parentBytes = 8
)

// traced adds the trace context to the fields of a message, unless the user or a
// parameter of the document sets it.
func (e *Endpoint) traced(out []exchange.Field, m *Message, inputs serialize.Encoded, caseID string) []exchange.Field {
	has := func(f exchange.Field) bool { return strings.EqualFold(f.Name, TraceField) }
	if !e.Trace || caseID == "" || slices.ContainsFunc(inputs.Header, has) || slices.ContainsFunc(e.Headers, has) {
		return out
	}
	body, _, _ := m.encode()
	return append(out, exchange.Field{Name: TraceField, Value: traceParent(e.TraceSeed, caseID, m.Op.Method, inputs.Path, string(body))})
}

// traceParent is the trace context of a request: all requests of a case have one trace
// id, and each has its own parent id. Requests beside the cases, such as those of the
// pre-flight, have a trace each.
func traceParent(seed uint64, caseID string, request ...string) string {
	own := digest(seed, append([]string{caseID}, request...)...)
	trace := digest(seed, caseID)
	if !strings.Contains(caseID, "/") {
		trace = digest(seed, append(request, caseID)...)
	}
	parent := append(own[:parentBytes/2:parentBytes/2], checksum(trace[:traceBytes], own)...)
	return "00-" + hex.EncodeToString(trace[:traceBytes]) + "-" + hex.EncodeToString(parent) + "-01"
}

// digest is a hash of texts, each with its length in front.
func digest(seed uint64, texts ...string) []byte {
	b := binary.BigEndian.AppendUint64([]byte("trace"), seed)
	for _, t := range texts {
		b = binary.BigEndian.AppendUint64(b, uint64(len(t)))
		b = append(b, t...)
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

func checksum(trace, own []byte) []byte {
	sum := sha256.Sum256(slices.Concat([]byte("check"), trace, own[:parentBytes/2]))
	return sum[:parentBytes/2]
}

// ownTrace reports whether a value is a trace context that this suite made.
func ownTrace(value string) bool {
	parts := strings.Split(value, "-")
	if len(parts) != 4 {
		return false
	}
	trace, err := hex.DecodeString(parts[1])
	parent, err2 := hex.DecodeString(parts[2])
	return err == nil && err2 == nil && len(trace) == traceBytes && len(parent) == parentBytes &&
		bytes.Equal(parent[parentBytes/2:], checksum(trace, parent))
}

// TraceID returns the trace id in the head of a request that has a trace context of
// ours, and else an empty string.
func TraceID(head []byte) string {
	for line := range strings.SplitSeq(string(head), "\r\n") {
		name, value, _ := strings.Cut(line, ":")
		if value = strings.TrimSpace(value); strings.EqualFold(name, TraceField) && ownTrace(value) {
			return strings.Split(value, "-")[1]
		}
	}
	return ""
}
