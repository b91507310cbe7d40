package crud

import (
	"bytes"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"slices"
	"strings"
	"unicode/utf8"
)

// uploadFile keeps the file of a form and gives it a name.
func uploadFile(c *call) *answer {
	fields := c.multipart()
	body, given := fields["file"]
	c.must(given || c.early != nil, "body/file", "required", "must be there")
	ext := c.field(fields, "ext", true, text{enum: extensions()})
	c.field(fields, "title", true, text{min: 1, max: 60})
	revision := "1"
	if raw, given := fields["revision"]; given {
		revision = string(raw)
		bounds{integer: true, min: "1", max: "99"}.text(c, "body/revision", revision)
	}
	if raw, given := fields["meta"]; given {
		v, ok := readJSON(raw)
		if c.must(ok, "body/meta", "json", "must be JSON") {
			object{required: []string{"author"}, closed: true, members: map[string]check{
				"author": text{min: 1, max: 40}.is, "license": text{enum: []string{"open", "closed"}}.is}}.is(c, "body/meta", v)
		}
	}
	if a := c.refused(); a != nil {
		return a
	}
	c.store.Lock()
	defer c.store.Unlock()
	name := fmt.Sprintf("f%d", len(c.store.files)+1)
	if !slices.Contains(extensions(), ext) {
		ext = "bin"
	}
	c.store.files[name] = &file{ext: ext, bytes: body}
	return found(http.StatusCreated, map[string]any{"name": name, "ext": ext, "size": whole(int64(len(body))),
		"revision": whole(int64(within(revision, 1, 1, 99)))})
}

func extensions() []string { return []string{"txt", "bin", "csv"} }

// multipart reads the parts of a form, each name once.
func (c *call) multipart() map[string][]byte {
	out := map[string][]byte{}
	_, parameters, err := mime.ParseMediaType(c.request.Header.Get("Content-Type"))
	if c.early != nil || c.body == nil || err != nil {
		return out
	}
	r := multipart.NewReader(bytes.NewReader(c.body), parameters["boundary"])
	for {
		part, err := r.NextRawPart()
		if err == io.EOF {
			return out
		}
		if !c.must(err == nil, "body", "multipart", "must be a form") {
			return out
		}
		raw, err := io.ReadAll(part)
		if !c.must(err == nil && part.FormName() != "", "body", "multipart", "must be a form") {
			return out
		}
		_, twice := out[part.FormName()]
		c.must(!twice, "body/"+part.FormName(), "repeated", "must be there once")
		out[part.FormName()] = raw
	}
}

// field judges a field of a form that is text.
func (c *call) field(fields map[string][]byte, name string, required bool, t text) string {
	raw, given := fields[name]
	if !given {
		c.must(!required || c.early != nil, "body/"+name, "required", "must be there")
		return ""
	}
	if c.must(utf8.Valid(raw), "body/"+name, "encoding", "must be UTF-8") {
		t.check(c, "body/"+name, string(raw))
	}
	return string(raw)
}

// downloadFile answers with a file, byte for byte.
func downloadFile(c *call) *answer {
	name, at := c.segment("name")
	text{pattern: filePattern}.check(c, at, name)
	ext, at := c.segment("ext")
	text{enum: extensions()}.check(c, at, ext)
	c.store.Lock()
	defer c.store.Unlock()
	f := c.store.files[name]
	c.missing = f == nil || f.ext != ext && !c.has("any-extension")
	if a := c.refused(); a != nil {
		return a
	}
	a := content("application/octet-stream", f.bytes)
	a.header.Set("ETag", c.weak(tag(f.bytes)))
	return a
}

// getReport counts what was made in a month.
func getReport(c *call) *answer {
	year, at := c.segment("year")
	bounds{integer: true, min: "2000", max: "2099"}.text(c, at, year)
	month, at := c.segment("month")
	text{pattern: monthPattern}.check(c, at, month)
	if a := c.refused(); a != nil {
		return a
	}
	// A check that is left out must not corrupt the answer as well.
	if y := within(year, 2000, 2000, 2099); !monthPattern.MatchString(month) || fmt.Sprint(y) != year {
		year, month = fmt.Sprint(y), "01"
	}
	name, projects, tasks := year+"-"+month, 0, 0
	c.store.Lock()
	defer c.store.Unlock()
	for _, p := range c.store.projects {
		if strings.HasPrefix(c.store.stamp(p.created), name) {
			projects++
		}
		for _, t := range p.tasks {
			if strings.HasPrefix(c.store.stamp(t.created), name) {
				tasks++
			}
		}
	}
	return found(http.StatusOK, map[string]any{"month": name, "projects": whole(int64(projects)), "tasks": whole(int64(tasks))})
}
