package conformance

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/explore"
	"plantstore/conformance/report"
)

func (s *setup) header() report.Header {
	h := report.Header{Target: s.endpoint.Target.String(), Embedded: s.config.Embedded,
		Document: strings.TrimSpace(s.contract.Title+" "+s.contract.Version) + " (" + s.contract.Name + ")",
		File:     s.file(),
		Digest:   s.contract.Digest, Seed: s.config.Seed, Draws: s.config.Draws, Cases: len(s.cases), NamedCases: s.config.NameCases, Traced: s.config.TraceParent,
		FailOn: strings.ToLower(string(cmp.Or(s.config.FailOn, report.Must))),
		Plan:   s.planDigest(), Subjects: s.config.Subjects, RequirementsFile: fileOf(s.config.RequirementsName, s.config.Requirements), DocumentFlags: s.documentFlags(), ReplayFlags: s.replayFlags(),
		Values: s.config.Values, ValuesFile: valuesFile(s.config), Effort: s.plan.Effort.Name,
		Selection: s.selection(), RequireAll: s.config.RequireAll, AuthAlways: s.config.AuthAlways, Shard: s.shard(), LeftOut: s.leftOut(), CutSchemas: s.contract.Cut}
	for _, r := range s.set.List {
		if r.Level != report.Open && s.isSelected(r.ID) {
			h.Requirements++
		}
	}
	for _, op := range s.contract.Operations {
		if op.Undefined && !s.aside[op] && s.wanted(op) {
			h.Undefined++
		}
	}
	for _, c := range s.cases {
		h.MaxStored += c.Steps()
	}
	return h
}

// leftOut names what the document holds and this plan does not try.
func (s *setup) leftOut() []string {
	out := slices.Concat(s.contract.LeftOut, s.plan.LeftOut)
	if why := s.unsent(); why != "" {
		out = append(out, why)
	}
	if n := s.withoutOther(); n > 0 {
		out = append(out, fmt.Sprintf("%d requirements about what belongs to one principal: %s", n, diagnose.NoOther))
	}
	return out
}

// withoutOther counts the requirements that only another principal can test, where no
// credential of one is given.
func (s *setup) withoutOther() int {
	n := 0
	for _, r := range s.set.List {
		if r.OfOthers() && s.isSelected(r.ID) && !s.aside[r.Op] && !r.Op.HasOther() {
			n++
		}
	}
	return n
}

// target returns the target of the run.
func (s *setup) target() *explore.Target {
	c := s.config
	t := explore.New(explore.Options{Settle: s.config.Settle, Contract: s.contract, Stated: len(s.config.Requirements) > 0, Reach: s.reach, Aside: s.aside, Asking: s.asking(), Unasked: s.unasked, OnlyOwn: s.onlyOwn, Wary: s.wary, Plan: s.plan, Endpoint: s.endpoint, Client: explore.Over(s.client),
		Timeout: c.Timeout, Rate: c.Rate, Seed: c.Seed, Sending: s.judge.Origins.Note, Resent: s.judge.JudgeResent, Waits: c.Waits, Renew: s.renewal()})
	s.judge.Facts = t.Facts
	return t
}

// replayFlags are those that lead replay to the target, the document and the values of this run.
func (s *setup) replayFlags() string {
	out := ""
	if !s.config.Embedded {
		out += " --target " + shellWord(s.endpoint.Target.String())
	}
	if flags := s.documentFlags(); flags != "" {
		out += " " + flags
	}
	if len(s.config.ValuesFile) > 0 {
		out += " --values " + shellWord(s.config.ValuesName)
	}
	out += asFlags(s.config.Values)
	if s.config.AuthAlways {
		out += " --auth-always"
	}
	return strings.TrimSpace(out)
}

// replayCommand is what repeats a case.
func (s *setup) replayCommand(caseID string) string {
	out := strings.TrimSpace("conformance replay " + shellWord(caseID) + " " + s.replayFlags())
	if s.config.Seed != DefaultSeed {
		out += " --seed " + strconv.FormatUint(s.config.Seed, 10)
	}
	if s.config.Effort != "" {
		out += " --effort " + s.config.Effort
	}
	if s.config.Draws != DefaultDraws {
		out += " --draws " + strconv.Itoa(s.config.Draws)
	}
	return out
}

// documentFlags are those without which another command would read other requirements.
func (s *setup) documentFlags() string {
	var out []string
	if s.contract.Digest != plantDigest() {
		out = append(out, "--spec "+shellWord(s.config.SpecName))
	}
	for _, p := range s.config.AllowRef {
		out = append(out, "--allow-ref "+shellWord(p))
	}
	if len(s.config.Requirements) > 0 && s.contract.Digest != plantDigest() {
		out = append(out, "--requirements "+shellWord(s.config.RequirementsName))
	}
	return strings.Join(out, " ")
}

// valuesFile names the values file of a run and what it says; nil for none.
func valuesFile(c Config) *report.File { return fileOf(c.ValuesName, c.ValuesFile) }

// fileOf names a file and what it says; nil if it says nothing.
func fileOf(name string, text []byte) *report.File {
	if len(text) == 0 {
		return nil
	}
	sum := sha256.Sum256(text)
	return &report.File{Name: name, Digest: hex.EncodeToString(sum[:])}
}

// asFlags writes named values as the command line takes them.
func asFlags(values []string) string {
	out := ""
	for _, v := range values {
		out += " --value " + shellWord(v)
	}
	return out
}

func shellWord(s string) string {
	if strings.ContainsFunc(s, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("-_./:", c))
	}) {
		return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
	}
	return s
}

// summarise counts and gives the verdict on the target.
func summarise(r *report.Report, leftOut, exchanges int, reasons []string, failOn report.Gate) report.Summary {
	s := report.Summary{Partial: r.Header.Partial() || leftOut > 0, LeftOut: leftOut, Exchanges: exchanges, Reasons: reasons}
	judged, gates := 0, 0
	for _, x := range r.Results {
		judged += x.Cases.Judged
		switch x.Verdict {
		case report.Pass:
			s.Passed++
		case report.Fail:
			if x.Known != nil {
				s.Known++
				continue
			}
			if x.Gates(failOn) {
				gates++
			}
			switch x.Level {
			case report.Must:
				s.Failed++
			case report.Suspected:
				s.Suspected++
			default:
				s.Warned++
			}
		case report.Inconclusive:
			s.Unsettled++
		case report.Error:
			s.Errors++
		case report.Inapplicable:
			s.Unneeded++
		}
	}
	if r.Reach != nil {
		s.Operations, s.Tried = r.Reach.Operations, r.Reach.Reached
		for _, u := range r.Reach.Untried {
			if u.Unsupported {
				s.Unsupported += len(u.Operations)
			}
		}
	}
	if why := untried(r, s); why != "" {
		s.Reasons = append([]string{why}, s.Reasons...)
	}
	if judged == 0 && s.Failed+s.Known == 0 && len(s.Reasons) == 0 {
		s.Reasons = append(s.Reasons, "nothing could be judged")
	}
	switch {
	case gates > 0:
		s.Verdict = report.NotConformant
	case r.KnownFailures != nil && len(r.KnownFailures.OutOfDate) > 0:
		s.Verdict = report.OutOfDate
	case len(s.Reasons) > 0 || s.Errors > 0:
		s.Verdict = report.Incomplete
	case s.Failed > 0:
		s.Verdict = report.PassedOver
	case s.Known > 0:
		s.Verdict = report.OnlyKnown
	default:
		s.Verdict = report.Conformant
	}
	return s
}
