package secondopinion

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"strings"

	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/content"
	"github.com/pb33f/libopenapi-validator/helpers"
	"github.com/pb33f/libopenapi/datamodel"
	high "github.com/pb33f/libopenapi/datamodel/high/v3"
	low "github.com/pb33f/libopenapi/datamodel/low/v3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// The packages libopenapi and libopenapi-validator themselves are left out: they
// bring in what compares documents, reads Arazzo and OpenAPI 2, and judges
// requests, which is two thirds of what the libraries cost to build. What they do
// with the body of an answer is done here by the same parts; a test holds that
// they say the same.

// open turns a panic of the libraries into an error: they are not ours to trust.
func open(document []byte) (r Reader, err error) {
	defer func() {
		if recover() != nil {
			r, err = nil, errors.New("libopenapi panicked")
		}
	}()
	c := datamodel.DocumentConfiguration{Logger: slog.New(slog.DiscardHandler)}
	info, err := datamodel.ExtractSpecInfoWithConfig(document, &c)
	if err != nil {
		return nil, firstLine(err)
	}
	model, err := low.CreateDocumentFromConfig(info, &c)
	if model == nil {
		return nil, firstLine(err)
	}
	return &reader{document: bytes.TrimSpace(document), model: high.NewDocument(model), options: config.NewValidationOptions(),
		known: map[*high.MediaType]compiled{}}, nil
}

type reader struct {
	document []byte
	model    *high.Document
	options  *config.ValidationOptions
	known    map[*high.MediaType]compiled
}

// compiled is the schema of a media type, or why there is none.
type compiled struct {
	schema *jsonschema.Schema
	err    error
}

// Ask turns a panic of the library into an opinion.
func (r *reader) Ask(a Answer) (out Opinion) {
	defer func() {
		if recover() != nil {
			out = Opinion{Why: "the library panicked"}
		}
	}()
	media, why := r.media(a)
	if why != "" {
		return Opinion{Why: why}
	}
	if media == nil || media.Schema == nil {
		return Opinion{OK: true}
	}
	// Numbers become doubles here: that is how the library reads them.
	body, err := content.JSONDecoder().Decode(&content.DecodeInput{Context: context.Background(), Body: bytes.NewReader(a.Body), Direction: content.Response})
	if err == nil {
		body, err = content.Canonicalize(body)
	}
	switch {
	case err != nil:
		return Opinion{Why: "the body cannot be decoded"}
	case body == nil:
		return Opinion{OK: true} // the library looks no further
	}
	c := r.compile(media)
	if c.err != nil {
		return Opinion{Why: "the schema does not compile: " + firstLine(c.err).Error()}
	}
	if err := c.schema.Validate(body); err != nil {
		return Opinion{Why: reason(err)}
	}
	return Opinion{OK: true}
}

// media finds the documented media type of an answer as the library does; nil
// where the document says nothing of a body, else why it is not there.
func (r *reader) media(a Answer) (*high.MediaType, string) {
	item := r.model.Paths.PathItems.GetOrZero(a.Path)
	if item == nil {
		return nil, "the path is not in the document"
	}
	op := item.GetOperations().GetOrZero(strings.ToLower(a.Method))
	if op == nil || op.Responses == nil || op.Responses.Codes == nil {
		return nil, "the operation is not in the document"
	}
	resp := op.Responses.Codes.GetOrZero(strconv.Itoa(a.Status))
	if resp == nil {
		resp = op.Responses.Codes.GetOrZero(strconv.Itoa(a.Status/100) + "XX")
	}
	if resp == nil {
		resp = op.Responses.Default
	}
	switch {
	case resp == nil:
		return nil, "the status is not documented"
	case resp.Content == nil || resp.Content.Len() == 0:
		return nil, ""
	}
	name, _, _ := helpers.ExtractContentType(a.ContentType)
	if m := resp.Content.GetOrZero(name); m != nil {
		return m, ""
	}
	return nil, "the content type is not documented"
}

// compile gives the compiler of the library the whole document, and the schema in
// a member of its own beside it, for a schema may refer to itself.
func (r *reader) compile(m *high.MediaType) compiled {
	if c, ok := r.known[m]; ok {
		return c
	}
	c := compiled{}
	var text []byte
	if m.Schema.IsReference() {
		text = fmt.Appendf(nil, `{"$ref":%s}`, strconv.Quote(m.Schema.GetReference()))
	} else {
		text, c.err = m.Schema.Schema().MarshalJSON()
	}
	if c.err == nil {
		whole := fmt.Appendf(nil, `{"x-second-opinion":%s,%s`, text, bytes.TrimPrefix(r.document, []byte("{")))
		c.schema, c.err = helpers.NewCompiledSchemaResourcesWithVersion("mem://second/document#/x-second-opinion",
			map[string][]byte{"mem://second/document": whole}, r.options, helpers.VersionToFloat(r.model.Version))
	}
	r.known[m] = c
	return c
}

// reason names the first keyword in the order of the places.
func reason(err error) string {
	var top *jsonschema.ValidationError
	if !errors.As(err, &top) {
		return "the schema is broken"
	}
	minimum := ""
	var walk func(*jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			said := "breaks " + strings.Join(e.ErrorKind.KeywordPath(), "/") + " at /" + strings.Join(e.InstanceLocation, "/")
			if minimum == "" || said < minimum {
				minimum = said
			}
		}
		for _, c := range e.Causes {
			walk(c)
		}
	}
	walk(top)
	return minimum
}

func firstLine(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s", line)
}
