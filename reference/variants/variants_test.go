package variants_test

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"plantstore/reference"
	"plantstore/reference/variants"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		// net/http lingers for half a second on connections with unread bytes.
		goleak.IgnoreAnyFunction("net/http.(*conn).closeWriteAndWait"))
}

func config() reference.Config { return reference.Config{Tokens: []string{"secret"}} }

func TestTheCatalogueIsCompleteAndEveryEntryIsSound(t *testing.T) {
	list := variants.List()
	require.NoError(t, variants.Validate(list))
	assert.GreaterOrEqual(t, len(list), 50)
	t.Logf("%d variants", len(list))
	for _, bad := range []variants.Variant{list[0], {Name: "X"}, {Name: "a"}, {Name: "a", Doc: "a", Path: "a/"}, {Name: "a", Doc: "a"}} {
		assert.Error(t, variants.Validate([]variants.Variant{list[0], bad}))
	}
}

type answer struct {
	status int
	media  string
	body   string
}

// send posts a plant, again where it is asked to come later.
func send(t *testing.T, c *http.Client, url, token, body string) answer {
	t.Helper()
	for {
		req, err := http.NewRequest(http.MethodPost, url+"/plants", strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/json")
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		// A connection that was closed without a word may be used once more.
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(body)), nil }
		req.Header["Idempotency-Key"] = nil
		resp, err := c.Do(req)
		require.NoError(t, err)
		text, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		require.NoError(t, err)
		later := resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode == http.StatusServiceUnavailable
		if !later || resp.Header.Get("Retry-After") == "" {
			media, _, _ := strings.Cut(strings.ToLower(resp.Header.Get("Content-Type")), ";")
			return answer{resp.StatusCode, strings.TrimSpace(media), string(text)}
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func TestEveryVariantKeepsTheContract(t *testing.T) {
	for _, v := range variants.List() {
		t.Run(v.Name, func(t *testing.T) {
			t.Parallel()
			local, err := v.New(config()).Start()
			require.NoError(t, err)
			defer local.Close()
			c := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 1}}
			defer c.CloseIdleConnections()
			url := local.URL + v.Path
			for i := range 12 {
				name := fmt.Sprintf("Fern %d é", i)
				got := send(t, c, url, "secret", fmt.Sprintf(`{"id":%d,"name":%q}`, i+1, name))
				require.Equal(t, 200, got.status, got.body)
				assert.Equal(t, "application/json", got.media)
				assert.Equal(t, name, member(t, got.body, "name"))
			}
			tag := "flower"
			for _, value := range v.Values {
				tag = strings.TrimPrefix(value, "/tag=")
			}
			tagged := send(t, c, url, "secret", fmt.Sprintf(`{"id":101,"name":"rose","tag":%q}`, tag))
			assert.Equal(t, tag, member(t, tagged.body, "tag"))
			for _, body := range []string{``, `{`, `[]`, `{"id":1}`, `{"name":"a"}`, `{"id":"1","name":"a"}`, `{"id":1.5,"name":"a"}`, `{"id":9223372036854775808,"name":"a"}`, `{"id":1,"name":5}`, `{"id":1,"name":"a","tag":null}`} {
				got := send(t, c, url, "secret", body)
				assert.Equal(t, 400, got.status, body)
				assert.Equal(t, "application/json", got.media, body)
				var e struct {
					Error   float64 `json:"error"`
					Message string  `json:"message"`
				}
				assert.NoError(t, json.Unmarshal([]byte(got.body), &e), got.body)
			}
			for _, token := range []string{"", "wrong"} {
				got := send(t, c, url, token, `{"id":102,"name":"lily"}`)
				assert.True(t, got.status >= 400 && got.status < 500, "%d", got.status)
			}
		})
	}
}

func member(t *testing.T, body, name string) any {
	t.Helper()
	var object map[string]any
	require.NoError(t, json.Unmarshal([]byte(body), &object, jsontext.AllowDuplicateNames(true)), body)
	return object[name]
}
