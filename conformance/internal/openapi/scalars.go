package openapi

import "plantstore/conformance/internal/jsontree"

// tighter returns the narrower of two number bounds; side is 1 for a lower bound.
func tighter(old, text string, side int) string {
	if old == "" || jsontree.Compare(text, old) == side {
		return text
	}
	return old
}

func bound(old *int, v *jsontree.Value, side int) *int {
	n, ok := jsontree.Int64(v.Text)
	if !ok || n > 1<<30 {
		return old
	}
	if old != nil && (int(n)-*old)*side <= 0 {
		return old
	}
	i := int(n)
	return &i
}

func texts(v *jsontree.Value) []string {
	if v.Kind == jsontree.String {
		return []string{v.Text}
	}
	if len(v.Items) == 0 {
		return nil
	}
	out := make([]string, len(v.Items))
	for i, item := range v.Items {
		out[i] = item.Text
	}
	return out
}

// narrow intersects two type lists, as allOf does; integer is a kind of number.
func narrow(a, b []string) []string {
	if a == nil {
		return b
	}
	out := []string{}
	for _, t := range a {
		for _, u := range b {
			switch {
			case t == u:
				out = append(out, t)
			case t == "integer" && u == "number" || t == "number" && u == "integer":
				out = append(out, "integer")
			}
		}
	}
	return out
}
