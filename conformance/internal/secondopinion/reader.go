package secondopinion

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/cache"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi/datamodel"
)

// open turns a panic of the libraries into an error: they are not ours to trust.
func open(document []byte) (r Reader, err error) {
	defer func() {
		if recover() != nil {
			r, err = nil, errors.New("libopenapi panicked")
		}
	}()
	quiet := datamodel.DocumentConfiguration{Logger: slog.New(slog.DiscardHandler)}
	doc, err := libopenapi.NewDocumentWithConfiguration(document, &quiet)
	if err != nil {
		return nil, firstLine(err)
	}
	model, err := doc.BuildV3Model()
	if model == nil {
		return nil, firstLine(err)
	}
	// The validator is made without compiling every schema of the document up
	// front, which takes minutes on large ones.
	schemas := &lazyCache{DefaultCache: cache.NewDefaultCache()}
	schemas.opening.Store(true)
	v := validator.NewValidatorFromV3Model(&model.Model, config.WithSchemaCache(schemas))
	schemas.opening.Store(false)
	return &reader{v}, nil
}

type reader struct{ v validator.Validator }

// Ask turns a panic of the library into an opinion.
func (r *reader) Ask(a Answer) (out Opinion) {
	defer func() {
		if recover() != nil {
			out = Opinion{Why: "libopenapi-validator panicked"}
		}
	}()
	req, err := http.NewRequest(a.Method, "http://target"+a.Path, strings.NewReader("{}"))
	if err != nil {
		return Opinion{Why: "request cannot be built"}
	}
	resp := &http.Response{StatusCode: a.Status, Header: http.Header{}, Request: req,
		Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: int64(len(a.Body))}
	if a.ContentType != "" {
		resp.Header.Set("Content-Type", a.ContentType)
	}
	ok, errs := r.v.ValidateHttpResponse(req, resp)
	if ok || len(errs) == 0 {
		return Opinion{OK: true}
	}
	why, _, _ := strings.Cut(errs[0].ValidationType+"/"+errs[0].ValidationSubType, "\n")
	return Opinion{Why: why}
}

// lazyCache claims to hold every schema while the validator is being made.
type lazyCache struct {
	*cache.DefaultCache
	opening atomic.Bool
}

// Load gives an entry, or an empty one while opening.
func (c *lazyCache) Load(key uint64) (*cache.SchemaCacheEntry, bool) {
	if c.opening.Load() {
		return nil, true
	}
	return c.DefaultCache.Load(key)
}

func firstLine(err error) error {
	line, _, _ := strings.Cut(err.Error(), "\n")
	return fmt.Errorf("%s", line)
}
