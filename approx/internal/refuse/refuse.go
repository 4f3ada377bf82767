// Package refuse re-exports the errors of package bloomproof for package approx and the packages below it.
package refuse

import (
	"fmt"

	"github.com/bloomproof/bloomproof"
)

var (
	ErrRange     = fmt.Errorf("approx: %w", bloomproof.ErrRange)
	ErrTooCostly = fmt.Errorf("approx: %w", bloomproof.ErrTooCostly)
	ErrUndefined = fmt.Errorf("approx: %w", bloomproof.ErrUndefined)
)
