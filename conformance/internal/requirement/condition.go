package requirement

import (
	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// shortCondition bounds the condition that a sentence names.
const shortCondition = 60

// under returns a walker whose sentences name the condition, if it is about one member that
// has one value and short. Otherwise the rows of then and else read the same.
func (w *walker) under(s *openapi.Schema, path, is string) *walker {
	out := *w
	if s == nil || w.when != "" || len(s.Properties) != 1 || s.Not != nil || len(s.AnyOf)+len(s.OneOf)+len(s.Conditions) > 0 {
		return &out
	}
	told := s.Properties[0]
	value := told.Schema.Const
	if value == nil && len(told.Schema.Enum) == 1 {
		value = told.Schema.Enum[0]
	}
	if value == nil {
		return &out
	}
	text := value.String()
	if value.Kind == jsontree.String {
		text = value.Text
	}
	if when := " where " + w.place(path+"/"+jsontree.EscapePointer(told.Name)) + " " + is + " " + exchange.Visible([]byte(text)); len(when) <= shortCondition {
		out.when = when
	}
	return &out
}

// named returns a walker whose sentences name the pattern of the members at a path.
func (w *walker) named(path, pattern string) *walker {
	out := *w
	if w.patterns == nil && len(pattern) <= shortCondition {
		out.patterns = map[string]string{path: exchange.Visible([]byte(pattern))}
	}
	return &out
}
