package serialize_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/conformance/internal/jsontree"
	"plantstore/conformance/internal/openapi"
	"plantstore/conformance/internal/schema"
	"plantstore/conformance/internal/serialize"
)

func whats(r *serialize.FormReading) string {
	var out []string
	for _, e := range r.Reasons {
		out = append(out, strings.TrimSpace(e.Path+" "+e.What))
	}
	return strings.Join(out, "; ")
}

func TestPairsAreReadAsServersReadThem(t *testing.T) {
	for _, row := range []struct{ body, want, why string }{
		{"id=5&name=a+b%20c", `{"id":5,"name":"a b c"}`, ""}, {"list=x", `{"list":["x"]}`, ""}, {"", `{}`, "an empty form"}, {"name=", `{"name":""}`, ""},
		{"id=abc", `{"id":"abc"}`, ""}, {"id=05", `{"id":5}`, "/id number spelled 05"}, {"id=1&id=2", `{"id":1}`, "/id twice"}, {"x=a&x=b", `{"x":["a","b"]}`, "/x one value or several"}, {"x=a&y+z=b", `{"x":"a","y z":"b"}`, ""},
		{"id=%", `{"id":"%"}`, "/id invalid percent-encoding"}, {"place={}", `{"place":{}}`, "/place a character that is not percent-encoded; /place an object in a form without an encoding"},
		{"place=%7B", `{"place":"{"}`, "/place an object in a form without an encoding"}, {"x=%7B", `{"x":"{"}`, "/x a string or JSON"},
	} {
		read := serialize.ReadFormBody(pairs, all(), nil, pairs, []byte(row.body))
		require.NoError(t, read.Malformed)
		assert.Equal(t, row.want, read.Value.String(), row.body)
		assert.Equal(t, row.why, whats(read), row.body)
	}
}

func TestPartsAreReadFromWhateverReadersTake(t *testing.T) {
	const head = "Content-Disposition: form-data; name=\"id\"\n\n"
	crlf := func(text string) string { return strings.ReplaceAll(text, "\n", "\r\n") }
	for _, row := range []struct{ body, want, why string }{
		{crlf("--b\n" + head + "5\n--b--\n"), `{"id":5}`, ""}, {crlf("--b\n" + head + "5\n--b--"), `{"id":5}`, ""}, {crlf("--b \t\n" + head + "5\n--b--  \n"), `{"id":5}`, ""},
		{crlf("hello\n--b\n" + head + "5\n--b--\nbye"), `{"id":5}`, "text before the first part; text after the last part"},
		{crlf("--b\n" + head + "5\n--bc\n--b--\n"), `{"id":"5\r\n--bc"}`, ""}, {crlf("--b\n" + head + "--b\n--b--\n"), `{"id":""}`, "part without an empty line; part without a name; /id empty value"},
		{crlf("--b\n" + head + "5 --b\n--b--\n"), `{"id":"5 --b"}`, ""}, {"--b\n" + head + "5\n--b--\n", `{"id":5}`, "line end without a carriage return"}, {crlf("--b\n" + head + "5"), `{"id":5}`, "no boundary at the end"},
		{crlf("--b\ncontent-disposition: FORM-DATA; NAME=id\n\n5\n--b--\n"), `{"id":5}`, "a name of a part without quotes"},
		{crlf("--b\nContent-Disposition: form-data; name=\"i\\\"d\"\n\n5\n--b--\n"), `{"i\"d":5}`, "an escape in the name of a part; /i\"d a string or a number"},
		{crlf("--b\nContent-Disposition: attachment; name=\"id\n\n5\n--b--\n"), `{"id":5}`, "a part that is no form data; a name of a part without its last quote"},
		{crlf("--b\nX: y\nz\n\n5\n--b--\n"), `{}`, "a line in the head of a part that is no field; part without a name"}, {crlf("--b--\n"), `{}`, "no part"},
		{crlf("--b\n" + head + "5\n--b\n" + head + "6\n--b--\n"), `{"id":5}`, "/id twice"},
		{crlf("--b\nContent-Type: text/plain; charset=latin1\n" + head + "5\n--b--\n"), `{"id":5}`, "/id charset latin1"},
		{crlf("--b\nContent-Type: application/json\n" + head + "5\n--b--\n"), `{"id":5}`, "/id a part of another content type"},
		{crlf("--b\nContent-Transfer-Encoding: base64\nContent-Disposition: form-data; name=\"id\"; filename*=x\n\n5\n--b--\n"), `{"id":5}`, "content transfer encoding; a name of a part without quotes; a name of a part with its own encoding"},
		{crlf("--b\nContent-Disposition: form-data; name=\"file\"\n\n\xff\n--b--\n"), "{\"file\":\"\xff\"}", "/file a part of another content type; /file a file name that is missing or not expected"},
		{crlf("--b\nContent-Disposition: form-data; name=\"name\"\n\n\xff\n--b--\n"), "{\"name\":\"\xff\"}", "/name invalid UTF-8"},
		{crlf("--b\nContent-Disposition: form-data; name=\"place\"\nContent-Type: application/json\n\n{\"x\":1,\"x\":2}\n--b--\n"), `{"place":{"x":1,"x":2}}`, "/place duplicate name"},
		{crlf("--b\nContent-Disposition: form-data; name=\"place\"\nContent-Type: application/json\n\n{\n--b--\n"), `{"place":"{"}`, ""},
		{crlf("--b\nContent-Disposition: form-data; name=\"place\"\nContent-Type: application/json\n\n\"{}\"\n--b--\n"), `{"place":"{}"}`, "/place a JSON string that contains JSON"},
	} {
		read := serialize.ReadFormBody(parts, all(), nil, parts+"; boundary=b", []byte(row.body))
		require.NoError(t, read.Malformed, row.body)
		assert.Equal(t, row.want, read.Value.String(), row.body)
		assert.Equal(t, row.why, whats(read), row.body)
	}
	for body, contentType := range map[string]string{"--b--": parts, "--c--": parts + "; boundary=b", "": parts + "; boundary=b", "--b\r\nX\r\n--b--": parts + "; boundary=b", "--b--\r\n": "text/plain"} {
		assert.Error(t, serialize.ReadFormBody(parts, all(), nil, contentType, []byte(body)).Malformed, body)
	}
}

