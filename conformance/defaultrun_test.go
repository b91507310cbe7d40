package conformance_test

import (
	"bufio"
	"bytes"
	"context"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"plantstore/conformance/formats"
)

// BenchmarkDefaultRun is what a user gets who types `conformance run`: the
// program in a process of its own, judging its embedded reference server.
func BenchmarkDefaultRun(b *testing.B) {
	dir := b.TempDir()
	program := filepath.Join(dir, "conformance")
	if out, err := exec.Command("go", "build", "-o", program, "../cmd/conformance").CombinedOutput(); err != nil {
		b.Fatalf("%v: %s", err, out)
	}
	var seconds, memory, first, exchanges []float64
	for b.Loop() {
		path := filepath.Join(dir, "report.json")
		cmd := exec.Command(program, "run", "--report", "json="+path)
		var said bytes.Buffer
		cmd.Stdout, cmd.Stderr = &said, &said
		began := time.Now()
		if err := cmd.Start(); err != nil {
			b.Fatal(err)
		}
		peak := watchMemory(cmd.Process.Pid)
		if err := cmd.Wait(); err != nil {
			b.Fatalf("%v: %s", err, said.String())
		}
		seconds = append(seconds, time.Since(began).Seconds())
		memory = append(memory, <-peak)
		text, err := os.ReadFile(path)
		if err != nil {
			b.Fatal(err)
		}
		r, err := formats.ReadJSON(text)
		if err != nil {
			b.Fatal(err)
		}
		exchanges = append(exchanges, float64(r.Summary.Exchanges))
		first = append(first, firstRequest(b, program).Seconds()*1000)
	}
	b.ReportMetric(median(exchanges), "exchanges")
	b.ReportMetric(median(seconds), "s/run")
	b.ReportMetric(median(first), "ms-to-first-request")
	if peak := median(memory); peak > 0 {
		b.ReportMetric(peak, "MiB-peak")
	}
}

// firstRequest is the time from the start of the process to the first byte that
// a target sees.
func firstRequest(b *testing.B, program string) time.Duration {
	target, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer target.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	cmd := exec.CommandContext(ctx, program, "run", "--target", "http://"+target.Addr().String(), "--token", "t0ken-of-a-benchmark")
	began := time.Now()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	defer func() { stop(); _ = cmd.Wait() }() // it was killed: its error says so
	conn, err := target.Accept()
	if err != nil {
		b.Fatal(err)
	}
	defer conn.Close()
	if _, err := bufio.NewReader(conn).ReadByte(); err != nil {
		b.Fatal(err)
	}
	return time.Since(began)
}

// watchMemory gives the largest resident size of a process in MiB once it ended;
// 0 where the system has no /proc. The size that wait reports would be that of
// this process where it is larger.
func watchMemory(pid int) <-chan float64 {
	out := make(chan float64, 1)
	go func() {
		peak := 0.0
		for {
			status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
			_, rest, found := strings.Cut(string(status), "VmHWM:")
			if err != nil || !found {
				out <- peak
				return
			}
			if kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64); err == nil {
				peak = max(peak, kib/1024)
			}
			time.Sleep(time.Millisecond)
		}
	}()
	return out
}
