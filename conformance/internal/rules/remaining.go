package rules

import "plantstore/conformance/internal/jsontree"

// remaining returns the name of a member that null in a merge patch of the object around it
// takes away and that is still there: as it was, or as the text null. Another value may be a
// default. It is empty if there is none.
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
