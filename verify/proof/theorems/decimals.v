(* Decimal digits of ln 2, and an inequality between fractions for peaks.v.

   As in natural.v, exp is any function on an ordered field with exp (x + y) = exp x exp y and 1 + x <= exp x; ln is any
   function with exp (ln x) = x for x > 0. *)
From Coq Require Import NArith Ring.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import fields natural.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Algebra.
Variable R : realFieldType.
Implicit Types s x z : R.

Add Ring ring_of_R : (field_ring R).

Lemma cubes x z : 0 <= x -> 0 <= z -> z + z ^+ 2 < x - x ^+ 2 -> (1 - x) ^+ 3 + (1 + z) ^+ 3 < 2%:R.
Proof.
move=> x0 z0 lt; rewrite -subr_gt0.
have -> : 2%:R - ((1 - x) ^+ 3 + (1 + z) ^+ 3) =
    3%:R * (x - x ^+ 2 - (z + z ^+ 2)) + (x - z) * (x ^+ 2 + x * z + z ^+ 2) by same R.
have zx : z <= x by apply: (@le_trans _ _ (z + z ^+ 2)); rewrite ?ler_addl ?sqr_ge0 // (le_trans (ltW lt)) // ler_subl_addr ler_addl sqr_ge0.
rewrite ltr_paddr ?mulr_gt0 ?ltr0n ?subr_gt0 // mulr_ge0 ?subr_ge0 //.
by rewrite !addr_ge0 ?sqr_ge0 ?mulr_ge0.
Qed.

Lemma fractions s : 0 < s -> s <= 1 ->
  (1 - s / (3%:R + s)) ^+ 3 + (1 + 7%:R * s / (21%:R + 23%:R * s)) ^+ 3 < 2%:R.
Proof.
move=> s0 s1; have p0 : 0 < 3%:R + s by rewrite addr_gt0 ?ltr0n.
have q0 : 0 < 21%:R + 23%:R * s by rewrite addr_gt0 ?ltr0n ?mulr_gt0 ?ltr0n.
set p := 3%:R + s in p0 *; set q := 21%:R + _ in q0 *.
have P0 : p != 0 by rewrite gt_eqF.
have Q0 : q != 0 by rewrite gt_eqF.
apply: cubes; rewrite ?divr_ge0 ?mulr_ge0 ?ler0n ?(ltW s0) ?(ltW p0) ?(ltW q0) //.
have -> : s / p - (s / p) ^+ 2 = s * 3%:R / p ^+ 2.
  apply: (mulIf (expf_neq0 2 P0)); rewrite mulrBl expr_div_n !divfK ?expf_neq0 //.
  by rewrite expr2 mulrA divfK // /p; same R.
have -> : 7%:R * s / q + (7%:R * s / q) ^+ 2 = s * (7%:R * (21%:R + 30%:R * s)) / q ^+ 2.
  apply: (mulIf (expf_neq0 2 Q0)); rewrite mulrDl expr_div_n !divfK ?expf_neq0 //.
  by rewrite expr2 mulrA divfK // /q; same R.
rewrite ltr_pdivr_mulr ?exprn_gt0 // mulrAC ltr_pdivl_mulr ?exprn_gt0 // -!mulrA ltr_pmul2l // -subr_gt0.
have -> : 3%:R * q ^+ 2 - 7%:R * ((21%:R + 30%:R * s) * p ^+ 2) = s * (126%:R + 180%:R * s - 210%:R * s ^+ 2).
  by rewrite /p /q; same R.
rewrite mulr_gt0 // subr_gt0; apply: (@le_lt_trans _ _ (210%:R * s)).
  by rewrite ler_pmul2l ?ltr0n // expr2 ler_pimulr // ltW.
have -> : 210%:R = 30%:R + 180%:R :> R by rewrite -natrD.
rewrite mulrDl ltr_add2r; apply: (@le_lt_trans _ _ 30%:R); first by rewrite ler_pimulr ?ler0n.
by rewrite ltr_nat.
Qed.
End Algebra.

Lemma bin_le (a b : N) : (a <= b)%num -> (nat_of_bin a <= nat_of_bin b)%N.
Proof. by move=> ab; rewrite -(N.sub_add _ _ ab) nat_of_add_bin leq_addl. Qed.

Lemma bin_gt0 (a : N) : (0 <? a)%num -> (0 < nat_of_bin a)%N.
Proof. by move=> /N.ltb_lt /N.le_succ_l /bin_le. Qed.

