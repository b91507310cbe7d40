package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/reference"
)

func plant(id int64, name string) reference.Plant { return reference.Plant{ID: id, Name: name} }

func kind(t *testing.T, err error) reference.Kind {
	t.Helper()
	var why *reference.Refusal
	require.ErrorAs(t, err, &why)
	return why.Kind
}

func exported(t *testing.T, file string) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, Export(file, &out))
	return out.String()
}

func TestEveryPlantComesBackExactlyAndInOrder(t *testing.T) {
	file, empty, tag := fresh(t), "", "a\x00b\U0010ffff<\u2028>"
	f, err := Open(file, Options{})
	require.NoError(t, err)
	for _, p := range []reference.Plant{
		{ID: 1<<63 - 1, Name: "a\x00b\x00"}, {ID: -1 << 63, Name: "", Tag: &empty}, {Name: "\x00", Tag: &tag},
		{ID: 7, Name: "first"}, {ID: 7, Name: "second"}, {ID: 8, Name: "🌱\u0301\ufffd'\"; --"},
	} {
		require.NoError(t, f.Append(t.Context(), p))
	}
	last, err := f.Last()
	require.NoError(t, err)
	assert.EqualValues(t, 6, last)
	require.NoError(t, f.Close())
	assert.Equal(t, `{"id":9223372036854775807,"name":"a\u0000b\u0000"}
{"id":-9223372036854775808,"name":"","tag":""}
{"id":0,"name":"\u0000","tag":"a\u0000b`+"\U0010ffff<\u2028>"+`"}
{"id":7,"name":"first"}
{"id":7,"name":"second"}
{"id":8,"name":"🌱`+"\u0301\ufffd"+`'\"; --"}
`, exported(t, file))
}

func TestAnIdUsedBeforeIsRefusedAlsoAfterARestart(t *testing.T) {
	file := fresh(t)
	for _, want := range []bool{true, false} {
		f, err := Open(file, Options{UniqueIDs: true})
		require.NoError(t, err)
		err = f.Append(t.Context(), plant(1, "a"))
		if want {
			require.NoError(t, err)
		} else {
			assert.Equal(t, reference.Taken, kind(t, err))
		}
		require.NoError(t, f.Close())
	}
	f, err := Open(file, Options{})
	require.NoError(t, err)
	require.NoError(t, f.Append(t.Context(), plant(1, "again")), "any id is taken where ids need not be unique")
	require.NoError(t, f.Close())
	_, err = Open(file, Options{UniqueIDs: true})
	assert.EqualError(t, err, "cannot open "+file+": it has ids that are used more than once: start without --unique-ids")
}

// slow makes every commit wait until it is let go, so that requests pile up.
type slow struct{ entered, leave chan int }

func hold(opts *Options) slow {
	s := slow{make(chan int), make(chan int)}
	opts.Observe = func(plants int, _ time.Duration) { s.entered <- plants; <-s.leave }
	return s
}

func TestWhatWaitsGoesIntoOneTransactionAndWhatDoesNotFitIsRefused(t *testing.T) {
	opts := Options{MaxQueue: 8, UniqueIDs: true}
	s := hold(&opts)
	f := open(t, fresh(t), opts)
	errs := make(chan error, 9)
	appending := func(id int64) { go func() { errs <- f.Append(context.Background(), plant(id, "a")) }() }
	appending(1)
	assert.Equal(t, 1, <-s.entered)
	for id := range int64(8) {
		appending(id) // id 1 again: only that one is refused
	}
	require.Eventually(t, func() bool { return f.Queued() == 8 }, 10*time.Second, time.Millisecond)
	err := f.Append(t.Context(), plant(99, "one too many"))
	assert.Equal(t, reference.Busy, kind(t, err))
	assert.EqualValues(t, 503, kind(t, err).Code())
	s.leave <- 1
	assert.Equal(t, 7, <-s.entered)
	s.leave <- 1
	taken := 0
	for range 9 {
		if err := <-errs; err != nil {
			assert.Equal(t, reference.Taken, kind(t, err))
			taken++
		}
	}
	assert.Equal(t, 1, taken)
}

