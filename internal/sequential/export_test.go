package sequential

// N returns the number of samples taken.
func (t *MeanTest) N() uint64 { return t.n }

// Looks returns the number of looks of a test that runs to its end.
func (t *MeanTest) Looks() int { return t.looks }
