package otherservers

import (
	"math"
	"math/big"
	"net/http"
	"sync"
	"unicode/utf8"
)

// Readings serves readings.yaml; what is named wrong, if anything, is done wrong.
func Readings(wrong string) http.Handler {
	var mu sync.Mutex
	var count int32
	var last *float64
	mux := http.NewServeMux()
	mux.HandleFunc("POST /readings", func(w http.ResponseWriter, r *http.Request) {
		c := &check{wrong: wrong}
		receipt, n := c.reading(c.body(r))
		if c.complaint != "" {
			refusal := map[string]any{"reason": c.complaint}
			if wrong == "refusal without reason" {
				delete(refusal, "reason")
			}
			answer(w, http.StatusBadRequest, refusal)
			return
		}
		mu.Lock()
		count++
		last = &n
		mu.Unlock()
		if wrong == "answer accepted null" {
			receipt["accepted"] = nil
		}
		answer(w, http.StatusAccepted, receipt)
	})
	mux.HandleFunc("DELETE /readings", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		count, last = 0, nil
		status := http.StatusNoContent
		if wrong == "deleted with 200" {
			status = http.StatusOK
		}
		w.WriteHeader(status)
	})
	mux.HandleFunc("GET /state", func(w http.ResponseWriter, _ *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		state := map[string]any{"count": count, "healthy": true, "last": last}
		if wrong == "state without healthy" {
			delete(state, "healthy")
		}
		answer(w, http.StatusOK, state)
	})
	return mux
}

// reading checks a Reading and makes its receipt.
func (c *check) reading(v value) (receipt map[string]any, n float64) {
	o := c.object("reading", v, false)
	receipt = map[string]any{"accepted": true, "sensor": "none"}
	if s, ok := c.text("sensor", c.member("sensor", o, "sensor")); ok {
		count := utf8.RuneCountInString(s)
		c.want("sensor short", count >= 1)
		c.want("sensor long", count <= 64)
		receipt["sensor"] = s
	}
	if x, ok := c.number("value", c.member("value", o, "value")); ok {
		c.want("value low", x.Cmp(big.NewRat(-27315, 100)) >= 0)
		c.want("value high", !least(x, 5000))
		c.strict("only whole values", !x.IsInt())
		n, _ = x.Float64()
		n = math.Max(-math.MaxFloat64, math.Min(n, math.MaxFloat64))
	}
	if x, ok := c.integer("level", c.member("level", o, "level")); ok {
		c.want("level int32", least(x, math.MinInt32) && most(x, math.MaxInt32))
	}
	c.boolean("calibrated", c.member("calibrated", o, "calibrated"))
	if v := o["note"]; v.Kind() == 'n' {
		c.strict("null refused", true)
	} else if s, ok := c.text("note", v); ok {
		receipt["note"] = s
	}
	return receipt, n
}
