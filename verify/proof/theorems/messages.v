(* Two statements about recorded messages (Dozier-FN). *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences size claims popularity ranks.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Section Three.
Variables (T : finType) (q : T -> rat).
Hypothesis q_gt0 : forall x, 0 < q x.
Hypothesis q_sum : \sum_x q x = 1.
Implicit Types (S : {set T}) (s : seq T).

(* The probability that messages sampled by q, each of them new, come in an order with the property f. The messages of s
   have been seen, and K more are sampled. *)
Fixpoint sample_order K s (f : pred (seq T)) : rat :=
  if K is K'.+1 then \sum_(x | x \notin s) q x / rest q [set y in s] * sample_order K' (rcons s x) f else (f s)%:R.

Lemma rest1 x : rest q [set x] = 1 - q x.
Proof.
rewrite -q_sum (bigD1 x) //= addrAC subrr add0r; apply: eq_bigl => y.
by rewrite !inE.
Qed.

Lemma rest2 x y : y != x -> rest q [set x; y] = 1 - q x - q y.
Proof.
move=> yx; rewrite -rest1 (rest_more _ (_ : y \notin [set x])); last by rewrite inE.
by rewrite addrAC subrr add0r setUC.
Qed.

Lemma rest0 : rest q set0 = 1.
Proof. by rewrite -q_sum; apply: eq_bigl => x; rewrite inE. Qed.

Lemma seen_stays K S j : j \in S -> (K + #|S| <= #|T|)%N -> sample q K S (fun B => (j \in B)%:R) = 1.
Proof.
move=> jS le; rewrite -[RHS](sample_one q_gt0 le); elim: K S jS {le} => [|K IH] S jS /=; first by rewrite jS.
by apply: eq_bigr => x _; rewrite IH // inE jS orbT.
Qed.

Lemma order_of_sets K s g : sample_order K s (fun t => g [set y in t]) = sample q K [set y in s] (fun B => (g B)%:R).
Proof.
elim: K s => //= K IH s; apply: eq_big => [x | x _]; first by rewrite inE.
by rewrite IH; congr (_ * sample _ _ _ _); apply/setP => y; rewrite !inE mem_rcons inE.
Qed.

(* Dozier-FN, section 4.1.4, the example with three messages, for any number of messages D >= 3, such as four: the
   probability that the message j is among the first three distinct ones, and the probability of the order a, b, c. *)
Theorem first_three : (2 < #|T|)%N ->
  (forall j, sample_order 3 [::] (fun s => j \in s) =
    q j + \sum_(l | l != j) q l * (q j / (1 - q l) + \sum_(k | (k != j) && (k != l)) q k / (1 - q l) * (q j / (1 - q l - q k)))) /\
  (forall a b c, uniq [:: a; b; c] -> sample_order 3 [::] (fun s => s == [:: a; b; c]) =
    q a * (q b / (1 - q a)) * (q c / (1 - q a - q b))).
Proof.
move=> T3; split=> [j | a b c].
  have -> : sample_order 3 [::] (fun s => j \in s) = sample q 3 set0 (fun B => (j \in B)%:R).
    have e0 : set0 = [set y in [::]] :> {set T} by apply/setP => y; rewrite !inE.
    rewrite e0 -(order_of_sets 3 [::] (fun B => j \in B)).
    have e K s : sample_order K s (fun s => j \in s) = sample_order K s (fun t => j \in [set y in t]).
      by elim: K s => [|K IH] s /=; [rewrite inE | apply: eq_bigr => x _; rewrite IH].
    exact: e.
  rewrite [sample q 3 _ _]/= (bigD1 j) ?inE //= rest0 divr1.
  have c1 x : #|[set x]| = 1%N := cards1 x.
  have -> : \sum_(x | x \notin j |: set0) q x / rest q (j |: set0) * (\sum_(x0 | x0 \notin x |: (j |: set0)) q x0 / rest q (x |: (j |: set0)) * (j \in x0 |: (x |: (j |: set0)))%:R) = 1.
    by rewrite -[LHS]/(sample q 2 (j |: set0) (fun B => (j \in B)%:R)) seen_stays ?setU0 ?inE ?cards1.
  rewrite mulr1; congr (_ + _); apply: eq_big => [l | l]; first by rewrite inE.
  rewrite inE /= => lj; rewrite divr1; congr (_ * _); rewrite setU0 rest1.
  rewrite (bigD1 j) ?inE 1?eq_sym //=; congr (_ + _).
    have -> : \sum_(x0 | x0 \notin j |: [set l]) q x0 / rest q (j |: [set l]) * (j \in x0 |: (j |: [set l]))%:R = 1.
      rewrite -[LHS]/(sample q 1 (j |: [set l]) (fun B => (j \in B)%:R)) seen_stays ?inE ?eqxx //.
      by rewrite cards2 eq_sym lj.
    by rewrite mulr1.
  apply: eq_big => [k | k]; first by rewrite inE andbC.
  rewrite inE => /andP[kl kj]; congr (_ * _).
  have jN : j \notin k |: [set l] by rewrite !inE negb_or eq_sym kj eq_sym.
  rewrite (bigD1 j) //= !inE eqxx mulr1 big1 ?addr0 => [|x /andP[_ xj]]; last first.
    by rewrite !inE eq_sym (negbTE xj) eq_sym (negbTE kj) eq_sym (negbTE lj) mulr0.
  by rewrite setUC rest2.
rewrite /= !inE negb_or => /and3P[/andP[ab ac] bc _].
have e0 : [set y in [::]] = set0 :> {set T} by apply/setP => y; rewrite !inE.
have e1 x : [set y in [:: x]] = [set x] by apply/setP => y; rewrite !inE.
have e2 x z : [set y in [:: x; z]] = [set x; z] by apply/setP => y; rewrite !inE.
rewrite (bigD1 a) //= [X in _ + X]big1 ?addr0 => [|x xa]; last first.
  rewrite big1 ?mulr0 // => y _; rewrite big1 ?mulr0 // => z _.
  by rewrite !eqseq_cons (negbTE xa) /= mulr0.
rewrite e0 rest0 divr1 -mulrA; congr (_ * _).
rewrite (bigD1 b) /=; last by rewrite inE eq_sym.
rewrite [X in _ + X]big1 ?addr0 => [|y /andP[_ yb]]; last first.
  by rewrite big1 ?mulr0 // => z _; rewrite !eqseq_cons (negbTE yb) /= andbF mulr0.
rewrite e1 rest1; congr (_ * _).
rewrite (bigD1 c) /=; last by rewrite !inE negb_or eq_sym ac eq_sym bc.
rewrite [X in _ + X]big1 ?addr0 => [|z /andP[_ zc]]; last first.
  by rewrite !eqseq_cons (negbTE zc) /= !andbF mulr0.
by rewrite eqxx mulr1 e2 rest2 // eq_sym.
Qed.
End Three.

Section Recorded.
Variables (D m k : nat) (q : nat -> rat).
Hypothesis falls : forall i j, (i <= j)%N -> q j <= q i.
Hypothesis none : forall j, (D <= j)%N -> q j = 0.
Implicit Types (B : {set 'I_D}) (A P : {set 'I_m}) (r : 'I_D).

(* The probability that a message sets a bit, if the bits of A are set; and the probability of a false negative, if the
   messages at the ranks in B are recorded: a repeat is of a message that is not recorded, and it sets a bit. *)
Definition standard_sets A : rat := 1 - #|[set t : {ffun 'I_k -> 'I_m} | hits t \subset A]|%:R / (m ^ k)%:R.
Definition classic_sets A : rat := 1 - #|[set a in items m k | a \subset A]|%:R / 'C(m, k)%:R.
Definition false_negative (sets : {set 'I_m} -> rat) B A : rat := unrecorded q B * sets A.

Lemma sets_less (U : finType) (places : U -> {set 'I_m}) (E : {set U}) (z : nat) A P : (#|E| <= z)%N ->
  let sets A : rat := 1 - #|[set t in E | places t \subset A]|%:R / z%:R in 0 <= sets (A :|: P) /\ sets (A :|: P) <= sets A.
Proof.
move=> Ez sets; split; last first.
  rewrite ler_add2l ler_opp2 ler_wpmul2r ?invr_ge0 ?ler0n // ler_nat; apply: subset_leq_card.
  by apply/subsetP => t; rewrite !inE => /andP[-> /subset_trans]; apply; exact: subsetUl.
rewrite subr_ge0; have [-> | z0] := posnP z; first by rewrite invr0 mulr0 ler01.
rewrite ler_pdivr_mulr ?ltr0n // mul1r ler_nat (leq_trans _ Ez) // subset_leq_card //.
by apply/subsetP => t; rewrite inE => /andP[].
Qed.

(* Dozier-FN, section 3.3: whatever arrives and is recorded, the probability of a false negative falls or stays the same,
   for k independent and for k distinct positions. The arrival is a new message at the rank r, or a repeat of the message
   at the rank r, and it sets the bits of P. *)
Theorem false_negatives_drop B A P r (sets : {set 'I_m} -> rat) : sets = standard_sets \/ sets = classic_sets ->
  false_negative sets (recorded B r) (A :|: P) <= false_negative sets B A /\
  false_negative sets (r |: B) (A :|: P) <= false_negative sets B A.
Proof.
move=> kind; have [s0 s1] : 0 <= sets (A :|: P) /\ sets (A :|: P) <= sets A.
  case: kind => ->; last by apply: sets_less; rewrite card_items.
  have e C : standard_sets C = 1 - #|[set t in [set: {ffun 'I_k -> 'I_m}] | hits t \subset C]|%:R / (m ^ k)%:R.
    by congr (1 - _%:R / _); apply: eq_card => t; rewrite !inE.
  by rewrite !e; apply: sets_less; rewrite cardsT card_ffun !card_ord.
have u0 C : 0 <= unrecorded q C by apply: sumr_ge0 => j _; exact: (popularity_ge0 falls none).
have [new again] := recorded_more falls none B r.
by split; apply: ler_pmul.
Qed.
End Recorded.