func TestCloseKeepsWhatWaitsAndRefusesWhatComesLater(t *testing.T) {
	file := fresh(t)
	opts := Options{}
	s := hold(&opts)
	f, err := Open(file, opts)
	require.NoError(t, err)
	errs := make(chan error, 3)
	appending := func(id int64) { go func() { errs <- f.Append(context.Background(), plant(id, "a")) }() }
	appending(1)
	<-s.entered
	appending(2)
	appending(3)
	require.Eventually(t, func() bool { return f.Queued() == 2 }, 10*time.Second, time.Millisecond)
	closed := make(chan error)
	go func() { closed <- f.Close() }()
	s.leave <- 1
	assert.Equal(t, 2, <-s.entered)
	s.leave <- 1
	require.NoError(t, <-closed)
	for range 3 {
		require.NoError(t, <-errs)
	}
	assert.Equal(t, reference.Busy, kind(t, f.Append(t.Context(), plant(9, "late"))))
	assert.Error(t, f.Ready(t.Context()))
	assert.Equal(t, 3, strings.Count(exported(t, file), "\n"))
}

func TestAClientThatLeavesDoesNotUndoItsPlantAndAnOperatorNeedNotWait(t *testing.T) {
	opts := Options{}
	s := hold(&opts)
	f := open(t, fresh(t), opts)
	gone, leave := context.WithCancel(t.Context())
	leave()
	errs := make(chan error)
	go func() { errs <- f.Append(gone, plant(1, "a")) }()
	<-s.entered
	assert.ErrorIs(t, f.Ready(gone), context.Canceled)
	s.leave <- 1
	assert.NoError(t, <-errs)
}

func TestAFullFileRefusesPlantsIsNotReadyAndRecoversByItself(t *testing.T) {
	file := fresh(t)
	f, err := Open(file, Options{})
	require.NoError(t, err)
	long := strings.Repeat("x", 16<<10)
	pages := func(limit int) {
		_, err := f.db.Exec(fmt.Sprintf(`PRAGMA max_page_count = %d`, limit))
		require.NoError(t, err)
	}
	pages(1)
	kept := 0
	for f.Append(t.Context(), plant(1, long)) == nil {
		kept++
	}
	err = f.Append(t.Context(), plant(1, long))
	assert.Equal(t, reference.Internal, kind(t, err))
	assert.NotContains(t, err.Error(), file)
	assert.NotContains(t, err.Error(), "SQL")
	pages(1 << 20)
	require.NoError(t, f.Ready(t.Context()))
	require.NoError(t, f.Append(t.Context(), plant(2, "works again")))
	require.NoError(t, f.Close())
	assert.Equal(t, kept+1, strings.Count(exported(t, file), "\n"))
}

func TestManyWritersAndOneClosing(t *testing.T) {
	file := fresh(t)
	f, err := Open(file, Options{MaxBatch: 3})
	require.NoError(t, err)
	var kept sync.Map
	var group sync.WaitGroup
	started := make(chan bool, 64)
	for w := range int64(64) {
		group.Go(func() {
			for n := int64(0); ; n++ {
				if f.Append(context.Background(), plant(w<<32|n, "a")) != nil {
					return
				}
				kept.Store(w<<32|n, true)
				if n == 0 {
					started <- true
				}
			}
		})
	}
	for range 64 {
		<-started
	}
	require.NoError(t, f.Close())
	group.Wait()
	count := 0
	kept.Range(func(any, any) bool { count++; return true })
	assert.Equal(t, count, strings.Count(exported(t, file), "\n"), "what was answered, and nothing else")
}

func TestAnExportThatCannotBeWrittenSaysSo(t *testing.T) {
	file := fresh(t)
	f, err := Open(file, Options{})
	require.NoError(t, err)
	require.NoError(t, f.Append(t.Context(), plant(1, "a")))
	require.NoError(t, f.Close())
	assert.ErrorContains(t, Export(file, full{}), "cannot write the export")
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }
