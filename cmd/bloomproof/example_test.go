package main

import (
	"context"
	"os"
	"strings"
)

// The expected false-positive rate of Burns, section 3.4, to 40 digits.
func Example() {
	args := strings.Fields("fpr -m 64 -n 4 -k 10 -digits 40")
	run(context.Background(), args, os.Stdin, os.Stdout, os.Stderr)
	// Output:
	// hashing  standard, m=64 k=10 n=4
	// route    difference
	// lo       0.0006154093286971322812625221713695889088219
	// mid      0.0006154093286971322812625221713695889088220
	// hi       0.0006154093286971322812625221713695889088220
}
