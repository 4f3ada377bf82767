// Package silicon compares package semantics with the processor it runs on: it runs an
// instruction from many states, alone, and compares all registers, flags and memory.
package silicon