func TestAnArrayOfJSONPartsIsReadInBothWays(t *testing.T) {
	encoding := map[string]openapi.Encoding{"places": {Media: "application/json"}}
	for content, want := range map[string]string{`[{"x":1}]`: `{"places":[{"x":1}]}`, `{"x":1}`: `{"places":[{"x":1}]}`} {
		body := "--b\r\nContent-Disposition: form-data; name=\"places\"\r\nContent-Type: application/json\r\n\r\n" + content + "\r\n--b--\r\n"
		read := serialize.ReadFormBody(parts, all(), encoding, parts+"; boundary=b", []byte(body))
		assert.Equal(t, want, read.Value.String())
		assert.True(t, read.Ambiguous)
	}
}

func TestTextsAndBytesAreOneValue(t *testing.T) {
	for _, row := range []struct{ media, types, json, body, contentType string }{
		{"text/plain", "string", `"a b"`, "a b", "text/plain"}, {"text/plain", "string", `"é"`, "é", "text/plain; charset=utf-8"}, {"text/*", "integer", `5`, "5", "text/plain"}, {"text/csv", "boolean", `true`, "true", "text/csv"},
		{"text/plain; charset=utf-8", "string", `"é"`, "é", "text/plain; charset=utf-8"},
		{"image/*", "", `"\u0000"`, "\x00", "image/png"}, {"application/pdf", "string", `""`, "", "application/pdf"}, {"video/*", "string", `"x"`, "x", "video/mp4"},
	} {
		s := &schema.Schema{}
		if row.types != "" {
			s.Types = []string{row.types}
		}
		body, contentType, err := serialize.WriteFormBody(row.media, s, nil, tree(t, row.json))
		require.NoError(t, err)
		assert.Equal(t, []string{row.body, row.contentType}, []string{string(body), contentType})
		read := serialize.ReadFormBody(row.media, s, nil, contentType, body)
		require.NoError(t, read.Malformed)
		assert.Empty(t, read.Reasons)
		assert.Equal(t, row.json, read.Value.String())
	}
	every := make([]byte, 256)
	for i := range every {
		every[i] = byte(255 - i)
	}
	body, contentType, err := serialize.WriteFormBody("application/octet-stream", nil, nil, jsontree.NewString(string(every)))
	require.NoError(t, err)
	assert.Equal(t, every, body)
	assert.Equal(t, string(every), serialize.ReadFormBody("application/octet-stream", nil, nil, contentType, body).Value.Text)
	for body, why := range map[string]string{" 5": "number spelled  5", "": "empty value", "\xef\xbb\xbf5": "byte order mark", "x": ""} {
		assert.Equal(t, why, whats(serialize.ReadFormBody("text/plain", typed("integer"), nil, "text/plain", []byte(body))), body)
	}
	assert.Equal(t, "charset utf-16", whats(serialize.ReadFormBody("text/plain", typed("string"), nil, "text/plain; charset=UTF-16", []byte("x"))))
	assert.Equal(t, "no content type", whats(serialize.ReadFormBody("image/*", nil, nil, "", []byte("x"))))
	assert.Error(t, serialize.ReadFormBody("image/*", nil, nil, "text/plain", []byte("x")).Malformed)
}

