(* Moments of the number of places that throws, committees and departments occupy. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search claims occupancy laws.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Sums of powers of the number of places that N throws hit: m^N E[X^r]. *)
Definition power_sum (m N r : nat) : rat := \sum_(t : {ffun 'I_N -> 'I_m}) #|hits t|%:R ^+ r.

(* Burns (13), times m^N: E[X^r | m] = E[X^(r+1) | m]/m + (1 - 1/m)^N E[X^r | m - 1]. *)
Theorem moment_recursion m N r :
  m.+1%:R * power_sum m.+1 N r = power_sum m.+1 N r.+1 + m.+1%:R * power_sum m N r.
Proof.
rewrite /power_sum !(sum_by_hits _ _ (fun x => x%:R ^+ r)) (sum_by_hits _ _ (fun x => x%:R ^+ r.+1)).
rewrite [X in _ + _ * X](_ : _ = \sum_(i < m.+2) 'C(m, i)%:R * (onto N i * i%:R ^+ r)); last first.
  by rewrite [RHS]big_ord_recr /= bin_small // mul0r addr0.
rewrite !mulr_sumr -big_split /=; apply: eq_bigr => i _.
have e : m.+1%:R * 'C(m, i)%:R = (m.+1%:R - i%:R) * 'C(m.+1, i)%:R :> rat.
  by rewrite -natrB -1?ltnS // -!natrM (mul_bin_down m.+1 i).
rewrite exprS [m.+1%:R * ('C(m, i)%:R * _)]mulrA e [(_ - _) * _]mulrBl [(_ - _) * (_ * _)]mulrBl -!mulrA.
rewrite [onto N i * (i%:R * _)]mulrCA [i%:R * ('C(_, _)%:R * _)]mulrCA.
by rewrite addrCA subrr addr0.
Qed.

Lemma square_of_difference (a b p q : rat) :
  p * (p * a) * b + a * (q * (q * b)) - (p * a * (q * b) + p * a * (q * b)) = a * b * (p - q) ^+ 2.
Proof.
have e1 : a * b * p ^+ 2 = p * (p * a) * b by rewrite expr2 mulrC -!mulrA.
have e2 : a * b * q ^+ 2 = a * (q * (q * b)) by rewrite expr2 -mulrA [b * _]mulrC -mulrA.
have e3 : a * b * (p * q) = p * a * (q * b) by rewrite mulrACA [a * p]mulrC [b * q]mulrC.
by rewrite sqrrB mulrDr mulrBr mulr2n mulrDr e1 e2 e3 addrAC.
Qed.

(* The square of a moment is at most the product of its neighbours. *)
Lemma moments_convex m N r : power_sum m N r.+1 ^+ 2 <= power_sum m N r * power_sum m N r.+2.
Proof.
pose x (t : {ffun 'I_N -> 'I_m}) : rat := #|hits t|%:R.
have pairs_of (f g : {ffun 'I_N -> 'I_m} -> rat) : (\sum_t f t) * (\sum_t g t) = \sum_t \sum_u f t * g u.
  by rewrite mulr_suml; apply: eq_bigr => t _; rewrite mulr_sumr.
suff : 0 <= (power_sum m N r * power_sum m N r.+2 - power_sum m N r.+1 ^+ 2) *+ 2.
  by rewrite pmulrn_lge0 // subr_ge0.
rewrite expr2 mulr2n {1}[power_sum m N r * _]mulrC addrACA -opprD /power_sum !pairs_of -!big_split -sumrB /=.
apply: sumr_ge0 => t _; rewrite -!big_split -sumrB /=; apply: sumr_ge0 => u _.
have -> : x t ^+ r.+2 * x u ^+ r + x t ^+ r * x u ^+ r.+2 - (x t ^+ r.+1 * x u ^+ r.+1 + x t ^+ r.+1 * x u ^+ r.+1) =
    x t ^+ r * x u ^+ r * (x t - x u) ^+ 2.
  by rewrite -square_of_difference !exprS.
by rewrite mulr_ge0 ?sqr_ge0 // mulr_ge0 // exprn_ge0 // ler0n.
Qed.

(* Burns (73): E[X^(k+1)]^(1/(k+1)) >= E[X^k]^(1/k), both raised to the power k (k + 1). *)
Theorem moments_rise m N k : (0 < m)%N ->
  (power_sum m N k / (m ^ N)%:R) ^+ k.+1 <= (power_sum m N k.+1 / (m ^ N)%:R) ^+ k.
Proof.
move=> m0; have T0 : (0 : rat) < (m ^ N)%:R by rewrite ltr0n expn_gt0 m0.
pose e r : rat := power_sum m N r / (m ^ N)%:R; rewrite -![power_sum m N _ / _]/(e _).
have e_ge0 r : 0 <= e r.
  by apply: divr_ge0; [apply: sumr_ge0 => t _; rewrite exprn_ge0 // ler0n | exact: ltW].
have convex r : e r.+1 ^+ 2 <= e r * e r.+2.
  rewrite /e expr_div_n mulrACA -invfM -expr2 ler_pmul2r ?moments_convex // invr_gt0 exprn_gt0 //.
elim: k => [|k IH]; first by rewrite expr1 expr0 /e /power_sum (eq_bigr (fun=> 1)) // sumr_const card_ffun !card_ord divff ?gt_eqF.
have [z | nz] := eqVneq (e k.+1) 0; first by rewrite z expr0n /= exprn_ge0.
have pos : 0 < e k.+1 by rewrite lt_neqAle eq_sym nz e_ge0.
have pk : 0 < e k.+1 ^+ k by rewrite exprn_gt0.
rewrite -(ler_pmul2l pk) -exprD (_ : k + k.+2 = 2 * k.+1)%N; last by rewrite mul2n -addnn addSnnS.
rewrite exprM; apply: (@le_trans _ _ ((e k * e k.+2) ^+ k.+1)).
  apply: ler_expn2r; rewrite ?nnegrE; [exact: exprn_ge0 | exact: mulr_ge0 (e_ge0 k) (e_ge0 k.+2) | exact: convex].
by rewrite exprMn ler_wpmul2r // exprn_ge0.
Qed.

(* Burns 2.2: the classic occupancy problem is the problem of committees of one, so (14) with k = 1 equals (4). *)
Theorem committees_of_one m n i :
  'C(m, i)%:R * (nabla i (choices (fun _ : 'I_n => 1%N)) i / choices (fun _ : 'I_n => 1%N) m) =
  #|[set t : {ffun 'I_n -> 'I_m} | #|hits t| == i]|%:R / (m ^ n)%:R.
Proof.
have one x : choices (fun _ : 'I_n => 1%N) x = (x ^ n)%:R.
  by rewrite /choices (eq_bigr (fun=> x%:R)) => [|d _]; rewrite ?bin1 // prodr_const card_ord natrX.
rewrite law_of_hits one mulrA /onto /nabla; congr (_ * _ / _).
by apply: eq_bigr => j _; rewrite one.
Qed.

(* Burns (15): for n committees of k, E[C(X, r)]/C(m, r) = E[ff(X, r)]/ff(m, r), as a sum and as a difference. *)
Theorem committees_moment m n k r : (r <= m)%N -> (k <= m)%N ->
  let mean f := (\sum_(s in @batches m n (fun=> k)) f #|filled s|) / #|@batches m n (fun=> k)|%:R : rat in
  [/\ mean (fun x => 'C(x, r)%:R) / 'C(m, r)%:R = \sum_(i < r.+1) (-1) ^+ i * 'C(r, i)%:R * ('C(m - i, k)%:R / 'C(m, k)%:R) ^+ n,
      mean (fun x => 'C(x, r)%:R) / 'C(m, r)%:R = nabla r (fun x => 'C(x, k)%:R ^+ n) m / 'C(m, k)%:R ^+ n
    & mean (fun x => (x ^_ r)%:R) / (m ^_ r)%:R = mean (fun x => 'C(x, r)%:R) / 'C(m, r)%:R].
Proof.
move=> rm km mean; have C0 : 'C(m, r)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n bin_gt0.
have r0 : r`!%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n fact_gt0.
have all x : choices (fun _ : 'I_n => k) x = 'C(x, k)%:R ^+ n by rewrite /choices prodr_const card_ord.
have d : mean (fun x => 'C(x, r)%:R) / 'C(m, r)%:R = nabla r (fun x => 'C(x, k)%:R ^+ n) m / 'C(m, k)%:R ^+ n.
  by rewrite /mean batches_moment mulrAC divff // mul1r -all (eq_nabla r m all).
split=> //; first rewrite d /nabla mulr_suml; first apply: eq_bigr => i _.
  by rewrite expr_div_n -!mulrA mulrCA.
rewrite /mean (eq_bigr (fun s : {ffun 'I_n -> {set 'I_m}} => 'C(#|filled s|, r)%:R * r`!%:R)) => [|s _]; last by rewrite -natrM bin_ffact.
by rewrite -mulr_suml -bin_ffact natrM invfM [X in X * _]mulrAC mulrACA divff // mulr1.
Qed.
