package checks

import "plantstore/conformance/internal/jsontree"

// remaining returns the name of a member that a merge patch sets to null and that is still
// there, unchanged or as the text "null". Any other value may be a default. The name is empty
// if there is none.
func remaining(patch, old, got *jsontree.Value) string {
	if patch == nil || patch.Kind != jsontree.Object || old == nil || got == nil {
		return ""
	}
	for _, m := range patch.Members {
		was, is := old.Get(m.Name), got.Get(m.Name)
		switch {
		case was == nil || was.Kind == jsontree.Null || is == nil || is.Kind == jsontree.Null:
		case m.Value.Kind == jsontree.Null && (kept(is, was) || is.Kind == jsontree.String && is.Text == "null"):
			return m.Name
		default:
			if name := remaining(m.Value, was, is); name != "" {
				return name
			}
		}
	}
	return ""
}
