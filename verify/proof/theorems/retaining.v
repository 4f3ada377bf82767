(* The filter with k distinct positions that retains the last message, by the filter that does not retain it. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic claims machine recycling levels chains long_run.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Retaining.
Variables (M k sigma : nat).
Hypotheses (sM : (sigma < M)%N) (k0 : (0 < k)%N) (kM : (k <= M)%N) (ks : (k <= sigma)%N).
Implicit Types (A B X Y : {set 'I_M}) (pi : {set 'I_M} -> rat).

Local Notation hash := (hash M k true).
Local Notation places := (@numbered M k).
Local Notation likely := (@likely M k true).
Local Notation takes := (@takes M k sigma true).
Local Notation mean := (chains.mean likely).

Let l0 (e : hash) : 0 <= likely e. Proof. exact: likely_ge0. Qed.
Let l1 : \sum_e likely e = 1. Proof. exact: (likely_sum sM). Qed.

Lemma meanE (f : hash -> rat) : mean f = recycling.mean f.
Proof. by rewrite /chains.mean /recycling.mean mulr_suml; apply: eq_bigr => e _; rewrite mulrC. Qed.

Lemma card_places (e : hash) : #|places e| = k.
Proof. by have := enum_valP e; rewrite inE => /eqP. Qed.

(* How many sets of a places have j bits together with X. *)
Lemma together a X Y j : (a <= M)%N -> #|X| = #|Y| ->
  \sum_(A : {set 'I_M} | #|A| == a) (#|X :|: A| == j)%:R = \sum_(A : {set 'I_M} | #|A| == a) (#|Y :|: A| == j)%:R :> rat.
Proof.
move=> aM XY; have each Z : \sum_(A : {set 'I_M} | #|A| == a) (#|Z :|: A| == j)%:R = #|'I_#|items M a| |%:R * classic_moves a Z j.
  rewrite /classic_moves /recycling.mean mulrC divfK; last by rewrite card_ord card_items pnatr_eq0 -lt0n bin_gt0.
  rewrite -(big_enum_val (fun A : {set 'I_M} => (#|Z :|: A| == j)%:R)) /=.
  by apply: eq_bigl => A; rewrite inE.
by rewrite !each; congr (_ * _); exact: classic_moves_by_number.
Qed.

Variable pi : {set 'I_M} -> rat.
Hypothesis pp : preserved likely (takes false) pi.

Lemma beyond B : (sigma < #|B|)%N -> pi B = 0.
Proof.
have [_ _ st] := pp; move=> big; rewrite -st big1 // => A _; apply/eqP; rewrite mulf_eq0; apply/orP; right.
rewrite /step /chains.mean big1 // => e _; case: eqP => [|_]; last by rewrite mulr0.
move=> n; have : (#|takes false A e| <= sigma)%N; last by rewrite n leqNgt big.
exact: never_above.
Qed.

Lemma by_size : exists v : nat -> rat, forall B, pi B = v #|B|.
Proof.
have leaves : forall J : {set 'I_M}, (#|J| <= sigma)%N -> exists e, ~~ (places e \subset J) by exact: sets_leave.
have [_ _ st] := pp; have [go _] := stationary_visits leaves pi.
have [|c eq_c] := go.
  move=> B Bs; rewrite -[RHS]st [RHS](bigID (mem (states sigma))) /= [X in _ = _ + X]big1 ?addr0 => [|A]; last first.
    by rewrite unfold_in -ltnNge => /beyond ->; rewrite mul0r.
  by apply: eq_bigr => A _; rewrite /step meanE.
pose p (j : nat) : rat := 'C(j, k)%:R / 'C(M, k)%:R; have within (J : {set 'I_M}) : inside places J = p #|J| by exact: sets_inside.
exists (fun b => if (b <= sigma)%N then c * \sum_(j < b.+1) 'C(b, j)%:R * ((-1) ^+ (b - j) / (1 - p j)) else 0) => B.
case: leqP => [Bs | /beyond //]; by rewrite eq_c // (visits_number within).
Qed.

(* How often a message with the places X makes the filter recycle: it depends on the number of places only. *)
Lemma alike X Y : #|X| = #|Y| ->
  \sum_A pi A * (recycles sigma A X)%:R = \sum_A pi A * (recycles sigma A Y)%:R.
Proof.
move=> XY; have [v piE] := by_size.
have each Z : \sum_A pi A * (recycles sigma A Z)%:R =
    \sum_(a < M.+1) v a * \sum_(j < M.+1) (sigma < j)%N%:R * \sum_(A : {set 'I_M} | #|A| == a) (#|Z :|: A| == j)%:R.
  have small (A : {set 'I_M}) : (#|A| < M.+1)%N by rewrite ltnS -[X in (_ <= X)%N]card_ord max_card.
  rewrite (partition_big (fun A => Ordinal (small A)) predT) //=; apply: eq_bigr => a _.
  under [X in _ = _ * X]eq_bigr => j _ do rewrite mulr_sumr.
  rewrite [X in _ = _ * X]exchange_big [RHS]mulr_sumr; apply: eq_big => [A | A /eqP e].
    by rewrite -val_eqE.
  rewrite piE -[#|A|]/(val (Ordinal (small A))) e; congr (_ * _).
  rewrite (bigD1 (Ordinal (small (Z :|: A)))) //= eqxx mulr1 /recycles setUC big1 ?addr0 // => j.
  by rewrite -val_eqE /= eq_sym => /negbTE ->; rewrite mulr0.
rewrite !each; apply: eq_bigr => a _; congr (_ * _); apply: eq_bigr => j _; congr (_ * _).
by apply: together; rewrite // -ltnS.
Qed.

Definition again (rho : {set 'I_M} -> rat) : rat := \sum_A rho A * mean (fun e => (recycles sigma A (places e))%:R).

Lemma places0 e : places e != set0.
Proof. by rewrite -card_gt0 card_places. Qed.

Lemma step_empty A : step likely (takes false) A set0 = mean (fun e => (recycles sigma A (places e))%:R).
Proof.
apply: eq_mean => e; rewrite /long_run.takes /next; case: ifP => _; first by rewrite eqxx.
by rewrite setU_eq0 (negbTE (places0 e)) andbF.
Qed.

Lemma no_empty e : recycles sigma set0 (places e) = false.
Proof. by rewrite /recycles set0U card_places ltnNge ks. Qed.

Lemma empty_again : pi set0 = again pi.
Proof. by have [_ _ st] := pp; rewrite -st; apply: eq_bigr => A _; rewrite step_empty. Qed.

Lemma empty_gt0 : 0 < pi set0.
Proof. by apply: (weight_gt0 l0 _ pp); apply: empty_home. Qed.

Lemma full_step X : #|X| = k -> \sum_A pi A * (recycles sigma A X)%:R = pi set0.
Proof.
move=> Xk; rewrite empty_again /again.
transitivity (mean (fun e => \sum_A pi A * (recycles sigma A (places e))%:R)).
  by rewrite (@chains.eq_mean _ likely _ (fun=> \sum_A pi A * (recycles sigma A X)%:R)) ?(mean_const l1) // => e; apply: alike; rewrite card_places.
rewrite /chains.mean; under eq_bigr => e _ do rewrite mulr_sumr; rewrite exchange_big; apply: eq_bigr => A _.
by rewrite mulr_sumr; apply: eq_bigr => e _; rewrite mulrCA.
Qed.

Lemma left0 : 0 < 1 - pi set0.
Proof.
have [p0 p1 st] := pp; have [e _] : exists e : hash, true.
  have /card_gt0P[e _] : (0 < #|hash|)%N by rewrite card_ord card_items bin_gt0.
  by exists e.
have more : 0 < pi (places e).
  rewrite -st (bigD1 set0) //= ltr_spaddl //; last by apply: sumr_ge0 => A _; rewrite mulr_ge0 ?step_ge0.
  rewrite mulr_gt0 ?empty_gt0 // /step /chains.mean (bigD1 e) //= /long_run.takes /next no_empty set0U eqxx mulr1.
  rewrite ltr_spaddl ?sumr_ge0 // => [|d _]; last by rewrite mulr_ge0 ?l0 ?ler0n.
  by rewrite invr_gt0 ltr0n card_ord card_items bin_gt0.
rewrite -p1 (bigD1 set0) //= addrAC subrr add0r (bigD1 (places e)) ?places0 //=.
by rewrite ltr_spaddl // sumr_ge0.
Qed.

(* The distribution of the filter that retains. *)
Definition without_empty B : rat := if B == set0 then 0 else pi B / (1 - pi set0).

Lemma without_sum (f : {set 'I_M} -> rat) : f set0 = 0 -> \sum_A without_empty A * f A = (\sum_A pi A * f A) / (1 - pi set0).
Proof.
move=> f0; rewrite mulr_suml; apply: eq_bigr => A _; rewrite /without_empty; case: eqP => [-> | _]; first by rewrite f0 !mulr0 mul0r.
by rewrite mulrAC.
Qed.

Lemma without_preserved : preserved likely (takes true) without_empty.
Proof.
have [p0 p1 st] := pp; split.
- by move=> B; rewrite /without_empty; case: ifP => // _; rewrite divr_ge0 // ltW // left0.
- have rest : \sum_(B | B != set0) pi B = 1 - pi set0 by rewrite -[X in X - _]p1 [in RHS](bigD1 set0) //= addrAC subrr add0r.
  rewrite (bigD1 set0) //= /without_empty eqxx add0r (eq_bigr (fun B => pi B / (1 - pi set0))) => [|B /negbTE -> //].
  by rewrite -mulr_suml rest divff // gt_eqF // left0.
move=> B; have [-> | B0] := eqVneq B set0.
  rewrite {2}/without_empty eqxx big1 // => A _; rewrite /step /chains.mean big1 ?mulr0 // => e _.
  by rewrite (negbTE (never_empty _ _ (places0 e))) mulr0.
have split_ A : step likely (takes true) A B = mean (fun e => (recycles sigma A (places e) && (places e == B))%:R) + step likely (takes false) A B.
  rewrite /step -mean_add; apply: eq_mean => e; rewrite /long_run.takes /next; case: ifP => _; last by rewrite add0r.
  by rewrite eq_sym [set0 == B]eq_sym (negbTE B0) addr0 eq_sym.
have zero : step likely (takes true) set0 B = step likely (takes false) set0 B.
  by rewrite split_ /chains.mean big1 ?add0r // => e _; rewrite no_empty mulr0.
have inner : \sum_A pi A * mean (fun e => (recycles sigma A (places e) && (places e == B))%:R) = pi set0 * step likely (takes false) set0 B.
  rewrite /step; transitivity (mean (fun e => (places e == B)%:R * \sum_A pi A * (recycles sigma A (places e))%:R)).
    rewrite /chains.mean; under [LHS]eq_bigr => A _ do rewrite mulr_sumr; rewrite exchange_big; apply: eq_bigr => e _.
    rewrite !mulr_sumr; apply: eq_bigr => A _; case: (recycles _ _ _); case: (_ == B); rewrite ?mulr0 ?mul0r ?mulr0 //.
    by rewrite !mulr1 mul1r mulrC.
  rewrite -mean_scale; apply: eq_mean => e; rewrite full_step ?card_places // mulrC /long_run.takes /next no_empty set0U //.
under eq_bigr => A _ do rewrite split_ mulrDr.
rewrite big_split /= without_sum ?inner; last by rewrite /chains.mean big1 // => e _; rewrite no_empty mulr0.
have -> : \sum_A without_empty A * step likely (takes false) A B = (pi B - pi set0 * step likely (takes false) set0 B) / (1 - pi set0).
  rewrite -[X in X - _]st (bigD1 set0) //= /without_empty eqxx mul0r add0r [in RHS](bigD1 set0) //= addrAC subrr add0r mulr_suml.
  by apply: eq_bigr => A /negbTE ->; rewrite mulrAC.
by rewrite -mulrDl addrC subrK /without_empty (negbTE B0).
Qed.

(* Dozier-FP, section IV-B: the filter that retains follows from the filter that does not. Let pi and pi' be distributions
   of the set bits that messages preserve, pi without and pi' with retaining. The rate with retaining is the rate without
   it, divided by 1 - pi_0. A cycle of the first filter has one message fewer in the mean: the cycle's mean number of
   messages is 1 divided by the probability that a message makes the filter recycle. *)
Theorem retaining_from_not (pi' : {set 'I_M} -> rat) : preserved likely (takes true) pi' ->
  let rate (rho : {set 'I_M} -> rat) := \sum_A rho A * mean (fun e => (places e \subset A)%:R) in
  rate pi' = rate pi / (1 - pi set0) /\ (again pi')^-1 = (again pi)^-1 - 1.
Proof.
move=> pp' rate; have [z reach] := @some_home M k sigma true true sM k0 (fun=> kM) (fun=> ks).
have same f := same_mean l0 l1 reach f without_preserved pp'.
have i0 : 1 - pi set0 != 0 by rewrite gt_eqF // left0.
split; first rewrite /rate (same (fun A e => (places e \subset A)%:R)) without_sum //.
  by rewrite /chains.mean big1 // => e _; rewrite subset0 (negbTE (places0 e)) mulr0.
rewrite /again (same (fun A e => (recycles sigma A (places e))%:R)) without_sum; last by rewrite /chains.mean big1 // => e _; rewrite no_empty mulr0.
rewrite -/(again pi) -empty_again invf_div mulrBl mul1r divff // gt_eqF // empty_gt0 //.
Qed.
End Retaining.
