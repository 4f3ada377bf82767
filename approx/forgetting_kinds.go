package approx

// kind says what the model's false-negative rate is to that of the filter.
func (c *Forgetting) kind(Model) Kind { return KindApproximation }
