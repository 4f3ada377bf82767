package main

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// These flags define a workload.
var (
	repeatFlag     = flagSpec{"repeat", "P", "probability that an arrival is of a message that arrived before, 0 to 1"}
	popularityFlag = flagSpec{"popularity", "SPEC", "which one: zipf:ALPHA:D, uniform:D, biuniform:S:PH:D, list:0.5,0.3,0.2\nor file:PATH (one weight a line), the most popular first"}
	arrivalsFlag   = flagSpec{"arrivals", "SPEC", "rank at which a new message enters, the last one leaving: popularity (by the same law,\nthe default), uniform, last, first or file:PATH (one weight a rank)"}
)

// The method "workload" returns the workload that -repeat, -popularity and -arrivals define.
func (c *call) workload() bloomproof.Workload {
	c.need("popularity", "repeat")
	w := bloomproof.Workload{Repeat: c.probability("repeat")}
	if c.has("popularity") {
		p, err := c.popularity(c.text("popularity"))
		w.Popularity = p
		if err == nil {
			err = bloomproof.Workload{Popularity: p}.Validate()
		}
		c.failSpec("popularity", err)
	}
	if c.has("arrivals") && c.err == nil {
		err := c.arrivals(c.text("arrivals"), &w)
		if err == nil {
			alone := w
			alone.Popularity, alone.Repeat = bloomproof.Uniform(w.Popularity.D), 0
			err = alone.Validate()
		}
		c.failSpec("arrivals", err)
	}
	return w
}

// failSpec fails with an error that names the flag whose SPEC is wrong.
func (c *call) failSpec(name string, err error) {
	var io *ioError
	switch {
	case err == nil:
	case errors.As(err, &io):
		c.fail(&ioError{name, io.err})
	case errors.Is(err, context.Canceled):
		c.fail(interrupted(err, 0))
	default:
		c.fail(&usageError{name, err.Error()})
	}
}

// The method "probability" returns the value of a flag, which must be a decimal in [0, 1].
func (in *inputs) probability(name string) float64 {
	if !in.has(name) {
		return 0
	}
	text := in.values[name].text
	r, ok := parseDecimal(text)
	if !ok || r.Cmp(big.NewRat(1, 1)) > 0 {
		in.fail(&bloomproof.ParamError{Param: name, Value: text, Want: "a decimal of at least 0 and at most 1 such as 0.9"})
		return 0
	}
	p, _ := r.Float64()
	return p
}

func (c *call) popularity(spec string) (bloomproof.Popularity, error) {
	wrong := fmt.Errorf("must be zipf:ALPHA:D, uniform:D, biuniform:S:PH:D, list:W,W,... or file:PATH, got %s", quote(spec))
	kind, rest, _ := strings.Cut(spec, ":")
	parts := strings.Split(rest, ":")
	switch {
	case kind == "list":
		w, err := weights(strings.Split(rest, ","))
		return bloomproof.Weights(w), err
	case kind == "file":
		w, err := c.weightFile(rest)
		return bloomproof.Weights(w), err
	case kind == "uniform" && len(parts) == 1, kind == "zipf" && len(parts) == 2, kind == "biuniform" && len(parts) == 3:
	default:
		return bloomproof.Popularity{}, wrong
	}
	d, err := parseNumber(parts[len(parts)-1])
	if err != nil {
		return bloomproof.Popularity{}, wrong
	}
	switch kind {
	case "uniform":
		return bloomproof.Uniform(d), nil
	case "zipf":
		alpha, ok := parseDecimal(parts[0])
		if !ok {
			return bloomproof.Popularity{}, wrong
		}
		x, _ := alpha.Float64()
		return bloomproof.Zipf(x, d), nil
	}
	s, err := parseNumber(parts[0])
	ph, ok := parseDecimal(parts[1])
	if err != nil || !ok {
		return bloomproof.Popularity{}, wrong
	}
	x, _ := ph.Float64()
	return bloomproof.BiUniform(s, x, d), nil
}

// The method "arrivals" parses spec and sets the distribution of arrivals in the workload w.
func (c *call) arrivals(spec string, w *bloomproof.Workload) (err error) {
	if path, ok := strings.CutPrefix(spec, "file:"); ok {
		w.ArrivalWeights, err = c.weightFile(path)
		return err
	}
	for _, law := range []bloomproof.Arrivals{bloomproof.ArrivalPopularity, bloomproof.ArrivalUniform, bloomproof.ArrivalLast, bloomproof.ArrivalFirst} {
		if law.String() == spec {
			w.Arrivals = law
			return nil
		}
	}
	return fmt.Errorf("must be popularity, uniform, last, first or file:PATH, got %s", quote(spec))
}

// weightFile returns the weights from a file, one per line. The file may be compressed by gzip.
func (c *call) weightFile(name string) ([]float64, error) {
	in, err := openTrace(name, c.stdin)
	if err != nil {
		return nil, err
	}
	defer in.close()
	w := []float64{} // an empty list, because nil would mean that there is no list
	err = eachLine(c.ctx, in, func(line []byte) error {
		x, err := weights([]string{strings.TrimSpace(string(line))})
		if err != nil {
			return &ioError{"", fmt.Errorf("line %d: %w", len(w)+1, err)}
		}
		w = append(w, x...)
		return nil
	})
	return w, err
}

// The function "weights" parses decimals, which must be at least 0.
func weights(texts []string) ([]float64, error) {
	w := make([]float64, len(texts))
	for i, text := range texts {
		r, ok := parseDecimal(text)
		if !ok {
			return nil, fmt.Errorf("a weight must be a decimal such as 0.5 or 1e-3, got %s", quote(text))
		}
		w[i], _ = r.Float64()
	}
	return w, nil
}
