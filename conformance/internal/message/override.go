package message

import (
	"strings"

	"plantstore/conformance/internal/exchange"
)

func override(list []exchange.Field, f exchange.Field) []exchange.Field {
	for i := range list {
		if strings.EqualFold(list[i].Name, f.Name) {
			list[i] = f
			return list
		}
	}
	return append(list, f)
}

func drop(list []exchange.Field, name string) []exchange.Field {
	out := list[:0]
	for _, f := range list {
		if !strings.EqualFold(f.Name, name) {
			out = append(out, f)
		}
	}
	return out
}
