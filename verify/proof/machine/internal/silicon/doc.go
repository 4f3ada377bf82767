// Package silicon compares the effects that package semantics gives to instructions with those on the processor that it
// runs on. It executes a single instruction from many initial states, and compares all registers, flags and memory.
package silicon
