// Package limits has the limits of an examination that tests lower. They are in a package of their own, so that package
// conform needs no test files inside it: the go command would compile it, and what imports it, a second time for these.
package limits

import "time"

// Patience is a time limit. A call that has not returned after this time counts as hanging.
var Patience = 10 * time.Second

// Runs is the largest number of times that an examination starts the program. Without this limit, a program that ends
// at every key would be started again and again for hours.
var Runs = 256
