package admin

import (
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"

	"plantstore/reference"
)

// Metrics counts what a server does.
type Metrics struct {
	registry *prometheus.Registry
	requests *prometheus.CounterVec
	latency  *prometheus.HistogramVec
	commits  prometheus.Counter
	batch    prometheus.Histogram
	commit   prometheus.Histogram
}

// NewMetrics makes metrics that stand at zero. The queue gives the number of
// plants that wait to be stored.
func NewMetrics(queue func() int) *Metrics {
	m := &Metrics{
		registry: prometheus.NewRegistry(),
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "plantstore_requests_total", Help: "Requests answered, by HTTP status and by the number in the Error body (0 without one).",
		}, []string{"status", "error"}),
		latency: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "plantstore_request_seconds", Help: "Time from the headers of a request to its answer, by HTTP status.",
			Buckets: prometheus.ExponentialBuckets(0.0001, 2.5, 12),
		}, []string{"status"}),
		commits: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "plantstore_commits_total", Help: "Transactions synced to disk.",
		}),
		batch: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "plantstore_batch_plants", Help: "Plants in one transaction.", Buckets: prometheus.ExponentialBuckets(1, 2, 9),
		}),
		commit: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "plantstore_commit_seconds", Help: "Time of one transaction with its sync.", Buckets: prometheus.ExponentialBuckets(0.0001, 2.5, 12),
		}),
	}
	m.registry.MustRegister(m.requests, m.latency, m.commits, m.batch, m.commit,
		prometheus.NewGaugeFunc(prometheus.GaugeOpts{
			Name: "plantstore_queue_plants", Help: "Plants that wait for a transaction.",
		}, func() float64 { return float64(queue()) }),
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	return m
}

// Request counts an answered request.
func (m *Metrics) Request(o reference.Outcome) {
	status := strconv.Itoa(o.Status)
	m.requests.WithLabelValues(status, strconv.Itoa(int(o.Error))).Inc()
	m.latency.WithLabelValues(status).Observe(o.Took.Seconds())
}

// Commit counts a transaction.
func (m *Metrics) Commit(plants int, took time.Duration) {
	m.commits.Inc()
	m.batch.Observe(float64(plants))
	m.commit.Observe(took.Seconds())
}