(* Squares of a number of D-ths, rounded down. *)
Definition squares (D : N) (j : nat) (a : N) : N := iter j (fun a => N.div (a * a) D) a.
Definition twice (j : nat) : N := iter j (fun a => a + a)%num 1%num.

Lemma twice_power j : nat_of_bin (twice j) = (2 ^ j)%N.
Proof. by elim: j => // j IH; rewrite /twice iterS nat_of_add_bin -/(twice j) IH expnS mul2n addnn. Qed.

Section Exponential.
Variables (R : realFieldType) (exp ln : R -> R).
Hypothesis expD : forall x y, exp (x + y) = exp x * exp y.
Hypothesis above : forall x, 1 + x <= exp x.
Hypothesis lnK : forall x, 0 < x -> exp (ln x) = x.

Let pos := exp_gt0 expD above.
Let mono := exp_le expD above.
Let expV := expN expD above.
Let tangent := ln_below expD above lnK.
Let lnV' := lnV expD above lnK.
Let lnM' := lnM expD above lnK.
Let order := ln_lt expD above lnK.
Let expK' := expK expD above lnK.
Let L := ln 2%:R.

Lemma squares_below D j a (x : R) : D <> 0%num -> (nat_of_bin a)%:R <= (nat_of_bin D)%:R * exp x ->
  (nat_of_bin (squares D j a))%:R <= (nat_of_bin D)%:R * exp ((2 ^ j)%:R * x).
Proof.
move=> D0; have d0 : (0 : R) < (nat_of_bin D)%:R.
  by rewrite ltr0n; case: D D0 => // p _; elim: p => //= p IH; rewrite ?NatTrec.doubleE ?double_gt0.
elim: j a x => [|j IH] a x le; first by rewrite expn0 mul1r.
rewrite /squares iterSr -/(squares D j _) expnSr natrM -mulrA; apply: IH.
have := bin_le (N.mul_div_le (a * a) D D0); rewrite !nat_of_mul_bin -(ler_nat R) !natrM => le'.
rewrite -(ler_pmul2l d0); apply: le_trans le' _.
have -> : 2%:R * x = x + x by rewrite mulr_natl mulr2n.
set d := (nat_of_bin D)%:R in le d0 *; have -> : d * (d * exp (x + x)) = d * exp x * (d * exp x) by rewrite expD mulrACA mulrA.
by apply: ler_pmul; rewrite ?ler0n.
Qed.

Lemma scaled D j a q : (0 < nat_of_bin D)%N -> (nat_of_bin a)%:R <= (nat_of_bin D)%:R * (1 + q / (2 ^ j)%:R) ->
  (nat_of_bin (squares D j a))%:R <= (nat_of_bin D)%:R * exp q.
Proof.
move=> D0 le; have T0 : ((2 ^ j)%:R : R) != 0 by rewrite pnatr_eq0 -lt0n expn_gt0.
rewrite -[q](divfK T0) [_ * (2 ^ j)%:R]mulrC; apply: squares_below; first by case: D D0 le.
by apply: le_trans le _; rewrite ler_wpmul2l ?ler0n.
Qed.

Lemma clear (q T P : R) : T != 0 -> (1 + q / T) * (T * P) = T * P + q * P.
Proof. by move=> T0; rewrite mulrDl mul1r [q / T * _]mulrA divfK. Qed.

Lemma ln2_at_most D j a p P : [&& (0 <? D)%num, (0 <? P)%num,
    (a * (twice j * P) <=? D * (twice j * P) + D * p)%num & (D + D <=? squares D j a)%num] ->
  L <= (nat_of_bin p)%:R / (nat_of_bin P)%:R.
