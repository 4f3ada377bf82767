(* Sequences of choices, such as the throws or the items of a filter, one more at a time. *)
From mathcomp Require Import all_ssreflect.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.

Section Prepend.
Variable E : finType.

(* One choice more, the first. *)
Definition prepend n (p : E * {ffun 'I_n -> E}) : {ffun 'I_n.+1 -> E} :=
  [ffun i => if unlift ord0 i is Some j then p.2 j else p.1].

Lemma prepend_bij n : bijective (@prepend n).
Proof.
exists (fun s : {ffun 'I_n.+1 -> E} => (s ord0, [ffun j => s (lift ord0 j)])).
  by move=> [x t] /=; congr (_, _); [rewrite ffunE unlift_none | apply/ffunP => j; rewrite !ffunE liftK].
by move=> s; apply/ffunP => i; rewrite ffunE /=; case: unliftP => [j|] ->; rewrite ?ffunE.
Qed.

Lemma prepend0 n e (s : {ffun 'I_n -> E}) : prepend (e, s) ord0 = e.
Proof. by rewrite ffunE unlift_none. Qed.

Lemma prependS n e (s : {ffun 'I_n -> E}) i : prepend (e, s) (lift ord0 i) = s i.
Proof. by rewrite ffunE liftK. Qed.

Lemma prepend_on n (F : {set E}) e (s : {ffun 'I_n -> E}) :
  (prepend (e, s) \in ffun_on (mem F)) = (e \in F) && (s \in ffun_on (mem F)).
Proof.
apply/ffun_onP/andP => [h | [eF /ffun_onP h] i]; last by rewrite ffunE; case: (unlift _ _).
split; first by have := h ord0; rewrite prepend0.
by apply/ffun_onP => i; have := h (lift ord0 i); rewrite prependS.
Qed.

Lemma big_sequences (R : Type) (idx : R) (op : Monoid.com_law idx) n (F : {set E}) (f : {ffun 'I_n.+1 -> E} -> R) :
  \big[op/idx]_(s in ffun_on (mem F)) f s =
  \big[op/idx]_(e in F) \big[op/idx]_(s in ffun_on (mem F)) f (prepend (e, s)).
Proof.
rewrite (reindex (@prepend n)) /=; last by apply: onW_bij; exact: prepend_bij.
by rewrite pair_big /=; apply: eq_big => [[e s]|[e s] _] //; rewrite prepend_on.
Qed.

Lemma sequence0 (F : {set E}) (s : {ffun 'I_0 -> E}) : s \in ffun_on (mem F).
Proof. by apply/ffun_onP => -[]. Qed.

Lemma big_sequence0 (R : Type) (idx : R) (op : Monoid.com_law idx) (F : {set E}) (f : {ffun 'I_0 -> E} -> R) s0 :
  \big[op/idx]_(s in ffun_on (mem F)) f s = f s0.
Proof.
rewrite (big_pred1 s0) // => s; rewrite sequence0; apply/esym/eqP/ffunP => -[i lt]; by have := lt.
Qed.

End Prepend.

Lemma sum_all (T : finType) (R : Type) (idx : R) (op : Monoid.com_law idx) n (f : {ffun 'I_n -> T} -> R) :
  \big[op/idx]_(s in ffun_on (mem [set: T])) f s = \big[op/idx]_s f s.
Proof. by apply: eq_bigl => s; apply/ffun_onP => i; rewrite inE. Qed.

(* The places that a sequence of choices has, each choice with its own. *)
Section Covered.
Variables (P E : finType) (places : E -> {set P}).

Definition covered n (s : {ffun 'I_n -> E}) : {set P} := \bigcup_i places (s i).

Lemma covered0 (s : {ffun 'I_0 -> E}) : covered s = set0.
Proof. by rewrite /covered big_ord0. Qed.

Lemma covered_prepend n e (s : {ffun 'I_n -> E}) : covered (prepend (e, s)) = places e :|: covered s.
Proof. by rewrite /covered big_ord_recl prepend0; congr (_ :|: _); apply: eq_bigr => i _; rewrite prependS. Qed.

(* Where the next choice takes what is known of the number of places, v, to step v, a sequence takes it n steps on. *)
Lemma walk (V : Type) (at_ : V -> nat -> nat) (step : V -> V) (F : {set E}) n (v : V) (A : {set P}) :
  (forall v B, \sum_(e in F) at_ v #|B :|: places e| = at_ (step v) #|B|)%N ->
  (\sum_(s in ffun_on (mem F)) at_ v #|A :|: @covered n s| = at_ (iter n step v) #|A|)%N.
Proof.
move=> stepE; elim: n A => [|n IH] A.
  have s0 : {ffun 'I_0 -> E} by apply: finfun => -[].
  by rewrite (big_sequence0 _ _ _ s0) covered0 setU0.
rewrite big_sequences iterS -stepE; apply: eq_bigr => e _; rewrite -IH.
by apply: eq_bigr => s _; rewrite covered_prepend setUA.
Qed.
End Covered.
