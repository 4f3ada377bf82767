package fnr

import (
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// A Model is a way to the false-negative rate of a recycling filter. The constants are the
// models that Best prefers. The others of the paper are reached by their names (UnmarshalText);
// docs/fnr.md says how far each is from real filters.
type Model uint8

const (
	// modelLower counts the most popular messages as recorded, (5).
	modelLower Model = iota
	// modelReplacement draws the recorded messages with replacement, (6).
	modelReplacement
	// modelUniform makes all messages equally popular, (7).
	modelUniform
	// modelBiUniform makes them popular in two steps, section 4.2.4.
	modelBiUniform
	// modelPins draws until so many are distinct in the mean, (10) and (11).
	modelPins
	// modelPinsArrivals is modelPins with the new messages among the draws.
	modelPinsArrivals
	// ModelRenewal follows the arrivals of a cycle, (16) to (28), sums to sigma.
	ModelRenewal
	// modelRenewalExtended carries (19) and the sums of (21) and (22) to sigma+k.
	modelRenewalExtended
	// ModelRenewalRetaining is ModelRenewal for cycles that begin with a message recorded.
	ModelRenewalRetaining
	// modelLeaveOneOut follows the arrivals beside each message, (34) to (37).
	modelLeaveOneOut
	// ModelDisabling follows each message over the distinct ones, (42) and (43).
	ModelDisabling
	// ModelFluid is the limit of large filters.
	ModelFluid
	// ModelExact takes the formulas that are exact at full size.
	ModelExact

	models
)

var modelNames = [models]string{
	"lower", "replacement", "uniform", "biuniform", "pins", "pins-arrivals",
	"renewal", "renewal-extended", "renewal-retaining", "renewal-leave-one-out",
	"disabling", "fluid", "exact",
}

// String returns the model's name, such as "renewal-leave-one-out".
func (m Model) String() string {
	if m < models {
		return modelNames[m]
	}
	return fmt.Sprintf("Model(%d)", uint8(m))
}

// validate returns a ParamError when m is none of the named values.
func (m Model) validate() error {
	if m < models {
		return nil
	}
	return &bloomproof.ParamError{Param: "model", Value: uint8(m), Want: oneOfModels()}
}

// MarshalText returns the name of m; it returns a ParamError when m has none.
func (m Model) MarshalText() ([]byte, error) { return []byte(m.String()), m.validate() }

// UnmarshalText sets m to the value that text names; m is unchanged when it returns a
// ParamError.
func (m *Model) UnmarshalText(text []byte) error {
	for i, name := range modelNames {
		if name == string(text) {
			*m = Model(i)
			return nil
		}
	}
	return &bloomproof.ParamError{Param: "model", Value: string(text), Want: oneOfModels()}
}

func oneOfModels() string { return "one of " + strings.Join(modelNames[:], ", ") }

// Models lists the models, the closest to real filters first: by verify.TestDisablingIsClosest
// and by simulation (docs/fnr.md). Their values are in the order of the paper.
func Models() []Model {
	return []Model{
		ModelExact, ModelRenewalRetaining, ModelDisabling, ModelRenewal, modelRenewalExtended, modelLeaveOneOut,
		ModelFluid, modelPinsArrivals, modelPins, modelBiUniform, modelReplacement, modelUniform, modelLower,
	}
}
