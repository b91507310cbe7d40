package contract

import (
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/cache"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi/datamodel"
	v3 "github.com/pb33f/libopenapi/datamodel/high/v3"
)

// opinion asks libopenapi-validator, the adopted first reader of answers. The
// exact judge decides; where they differ, the difference is kept in the trace.
type opinion struct {
	model *libopenapi.DocumentModel[v3.Document]
	once  sync.Once
	v     validator.Validator
	mu    sync.Mutex
	known map[answer]Opinion
}

// answer is what an opinion is about. Two answers are the same where they
// differ in fresh words alone, and the exact judge says the same of both.
type answer struct {
	op                *Operation
	status            int
	exact             bool
	contentType, form string
}

// form is a body with every run of six or more small letters and digits, as
// fresh words are, replaced by its length.
func form(body []byte) string {
	out := make([]byte, 0, len(body))
	for from := 0; from < len(body); {
		to := from
		for to < len(body) && (body[to] >= 'a' && body[to] <= 'z' || body[to] >= '0' && body[to] <= '9' && to > from) {
			to++
		}
		switch word := body[from:to]; {
		case len(word) == 0:
			out = append(out, body[from])
			to++
		case len(word) >= 6 && bytes.ContainsAny(word, "0123456789"):
			out = strconv.AppendInt(append(out, '*'), int64(len(word)), 10)
		default:
			out = append(out, word...)
		}
		from = to
	}
	return string(out)
}

// Opinion is what libopenapi-validator says of one answer.
type Opinion struct {
	OK  bool
	Why string // the first reason, one line
}

// newOpinion parses the document; what libopenapi refuses, Load refuses.
func newOpinion(name string, b []byte) (*opinion, error) {
	quiet := datamodel.DocumentConfiguration{Logger: slog.New(slog.DiscardHandler)}
	doc, err := libopenapi.NewDocumentWithConfiguration(b, &quiet)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, oneLine(err))
	}
	model, err := doc.BuildV3Model()
	if model == nil {
		return nil, fmt.Errorf("%s: %w", name, oneLine(err))
	}
	return &opinion{model: model, known: map[answer]Opinion{}}, nil
}

// Opinion asks once for each distinct answer to an operation; exact is what the
// exact judge says of it.
func (c *Contract) Opinion(op *Operation, status int, contentType string, body []byte, exact bool) Opinion {
	o := c.opinion
	key := answer{op, status, exact, contentType, form(body)}
	o.mu.Lock()
	known, ok := o.known[key]
	o.mu.Unlock()
	if ok {
		return known
	}
	o.once.Do(o.open)
	known = o.ask(op, status, contentType, body)
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.known) >= opinionsKept {
		clear(o.known)
	}
	o.known[key] = known
	return known
}

// open makes the validator without compiling every schema of the document up
// front, which takes minutes on large ones.
func (o *opinion) open() {
	schemas := &lazyCache{DefaultCache: cache.NewDefaultCache()}
	schemas.opening.Store(true)
	o.v = validator.NewValidatorFromV3Model(&o.model.Model, config.WithSchemaCache(schemas))
	schemas.opening.Store(false)
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

// opinionsKept bounds the memory of a run whose answers all differ.
const opinionsKept = 2048

// ask turns a panic of the library into an opinion: it is not ours to trust.
func (o *opinion) ask(op *Operation, status int, contentType string, body []byte) (out Opinion) {
	defer func() {
		if p := recover(); p != nil {
			out = Opinion{Why: "libopenapi-validator panicked"}
		}
	}()
	req, err := http.NewRequest(op.Method, "http://target"+op.Path, strings.NewReader("{}"))
	if err != nil {
		return Opinion{Why: "request cannot be built"}
	}
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Request: req,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body))}
	if contentType != "" {
		resp.Header.Set("Content-Type", contentType)
	}
	ok, errs := o.v.ValidateHttpResponse(req, resp)
	if ok || len(errs) == 0 {
		return Opinion{OK: true}
	}
	why, _, _ := strings.Cut(errs[0].ValidationType+"/"+errs[0].ValidationSubType, "\n")
	return Opinion{Why: why}
}
