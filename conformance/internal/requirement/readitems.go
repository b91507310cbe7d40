package requirement

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"plantstore/conformance/internal/exchange"
	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
)

// readItems reads the parts of a stream as a list. Of one that went on, only the whole parts count.
func readItems(m *openapi.Media, media string, r *exchange.Response) *schema.Reading {
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
			return &schema.Reading{Kind: schema.NotJSON, Syntax: fmt.Errorf("part %d: %w", len(list.Items)+1, err)}
		}
		if item != nil {
			list.Items = append(list.Items, item)
		}
	}
	return m.Shape.ReadValue(list, nil, schema.Bindings{})
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

// readXML checks whether a body is well-formed. It returns nil if that cannot be decided:
// the encoding is not UTF-8, or the body defines entities.
func readXML(body []byte) *schema.Reading {
	d := xml.NewDecoder(bytes.NewReader(bytes.TrimPrefix(body, []byte("\uFEFF"))))
	unknown := false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) {
		unknown = true
		return in, nil
	}
	roots, depth := 0, 0
	for {
		token, err := d.Token()
		switch t := token.(type) {
		case xml.StartElement:
			if depth == 0 {
				roots++
			}
			depth++
		case xml.EndElement:
			depth--
		case xml.Directive:
			unknown = unknown || bytes.Contains(t, []byte("ENTITY"))
		}
		switch {
		case unknown, len(body) > 1 && (body[0] == 0xFF || body[0] == 0xFE || body[0] == 0):
			return nil
		case errors.Is(err, io.EOF) && roots == 1:
			return &schema.Reading{}
		case errors.Is(err, io.EOF):
			err = errors.New("not one root element")
		}
		if err != nil {
			return &schema.Reading{Kind: schema.NotJSON, Syntax: err}
		}
	}
}

// xmlMembers returns the texts of the elements below the root element, as members of an object; nil
// if the body is not well-formed.
func xmlMembers(body []byte) *jsontree.Value {
	var doc struct {
		Below []struct {
			XMLName xml.Name
			Text    string `xml:",chardata"`
		} `xml:",any"`
	}
	if xml.Unmarshal(body, &doc) != nil {
		return nil
	}
	out := jsontree.NewObject()
	for _, e := range doc.Below {
		out.Members = append(out.Members, jsontree.M(e.XMLName.Local, jsontree.NewString(strings.TrimSpace(e.Text))))
	}
	return out
}
