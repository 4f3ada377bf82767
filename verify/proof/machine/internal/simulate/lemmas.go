package simulate

import "fmt"

// The map "lemmas" has lemmas in SMT-LIB. The proofs of functions with vectors rely on these lemmas. Most are claims
// about integers. A few are claims about words of 64 bits, which solvers decide without help.
var lemmas = map[string]string{
	"remainders": `(set-logic QF_NIA)
(declare-const a Int)
(declare-const b Int)
(assert (and (<= 0 a) (< 0 b)))
(assert (not (and (<= 0 (mod a b)) (< (mod a b) b) (<= (div a b) a))))
(check-sat)
`,
	// In this lemma, the quotient r/k is rounded down. The lemma says: if k > 0 and m <= r/k, then m*k <= r.
	"fits a quotient": `(set-logic QF_NIA)
(declare-const m Int)
(declare-const k Int)
(declare-const q Int)
(declare-const rest Int)
(assert (and (<= 0 m) (<= m q) (< 0 k) (<= 0 rest)))
(assert (not (<= (* m k) (+ (* q k) rest))))
(check-sat)
`,
	// This lemma says: if m*k <= r and m >= 1, then k <= r and (m-1)*k <= r-k. The text has a variable "less". It
	// stands for m-1.
	"fits one less": `(set-logic QF_NIA)
(declare-const less Int)
(declare-const k Int)
(declare-const r Int)
(assert (and (<= 0 less) (<= 0 k) (<= 0 r) (<= (* (+ less 1) k) r)))
(assert (not (and (<= k r) (<= (* less k) (- r k)))))
(check-sat)
`,
	// This lemma says: if m >= 1, k <= r and (m-1)*k <= r-k, then m*k <= r.
	"fits one more": `(set-logic QF_NIA)
(declare-const less Int)
(declare-const k Int)
(declare-const r Int)
(assert (and (<= 0 less) (<= 0 k) (<= k r) (<= (* less k) (- r k))))
(assert (not (<= (* (+ less 1) k) r)))
(check-sat)
`,
	// This lemma says: if m = part + less and m*k <= r, then part*k <= r and less*k <= r - part*k.
	"fits a smaller factor": `(set-logic QF_NIA)
(declare-const part Int)
(declare-const less Int)
(declare-const k Int)
(declare-const r Int)
(assert (and (<= 0 part) (<= 0 less) (<= 0 k) (<= (* (+ part less) k) r)))
(assert (not (and (<= (* part k) r) (<= (* less k) (- r (* part k))))))
(check-sat)
`,
	"quotients of small numbers": `(set-logic QF_NIA)
(declare-const a Int)
(declare-const b Int)
(assert (and (<= 0 a) (< 0 b)))
(assert (not (= (= (div a b) 0) (< a b))))
(check-sat)
`,
	// This lemma says: a remainder of a is at most a. If a is below the divisor, it is a.
	"small remainders": `(set-logic QF_NIA)
(declare-const a Int)
(declare-const b Int)
(assert (and (<= 0 a) (< 0 b)))
(assert (not (and (<= (mod a b) a) (=> (< a b) (= (mod a b) a)))))
(check-sat)
`,
	// Let a = q*b + r and a - b = p*b + s. Then (q-1-p)*b = s - r. The lemma says that the remainders r and s are equal.
	"remainders of a difference": `(set-logic QF_NIA)
(declare-const b Int)
(declare-const d Int)
(declare-const r Int)
(declare-const s Int)
(assert (and (< 0 b) (<= 0 r) (< r b) (<= 0 s) (< s b) (= (* d b) (- s r))))
(assert (not (= r s)))
(check-sat)
`,
	// This lemma is about two numbers: x = xh*2^32 + xl < 2^52 and span = sh*2^32 + sl < 2^48. It uses the products hh
	// = xh*sh, hl = xh*sl, lh = xl*sh and ll = xl*sl. It says that the sum s = hl + lh + (ll>>32) does not overflow. It
	// also says that the numbers x*span >> 52 and (s >> 20) + (hh << 12) are equal.
	"products of halves": `(set-logic QF_LIA)
(declare-const hl Int)
(declare-const lh Int)
(declare-const ll Int)
(declare-const hh Int)
(assert (and (<= 0 hl) (< hl 4503599627370496) (<= 0 lh) (< lh 281474976710656)))
(assert (and (<= 0 ll) (< ll 18446744073709551616) (<= 0 hh) (< hh 68719476736)))
(define-fun sum () Int (+ hl lh (div ll 4294967296)))
(define-fun product () Int (+ (* 18446744073709551616 hh) (* 4294967296 (+ hl lh)) ll))
(assert (not (and (< sum 18446744073709551616) (= (div product 4503599627370496) (+ (div sum 1048576) (* 4096 hh))))))
(check-sat)
`,
	// This lemma says: if 0 < x < 2^52 and y < 2^52, then the upper half of the product (2^12 * x) * y is below x.
	"products of 52 bits": `(set-logic QF_NIA)
(declare-const x Int)
(declare-const y Int)
(declare-const high Int)
(declare-const low Int)
(assert (and (< 0 x) (< x 4503599627370496) (<= 0 y) (< y 4503599627370496)))
(assert (and (= (* 4096 (* x y)) (+ (* 18446744073709551616 high) low)) (<= 0 low) (< low 18446744073709551616)))
(assert (not (< high x)))
(check-sat)
`,
	"halves": `(set-logic QF_BV)
(declare-const w (_ BitVec 64))
(declare-const h (_ BitVec 32))
(declare-const l (_ BitVec 32))
(define-fun upper () (_ BitVec 64) (bvlshr w #x0000000000000020))
(define-fun lower () (_ BitVec 64) (bvsub w (bvshl upper #x0000000000000020)))
(assert (not (and
  (= ((_ zero_extend 32) ((_ extract 31 0) w)) lower)
  (= (bvand w #x00000000ffffffff) lower)
  (= ((_ zero_extend 32) ((_ extract 63 32) w)) upper)
  (= (bvlshr upper #x0000000000000020) #x0000000000000000)
  (= (bvlshr (bvshl w #x0000000000000020) #x0000000000000020) lower)
  (= (concat h l) (bvadd ((_ zero_extend 32) l) (bvshl ((_ zero_extend 32) h) #x0000000000000020))))))
(check-sat)
`,
	"ones of a word": ones(),
}

// The function "ones" returns the text of a lemma. The lemma says that the sum of 64 numbers, each 0 or 1, is at most
// 64.
func ones() string {
	declared, given, sum := "", "", ""
	for i := range 64 {
		declared += fmt.Sprintf("(declare-const b%d Int)\n", i)
		given += fmt.Sprintf("(assert (and (<= 0 b%d) (<= b%d 1)))\n", i, i)
		sum += fmt.Sprintf(" b%d", i)
	}
	return "(set-logic QF_LIA)\n" + declared + given + "(assert (not (<= (+" + sum + ") 64)))\n(check-sat)\n"
}
