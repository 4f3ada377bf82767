package fresh

import "slices"

// All returns the faults.
func All() []Fault {
	return slices.Concat(stateFaults(), keyFaults(), batchFaults(), snapshotFaults(), figureFaults(),
		positionFaults(), setFaults(), raceFaults())
}
