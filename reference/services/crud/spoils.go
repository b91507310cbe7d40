package crud

import (
	"encoding/json"
	"strconv"
	"time"
)

// The ways in which a store loses or corrupts a member.

func lose(name string) func(map[string]any) { return func(m map[string]any) { delete(m, name) } }

func empty(name string) func(map[string]any) {
	return func(m map[string]any) {
		if m[name] != nil {
			m[name] = []any{}
		}
	}
}

func firstOf(name string, most int) func(map[string]any) {
	return func(m map[string]any) {
		if list, ok := m[name].([]any); ok && len(list) > most {
			m[name] = list[:most]
		}
	}
}

func cut(name string, most int) func(map[string]any) {
	return func(m map[string]any) {
		if text, ok := m[name].(string); ok {
			m[name] = atMost(text, most)
		}
	}
}

// atMost returns the first characters of a text, or all of it if there are no more.
func atMost(text string, most int) string {
	all := []rune(text)
	return string(all[:min(most, len(all))])
}

// shift moves a date by days.
func shift(name string, days int) func(map[string]any) {
	return func(m map[string]any) {
		text, _ := m[name].(string)
		if day, err := time.Parse(time.DateOnly, text); err == nil {
			m[name] = day.AddDate(0, 0, days).Format(time.DateOnly)
		}
	}
}

// drift writes the local time of a place five hours to the east as if it were UTC.
func drift(name string) func(map[string]any) {
	return func(m map[string]any) {
		text, _ := m[name].(string)
		if t, ok := moment(text); ok {
			m[name] = t.In(time.FixedZone("", 5*3600)).Format("2006-01-02T15:04:05") + "Z"
		}
	}
}

// budget changes the number.
func budget(change func(float64) float64) func(map[string]any) {
	return func(m map[string]any) {
		n, ok := m["budget"].(json.Number)
		if !ok {
			return
		}
		if f, err := n.Float64(); err == nil {
			m["budget"] = json.Number(strconv.FormatFloat(change(f), 'f', -1, 64))
		}
	}
}
