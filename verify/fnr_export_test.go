package verify

import approxfnr "github.com/bloomproof/bloomproof/approx/fnr"

// ModelNamed returns a model of approx/fnr by its name.
func ModelNamed(name string) approxfnr.Model { return approxfnr.Model(name) }
