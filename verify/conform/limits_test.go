package conform_test

import (
	"time"

	"github.com/bloomproof/bloomproof/verify/conform/internal/limits"
)

// The function "patience" changes how long reading a snapshot may take, and returns what undoes that.
func patience(d time.Duration) (undo func()) {
	before := limits.Patience
	limits.Patience = d
	return func() { limits.Patience = before }
}

// The function "runs" changes how often a program is started, and returns what undoes that.
func runs(n int) (undo func()) {
	before := limits.Runs
	limits.Runs = n
	return func() { limits.Runs = before }
}
