//go:build !linux

package exchange

// acknowledge is for systems that acknowledge early, or have no such option.
func acknowledge(uintptr) {}
