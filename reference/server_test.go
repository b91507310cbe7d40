package reference_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/go-json-experiment/json"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/reference"
)

const mild = `{"id":1,"name":"fern"}`

func request(method, path, body string) *http.Request {
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "Bearer secret")
	r.Header.Set("Content-Type", "application/json")
	return r
}

func answer(h http.Handler, r *http.Request) *http.Response {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w.Result()
}

func text(t *testing.T, resp *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	assert.Equal(t, "application/json", resp.Header.Get("Content-Type"))
	assert.Equal(t, fmt.Sprint(len(body)), resp.Header.Get("Content-Length"))
	return string(body)
}

func refused(t *testing.T, resp *http.Response, status int, code int32) {
	t.Helper()
	var e struct {
		Error   *int32  `json:"error"`
		Message *string `json:"message"`
	}
	body := text(t, resp)
	require.NoError(t, json.Unmarshal([]byte(body), &e, json.RejectUnknownMembers(true)), body)
	assert.Equal(t, status, resp.StatusCode)
	assert.Equal(t, code, *e.Error)
	assert.NotEmpty(t, *e.Message)
}

func server() *reference.Server {
	return reference.New(reference.Config{Tokens: []string{"secret", "", "next"}})
}

func TestAnAcceptedPlantIsEchoedExactly(t *testing.T) {
	for body, want := range map[string]string{
		mild:                          `{"name":"fern"}`,
		`{"id":1,"name":"","tag":""}`: `{"name":"","tag":""}`,
		`{"tag":"<&>","id":2,"name":"é🌱\u2028\u007f"}`: "{\"name\":\"é🌱\u2028\u007f\",\"tag\":\"<&>\"}",
		`{"id":1,"name":"\"\\\/\t\u0000"}`:             `{"name":"\"\\/\t\u0000"}`,
	} {
		resp := answer(server(), request("POST", "/plants", body))
		assert.Equal(t, want, text(t, resp))
		assert.Equal(t, 200, resp.StatusCode)
	}
}

func TestOnlyABearerOfAKnownTokenIsLetIn(t *testing.T) {
	for header, want := range map[string]int{
		"Bearer secret": 200, "bearer secret": 200, "BEARER secret": 200, "Bearer   secret": 200, "Bearer next": 200,
		"": 400, "Bearer": 400, "Bearer ": 400, "secret": 400, "Bearersecret": 400, "Basic secret": 400,
		"Bearer Secret": 400, "Bearer secre": 400, "Bearer secrett": 400, "Bearer secret,next": 400,
		"Bearer secret next": 400, "Bearer\tsecret": 400, "XBearer secret": 400, "Bearer \"secret\"": 400,
	} {
		r := request("POST", "/plants", mild)
		r.Header.Set("Authorization", header)
		resp := answer(server(), r)
		assert.Equal(t, want, resp.StatusCode, header)
		if want == 400 {
			refused(t, resp, 400, 401)
		}
	}
	absent := request("POST", "/plants", mild)
	absent.Header.Del("Authorization")
	refused(t, answer(server(), absent), 400, 401)
	twice := request("POST", "/plants", mild)
	twice.Header.Add("Authorization", "Bearer secret")
	refused(t, answer(server(), twice), 400, 401)
	refused(t, answer(reference.New(reference.Config{}), request("POST", "/plants", mild)), 400, 401)
}

func TestAnyMediaTypeButJSONIsRefused(t *testing.T) {
	for given, want := range map[string]int{
		"": 200, "application/json": 200, "Application/JSON; charset=utf-8": 200, "application/json;": 200,
		"application/json; charset=\"latin1\"; x=y": 200, "text/plain": 400, "application/jsonp": 400, "*/*": 400, ";": 400,
	} {
		r := request("POST", "/plants", mild)
		r.Header.Set("Content-Type", given)
		resp := answer(server(), r)
		assert.Equal(t, want, resp.StatusCode, given)
		if want == 400 {
			refused(t, resp, 400, 415)
		}
	}
}

func TestOtherPathsAndMethodsAreAnsweredWithAnError(t *testing.T) {
	refused(t, answer(server(), request("POST", "/plants/", mild)), 404, 404)
	refused(t, answer(server(), request("GET", "/", "")), 404, 404)
	resp := answer(server(), request("PUT", "/plants", mild))
	refused(t, resp, 405, 405)
	assert.Equal(t, "POST", resp.Header.Get("Allow"))
	assert.Equal(t, 200, answer(server(), request("POST", "/%70lants?x=y", mild)).StatusCode)
}

func TestABodyAboveTheLimitIsAnsweredAndTheConnectionStaysInStep(t *testing.T) {
	local, err := server().Start()
	require.NoError(t, err)
	defer local.Close()
	for _, size := range []int{reference.MaxBody, reference.MaxBody + 1, 4 << 20} {
		for _, token := range []string{"secret", "wrong"} {
			body := append(bytes.Repeat([]byte(" "), size-len(mild)), mild...)
			req, err := http.NewRequest("POST", local.URL+"/plants", bytes.NewReader(body))
			require.NoError(t, err)
			req.Header.Set("Authorization", "Bearer "+token)
			resp, err := http.DefaultClient.Do(req)
			require.NoError(t, err)
			switch {
			case token == "wrong":
				refused(t, resp, 400, 401)
			case size > reference.MaxBody:
				refused(t, resp, 400, 413)
			default:
				assert.Equal(t, `{"name":"fern"}`, text(t, resp))
			}
			resp.Body.Close()
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

type brokenStore struct{ err error }

func (s brokenStore) Append(context.Context, reference.Plant) error {
	if s.err == nil {
		panic("disk on fire at 10.0.0.1")
	}
	return s.err
}

func TestAFailingStoreIsAnErrorWithoutItsCause(t *testing.T) {
	for _, store := range []brokenStore{{}, {errors.New("dial 10.0.0.1")}} {
		s := reference.New(reference.Config{Tokens: []string{"secret"}, Store: store})
		resp := answer(s, request("POST", "/plants", mild))
		body := text(t, resp)
		assert.Equal(t, 400, resp.StatusCode)
		assert.Contains(t, body, `"error":500`)
		assert.NotContains(t, body, "10.0.0.1")
	}
}

func TestAnIdUsedBeforeIsRefusedOnlyWhereIdsAreUnique(t *testing.T) {
	for unique, want := range map[bool]int{false: 200, true: 400} {
		s := reference.New(reference.Config{Tokens: []string{"secret"}, UniqueIDs: unique})
		assert.Equal(t, 200, answer(s, request("POST", "/plants", mild)).StatusCode)
		assert.Equal(t, want, answer(s, request("POST", "/plants", mild)).StatusCode)
	}
}

func TestParallelRequestsGetTheirOwnAnswersAndAllAreKept(t *testing.T) {
	store := reference.NewMemory(false, 0)
	s := reference.New(reference.Config{Tokens: []string{"secret"}, Store: store})
	var group sync.WaitGroup
	for i := range 64 {
		group.Go(func() {
			body := fmt.Sprintf(`{"id":%d,"name":"n%d"}`, i+1, i)
			if i%4 == 3 {
				body = "{"
			}
			resp := answer(s, request("POST", "/plants", body))
			if i%4 == 3 {
				assert.Equal(t, 400, resp.StatusCode)
				return
			}
			assert.Equal(t, fmt.Sprintf(`{"name":"n%d"}`, i), text(t, resp))
		})
	}
	group.Wait()
	assert.Len(t, store.Plants(), 48)
}
