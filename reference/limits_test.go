package reference

import (
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func counted(s *Server, size int) *body {
	return &body{ReadCloser: io.NopCloser(io.LimitReader(neverEnding{}, int64(size))), shared: &s.bodies}
}

type neverEnding struct{}

func (neverEnding) Read(p []byte) (int, error) { return len(p), nil }

func TestLongBodiesShareABoundAndSmallOnesAlwaysPass(t *testing.T) {
	s := New(Config{})
	read := func(size int) (*body, error) {
		b := counted(s, size)
		r := httptest.NewRequest("POST", "/plants", nil)
		r.Body = b
		_, err := Read(httptest.NewRecorder(), r)
		return b, err
	}
	var held []*body
	var err error
	for err == nil {
		var b *body
		b, err = read(MaxBody)
		held = append(held, b)
	}
	assert.Equal(t, Busy, AsRefusal(err).Kind)
	assert.Len(t, held, maxBodies/MaxBody+1)
	_, err = read(smallBody)
	require.NoError(t, err, "a small body is not part of it")
	for _, b := range held {
		b.release()
	}
	assert.Zero(t, s.bodies.Load())
	b, err := read(MaxBody)
	require.NoError(t, err)
	b.release()
}

func TestEveryWayThroughTheHandlerGivesBackItsBody(t *testing.T) {
	s := New(Config{Tokens: []string{"t"}, Alter: func(s *Stages) {
		s.Decode = func(b []byte) (Plant, error) {
			if strings.HasPrefix(string(b), "panic") {
				panic("here")
			}
			return Decode(b)
		}
	}})
	var group sync.WaitGroup
	for _, text := range []string{"panic", "{", `{"id":1,"name":"a"}`, strings.Repeat(" ", MaxBody)} {
		for _, token := range []string{"t", "wrong"} {
			group.Go(func() {
				r := httptest.NewRequest("POST", "/plants", strings.NewReader(text+strings.Repeat(" ", 2*smallBody)))
				r.Header.Set("Authorization", "Bearer "+token)
				s.ServeHTTP(httptest.NewRecorder(), r)
			})
		}
	}
	group.Wait()
	assert.Zero(t, s.bodies.Load())
}
