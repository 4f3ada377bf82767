package exported

import (
	_ "unsafe" // for go:linkname

	"github.com/bloomproof/bloomproof"
)

// hashingRule and hashingRules are those of package bloomproof; the linker joins the two variables. A test file of package
// bloomproof would have the go command compile the packages that import bloomproof a second time, for this test alone.
type hashingRule struct {
	name string
	fits func(k int, bits uint64, name string) error
}

//go:linkname hashingRules github.com/bloomproof/bloomproof.hashingRules
var hashingRules []hashingRule

// declareHashing adds a hashing that has a name and nothing else: no package implements
// it. It returns the hashing, and a function that takes it back.
func declareHashing(name string) (h bloomproof.Hashing, undo func()) {
	before := hashingRules
	hashingRules = append(hashingRules[:len(before):len(before)], hashingRule{name, func(int, uint64, string) error { return nil }})
	return bloomproof.Hashing(len(before)), func() { hashingRules = before }
}
