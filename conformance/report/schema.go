package report

import _ "embed"

//go:embed report.schema.json
var schema string

// Schema returns the JSON Schema (2020-12) of a Report of this version as JSON. It is
// strict: a member that it does not have is refused, so that a slip in a name is found. A
// reader of reports of newer suites must pass over members that it does not know.
func Schema() string { return schema }
