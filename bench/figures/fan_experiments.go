package main

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"

	"github.com/bloomproof/bloomproof"
	"github.com/bloomproof/bloomproof/exact"
)

// This file draws figures 5 to 15 of Fan et al., section 6. There is a panel for each of the paper's four sets of keys,
// and one for the keys of the trace in this repository. The measured points come from the records that "make fan"
// writes.

// fanSets are the data sets of the records.
var fanSets = []struct {
	name, title string
	unit        float64 // the unit of m and n on the axes
	units       string
}{
	{"500M", "(a) 500M bits", 1e6, "millions"},
	{"7.5M", "(b) 7.5M bits", 1e6, "millions"},
	{"0.85M", "(c) 0.85M bits", 1e3, "thousands"},
	{"1.15M", "(d) 1.15M bits", 1e3, "thousands"},
	{"kjv", "words of the shipped trace, 15,950 bits", 1e3, "thousands"},
}

// record is a row of a record file. It maps the name of each column to the number in this column. A cell that is not a
// number is NaN.
type record map[string]float64

// readRecord returns the rows of the record of this kind for a set of keys. If increment is not empty, it returns only
// the rows with this rule of increment.
func (from plan) readRecord(kind, set, increment string) (rows []record, err error) {
	head, table, err := readTable(filepath.Join(from.records, "fan-"+kind+"-"+set+".csv"))
	if err != nil {
		return nil, err
	}
	for _, line := range table {
		row := record{}
		for i, name := range head {
			row[name] = parse(line[i])
		}
		if increment == "" || line[0] == increment {
			rows = append(rows, row)
		}
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the record of the set %s has no %s increments", set, increment)
	}
	return rows, nil
}

// The type varied is the parameter that a figure varies. The other parameters have the values of section 6 of the
// paper. The number m of bits depends on the set of keys, the number n of items is m/10, and the number k of positions
// is 6.
type varied string

const (
	overN varied = "n"
	overM varied = "m"
	overK varied = "k"
)

// The method named of returns the rows in which only this parameter varies, sorted by this parameter. The argument m is
// the number of bits that belongs to the set of keys.
func (v varied) of(rows []record, m float64) (some []record) {
	for _, r := range rows {
		_, hasK := r["k"] // records of the best k have no k
		if (v == overM || r["m"] == m) && (v == overN || r["n"] == math.Floor(m/10)) && (v == overK || !hasK || r["k"] == 6) {
			some = append(some, r)
		}
	}
	slices.SortFunc(some, func(a, b record) int { return cmp.Compare(a[string(v)], b[string(v)]) })
	return some
}

// label returns the label of the horizontal axis.
func (v varied) label(units string) string {
	if v == overK {
		return "k"
	}
	return string(v) + ", " + units
}

// curve is a series from a record. The field named from names the column with the numbers. The fields low and high name
// the columns with the ends of the confidence intervals of these numbers. If the field compute is set, the numbers are
// not in the record, and the function compute returns them.
type curve struct {
	series
	from, low, high string
	compute         func(record) (float64, error)
	increment       string
}

// The method experiment draws a figure of section 6 from the records of one kind.
func (to plan) experiment(number int, what, kind, y string, over varied, logY bool, curves ...curve) error {
	held := map[varied]string{overN: "k = 6", overM: "k = 6, n is a tenth of the bits in the titles", overK: "n is a tenth of the bits"}[over]
	if kind == "best-k" {
		held = map[varied]string{overN: "k from 3 to 12 were measured", overM: "k from 3 to 12 were measured, n is a tenth of the bits in the titles"}[over]
	}
	s := sheet{title: fmt.Sprintf("Fan, figure %d: %s", number, what), note: held, column: "set"}
	for _, set := range fanSets {
		c := chart{title: set.title, xColumn: string(over), x: over.label(set.units), y: y, logY: logY}
		if over != overK {
			c.xUnit = set.unit
		}
		for i, curve := range curves {
			rows, err := to.readRecord(kind, set.name, curve.increment)
			if err != nil {
				return err
			}
			rows = over.of(rows, rows[0]["m"]) // the first row has the m of the set
			out := curve.series
			for _, r := range rows {
				if i == 0 {
					c.at = append(c.at, r[string(over)])
				}
				y := r[curve.from]
				if curve.compute != nil {
					if y, err = curve.compute(r); err != nil {
						return err
					}
				}
				out.y = append(out.y, y)
				if curve.low != "" {
					out.low, out.high = append(out.low, r[curve.low]), append(out.high, r[curve.high])
				}
			}
			if len(out.y) != len(c.at) || len(c.at) < 5 {
				return fmt.Errorf("figure %d, %s: %d points, %d recorded", number, set.name, len(c.at), len(out.y))
			}
			c.series = append(c.series, out)
		}
		s.panels = append(s.panels, panel{set.name, c})
	}
	return s.save(to.base(fmt.Sprintf("fan-%d", number)))
}

