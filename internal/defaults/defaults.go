// Package defaults has what is taken where nothing else is named.
package defaults

// Seed is that of an examination and of a property test.
const Seed = 20040927
