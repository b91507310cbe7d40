package store

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const benchRounds = 40

// child is a server in a process of its own, as clients have it.
type child struct {
	addr string
	cmd  *exec.Cmd
}

// start runs this test binary as a server of a kind, behind a tracer where one
// is given.
func start(b *testing.B, kind string, tracer ...string) *child {
	b.Helper()
	line := append(tracer, os.Args[0])
	c := &child{cmd: exec.Command(line[0], line[1:]...)}
	c.cmd.Env = append(os.Environ(), benchKind+"="+kind, benchFile+"="+filepath.Join(b.TempDir(), "plants.db"))
	out, err := c.cmd.StdoutPipe()
	require.NoError(b, err)
	require.NoError(b, c.cmd.Start())
	lines := bufio.NewScanner(out)
	require.True(b, lines.Scan())
	c.addr = lines.Text()
	return c
}

func (c *child) stop(b *testing.B) {
	b.Helper()
	require.NoError(b, c.cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(b, c.cmd.Wait())
}

// processor is the processor time that the server and its clients, which are in
// this process, have used, in seconds.
func (c *child) processor(b *testing.B) float64 {
	b.Helper()
	var own syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &own))
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", c.cmd.Process.Pid))
	require.NoError(b, err)
	// proc(5): fields 14 and 15, in hundredths of a second; the name in field 2
	// ends with the last bracket.
	fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
	user, err := strconv.Atoi(fields[11])
	require.NoError(b, err)
	system, err := strconv.Atoi(fields[12])
	require.NoError(b, err)
	return time.Duration(own.Utime.Nano()+own.Stime.Nano()).Seconds() + float64(user+system)/100
}

// turn is one side of a comparison.
type turn struct {
	server  *child
	clients *crowd
	used    float64
}

func (s *turn) slice(b *testing.B) {
	before := s.server.processor(b)
	s.clients.slice(b)
	s.used += s.server.processor(b) - before
}

// compareRates runs two servers in turn, in short slices, so that a noisy
// machine is as noisy for both. It reports the median of the ratios, the ratio
// of what both sides did with a second of processor time, which others on the
// machine change less, and what led to them. The first slices warm up.
func compareRates(b *testing.B, clients int, one, other func() *child) {
	b.Helper()
	for b.Loop() {
		x, y := &turn{server: one()}, &turn{server: other()}
		for _, s := range []*turn{x, y} {
			s.clients = connect(b, s.server.addr, clients)
			s.slice(b)
			*s = turn{server: s.server, clients: &crowd{conns: s.clients.conns}}
		}
		var ratios []float64
		for n := range benchRounds {
			x.slice(b)
			y.slice(b)
			ratios = append(ratios, x.clients.rates[n]/y.clients.rates[n])
		}
		b.ReportMetric(median(ratios), "ratio")
		b.ReportMetric(float64(len(x.clients.took))/x.used/(float64(len(y.clients.took))/y.used), "cpu-ratio")
		for unit, s := range map[string]*turn{"": x, "other-": y} {
			rate, p99 := s.clients.close()
			b.ReportMetric(rate, unit+"req/s")
			b.ReportMetric(p99, unit+"p99-ms")
			s.server.stop(b)
		}
		b.ReportMetric(diskSyncs(b), "disk-syncs/s")
		b.ReportMetric(0, "ns/op")
	}
}

func benchmark(b *testing.B, clients int, one, other string, tracer ...string) {
	b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
		compareRates(b, clients, func() *child { return start(b, one, tracer...) }, func() *child { return start(b, other, tracer...) })
	})
}

func BenchmarkDurableOverInMemory(b *testing.B) {
	for _, clients := range []int{1, 8, 64} {
		benchmark(b, clients, "file", "memory")
	}
}

func BenchmarkInMemoryOverBareHandler(b *testing.B) { benchmark(b, 64, "memory", "bare") }

func BenchmarkInMemoryOverBareHandlerWithTheSameTimeLimits(b *testing.B) {
	benchmark(b, 64, "memory", "limited")
}

func BenchmarkGroupCommitOverOneCommitEach(b *testing.B) { benchmark(b, 64, "file", "single") }

// A slow disk is one whose every sync takes 5 ms longer, as without a cache
// that outlives a power cut.
func BenchmarkGroupCommitOverOneCommitEachOnASlowDisk(b *testing.B) {
	tracer := []string{"strace", "-D", "-f", "--seccomp-bpf", "-o", os.DevNull}
	if err := exec.Command(tracer[0], append(tracer[1:], "true")...).Run(); err != nil {
		b.Logf("NOT MEASURED: strace does not work here: %v", err)
		return
	}
	benchmark(b, 64, "file", "single", append(tracer, "-e", "trace=fsync,fdatasync", "-e", "inject=fsync,fdatasync:delay_exit=5000")...)
}
