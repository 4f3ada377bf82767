// Package fuzz has the fuzz targets for the functions that the packages export, one file per target. The name of each
// seed under testdata/fuzz says what the seed shows. Every crash that is found becomes a seed. The command go test
// ./fuzz runs the seeds of all targets as ordinary tests, and make fuzz runs each target for FUZZTIME.
package fuzz
