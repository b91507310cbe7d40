package hints_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"plantstore/conformance/internal/hints"
)

func TestNamesThatSuggestADisruptionAreFoundByWholeWords(t *testing.T) {
	for operation, word := range map[string]string{
		"POST|/admin/shutdown|":           "shutdown",
		"POST|/admin/stop|shutDownServer": "shutdown",
		"POST|/power|ServerPowerOff":      "poweroff",
		"PUT|/me/password|":               "password",
		"POST|/auth/log-out|":             "logout",
		"DELETE|/users/me|":               "me",
		"DELETE|/account|closeAccount":    "account",
		"PUT|/settings/maintenance_mode|": "maintenance",
		"GET|/session/logout|":            "logout",
		"GET|/password/reset|":            "",
		"GET|/reset-log|":                 "",
		"DELETE|/users/{id}|":             "",
		"DELETE|/users/{user}/profile|":   "",
		"GET|/me|":                        "",
		"POST|/presets|createPreset":      "",
		"POST|/skills|addSkill":           "",
	} {
		of := strings.Split(operation, "|")
		assert.Equal(t, word, hints.Disruption(of[0], of[1], of[2]), operation)
	}
}
