package conformance

import (
	"strings"

	"plantstore/conformance/internal/diagnose"
	"plantstore/conformance/internal/reports"
	"plantstore/conformance/internal/requirement"
	"plantstore/conformance/report"
)

// Merge joins the reports of all shards of a plan into the report that a run of the whole
// plan gives: the same verdicts, counts and observations. The names are those of the
// files, for messages. The pre-flight of each further shard does not count among the
// exchanges. Config.KnownFailures with its name and Today are applied to the whole; the
// rest of the config is not used.
//
// Each shard makes the examples of its own failures smaller, with values of its own. Of
// several, the merged report has the one that a whole run would choose, and not what all
// failing cases share.
//
// Reports that do not belong together, and shards that are missing or there twice, are a
// *SetupError.
func Merge(list []report.Named, c Config) (*report.Report, error) {
	known, err := readKnown(c)
	if err != nil {
		return nil, &SetupError{err}
	}
	m, err := reports.Merge(list)
	if err != nil {
		return nil, &SetupError{err}
	}
	r := m.Report
	known.mark(r, requirementsOf(r))
	reasons := append(m.Reasons, diagnose.Unsettled(r.Results, m.Reasons, known.has)...)
	r.Summary = summarise(r, diagnose.LeftOut(r.Results), m.Exchanges, reasons, report.Level(strings.ToUpper(r.Header.FailOn)))
	return r, nil
}

// requirementsOf lists the requirements of a report, as far as known failures ask.
func requirementsOf(r *report.Report) []*requirement.Requirement {
	var out []*requirement.Requirement
	for _, x := range r.Results {
		out = append(out, &requirement.Requirement{ID: x.Requirement, Level: x.Level})
	}
	return out
}
