// Command figures draws the figures of docs/figures as SVG, each with its data as
// CSV. The same command gives the same bytes: seeds are fixed.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	dir := flag.String("dir", "../docs/figures", "write the figures to this directory")
	filters := flag.Int("filters", 100_000, "independently seeded filters behind each measured point, at least 2")
	flag.Parse()
	if err := run(*dir, *filters); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(dir string, filters int) error {
	if filters < 2 {
		return fmt.Errorf("-filters: must be at least 2, got %d", filters)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return bestK(dir, filters)
}
