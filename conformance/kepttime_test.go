package conformance

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

func TestCasesLeaveTheTimeThatTheResultsTake(t *testing.T) {
	assert.Equal(t, 30*time.Second+30*time.Millisecond, keptTime(5*time.Minute, 600), "a document as most are")
	assert.Equal(t, 2*time.Second+3500*time.Millisecond, keptTime(20*time.Second, 70_000), "each circular schema has thousands of places")
	assert.Equal(t, time.Second/2, keptTime(time.Second, 175_000), "the cases have time too")
}
