// Package limits holds limits of an examination. Tests lower these limits. The limits are not in package conform,
// because only test files of package conform itself could then change them. With such test files, the go command would
// compile package conform and its importers a second time.
package limits

import "time"

// Patience is a time limit. A call that has not returned after this time counts as hanging.
var Patience = 10 * time.Second

// Runs is the largest number of times that an examination starts the program. Without this limit, a program that ends
// at every key would be started again and again for hours.
var Runs = 256