func TestMediaTypesWithAStructureOfTheirOwnAreNotSupported(t *testing.T) {
	for _, media := range []string{pairs, parts, "multipart/form-data; boundary=x", "text/plain", "TEXT/Plain; charset=utf-8", "text/*", "image/*", "image/png", "image/svg+xml", "text/x-yaml", "application/octet-stream", "application/pdf", "application/zip", "text/csv",
		"application/vnd.ms-excel"} {
		assert.True(t, serialize.SupportsForm(media), media)
	}
	for _, media := range []string{"application/json", "application/problem+json", "text/json", "application/xml", "text/xml", "application/yaml", "application/x-ndjson", "application/x-protobuf", "multipart/mixed",
		"multipart/*", "*/*", "application/*", "message/http", "", "text", "application/cbor"} {
		assert.False(t, serialize.SupportsForm(media), media)
		_, _, err := serialize.WriteFormBody(media, nil, nil, jsontree.NewString("x"))
		assert.Error(t, err, media)
		assert.Error(t, serialize.ReadFormBody(media, nil, nil, media, nil).Malformed, media)
	}
}

func TestAValueWithoutAFormIsAnErrorOfOneLine(t *testing.T) {
	style := map[string]openapi.Encoding{"list": {Style: "pipeDelimited"}, "x": {Media: "text/plain", Headers: []*openapi.Parameter{{Name: "X-A", In: "header", Required: true}}}}
	for _, row := range []struct{ media, json string }{
		{pairs, `5`}, {pairs, `{"id":null}`}, {pairs, `{"list":[["x"]]}`}, {parts, `[]`}, {parts, `{"id":null}`}, {parts, `{"list":[["x"]]}`}, {parts, `{"a\"b":1}`}, {parts, `{"a\r\nb":1}`}, {parts, `{"list":["x"]}`},
		{parts, `{"file":5}`}, {parts, `{"x":5}`}, {"text/plain", `null`}, {"text/plain", `{}`}, {"image/png", `5`}, {"image/png", `{}`},
	} {
		_, _, err := serialize.WriteFormBody(row.media, all(), style, tree(t, row.json))
		require.Error(t, err, "%s %s", row.media, row.json)
		assert.NotContains(t, err.Error(), "\n")
	}
	for media, want := range map[string]string{pairs: pairs, parts: parts + "; boundary=form-boundary", "text/*": "text/plain", "image/*": "image/png"} {
		_, contentType, err := serialize.WriteFormBody(media, nil, nil, nil)
		assert.Error(t, err)
		assert.Equal(t, want, contentType, "a body that is written by other means has a content type")
	}
}

func TestAnObjectWithAStyleInAPartMayBeReadOtherwise(t *testing.T) {
	encoding := map[string]openapi.Encoding{"place": {Style: "form", Explode: true}}
	value := tree(t, `{"place":{"x":1}}`)
	body, contentType, err := serialize.WriteFormBody(parts, all(), encoding, value)
	require.NoError(t, err)
	read := serialize.ReadFormBody(parts, all(), encoding, contentType, body)
	assert.Equal(t, value.String(), read.Value.String())
	assert.True(t, read.Ambiguous)
}

func TestTheContentTypeThatIsWrittenIsUsual(t *testing.T) {
	for _, row := range []struct{ media, json string }{
		{pairs, `{"x":"é"}`}, {parts, `{"x":"a"}`}, {"text/*", `"a"`}, {"text/plain", `"é"`}, {"image/png", `"é"`},
	} {
		body, contentType, err := serialize.WriteFormBody(row.media, all(), nil, tree(t, row.json))
		require.NoError(t, err)
		assert.True(t, serialize.Usual(row.media, contentType, body), contentType)
		assert.False(t, serialize.Usual(row.media, contentType+"; a=b", body), contentType)
		assert.Equal(t, contentType == "text/plain; charset=utf-8", !serialize.Usual(row.media, contentType, nil), "a charset of plain ASCII is unusual")
	}
	assert.False(t, serialize.Usual(parts, "Multipart/Form-Data; boundary=x", nil))
}

func TestPartsAreReadBehindAnOddContentType(t *testing.T) {
	body, _, err := serialize.WriteFormBody(parts, all(), nil, tree(t, `{"x":"a"}`))
	require.NoError(t, err)
	assert.Equal(t, parts+"; boundary=form-boundary", serialize.ContentType(parts, body))
	read := serialize.ReadFormBody(parts, all(), nil, parts+"; boundary=form-boundary; charset=", body)
	require.NoError(t, read.Malformed)
	assert.NotEmpty(t, read.Reasons)
	assert.Error(t, serialize.ReadFormBody(parts, all(), nil, parts, body).Malformed)
}
