(* Counting filters (Fan, section 5), and two remarks of Dozier: rates that grow with the bits, and reordered samples. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic claims placements order.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma least_below (T : eqType) (x : nat) (F : T -> nat) (s : seq T) j : j \in s -> (\big[minn/x]_(i <- s) F i <= F j)%N.
Proof.
elim: s => // i s IH; rewrite inE big_cons geq_min => /orP[/eqP-> | /IH ->]; last by rewrite orbT.
by rewrite leqnn.
Qed.

Section Counting.
Variables (m k n f0 : nat) (f : 'I_n -> nat).
Hypothesis some : forall i, (0 < f i)%N.

(* The positions of n items, of which the item i has those with the numbers i k, ..., i k + k - 1; and the k positions of
   one more item. The other items were inserted f i times, and this one f0 times. An insertion adds 1 to each counter
   that the item has. *)
Definition outcomes : finType := [finType of {ffun 'I_(n * k.+1) -> 'I_m} * {ffun 'I_k.+1 -> 'I_m}].
Definition has (o : outcomes) (i : 'I_n) (c : 'I_m) : bool := [exists x : 'I_(n * k.+1), (x %/ k.+1 == i)%N && (o.1 x == c)].
Definition counter (o : outcomes) (c : 'I_m) : nat := (f0 * (c \in hits o.2) + \sum_i f i * has o i c)%N.
Definition estimate (o : outcomes) : nat := \big[minn/counter o (o.2 ord0)]_j counter o (o.2 j).

Lemma others (o : outcomes) (c : 'I_m) : (\sum_i f i * has o i c == 0)%N = (c \notin hits o.1).
Proof.
rewrite sum_nat_eq0; apply/forallP/idP => [none | out i].
  apply/imsetP => -[x _ e]; have lt : (x %/ k.+1 < n)%N by rewrite ltn_divLR.
  have := none (Ordinal lt); rewrite /= muln_eq0 -[f _ == 0%N]negbK -lt0n some /= eqb0; case/negP.
  by apply/existsP; exists x; rewrite e !eqxx.
rewrite /= muln_eq0 eqb0; apply/orP; right; apply/existsP => -[x /andP[_ /eqP e]].
by case/imsetP: out; exists x.
Qed.

Lemma correctE o : (estimate o == f0) = ~~ (hits o.2 \subset hits o.1).
Proof.
have own j : counter o (o.2 j) = (f0 + \sum_i f i * has o i (o.2 j))%N.
  by rewrite /counter (_ : o.2 j \in hits o.2) ?muln1 //; apply/imsetP; exists j.
have low : (f0 <= estimate o)%N.
  rewrite /estimate; elim/big_ind: _ => [|x y|j _]; rewrite ?own ?leq_addr // leq_min => -> ->.
  by [].
have least j : (estimate o <= counter o (o.2 j))%N by apply: least_below; exact: mem_index_enum.
apply/idP/subsetPn => [/eqP e | [c]].
  have [j ej] : exists j, estimate o = counter o (o.2 j).
    rewrite /estimate; elim/big_ind: _ => [|x y [j1 ->] [j2 ->]|j _]; first by exists ord0.
      by rewrite /minn; case: ltnP => _; [exists j1 | exists j2].
    by exists j.
  exists (o.2 j); first by apply/imsetP; exists j.
  by rewrite -others -(eqn_add2l f0) addn0 -own -ej e.
move=> /imsetP[j _ ->]; rewrite -others => /eqP z; have := least j; rewrite own z addn0 => high.
by rewrite eqn_leq high low.
Qed.

(* Fan (25), with each distinct counter of an item incremented once: the probability that the least of an item's counters
   is the number of its insertions is 1 - f, where f is the rate with the n other items. *)
Theorem correct_rate : (0 < m)%N -> #|[set o | estimate o == f0]|%:R / #|outcomes|%:R = 1 - rate m (n * k.+1) k.+1.
Proof.
move=> m0; have [<- _] := rates_are_probabilities m n k.+1.
set wrong := [set o | _ \subset _]; have -> : [set o | estimate o == f0] = ~: wrong.
  by apply/setP => o; rewrite !inE correctE.
have all : (#|outcomes|%:R : rat) != 0 by rewrite pnatr_eq0 card_prod !card_ffun !card_ord -expnD expn_eq0 negb_and -lt0n m0.
apply: (mulIf all); rewrite divfK // mulrBl mul1r divfK //.
by rewrite cardsCs setCK natrB ?max_card.
Qed.

(* Fan (26): bounds of this probability, where n other items are n + 1 items. *)
Theorem correct_between : (1 < k.+1)%N -> (k.+1 <= m)%N -> (0 < n)%N ->
  let correct : rat := #|[set o | estimate o == f0]|%:R / #|outcomes|%:R in
  1 - (1 - (1 - k.+1%:R / m%:R) ^+ n) ^+ k.+1 < correct < 1 - (1 - (1 - m%:R^-1) ^+ (n * k.+1)) ^+ k.+1.
Proof.
move=> k1 km n0; cbv zeta; rewrite correct_rate ?(leq_trans _ km) //.
by have /andP[lo hi] := between_bounds (ltnW k1) km k1 n0; rewrite !ltr_add2l !ltr_opp2 lo hi.
Qed.
End Counting.

(* Dozier-FP, section I: the share of the messages that are false positives grows with the number b of set bits; for k
   distinct positions from b = k - 1 on. *)
Theorem grows_with_bits M k (A B : {set 'I_M}) : (0 < k)%N -> #|B| = #|A|.+1 ->
  #|[set q : {ffun 'I_k -> 'I_M} | hits q \subset A]|%:R / (M ^ k)%:R < #|[set q : {ffun 'I_k -> 'I_M} | hits q \subset B]|%:R / (M ^ k)%:R :> rat /\
  ((k <= M)%N -> (k <= #|A|.+1)%N ->
    #|[set q in items M k | q \subset A]|%:R / #|items M k|%:R < #|[set q in items M k | q \subset B]|%:R / #|items M k|%:R :> rat).
Proof.
move=> k0 BA; have [-> ->] := queries_within k A; have [-> ->] := queries_within k B; rewrite BA.
have M0 : (0 < M)%N by rewrite (leq_trans (_ : 0 < #|B|)%N) ?BA // -BA -[X in (_ <= X)%N]card_ord max_card.
split=> [|kM kA].
  rewrite ltr_expn2r -?lt0n ?divr_ge0 ?ler0n // ltr_pmul2r ?invr_gt0 ?ltr0n // ltr_nat //.
rewrite ltr_pmul2r ?invr_gt0 ?ltr0n ?bin_gt0 // ltr_nat -[k in X in (_ < X)%N]prednK // binS -{1}[k]prednK //.
by rewrite -[X in (X < _)%N]addn0 ltn_add2l bin_gt0 -ltnS prednK.
Qed.

(* Dozier-FN, Lemma 4 of appendix D, for the set of all elements: a sequence that is reordered samples the same elements,
   and as many different ones. *)
Theorem reordered_sample (T : eqType) (s t : seq T) : perm_eq s t -> s =i t /\ size (undup s) = size (undup t).
Proof. by move=> st; split; [exact: perm_mem | exact/perm_size/perm_undup/perm_mem]. Qed.
