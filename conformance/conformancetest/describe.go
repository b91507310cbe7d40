package conformancetest

import (
	"fmt"
	"strings"

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

func failure(x report.Result, own bool) string {
	var b strings.Builder
	line := func(label, text string) {
		if text != "" {
			fmt.Fprintf(&b, "\n    %-9s %s", label, formats.Escape(text))
		}
	}
	fmt.Fprintf(&b, "%s (%s)", formats.Escape(x.Sentence), x.Level)
	line("clause", x.Clause)
	line("cases", fmt.Sprintf("%d of %d failed", x.Cases.Failed, x.Cases.Judged))
	for _, f := range x.Failures {
		line("sent", f.Sent)
		line("expected", f.Expected)
		line("got", f.Got)
		line("common", f.Common)
		switch {
		case f.NotTriedAgain != "":
			line("not tried again", f.NotTriedAgain)
		case !f.Stable:
			line("unstable", "it passed when tried again")
		}
		line("curl", f.Curl)
		line("replay", f.Replay)
	}
	if own {
		line("note", "the server stopped with this test: replace its address by that of a running server")
	}
	return b.String()
}
