package parallel_test

import (
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"plantstore/internal/parallel"
)

func explode() { panic("seventh") }

// caught gives the Panic that a function hands on.
func caught(t *testing.T, f func()) (got *parallel.Panic) {
	t.Helper()
	defer func() { got, _ = recover().(*parallel.Panic) }()
	f()
	require.Fail(t, "the panic was lost")
	return nil
}

func TestAPanicReachesWhoWaitsForTheTaskWithTheStackOfItsPlace(t *testing.T) {
	task := parallel.Start(explode)
	got := caught(t, task.Wait)
	assert.Equal(t, "seventh", got.Value)
	assert.Contains(t, string(got.Stack), "parallel_test.explode")
}

func TestAPanicInAGroupStopsTheOthersAndReachesWhoWaits(t *testing.T) {
	stopped := make(chan struct{})
	var others atomic.Int32
	g := parallel.Group{Stop: func() { close(stopped) }}
	for range 3 {
		g.Go(func() { <-stopped; others.Add(1) })
	}
	g.Go(explode)
	assert.Equal(t, "seventh", caught(t, g.Wait).Value)
	assert.EqualValues(t, 3, others.Load())
}

func TestAPanicHandedOnTwiceKeepsItsFirstStack(t *testing.T) {
	inner := parallel.Start(explode)
	outer := parallel.Start(inner.Wait)
	assert.Contains(t, string(caught(t, outer.Wait).Stack), "parallel_test.explode")
}

func TestWithoutAPanicNothingIsHandedOn(t *testing.T) {
	var n atomic.Int32
	var g parallel.Group
	for range 5 {
		g.Go(func() { n.Add(1) })
	}
	g.Wait()
	task := parallel.Start(func() { n.Add(1) })
	<-task.Done()
	task.Wait()
	assert.EqualValues(t, 6, n.Load())
	assert.Nil(t, parallel.Caught(nil))
}
