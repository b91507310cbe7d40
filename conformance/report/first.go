package report

// TriedFirst says what became of a requirement that failed in an earlier run, before all
// cases of this one are done. It is no verdict.
type TriedFirst struct {
	Requirement string
	// Cases counts those of the classes that failed in the earlier run, without those that
	// are tried late. Failed are the ones that fail again, and Unanswered the ones that could
	// not be judged yet.
	Cases, Failed, Unanswered int
}
