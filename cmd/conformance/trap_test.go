package main

import (
	"net"
	"os"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/rogpeppe/go-internal/testscript"
)

// trap listens at an address that nobody has a reason to call, makes a pipe that
// nobody has a reason to open, and writes both into files in the place of
// TRAP-ADDRESS and TRAP-PIPE: trap FILE...
func trap(ts *testscript.TestScript, _ bool, args []string) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	ts.Check(err)
	var calls atomic.Int32
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			_ = c.Close()
		}
	}()
	pipe := ts.MkAbs("trap-pipe")
	ts.Check(syscall.Mkfifo(pipe, 0o600))
	var opened atomic.Bool
	done := make(chan struct{})
	go func() {
		defer close(done)
		// It waits until somebody opens the other end.
		if f, err := os.OpenFile(pipe, os.O_WRONLY, 0); err == nil {
			opened.Store(true)
			_ = f.Close()
		}
	}()
	for _, name := range args {
		text := strings.NewReplacer("TRAP-ADDRESS", l.Addr().String(), "TRAP-PIPE", pipe).Replace(ts.ReadFile(name))
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
	ts.Defer(func() {
		_ = l.Close()
		touched := opened.Load()
		if f, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0); err == nil {
			<-done
			_ = f.Close()
		}
		if n := calls.Load(); n > 0 || touched {
			ts.Fatalf("the trap was called %d times, and its pipe opened: %v", n, touched)
		}
	})
}
