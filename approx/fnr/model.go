package fnr

import (
	"fmt"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// A Model is a way to the false-negative rate of a recycling filter.
type Model uint8

const (
	// ModelLower counts the most popular messages as recorded, (5).
	ModelLower Model = iota
	// ModelReplacement draws the recorded messages with replacement, (6).
	ModelReplacement
	// ModelUniform makes all messages equally popular, (7).
	ModelUniform
	// ModelBiUniform makes them popular in two steps, section 4.2.4.
	ModelBiUniform
	// ModelPins draws until so many are distinct in the mean, (10) and (11).
	ModelPins
	// ModelPinsArrivals is ModelPins with the new messages among the draws.
	ModelPinsArrivals
	// ModelRenewal follows the arrivals of a cycle, (16) to (28), sums to sigma.
	ModelRenewal
	// ModelRenewalExtended carries (19) and the sums of (21) and (22) to sigma+k.
	ModelRenewalExtended
	// ModelRenewalRetaining is ModelRenewal for cycles that begin with a message recorded.
	ModelRenewalRetaining
	// ModelLeaveOneOut follows the arrivals beside each message, (34) to (37).
	ModelLeaveOneOut
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

// Models lists the models.
func Models() []Model {
	all := make([]Model, models)
	for i := range all {
		all[i] = Model(i)
	}
	return all
}

// String returns the model's name, such as "renewal-leave-one-out".
func (m Model) String() string {
	if m < models {
		return modelNames[m]
	}
	return fmt.Sprintf("Model(%d)", uint8(m))
}

// Validate returns a ParamError when m is none of the named values.
func (m Model) Validate() error {
	if m < models {
		return nil
	}
	return &bloomproof.ParamError{Param: "model", Value: uint8(m), Want: oneOfModels()}
}

// MarshalText returns the name of m; it returns a ParamError when m has none.
func (m Model) MarshalText() ([]byte, error) { return []byte(m.String()), m.Validate() }

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

// ModelsByAccuracy lists the models as Best tries them, the closest to real filters first: by
// verify.TestDisablingIsClosest and by simulation (docs/fnr.md).
func ModelsByAccuracy() []Model {
	return []Model{
		ModelExact, ModelRenewalRetaining, ModelDisabling, ModelRenewal, ModelRenewalExtended, ModelLeaveOneOut,
		ModelFluid, ModelPinsArrivals, ModelPins, ModelBiUniform, ModelReplacement, ModelUniform, ModelLower,
	}
}
