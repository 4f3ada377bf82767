// Package fuzz has the fuzz targets for the functions that the packages export, one file per target. The name of each
// seed under testdata/fuzz says what the seed shows. Every crash that is found becomes a seed. To run the seeds of all
// targets as ordinary tests, use "go test ./fuzz". To run each target for FUZZTIME, use "make fuzz".
package fuzz
