// Package silicon checks that package semantics defines the effects of instructions correctly. It executes single
// instructions on the processor of this computer, from many initial states. Then it compares all registers, the flags
// and the memory with the results of package semantics.
package silicon
