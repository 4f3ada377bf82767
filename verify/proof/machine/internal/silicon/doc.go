// Package silicon compares package semantics with the processor that it runs on. It executes a single instruction from
// many initial states, and compares all registers, flags and memory.
package silicon
