package conform

import "time"

// Patience changes how long reading a snapshot may take, and returns what undoes that.
func Patience(d time.Duration) (undo func()) {
	before := patience
	patience = d
	return func() { patience = before }
}

// Runs changes how often a program is started, and returns what undoes that.
func Runs(n int) (undo func()) {
	before := runsMost
	runsMost = n
	return func() { runsMost = before }
}
