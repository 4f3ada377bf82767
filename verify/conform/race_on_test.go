//go:build race

package conform_test

const raced = true // the race detector is on
