package rule

import (
	"fmt"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// readItems reads the parts of a stream as a list. Of one that went on, only the whole parts count.
func readItems(m *openapi.Media, media string, r *exchange.Response) *openapi.Reading {
	text := strings.TrimPrefix(string(r.Content), "\uFEFF")
	events := media == "text/event-stream"
	if events {
		text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
	}
	end := "\n"
	if events {
		end = "\n\n"
	}
	if r.Open || events { // an event ends with an empty line
		text = text[:strings.LastIndex(text, end)+1]
	}
	list := jsontree.NewArray()
	for part := range strings.SplitSeq(text, end) {
		var item *jsontree.Value
		var err error
		switch {
		case events:
			item, err = event(part, m.DataJSON)
		case strings.Trim(part, " \t\r\x1e") != "":
			item, err = whole(strings.TrimPrefix(part, "\x1e"))
		}
		if err != nil {
			return &openapi.Reading{Kind: openapi.NotJSON, Syntax: fmt.Errorf("part %d: %w", len(list.Items)+1, err)}
		}
		if item != nil {
			list.Items = append(list.Items, item)
		}
	}
	return m.Shape.ReadValue(list, nil, nil)
}

func whole(text string) (*jsontree.Value, error) {
	doc, err := jsontree.Parse([]byte(text))
	if err != nil {
		return nil, err
	}
	return doc.Root, nil
}

// event reads an event (HTML, 9.2.6); nil if it has no data and means nothing.
func event(block string, asJSON bool) (*jsontree.Value, error) {
	var data []string
	out := jsontree.NewObject()
	for line := range strings.SplitSeq(block, "\n") {
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimPrefix(value, " ")
		switch name {
		case "data":
			data = append(data, value)
		case "event", "id", "retry":
			out.Set(name, jsontree.NewString(value))
		}
	}
	if data == nil {
		return nil, nil
	}
	held := jsontree.NewString(strings.Join(data, "\n"))
	if asJSON {
		v, err := whole(held.Text)
		if err != nil {
			return nil, err
		}
		held = v
	}
	out.Set("data", held)
	return out, nil
}
