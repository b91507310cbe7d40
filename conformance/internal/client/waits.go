package client

// Waits is called when a wait begins that can last longer than a second, with what is
// waited for, such as "waiting for an answer". The function that it returns is called
// when the wait ends. It is called concurrently. Nil tells nobody.
type Waits func(what string) (over func())

// For begins a wait.
func (w Waits) For(what string) (over func()) {
	if w == nil {
		return func() {}
	}
	return w(what)
}
