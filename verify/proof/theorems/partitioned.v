(* The partitioned Bloom filter: k slices of s bits, one position in each, after n items.

   The space: for each slice, the position of the query and those of the n items, all equally likely. A query is a
   false positive when each of its positions was hit in its slice. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Partitioned.
Variables s n k : nat.
Hypothesis s_positive : (0 < s)%N.

Definition slice : finType := [finType of 'I_s * {ffun 'I_n -> 'I_s}].
Definition false_positive (o : {ffun 'I_k -> slice}) : bool := [forall j, (o j).1 \in hits (o j).2].
Definition partitioned_rate : rat :=
  #|[set o | false_positive o]|%:R / #|{ffun 'I_k -> slice}|%:R.

Lemma slice_hits : \sum_(o : slice) (o.1 \in hits o.2)%:R = s%:R * ((s ^ n)%:R - (s.-1 ^ n)%:R) :> rat.
Proof.
rewrite -(mean_hits s n) (eq_bigr (fun o : slice => (fun x t => (x \in hits t)%:R) o.1 o.2)) //.
rewrite -(pair_big predT predT (fun (x : 'I_s) (t : {ffun 'I_n -> 'I_s}) => (x \in hits t)%:R : rat)) /= exchange_big /=.
apply: eq_bigr => t _; rewrite -sum1_card natr_sum [RHS]big_mkcond /=.
by apply: eq_bigr => x _; case: (x \in hits t).
Qed.

(* Fan (19), where k divides m and s = m/k: the rate is (1 - (1 - 1/s)^n)^k. *)
Theorem partitioned_exact : partitioned_rate = (1 - (1 - s%:R^-1) ^+ n) ^+ k.
Proof.
have s0 : (0 : rat) < s%:R by rewrite ltr0n.
have sn0 : (0 : rat) < (s ^ n)%:R by rewrite ltr0n expn_gt0 s_positive.
rewrite /partitioned_rate.
have -> : #|[set o | false_positive o]|%:R = (s%:R * ((s ^ n)%:R - (s.-1 ^ n)%:R)) ^+ k :> rat.
  rewrite -slice_hits -[k in _ ^+ k](card_ord k) -prodr_const bigA_distr_bigA /=.
  rewrite -sum1_card natr_sum big_mkcond /=; apply: eq_bigr => o _; rewrite inE /false_positive.
  case: (boolP [forall j, (o j).1 \in hits (o j).2]) => [/forallP all|].
    by rewrite big1 // => j _; rewrite all.
  by rewrite negb_forall => /existsP[j /negbTE no]; rewrite (bigD1 j) //= no mul0r.
rewrite card_ffun card_ord card_prod card_ffun !card_ord [((_ * _) ^ k)%:R]natrX natrM -expr_div_n; congr (_ ^+ _).
rewrite invfM mulrACA divff ?gt_eqF // mul1r mulrBl divff ?gt_eqF //; congr (_ - _).
rewrite !natrX -expr_div_n; congr (_ ^+ _).
by rewrite -subn1 natrB // mulrBl divff ?gt_eqF // mul1r.
Qed.
End Partitioned.
