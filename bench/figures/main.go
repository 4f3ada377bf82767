// Command figures draws the figures of docs/figures as SVG, each with its data as CSV. Seeds are fixed, so the same
// command writes the same bytes.
//
//	go run ./figures                  all figures
//	go run ./figures -only burns,fan  those whose names begin so
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	p := plan{}
	flag.StringVar(&p.dir, "dir", "../docs/figures", "write the figures to this directory")
	flag.StringVar(&p.records, "records", "../docs/figures", "read what make fan and make traces recorded from this directory")
	flag.StringVar(&p.only, "only", "", "draw the figures whose names begin with one of these, with commas between them")
	flag.IntVar(&p.filters, "filters", 100_000, "filters behind each measured point of filters that are filled, at least 35")
	flag.Uint64Var(&p.epoch, "epoch", 100_000, "arrivals of an epoch of the simulations, at least 1; figure 5 of Dozier-FP takes ten times as many")
	times := flag.String("times", "", "record how long the models of Dozier-FN take in this file, and draw nothing")
	traces := flag.String("traces", "", "record figures 7 and 8 of Dozier-FN from the traces of this directory in -dir, and draw nothing")
	flag.Parse()
	var err error
	switch {
	case *traces != "":
		err = recordTraces(p.dir, *traces)
	case *times != "":
		err = recordTimes(*times)
	default:
		err = p.draw()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "figures:", err)
		os.Exit(1)
	}
}

// plan describes which figures are drawn, where they are written, and how many measurements they use.
type plan struct {
	dir     string
	records string
	only    string
	filters int
	epoch   uint64
}

// base returns the path of a figure without the file name extension.
func (p plan) base(name string) string { return filepath.Join(p.dir, name) }

// figures lists the functions that draw figures. Each has the name of the first file that it writes.
var figures = []struct {
	name string
	draw func(plan) error
}{
	{"burns-6", burnsRates},
	{"burns-7", burnsBounds},
	{"burns-8", burnsBestK},
	{"burns-9", burnsStandardEfficiency},
	{"burns-10", burnsClassicEfficiency},
	{"burns-best-k", burnsExample},
	{"fan-1", fanEntropy},
	{"fan-2", fanBounds},
	{"fan-3", fanErrorRatios},
	{"fan-4", fanErrorRatiosOverK},
	{"fan-5", fanBestKOverN},
	{"fan-6", fanBestKOverM},
	{"fan-7", fanRatesOverN},
	{"fan-8", fanExcessOverN},
	{"fan-9", fanRatesOverM},
	{"fan-10", fanExcessOverM},
	{"fan-11", fanRatesOverK},
	{"fan-12", fanExcessOverK},
	{"fan-13", fanCountsOverN},
	{"fan-14", fanCountsOverM},
	{"fan-15", fanCountsOverK},
	{"dozier-fp-3", onePhase},
	{"dozier-fp-4", twoPhase},
	{"dozier-fp-5", messageBounded},
	{"dozier-fp-6", overBits},
	{"dozier-fp-7", overRates},
	{"dozier-fp-8", phases},
	{"dozier-fn-2", bounds},
	{"dozier-fn-3", times},
	{"dozier-fn-4", overMemory},
	{"dozier-fn-5", trends},
	{"dozier-fn-6", crossover},
	{"dozier-fn-7", overTraces},
	{"dozier-fn-10", bestHashes},
	{"frontier", frontier},
	{"small-filters", smallFilters},
	{"blocks-bits", blocks},
	{"double-hashing", doubles},
	{"cycles", cycles},
}

func (p plan) draw() error {
	if p.filters < fillRuns || p.filters > 1<<40 {
		return fmt.Errorf("-filters: must be between %d and 2^40, got %d", fillRuns, p.filters)
	}
	if p.epoch < 1 || p.epoch > 1<<40 {
		return fmt.Errorf("-epoch: must be between 1 and 2^40, got %d", p.epoch)
	}
	if err := os.MkdirAll(p.dir, 0o755); err != nil {
		return err
	}
	drawn := false
	for _, f := range figures {
		if !p.wants(f.name) {
			continue
		}
		drawn = true
		if err := f.draw(p); err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
	}
	if !drawn {
		return fmt.Errorf("-only: no figure begins with any of %q", p.only)
	}
	return nil
}

func (p plan) wants(name string) bool {
	for _, begin := range strings.Split(p.only, ",") {
		if strings.HasPrefix(name, begin) {
			return true
		}
	}
	return false
}
