package main

import (
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"strconv"
)

// readTable returns the head of a CSV and the rows below the head.
func readTable(path string) (head []string, rows [][]string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comment = '#'
	all, err := r.ReadAll()
	if err == nil && len(all) < 2 {
		err = fmt.Errorf("nothing is recorded")
	}
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", path, err)
	}
	return all[0], all[1:], nil
}

// parse returns the number in a cell, or NaN if there is no number.
func parse(cell string) float64 {
	x, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		return math.NaN()
	}
	return x
}

// The method read reads the numbers of a chart from its CSV. The series of the chart must have no numbers yet.
func (c *chart) read(path string) error {
	head, rows, err := readTable(path)
	if err != nil {
		return err
	}
	column := map[string][]float64{}
	for _, row := range rows {
		for i, name := range head {
			column[name] = append(column[name], parse(row[i]))
		}
	}
	c.at = column[c.xColumn]
	for i := range c.series {
		s := &c.series[i]
		s.y, s.low, s.high = column[s.column], column[s.column+"_low"], column[s.column+"_high"]
		if len(c.at) == 0 || len(s.y) == 0 {
			return fmt.Errorf("%s: no column %s", path, s.column)
		}
	}
	return nil
}
