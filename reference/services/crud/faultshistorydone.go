package crud

// doneFaults lose what is done with a task.
func doneFaults() []Fault {
	// state keeps the old one of a task, with an answer that shows the new one.
	state := func(op string) around {
		return on(op, func(c *call, do func(*call) *answer) *answer {
			c.store.Lock()
			_, t := c.named()
			was := ""
			if t != nil {
				was = t.state
			}
			c.store.Unlock()
			a := do(c)
			if a.status < 300 && t != nil {
				c.store.Lock()
				defer c.store.Unlock()
				t.state = was
			}
			return a
		})
	}
	done := func(name, op, breaks string) Fault {
		return history(name, taskAt+"/get", aboutTask+"stored-done", breaks, "the object is changed and not saved", state(op))
	}
	return []Fault{
		done("complete-not-stored", "completeTask", "completeTask answers with completed and stores nothing"),
		done("archive-not-stored", "archiveTask", "archiveTask answers with archived and stores nothing"),
	}
}
