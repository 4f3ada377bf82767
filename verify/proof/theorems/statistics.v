(* What Burns estimates from: the variance of the number of bits that are hit, and the number of batches that has a given
   mean. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences steps size search claims occupancy.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma pairs_of x : 2%:R * 'C(x, 2)%:R = x%:R ^+ 2 - x%:R :> rat.
Proof.
have := bin_ffact x 2; rewrite (_ : 2`! = 2)%N // ffactnS ffactn1 => e.
rewrite -natrM mulnC e; case: x {e} => [|x]; first by rewrite expr0n subr0.
by rewrite natrM expr2 -[X in _ - X]mulr1 -mulrBr /=; congr (_ * _); rewrite -[X in _ = X%:R - _]addn1 natrD addrK.
Qed.

(* Burns (45): the variance of the number of bits that N throws hit. *)
Theorem variance_of_hits m N : (0 < m)%N ->
  let mean f := (\sum_(t : {ffun 'I_N -> 'I_m}) f #|hits t|) / (m ^ N)%:R : rat in
  mean (fun x => x%:R ^+ 2) - mean (fun x => x%:R) ^+ 2 =
  m%:R * ((1 - m%:R^-1) ^+ N - (1 - 2%:R / m%:R) ^+ N) - m%:R ^+ 2 * ((1 - m%:R^-1) ^+ (2 * N) - (1 - 2%:R / m%:R) ^+ N).
Proof.
move=> m0 mean; have M0 : (m%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have T0 : ((m ^ N)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n expn_gt0 m0.
have first : mean (fun x => x%:R) = m%:R * (1 - (1 - m%:R^-1) ^+ N) by rewrite /mean mean_of_hits.
set a : rat := (1 - m%:R^-1) ^+ N in first *; set b : rat := (1 - 2%:R / m%:R) ^+ N.
have second : mean (fun x => x%:R ^+ 2) - mean (fun x => x%:R) = (m%:R ^+ 2 - m%:R) * (1 - (a + a) + b).
  rewrite /mean -mulrBl -sumrB (eq_bigr _ (fun t _ => esym (pairs_of #|hits t|))) -mulr_sumr.
  rewrite (@binomial_moment m _ predT (@hits m N) (fun y => (y ^ N)%:R) (@throws_within m N)) mulrA pairs_of -mulrA.
  have [m1 | m2] := leqP m 1; first by rewrite (_ : m = 1%N) ?expr1n ?subrr ?mul0r //; apply/eqP; rewrite eqn_leq m1.
  congr (_ * _); rewrite /nabla !big_ord_recl big_ord0 /= !bin0 bin1 binn expr0 expr1 sqrrN expr1n !mul1r subn0 addr0 mulN1r.
  have share j : (j <= m)%N -> ((m - j) ^ N)%:R / (m ^ N)%:R = (1 - j%:R / m%:R) ^+ N :> rat.
    by move=> jm; rewrite !natrX -expr_div_n natrB // mulrBl divff.
  by rewrite addrA !mulrDl divff // mulrN mulNr -mulrA !share // -?[bump 0 0]/1%N div1r -/a -/b -opprD !mul1r.
have -> : mean (fun x => x%:R ^+ 2) = (m%:R ^+ 2 - m%:R) * (1 - (a + a) + b) + mean (fun x => x%:R) by rewrite -second subrK.
rewrite first mulnC exprM -/a; set l : rat := m%:R; identity.
Qed.

(* Burns (46): n is the only number of batches whose mean is the given one. *)
Theorem batches_by_mean m k n : (0 < k)%N -> (k < m)%N ->
  let mu := (\sum_(s in @states m k n) #|filled s|%:R) / ('C(m, k) ^ n)%:R : rat in
  forall e, (1 - k%:R / m%:R) ^+ e = 1 - mu / m%:R <-> e = n.
Proof.
move=> k0 km mu e; have m0 : (0 < m)%N := leq_ltn_trans (leq0n k) km.
have M0 : (m%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have -> : 1 - mu / m%:R = (1 - k%:R / m%:R) ^+ n.
  by rewrite /mu mean_filled ?(ltnW km) // mulrAC divff // mul1r opprB addrCA subrr addr0.
set x : rat := 1 - _; have x0 : 0 < x by rewrite subr_gt0 ltr_pdivr_mulr ?ltr0n // mul1r ltr_nat.
have x1 : x < 1 by rewrite ltr_subl_addr ltr_addl divr_gt0 ?ltr0n.
split=> [/eqP|-> //]; rewrite eq_le !ler_iexpn2l // ?x0 ?(ltW x0) ?x1 // -eqn_leq eq_sym => /eqP //.
Qed.
