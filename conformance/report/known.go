package report

// Known is an entry of the file of known failures, at a requirement that fails.
type Known struct {
	Line    int    `json:"line"`
	Reason  string `json:"reason"`
	Link    string `json:"link,omitempty"`
	Expires string `json:"expires,omitempty"` // the last day on which it holds, as 2006-01-02
}

// KnownFailures is the file of known failures of a run.
type KnownFailures struct {
	File
	Entries int `json:"entries"`
	// OutOfDate are the entries that no longer hold, in the order of the file.
	OutOfDate []OutOfDateEntry `json:"out_of_date,omitempty"`
}

// OutOfDateEntry is an entry that no longer holds.
type OutOfDateEntry struct {
	Line        int    `json:"line"`
	Requirement string `json:"requirement"` // the pattern
	// Why says why it does not hold, and Do what to do.
	Why string `json:"why"`
	Do  string `json:"do"`
}
