package formats

import (
	"fmt"
	"strings"
	"time"

	"plantstore/conformance/report"
)

// steps writes exchanges to the byte: a line for each line of the head, the
// bytes of a request behind ">", those of a response behind "<". A zero limit
// means everything.
func (s *page) steps(indent int, steps []report.Step, limit, request, response int) {
	for i, st := range steps {
		if limit > 0 && i == limit && len(steps) > i+1 {
			s.line("%*s… and %d more steps: see the JSON report", indent, "", len(steps)-i)
			return
		}
		if len(steps) > 1 {
			s.line("%*sstep %d on connection %d%s", indent, "", i+1, st.Connection, together(st))
		}
		s.message(indent, ">", st.Request, request)
		if st.Failure != "" {
			s.line("%*s< %s", indent, "", s.paint(doubtful, "("+cut(st.Failure, 4*s.width)+")"))
		}
		if st.Failure == "" || len(st.Response.Data) > 0 {
			s.message(indent, "<", st.Response, response)
		}
	}
}

func together(st report.Step) string {
	switch {
	case st.Parallel:
		return ", in parallel"
	case st.IdleMS > 0:
		return fmt.Sprintf(", after %v without a request", time.Duration(st.IdleMS)*time.Millisecond)
	}
	return ""
}

// message writes one message. Only CR LF ends a line, as on the wire; any other
// control character is shown as an escape.
func (s *page) message(indent int, mark string, b report.Bytes, limit int) {
	rest := string(b.Data)
	for n := 0; rest != "" || n == 0; n++ {
		if limit > 0 && n == limit {
			s.line("%*s%s … (%d bytes more)", indent, "", mark, len(rest)+b.Cut)
			return
		}
		text, behind, more := strings.Cut(rest, "\r\n")
		if limit > 0 {
			text = cut(text, 2*s.width)
		} else {
			text = Escape(text)
		}
		s.line("%s", strings.TrimRight(fmt.Sprintf("%*s%s %s", indent, "", mark, text), " "))
		if rest = behind; !more {
			break
		}
	}
	if b.Cut > 0 {
		s.line("%*s%s … (%d bytes more)", indent, "", mark, b.Cut)
	}
}