// fanBestK draws figures 5 and 6.
func (to plan) fanBestK(number int, over varied) error {
	return to.experiment(number, "the best k", "best-k", "k", over, false,
		curve{series: series{column: "exact", name: "by the exact rate", color: blue}, from: "exact_best_k"},
		curve{series: series{column: "formula_9", name: "(m/n) ln 2, (9)", color: gray, dash: true}, from: "formula_9"},
		curve{series: series{column: "formula_15", name: "by entropy, (15)", color: red, dash: true}, from: "formula_15"},
		curve{series: series{column: "measured", name: "measured; bars: k not excluded at 99 %", color: orange},
			from: "measured_best_k", low: "measured_least_k_99", high: "measured_most_k_99"})
}

func fanBestKOverN(to plan) error { return to.fanBestK(5, overN) }
func fanBestKOverM(to plan) error { return to.fanBestK(6, overM) }

// fanRates draws figures 7, 9 and 11.
func (to plan) fanRates(number int, over varied) error {
	return to.experiment(number, "false-positive rate", "rates", "rate", over, true,
		curve{series: series{column: "exact", name: "exact", color: blue}, from: "exact"},
		curve{series: series{column: "bloom", name: "f_bloom (2)", color: gray, dash: true}, from: "bloom"},
		curve{series: series{column: "upper", name: "upper bound (19)", color: red, dash: true}, from: "upper"},
		curve{series: series{column: "bose_upper", name: "Bose's upper bound, constant 1", color: green, dash: true}, from: "bose_upper"},
		curve{series: series{column: "measured", name: "measured, one filter, 99 % interval", color: orange},
			from: "rate", low: "rate_low_99", high: "rate_high_99"})
}

func fanRatesOverN(to plan) error { return to.fanRates(7, overN) }
func fanRatesOverM(to plan) error { return to.fanRates(9, overM) }
func fanRatesOverK(to plan) error { return to.fanRates(11, overK) }

// fanExcess draws figures 8, 10 and 12: the relative differences between the bounds and the formula f_bloom. It also
// draws the relative difference between the exact rate and f_bloom.
func (to plan) fanExcess(number int, over varied) error {
	lines := ratios()
	return to.experiment(number, "error ratios beta = (bound - f_bloom) / f_bloom", "rates", "beta", over, true,
		curve{series: lines[0], from: "error_ratio_bose"},
		curve{series: lines[1], from: "error_ratio_upper"},
		curve{series: lines[2], compute: func(r record) (float64, error) {
			e, err := exact.Excess(bloomproof.BoundBloom, bloomproof.Geometry{M: uint64(r["m"]), K: int(r["k"])}, uint64(r["n"]), 64)
			return e.Float64(), err
		}})
}

func fanExcessOverN(to plan) error { return to.fanExcess(8, overN) }
func fanExcessOverM(to plan) error { return to.fanExcess(10, overM) }
func fanExcessOverK(to plan) error { return to.fanExcess(12, overK) }

// fanCounts draws figures 13 to 15, where each distinct counter is incremented once. The CSV also has the result for
// the rule that increments a counter once per hash function. This result is not drawn, because the difference would not
// be visible.
func (to plan) fanCounts(number int, over varied) error {
	distinct, literal := bloomproof.Distinct.String(), bloomproof.Literal.String()
	return to.experiment(number, "correct rate of counting filters", "counting", "correct rate", over, false,
		curve{series: series{column: "exact_distinct", name: "exact", color: blue}, from: "exact", increment: distinct},
		curve{series: series{column: "lower", name: "lower bound (26)", color: red, dash: true}, from: "lower", increment: distinct},
		curve{series: series{column: "upper", name: "upper bound (26)", color: gray, dash: true}, from: "upper", increment: distinct},
		curve{series: series{column: "exact_literal"}, from: "exact", increment: literal},
		curve{series: series{column: "measured_distinct", name: "measured, one filter, 99 % interval", color: orange},
			from: "correct_rate", low: "low_99", high: "high_99", increment: distinct},
		curve{series: series{column: "measured_literal"},
			from: "correct_rate", low: "low_99", high: "high_99", increment: literal})
}

func fanCountsOverN(to plan) error { return to.fanCounts(13, overN) }
func fanCountsOverM(to plan) error { return to.fanCounts(14, overM) }
func fanCountsOverK(to plan) error { return to.fanCounts(15, overK) }
