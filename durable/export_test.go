package durable

// EachStepSnapshot has every step followed by a snapshot, until the func that it returns is called.
func EachStepSnapshot() (again func()) {
	each, smallest := snapshotEach, snapshotSmall
	snapshotEach, snapshotSmall = 0, true
	return func() { snapshotEach, snapshotSmall = each, smallest }
}
