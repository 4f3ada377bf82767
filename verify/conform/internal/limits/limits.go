// Package limits has variables that limit an examination, for example the time of a call. Tests lower these limits. If
// the limits were in package conform, only test files of that package could change them. With such test files, the go
// command would compile package conform and its importers a second time.
package limits

import "time"

// Patience is a time limit. A call that has not returned after this time counts as hanging.
var Patience = 10 * time.Second

// Runs is the largest number of times that an examination starts the program. Without this limit, a program that ends
// at every key would be started again and again for hours.
var Runs = 256
