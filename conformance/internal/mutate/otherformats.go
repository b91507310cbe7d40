package mutate

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"net/url"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/message"
)

func asForm(m *message.Message, _ []byte) []byte {
	form := url.Values{}
	for _, f := range m.Tree.Members {
		form.Set(f.Name, plainText(f.Value))
	}
	form.Set("x", "y")
	return []byte(form.Encode())
}

func asXML(m *message.Message, _ []byte) []byte {
	b := bytes.NewBufferString(`<?xml version="1.0"?><root>`)
	for _, f := range m.Tree.Members {
		fmt.Fprintf(b, "<%s>%s</%s>", f.Name, plainText(f.Value), f.Name)
	}
	return append(b.Bytes(), "</root>"...)
}

func asYAML(m *message.Message, _ []byte) []byte { return lines(m, ": ", "\n") }

func asLines(m *message.Message, _ []byte) []byte { return lines(m, "=", "\n") }

func lines(m *message.Message, between, end string) []byte {
	var b []byte
	for _, f := range m.Tree.Members {
		b = append(b, f.Name+between+plainText(f.Value)+end...)
	}
	return append(b, "x"+between+"y"+end...)
}

func asMultipart(m *message.Message, _ []byte) []byte {
	var b []byte
	for _, f := range m.Tree.Members {
		b = append(b, "--b\r\nContent-Disposition: form-data; name=\""+f.Name+"\"\r\n\r\n"+plainText(f.Value)+"\r\n"...)
	}
	return append(b, "--b--\r\n"...)
}

// asBinary is the body in MessagePack, texts alone.
func asBinary(m *message.Message, _ []byte) []byte {
	b := []byte{0x80 | byte(len(m.Tree.Members)&15)}
	for _, f := range m.Tree.Members {
		for _, t := range []string{f.Name, plainText(f.Value)} {
			b = append(append(b, 0xA0|byte(len(t)&31)), t...)
		}
	}
	return b
}

func plainText(v *jsontree.Value) string {
	if v.Kind == jsontree.String {
		return v.Text
	}
	return v.String()
}

func zipped(_ *message.Message, b []byte) []byte {
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		return nil
	}
	if err := w.Close(); err != nil {
		return nil
	}
	return out.Bytes()
}

func asBase64(_ *message.Message, b []byte) []byte {
	return []byte(base64.StdEncoding.EncodeToString(b))
}

func asURL(_ *message.Message, b []byte) []byte { return []byte(url.QueryEscape(string(b))) }

func asHex(_ *message.Message, b []byte) []byte { return fmt.Appendf(nil, "x%x", b) }
