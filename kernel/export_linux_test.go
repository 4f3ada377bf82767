package kernel

// HugeFrom is the least number of bytes for which huge pages are asked for.
const HugeFrom = hugeFrom
