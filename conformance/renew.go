package conformance

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"plantstore/conformance/internal/message"
	"plantstore/conformance/internal/redact"
)

// mostRenewals bounds how often a run renews its credentials.
const mostRenewals = 500

// fetch calls the functions that give credentials.
func (s *setup) fetch(ctx context.Context) (map[string]string, error) {
	out := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(s.config.Renew)) {
		value, err := s.config.Renew[name](ctx)
		if err == nil && value == "" {
			err = errors.New("it gives no credential: print it, alone")
		}
		if err != nil {
			return nil, fmt.Errorf("--auth-command %s: %w", name, err)
		}
		out[name] = value
	}
	return out, nil
}

// renewal returns the function that renews the credentials of a run; nil if they
// never change. It is not called concurrently.
func (s *setup) renewal() func(context.Context) bool {
	if len(s.config.Renew) == 0 {
		return nil
	}
	left, last := mostRenewals, s.config.Auth
	return func(ctx context.Context) bool {
		if left == 0 {
			return false
		}
		left--
		values, err := s.fetch(ctx)
		if err != nil || s.refused("--auth", values) != nil {
			return false
		}
		next := maps.Clone(last)
		maps.Copy(next, values)
		if maps.Equal(next, last) {
			return false
		}
		last = next
		var secrets []redact.Secret
		for name, value := range values {
			secrets = append(secrets, secretsOf(message.Variable(name), value)...)
		}
		s.redactor.Learn(secrets...) // before it is sent
		s.endpoint.Keys.Renew(values)
		return true
	}
}
