// Package fuzz has the fuzz targets for the functions that the packages export, one file per target. The names of the
// seeds under testdata/fuzz say what the seeds show, and every crash that is found becomes a seed. As ordinary tests
// (go test ./fuzz) the targets run their seeds; make fuzz runs each target for FUZZTIME.
package fuzz
