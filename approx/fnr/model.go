package fnr

import (
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// A Model is the name of a method that computes the false-negative rate of a recycling filter. The exported constants
// are the models that Least and LeastBits use. Models lists all models. The equations in Dozier-FN of each model are:
// lower (5), replacement (6), uniform (7), biuniform (4.2.4), pins and pins-arrivals (10) and (11), renewal,
// renewal-extended and renewal-retaining (16) to (28), renewal-leave-one-out (34) to (37), disabling (42) and (43).
// fluid is the limit of large filters, and exact uses formulas that are exact for filters of any size. docs/fnr.md
// compares each model with simulated filters.
type Model string

const (
	// modelLower assumes that the most popular messages are recorded, (5).
	modelLower Model = "lower"
	// modelReplacement draws the recorded messages with replacement, (6).
	modelReplacement Model = "replacement"
	// modelUniform makes all messages equally popular, (7).
	modelUniform Model = "uniform"
	// modelBiUniform gives the messages two different popularities, section 4.2.4.
	modelBiUniform Model = "biuniform"
	// modelPins draws messages until the mean number of distinct messages is i, (10) and (11).
	modelPins Model = "pins"
	// modelPinsArrivals is the same model as modelPins, except that its draws include new messages.
	modelPinsArrivals Model = "pins-arrivals"
	// ModelRenewal follows the arrivals of a cycle, (16) to (28), with sums up to sigma.
	ModelRenewal Model = "renewal"
	// modelRenewalExtended is the same model as ModelRenewal with larger sums: (19), (21) and (22) go up to sigma+k.
	modelRenewalExtended Model = "renewal-extended"
	// ModelRenewalRetaining is the same model as ModelRenewal for cycles that begin with a recorded message.
	ModelRenewalRetaining Model = "renewal-retaining"
	// modelLeaveOneOut follows, for each message, the arrivals of all other messages, (34) to (37).
	modelLeaveOneOut Model = "renewal-leave-one-out"
	// modelDisabling follows each message while distinct messages are recorded, (42) and (43).
	modelDisabling Model = "disabling"
	// modelFluid computes the limit of large filters.
	modelFluid Model = "fluid"
	// ModelExact uses formulas that are exact for filters of any size.
	ModelExact Model = "exact"
)

// validate returns a ParamError if m is not one of the models.
func (m Model) validate() error {
	if slices.Contains(Models(), m) {
		return nil
	}
	names := make([]string, len(Models()))
	for i, known := range Models() {
		names[i] = string(known)
	}
	return &bloomproof.ParamError{Param: "model", Value: string(m), Want: "one of " + strings.Join(names, ", ")}
}

// Models lists the models. Those closest to real filters come first, as found by verify.TestDisablingIsClosest and by
// simulation (docs/fnr.md).
func Models() []Model {
	return []Model{
		ModelExact, ModelRenewalRetaining, modelDisabling, ModelRenewal, modelRenewalExtended, modelLeaveOneOut,
		modelFluid, modelPinsArrivals, modelPins, modelBiUniform, modelReplacement, modelUniform, modelLower,
	}
}
