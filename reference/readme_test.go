package reference

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheReadmeNamesEveryLimitAsItIs(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	require.NoError(t, err)
	size := func(n int) string {
		if n < 1<<20 {
			return fmt.Sprintf("%d KiB", n>>10)
		}
		return fmt.Sprintf("%d MiB", n>>20)
	}
	for limit, value := range map[string]string{
		"concurrent connections":                    fmt.Sprint(MaxConnections),
		"concurrent requests per HTTP/2 connection": fmt.Sprint(maxStreams),
		"plants in memory":                          fmt.Sprint(MaxPlants),
		"request line and headers":                  size(maxHeaderBytes),
		"body":                                      size(MaxBody),
		"total of all bodies longer than " + size(smallBody): size(maxBodies),
		"bytes read of a refused body":                       size(maxDrain),
		"time for the headers":                               readHeaderTimeout.String(),
		"time for the whole request":                         readTimeout.String(),
		"time until the answer is written":                   writeTimeout.String(),
		"time between requests":                              idleTimeout.String(),
		"time for running requests when the server stops":    grace.String(),
	} {
		assert.Contains(t, string(readme), "\n| "+limit+" | "+value+" |")
	}
}
