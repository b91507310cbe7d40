package openapi

import (
	"slices"
	"strings"

	"plantstore/conformance/internal/jsontree"
)

// The members with which an answer tells a refusal, by what their values mean: a number that is not
// 0, false, true or a word. Names such as code and status have other meanings too.
var (
	resultCodes   = []string{"rc", "retcode", "returncode", "resultcode", "errorcode", "errcode", "errno"}
	successFlags  = []string{"success", "succeeded", "ok", "issuccess"}
	failureFlags  = []string{"error", "failed", "haserror"}
	statusMembers = []string{"status", "result", "outcome"}
	failureWords  = []string{"error", "fail", "failed", "failure", "nok", "ko", "denied", "refused", "rejected"}
)

// Tells reports whether the body of a success tells that the request is refused. That counts only
// where the document gives no status for a refusal, and the status of every answer is that of a
// success.
func (o *Operation) Tells(body *jsontree.Value) bool {
	if body == nil || body.Kind != jsontree.Object || !o.OnlySuccesses() {
		return false
	}
	return slices.ContainsFunc(body.Members, func(m jsontree.Member) bool {
		name, v := Flat(m.Name), m.Value
		switch v.Kind {
		case jsontree.Bool:
			return slices.Contains(successFlags, name) && !v.Bool || slices.Contains(failureFlags, name) && v.Bool
		case jsontree.Number:
			return slices.Contains(resultCodes, name) && !fine(v.Text)
		case jsontree.String:
			return slices.Contains(resultCodes, name) && allDigits(v.Text) && !fine(v.Text) || slices.Contains(statusMembers, name) && slices.Contains(failureWords, strings.ToLower(v.Text))
		}
		return false
	})
}

// OnlySuccesses reports whether the document gives no status for a refusal.
func (o *Operation) OnlySuccesses() bool {
	return !slices.ContainsFunc(o.Responses, func(r *Response) bool { return r.Status[0] != '2' && r.Status[0] != '3' })
}

// fine reports whether a result code is that of a success: 0 in any number of digits, or 2xx.
func fine(code string) bool {
	return strings.Trim(code, "0") == "" || len(code) == 3 && code[0] == '2' && allDigits(code)
}

func allDigits(text string) bool {
	return text != "" && strings.Trim(text, "0123456789") == ""
}
