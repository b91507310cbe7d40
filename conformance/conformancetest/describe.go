package conformancetest

import (
	"fmt"

	"plantstore/conformance/formats"
	"plantstore/conformance/report"
)

// describe words a result; a plain pass has nothing to say. What the target
// sent is escaped: it must not reach a terminal as it came.
func describe(x report.Result, own bool) string {
	switch x.Verdict {
	case report.Fail:
		if x.Known != nil {
			return "known failure: " + formats.Escape(x.Known.Reason) + "\n" + failure(x, own)
		}
		return failure(x, own)
	case report.Inconclusive:
		return "could not be tried: " + formats.Escape(x.Reason)
	case report.Error:
		return "an error in the suite, not in the target: " + formats.Escape(x.Reason)
	case report.Inapplicable:
		return "does not apply: " + formats.Escape(x.Reason)
	}
	if x.Cases.NotTried > 0 {
		return fmt.Sprintf("%d of %d cases not tried", x.Cases.NotTried, x.Cases.Planned)
	}
	return ""
}

// failure is the block of the text report.
func failure(x report.Result, own bool) string {
	text := formats.FailureText(x)
	if own {
		text += "\n     note      the server stopped with this test: replace its address by that of a running server"
	}
	return text
}
