package verify

import approxfnr "github.com/bloomproof/bloomproof/approx/fnr"

// ModelNamed returns a model of approx/fnr by its name.
func ModelNamed(name string) (m approxfnr.Model) {
	if err := m.UnmarshalText([]byte(name)); err != nil {
		panic(err)
	}
	return m
}
