//go:build gc && !purego

package host

import "github.com/bloomproof/bloomproof/kernel/asm"

// The variable "kernels" lists all kernels for this architecture. A test compares this list with the declarations of
// package asm.
var kernels = []kernel{
	{Block, NEON, "BlockContains512NEON", asm.BlockContains512NEON, blockContains512},
	{Block, NEON, "BlockAdd512NEON", asm.BlockAdd512NEON, blockAdd512},
	{Block, NEON, "BlockContains512OneNEON", asm.BlockContains512OneNEON, blockContains512One},
	{Block, NEON, "BlockAdd512OneNEON", asm.BlockAdd512OneNEON, blockAdd512One},
	{Block, NEON, "BlockContains8x64NEON", asm.BlockContains8x64NEON, blockContains8x64},
	{Block, NEON, "BlockAdd8x64NEON", asm.BlockAdd8x64NEON, blockAdd8x64},
	{Block, NEON, "BlockContains8x64OneNEON", asm.BlockContains8x64OneNEON, blockContains8x64One},
	{Block, NEON, "BlockAdd8x64OneNEON", asm.BlockAdd8x64OneNEON, blockAdd8x64One},
	{Block, NEON, "BlockContains8x32NEON", asm.BlockContains8x32NEON, blockContains8x32},
	{Block, NEON, "BlockAdd8x32NEON", asm.BlockAdd8x32NEON, blockAdd8x32},
	{Block, NEON, "BlockContains8x32OneNEON", asm.BlockContains8x32OneNEON, blockContains8x32One},
	{Block, NEON, "BlockAdd8x32OneNEON", asm.BlockAdd8x32OneNEON, blockAdd8x32One},
	{Popcount, NEON, "CountNEON", asm.CountNEON, count},
	{Popcount, NEON, "AndCountNEON", asm.AndCountNEON, andCount},
	{Popcount, NEON, "OrCountNEON", asm.OrCountNEON, orCount},
	{Popcount, NEON, "XorCountNEON", asm.XorCountNEON, xorCount},
	{Popcount, NEON, "AndNotCountNEON", asm.AndNotCountNEON, andNotCount},
	{Popcount, NEON, "AndIntoNEON", asm.AndIntoNEON, andInto},
	{Popcount, NEON, "OrIntoNEON", asm.OrIntoNEON, orInto},
	{Popcount, NEON, "AndNotIntoNEON", asm.AndNotIntoNEON, andNotInto},
	{Probe, NEON, "PositionsNEON", asm.PositionsNEON, positions},
	{Probe, NEON, "ContainsNEON", asm.ContainsNEON, contains},
	{Probe, NEON, "AddNEON", asm.AddNEON, add},
	{Probe, NEON, "ContainsAtNEON", asm.ContainsAtNEON, containsAt},
	{Probe, NEON, "AddAtNEON", asm.AddAtNEON, addAt},
	{Probe, NEON, "AddSlicesAtNEON", asm.AddSlicesAtNEON, addSlicesAt},
	{Probe, NEON, "ContainsPairNEON", asm.ContainsPairNEON, containsPair},
	{Probe, NEON, "ContainsPairAtNEON", asm.ContainsPairAtNEON, containsPairAt},
	{Probe, NEON, "AddPairAtNEON", asm.AddPairAtNEON, addPairAt},
	{Probe, NEON, "PrefetchNEON", asm.PrefetchNEON, prefetch},
	{Probe, NEON, "ContainsRingNEON", asm.ContainsRingNEON, contains},
	{Probe, NEON, "ContainsRingNTANEON", asm.ContainsRingNTANEON, contains},
	{Probe, NEON, "ContainsPairRingNEON", asm.ContainsPairRingNEON, containsPair},
	{Probe, NEON, "ContainsPairRingNTANEON", asm.ContainsPairRingNTANEON, containsPair},
	{Transition, NEON, "TransitionRowsNEON", asm.TransitionRowsNEON, transitionRows},
	{Transition, NEON, "TransitionSumsNEON", asm.TransitionSumsNEON, transitionSums},
	{Transition, NEON, "TransitionStepNEON", asm.TransitionStepNEON, transitionStep},
}