Proof.
move=> /and4P[/bin_gt0 D0 /bin_gt0 P0 /N.leb_le le /N.leb_le large]; set q := _ / _.
have d0 : (0 : R) < (nat_of_bin D)%:R by rewrite ltr0n.
have T0 : (0 : R) < (2 ^ j)%:R by rewrite ltr0n expn_gt0.
have P0' : (0 : R) < (nat_of_bin P)%:R by rewrite ltr0n.
have start : (nat_of_bin a)%:R <= (nat_of_bin D)%:R * (1 + q / (2 ^ j)%:R).
  rewrite -(ler_pmul2r (mulr_gt0 T0 P0')).
  have := bin_le le; rewrite nat_of_add_bin !nat_of_mul_bin twice_power -(ler_nat R) !(natrD, natrM) => le'.
  by rewrite (le_trans le') // -[leRHS]mulrA clear ?gt_eqF // /q divfK ?gt_eqF // mulrDr.
have := le_trans _ (scaled D0 start) => /(_ (2%:R * (nat_of_bin D)%:R)).
have -> : 2%:R * (nat_of_bin D)%:R = (nat_of_bin (D + D))%:R :> R by rewrite nat_of_add_bin addnn -mul2n natrM.
rewrite ler_nat bin_le // => /(_ isT); rewrite nat_of_add_bin addnn -mul2n natrM mulrC ler_pmul2l // => le2.
by rewrite -[q]expK' leNgt order ?pos ?ltr0n // -leNgt.
Qed.

Lemma ln2_at_least D j a p P : [&& (0 <? D)%num, (0 <? P)%num,
    (a * (twice j * P) + D * p <=? D * (twice j * P))%num & (D <=? squares D j a + squares D j a)%num] ->
  (nat_of_bin p)%:R / (nat_of_bin P)%:R <= L.
Proof.
move=> /and4P[/bin_gt0 D0 /bin_gt0 P0 /N.leb_le le /N.leb_le large]; set q := _ / _.
have d0 : (0 : R) < (nat_of_bin D)%:R by rewrite ltr0n.
have T0 : (0 : R) < (2 ^ j)%:R by rewrite ltr0n expn_gt0.
have P0' : (0 : R) < (nat_of_bin P)%:R by rewrite ltr0n.
have start : (nat_of_bin a)%:R <= (nat_of_bin D)%:R * (1 + - q / (2 ^ j)%:R).
  rewrite -(ler_pmul2r (mulr_gt0 T0 P0')).
  have := bin_le le; rewrite nat_of_add_bin !nat_of_mul_bin twice_power -(ler_nat R) !(natrD, natrM) => le'.
  rewrite -ler_subr_addr in le'; rewrite (le_trans le') // -[leRHS]mulrA clear ?gt_eqF //.
  by rewrite mulNr /q divfK ?gt_eqF // mulrBr.
have := scaled D0 start; have := bin_le large; rewrite nat_of_add_bin addnn -mul2n -(ler_nat R) natrM => le1 le2.
have {le1 le2} : 1 <= 2%:R * exp (- q).
  by rewrite -(ler_pmul2l d0) mulr1 mulrCA (le_trans le1) // ler_wpmul2l ?ler0n.
rewrite expV ler_pdivl_mulr ?pos // mul1r => le2.
by rewrite -[q]expK' leNgt order ?pos ?ltr0n // -leNgt.
Qed.

(* ln 2 = 0.6931, rounded. *)
Lemma ln2_digits : (69 * 100 + 31)%:R / (100 * 100)%:R <= L /\ L <= ((69 * 100 + 31) * 100 + 49)%:R / (100 * 100 * 100)%:R.
Proof.
split.
  have -> : (69 * 100 + 31 = nat_of_bin (69 * 100 + 31)%num)%N by rewrite nat_of_add_bin nat_of_mul_bin.
  have -> : (100 * 100 = nat_of_bin (100 * 100)%num)%N by rewrite nat_of_mul_bin.
  apply: (@ln2_at_least (10 ^ 15)%num 14 (10 ^ 15 - 10 ^ 15 * 6931 / (10 ^ 4 * 2 ^ 14) - 1)%num).
  by vm_compute.
have -> : ((69 * 100 + 31) * 100 + 49 = nat_of_bin ((69 * 100 + 31) * 100 + 49)%num)%N by rewrite !(nat_of_add_bin, nat_of_mul_bin).
have -> : (100 * 100 * 100 = nat_of_bin (100 * 100 * 100)%num)%N by rewrite !nat_of_mul_bin.
apply: (@ln2_at_most (10 ^ 15)%num 22 (10 ^ 15 + 10 ^ 15 * 693149 / (10 ^ 6 * 2 ^ 22))%num).
by vm_compute.
Qed.

Lemma ln2_low : 69%:R / 100%:R <= L.
Proof. by apply: (@ln2_at_least (10 ^ 9)%num 8 (10 ^ 9 - 10 ^ 9 * 69 / (10 ^ 2 * 2 ^ 8) - 1)%num 69%num 100%num); vm_compute. Qed.

Lemma ln2_high : L <= 139%:R / 200%:R.
Proof. by apply: (@ln2_at_most (10 ^ 9)%num 8 (10 ^ 9 + 10 ^ 9 * 139 / (200 * 2 ^ 8))%num 139%num 200%num); vm_compute. Qed.
End Exponential.
