package rule

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
)

// readXML checks whether a body is well-formed. It returns nil if that cannot be decided:
// the encoding is not UTF-8, or the body defines entities.
func readXML(body []byte) *openapi.Reading {
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
			return &openapi.Reading{}
		case errors.Is(err, io.EOF):
			err = errors.New("not one root element")
		}
		if err != nil {
			return &openapi.Reading{Kind: openapi.NotJSON, Syntax: err}
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
