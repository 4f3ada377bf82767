package conform

import "time"

// Patience changes how long reading a snapshot may take, and returns what undoes that.
func Patience(d time.Duration) (undo func()) {
	before := patience
	patience = d
	return func() { patience = before }
}
