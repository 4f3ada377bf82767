// Package requests reads the requests of a trace:
//
//   - EachLine: the keys of a trace, plain or gzip, one a line; an InputError says why it
//     cannot be read
//   - Cut: the keys alone of a trace whose lines hold more, each as Field or Group finds it
//   - Keys: numbers for them; NewHasher: the secret hash function that tells them apart
package requests
