package fnr

import (
	"slices"
	"strings"

	"github.com/bloomproof/bloomproof"
)

// A Model is the name of a method that computes the false-negative rate of a recycling filter. The exported constants
// are the models that Least and LeastBits use. Models lists all models. Most models are defined by equations of
// Dozier-FN. Equations (5), (6) and (7) define "lower", "replacement" and "uniform". Equations (10) and (11) define
// "pins" and "pins-arrivals". Equations (16) to (28) define "renewal", "renewal-extended" and "renewal-retaining".
// Equations (34) to (37) define "renewal-leave-one-out". Equations (42) and (43) define "disabling". Section 4.2.4
// defines "biuniform". The model "exact" uses formulas that are exact for filters of any size. The page docs/fnr.md
// compares each model with simulated filters.
//
// The model "fluid" is a limit: m, sigma and D grow together, and random variation vanishes. Let y be the number of
// messages that set sigma bits on average, but at least 1. The cycle ends when the mean number of recorded messages
// reaches y. The capacity of approx/recycling.Fluid can be below 1. So for sigma < k the two models can differ. The
// number of arrivals need not be an integer. In three cases, a message of probability q is unrecorded after n arrivals
// with probability (1-q)^n. In the first case, p_r = 1. In the second case, new messages enter at the last rank. In the
// third case, all messages that can arrive are equally popular, and new messages enter at each of their ranks with
// equal probability. The model uses this formula also if n is not an integer. It does not matter in which form the
// workload states these cases. In all other cases the model interpolates: linearly for lists of arrivals, and smoothly
// for longer cycles. If a cycle has T arrivals, the difference of the two interpolations is of order 1/T^2.
//
// The model "renewal-extended" sums the false negatives over states with up to sigma+k set bits. It sums the arrivals
// only over states with up to sigma set bits. So its rate can be above p_r if few messages fit. Predict then says that
// it is not valid.
//
// With two phases the renewal models extend equation (27). That equation takes the false negatives of a cycle from the
// arrivals of two cycles, but leaves out the arrival between them, which ends the first cycle. The claim dozier-fn.eq27
// in docs/claims.md repairs the equation in this form. The models include that arrival. Let g_i be the probability that
// the message at rank i is unrecorded before the arrival that ends the first cycle. Let eta be p_r sum(q_i g_i) +
// 1-p_r. That arrival is the message at rank i with probability (p_r q_i g_i + (1-p_r) zeta_i)/eta, and a new message
// shifts the ranks below its own. Every other message at rank i is then in neither array with probability g_i. The
// message itself is recorded in the frozen array with freeze-after, and in the active array of filters that retain it.
// With freeze-before and without retaining, it is in neither array. Now take the mean of these probabilities over the
// arrivals at which the first cycle can end. During the second cycle they change by equation (24). Let R_j be the
// probability that a repeat at arrival j finds its message in neither array, for all messages other than the one that
// ended the first cycle. Let T_j be the same for that message. Let gF be the probability that the frozen array has all
// positions of a message that it has not recorded. Let A_j be the probability that the second cycle has an arrival j,
// and let C_j be the probability that it has, and that a message unrecorded there sets a bit. The false-negative rate
// is
//
//	p_r sum over j of C_j ((1-gF) R_j + T_j), divided by the sum over j of A_j.
type Model string

const (
	// modelLower assumes that the most popular messages are recorded (equation (5)).
	modelLower Model = "lower"
	// modelReplacement draws the recorded messages with replacement (equation (6)).
	modelReplacement Model = "replacement"
	// modelUniform makes all messages equally popular (equation (7)).
	modelUniform Model = "uniform"
	// modelBiUniform gives each message one of two popularities (section 4.2.4).
	modelBiUniform Model = "biuniform"
	// modelPins chooses a number of draws (equations (10) and (11)). The mean number of distinct messages among these
	// draws equals the number of recorded messages.
	modelPins Model = "pins"
	// modelPinsArrivals is the same model as modelPins, except that its draws include new messages.
	modelPinsArrivals Model = "pins-arrivals"
	// ModelRenewal follows the arrivals of a cycle (equations (16) to (28)). In its sums, the number of set bits goes
	// up to sigma.
	ModelRenewal Model = "renewal"
	// modelRenewalExtended is the same model as ModelRenewal, with one exception. The sums in equations (19), (21) and
	// (22) go up to sigma+k set bits.
	modelRenewalExtended Model = "renewal-extended"
	// ModelRenewalRetaining is the same model as ModelRenewal for cycles that begin with a recorded message.
	ModelRenewalRetaining Model = "renewal-retaining"
	// modelLeaveOneOut follows, for each message, the arrivals of all other messages (equations (34) to (37)).
	modelLeaveOneOut Model = "renewal-leave-one-out"
	// modelDisabling computes the probability that each message is recorded. This probability changes with each
	// distinct message that arrives (equations (42) and (43)).
	modelDisabling Model = "disabling"
	// modelFluid computes the limit of large filters.
	modelFluid Model = "fluid"
	// ModelExact uses formulas that are exact for filters of any size.
	ModelExact Model = "exact"
)

// The method "validate" returns a ParamError if m is not one of the models.
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

// Models lists the models, beginning with those that are closest to real filters. The order comes from
// verify.TestDisablingIsClosest and from simulations (docs/fnr.md).
func Models() []Model {
	return []Model{
		ModelExact, ModelRenewalRetaining, modelDisabling, ModelRenewal, modelRenewalExtended, modelLeaveOneOut,
		modelFluid, modelPinsArrivals, modelPins, modelBiUniform, modelReplacement, modelUniform, modelLower,
	}
}
