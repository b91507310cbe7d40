// Package parallel runs functions on goroutines of their own and hands a panic
// of one to the goroutine that waits for it. A panic that nobody hands on ends
// the process with a stack on standard error, past every deferred function: no
// report would be written, and temporary files would stay.
package parallel

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Panic is what a function on another goroutine panicked with.
type Panic struct {
	Value any
	Stack []byte // of the goroutine that panicked
}

// Error gives the value with the stack, as Go prints a panic.
func (p *Panic) Error() string { return fmt.Sprintf("%v\n\n%s", p.Value, p.Stack) }

// Origin gives what the first of the goroutines panicked with, and its stack.
func (p *Panic) Origin() (value any, stack []byte) { return p.Value, p.Stack }

// Caught makes a Panic of what recover gave, on the goroutine that panicked. A
// Panic that was handed on already stays as it is; nil gives nil.
func Caught(value any) *Panic {
	if value == nil {
		return nil
	}
	if p, ok := value.(*Panic); ok {
		return p
	}
	return &Panic{Value: value, Stack: debug.Stack()}
}

// Task is one function on a goroutine of its own.
type Task struct {
	done  chan struct{}
	panic *Panic
}

// Start runs f.
func Start(f func()) *Task {
	t := &Task{done: make(chan struct{})}
	go func() {
		defer close(t.done)
		defer func() { t.panic = Caught(recover()) }()
		f()
	}()
	return t
}

// Done is closed when the function has ended.
func (t *Task) Done() <-chan struct{} { return t.done }

// Wait waits for the function. If it panicked, Wait panics with a *Panic.
func (t *Task) Wait() {
	<-t.done
	if t.panic != nil {
		panic(t.panic)
	}
}

// Group is a number of functions, each on a goroutine of its own.
type Group struct {
	// Stop, if set, is called when one of them panics: the others may end early.
	Stop func()

	all   sync.WaitGroup
	once  sync.Once
	panic *Panic
}

// Go runs f.
func (g *Group) Go(f func()) {
	g.all.Go(func() {
		defer func() {
			p := Caught(recover())
			if p == nil {
				return
			}
			g.once.Do(func() { g.panic = p })
			if g.Stop != nil {
				g.Stop()
			}
		}()
		f()
	})
}

// Wait waits for all of them. If one panicked, Wait panics with the *Panic of
// the first.
func (g *Group) Wait() {
	g.all.Wait()
	if g.panic != nil {
		panic(g.panic)
	}
}

// Each calls f with every number below n, in any order, on as many goroutines as there
// are processors. It is for functions that only compute. If one panicked, Each panics
// with the *Panic of the first.
func Each(n int, f func(i int)) {
	var next atomic.Int64
	var group Group
	for range min(n, runtime.GOMAXPROCS(0)) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	group.Wait()
}
