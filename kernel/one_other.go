//go:build !gc || purego || race || !amd64

package kernel

func newOneKey(*layout, *Hasher, impl, []uint64) (o oneKey) { return o }

func containsKey(f *Filter, key *byte, n int) bool { return containsKeyRest(f, key, n) }

func addKey(f *Filter, key *byte, n int) uint64 { return addKeyRest(f, key, n) }

func containsInBlock(f *Filter, h0, h1 uint64) bool { return containsHashRest(f, h0, h1) }

func addInBlock(f *Filter, h0, h1 uint64) uint64 { return addHashRest(f, h0, h1) }
