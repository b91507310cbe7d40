package openapi

import "strings"

// dialect reports whether a name of a JSON Schema dialect is one that this suite
// reads without opening anything: 2020-12, or that of OpenAPI 3.1 (4.8.24.5).
// Older drafts are read as 2020-12, and old names them.
func dialect(uri string) (known bool, old string) {
	uri = strings.TrimSuffix(uri, "#")
	if strings.HasPrefix(uri, "https://spec.openapis.org/oas/3.1/dialect/") {
		return true, ""
	}
	_, name, _ := strings.Cut(uri, "://")
	switch {
	case !strings.HasPrefix(uri, "http://") && !strings.HasPrefix(uri, "https://"):
		return false, ""
	case name == "json-schema.org/draft/2020-12/schema":
		return true, ""
	case name == "json-schema.org/draft/2019-09/schema":
		return true, "2019-09"
	}
	for _, draft := range []string{"draft-04", "draft-06", "draft-07"} {
		if name == "json-schema.org/"+draft+"/schema" {
			return true, draft
		}
	}
	return false, ""
}
