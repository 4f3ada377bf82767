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

(* The share of the outcomes of one slice whose query was hit. *)
Lemma slice_share : s%:R * ((s ^ n)%:R - (s.-1 ^ n)%:R) / #|slice|%:R = 1 - (1 - s%:R^-1) ^+ n :> rat.
Proof.
have s0 : (0 : rat) < s%:R by rewrite ltr0n.
have sn0 : (0 : rat) < (s ^ n)%:R by rewrite ltr0n expn_gt0 s_positive.
rewrite card_prod card_ffun !card_ord natrM.
rewrite invfM mulrACA divff ?gt_eqF // mul1r mulrBl divff ?gt_eqF //; congr (_ - _).
rewrite !natrX -expr_div_n; congr (_ ^+ _).
by rewrite -subn1 natrB // mulrBl divff ?gt_eqF // mul1r.
Qed.

(* Fan (19): if k divides m, the rate is (1 - (1 - 1/s)^n)^k, where s = m/k. *)
Theorem partitioned_exact : partitioned_rate = (1 - (1 - s%:R^-1) ^+ n) ^+ k.
Proof.
rewrite /partitioned_rate.
have -> : #|[set o | false_positive o]|%:R = (s%:R * ((s ^ n)%:R - (s.-1 ^ n)%:R)) ^+ k :> rat.
  rewrite -slice_hits -[k in _ ^+ k](card_ord k) -prodr_const bigA_distr_bigA /=.
  rewrite -sum1_card natr_sum big_mkcond /=; apply: eq_bigr => o _; rewrite inE /false_positive.
  case: (boolP [forall j, (o j).1 \in hits (o j).2]) => [/forallP all|].
    by rewrite big1 // => j _; rewrite all.
  by rewrite negb_forall => /existsP[j /negbTE no]; rewrite (bigD1 j) //= no mul0r.
by rewrite card_ffun card_ord [(#|slice| ^ k)%:R]natrX -expr_div_n slice_share.
Qed.
End Partitioned.

(* Slices of any sizes, one position in each: an outcome has, for each slice, the position of the query and those of the
   n items. *)
Section Unequal.
Variables (n k : nat) (s : 'I_k -> nat).
Hypothesis s_positive : forall j, (0 < s j)%N.

Definition outcome : finType := [finType of {dffun forall j : 'I_k, slice (s j) n}].
Definition unequal_rate : rat := #|[set o : outcome | [forall j, (o j).1 \in hits (o j).2]]|%:R / #|outcome|%:R.

(* Slices of any sizes s j: the rate is the product, over the slices j, of 1 - (1 - 1/s j)^n. *)
Theorem unequal_exact : unequal_rate = \prod_j (1 - (1 - (s j)%:R^-1) ^+ n).
Proof.
rewrite /unequal_rate.
have -> : #|outcome| = (\prod_j #|slice (s j) n|)%N by rewrite card_dep_ffun foldrE big_map big_enum.
have -> : #|[set o : outcome | [forall j, (o j).1 \in hits (o j).2]]| =
    (\prod_j #|[pred o : slice (s j) n | o.1 \in hits o.2]|)%N.
  transitivity #|(family (fun j => [pred o : slice (s j) n | o.1 \in hits o.2]) : simpl_pred outcome)|.
    by apply: eq_card => o; rewrite inE; apply/forallP/familyP => h j; have := h j; rewrite !inE.
  by rewrite card_family foldrE big_map big_enum.
rewrite !natr_prod -prodf_div; apply: eq_bigr => j _.
have -> : #|[pred o : slice (s j) n | o.1 \in hits o.2]|%:R = (s j)%:R * ((s j ^ n)%:R - ((s j).-1 ^ n)%:R) :> rat.
  by rewrite -slice_hits -sum1_card natr_sum big_mkcond; apply: eq_bigr => o _; rewrite !inE; case: (_ \in _).
exact: slice_share.
Qed.
End Unequal.
