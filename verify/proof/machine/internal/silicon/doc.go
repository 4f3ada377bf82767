// Package silicon compares package semantics with the processor that it runs on. It runs a single instruction from many
// states, and compares all registers, flags and memory.
package silicon
