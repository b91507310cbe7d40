package mutate

import (
	"strings"

	"plantstore/conformance/internal/plan"
)

// resource is one of what the path names: plant of /plants.
func resource(s *plan.Space) string { return strings.TrimSuffix(lastSegment(s), "s") }

func lastSegment(s *plan.Space) string { return s.Op.Path[strings.LastIndexByte(s.Op.Path, '/')+1:] }
