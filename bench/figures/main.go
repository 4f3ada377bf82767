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
	filters := flag.Int("filters", 100_000, "independently seeded filters behind each measured point of best-k, at least 2")
	epoch := flag.Uint64("epoch", 100_000, "arrivals of an epoch of the simulations, at least 1; figure 5 of Dozier-FP takes ten times as many")
	times := flag.String("times", "", "record how long the models of Dozier-FN take in this file, and draw nothing")
	traces := flag.String("traces", "", "draw figures 7 and 8 of Dozier-FN from the traces of this directory, and nothing else")
	flag.Parse()
	if *traces != "" {
		if err := tracesOf(*dir, *traces); err != nil {
			fmt.Fprintln(os.Stderr, "figures:", err)
			os.Exit(1)
		}
		return
	}
	if *times != "" {
		if err := recordTimes(*times); err != nil {
			fmt.Fprintln(os.Stderr, "figures:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*dir, *filters, *epoch); err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

func run(dir string, filters int, epoch uint64) error {
	if filters < 2 {
		return fmt.Errorf("-filters: must be at least 2, got %d", filters)
	}
	if epoch < 1 || epoch > 1<<40 {
		return fmt.Errorf("-epoch: must be between 1 and 2^40, got %d", epoch)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, draw := range []func() error{
		func() error { return bestK(dir, filters) },
		func() error { return onePhase(dir, epoch) },
		func() error { return twoPhase(dir, epoch) },
		func() error { return messageBounded(dir, epoch) },
		func() error { return overBits(dir) },
		func() error { return overRates(dir) },
		func() error { return phases(dir) },
		func() error { return bounds(dir, epoch) },
		func() error { return times(dir) },
		func() error { return overMemory(dir, epoch) },
		func() error { return trends(dir, epoch) },
		func() error { return crossover(dir, epoch) },
		func() error { return bestHashes(dir) },
		func() error { return frontier(dir) },
	} {
		if err := draw(); err != nil {
			return err
		}
	}
	return nil
}
