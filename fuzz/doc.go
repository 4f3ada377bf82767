// Package fuzz holds the fuzz targets of what the packages export, one file per
// target. The seeds under testdata/fuzz are named after what they show, and every
// crash that is found becomes one of them. As ordinary tests (go test ./fuzz) the
// targets run their seeds; make fuzz runs each for FUZZTIME.
package fuzz
