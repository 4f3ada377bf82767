// Package defaults has the defaults that several packages share.
package defaults

// Seed is the default seed of an examination and of a property test.
const Seed = 20040927
