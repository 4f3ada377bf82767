// Package refuse has the errors of package bloomproof under the same names as package approx and its
// rooms return them.
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
