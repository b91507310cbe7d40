package mutate

// Sizes of bodies above what the application alone decides about.
var (
	largeSizes = []int{9 << 10, 17 << 10, 65 << 10, 120 << 10}
	hugeSizes  = []int{200 << 10, 2 << 20}
	hugeMember = []int{200 << 10, 1100 << 10}
)
