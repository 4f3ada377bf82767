(* Blocked filters of any kind: what a search for the best k knows of them, and filters of one block.

   A block that has i items or more is at least as full as one of i items, so the rate of a block with i items, times the
   probability of as many, is a lower bound of the rate. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard partitioned classic blocked sequences cases size_blocked.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.
Section Loads.
Variables (P C : finType) (places : C -> {set P}).
Hypothesis C_positive : (0 < #|C|)%N.

(* The probability that i or more of n items are in a block, each with probability p. *)
Fixpoint at_least (p : rat) (n i : nat) : rat :=
  if i is i'.+1 then (if n is n'.+1 then (1 - p) * at_least p n' i + p * at_least p n' i' else 0) else 1.

Lemma at_least0 p n : at_least p n 0 = 1. Proof. by case: n. Qed.

Lemma at_least_ge0 p n i : 0 <= p <= 1 -> 0 <= at_least p n i.
Proof.
move=> /andP[p0 p1]; elim: n i => [|n IH] [|i] //=.
by apply: addr_ge0; apply: mulr_ge0; rewrite ?subr_ge0 ?IH.
Qed.

Lemma chance_loads q p n i (A : {set P}) : 0 <= p <= 1 -> at_least p n i * chance places q 1 i A <= chance places q p n A.
Proof.
move=> p01; have /andP[p0 p1] := p01; elim: n i A => [|n IH] [|i] A.
- by rewrite /= mul1r.
- by rewrite /= mul0r ler0n.
- by have := IH 0%N A; rewrite !at_least0 !mul1r => le; apply: le_trans le _; exact: chance_next.
rewrite /= subrr mul0r add0r mul1r mulrDl -!mulrA; apply: ler_add; apply: ler_wpmul2l; rewrite ?subr_ge0 //.
  by have := IH i.+1 A; rewrite /= subrr mul0r add0r mul1r.
rewrite /mean mulrA ler_pmul2r ?invr_gt0 ?ltr0n // mulr_sumr; apply: ler_sum => c _; exact: IH.
Qed.

(* Blocks of any kind: the rate is at least the probability that a given block has i items or more, times the rate of a
   single block with i items. *)
Theorem blocked_loads b n i : (0 < b)%N -> at_least b%:R^-1 n i * blocked_rate places 1 i <= blocked_rate places b n.
Proof.
move=> b0; rewrite !blocked_chance // invr1 /mean mulrA ler_pmul2r ?invr_gt0 ?ltr0n // mulr_sumr; apply: ler_sum => c _.
by apply: chance_loads; rewrite invr_ge0 ler0n invf_le1 ?ltr0n // ler1n.
Qed.
End Loads.

Section Union.
Variables (P C : finType) (places : C -> {set P}) (k w : nat).
Hypothesis C_positive : (0 < #|C|)%N.
Hypothesis few : forall c, (#|places c| <= k)%N.
Hypothesis leave : forall x, without places [set x] = w.

(* Blocks of any kind, where an item has at most k places, and w of the choices leave out a given place: 1 - rate is at
   most k times the probability that a given place is left out. *)
Theorem blocked_union b n : (0 < b)%N ->
  1 - k%:R * (1 - (1 - w%:R / #|C|%:R) / b%:R) ^+ n <= blocked_rate places b n.
Proof.
move=> b0; have bC : (0 < b * #|C|)%N by rewrite muln_gt0 b0.
have p0 e : (0 : rat) < ((b * #|C|) ^ e)%:R by rewrite ltr0n expn_gt0 bC.
have b1 : (b%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have C1 : (#|C|%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have -> : (1 - (1 - w%:R / #|C|%:R) / b%:R) ^+ n = ((b.-1 * #|C| + w) ^ n)%:R / ((b * #|C|) ^ n)%:R :> rat.
  rewrite !natrX -expr_div_n; congr (_ ^+ _); apply/esym.
  have bC1 : b%:R * #|C|%:R != 0 :> rat by rewrite mulf_neq0.
  apply: (mulIf bC1); rewrite [(b * #|C|)%:R]natrM divfK // natrD natrM -subn1 natrB // mulrBl [RHS]mulrBl !mul1r.
  by rewrite [in RHS]mulrA divfK // mulrBl mul1r divfK // opprB addrA addrAC.
rewrite /blocked_rate ler_pdivl_mulr // /blocked_pairs.
have -> : (1 - k%:R * (((b.-1 * #|C| + w) ^ n)%:R / ((b * #|C|) ^ n)%:R)) * ((b * #|C|) ^ n.+1)%:R =
    \sum_(q : 'I_b * C) (((b * #|C|) ^ n)%:R - k%:R * ((b.-1 * #|C| + w) ^ n)%:R) :> rat.
  rewrite sumr_const card_prod card_ord -[RHS]mulr_natr expnSr natrM mulrA; congr (_ * _).
  by rewrite mulrBl mul1r mulrA divfK // gt_eqF.
apply: ler_sum => q _; apply: (@le_trans _ _ (\sum_(s : {ffun 'I_n -> 'I_b * C}) (1 - \sum_(x in places q.2) (x \notin block places s q.1)%:R))).
  rewrite sumrB sumr_const card_ffun card_prod !card_ord ler_add2l ler_opp2 exchange_big /=.
  rewrite (eq_bigr (fun=> ((b.-1 * #|C| + w) ^ n)%:R)) => [|x _]; last first.
    rewrite -(leave x) -(card_block_without places n q.1 [set x]) -sum1_card natr_sum [RHS]big_mkcond /=.
    by apply: eq_bigr => s _; rewrite inE disjoint_sym disjoints1; case: (x \in _).
  by rewrite sumr_const -mulr_natl ler_wpmul2r ?ler0n // ler_nat.
apply: ler_sum => s _; case: (boolP (places q.2 \subset block places s q.1)) => [_ | /subsetPn[x xq xs]].
  by rewrite ler_subl_addr ler_addl sumr_ge0 // => x _; rewrite ler0n.
by rewrite subr_le0 (bigD1 x) //= xs ler_addl sumr_ge0 // => y _; rewrite ler0n.
Qed.
End Union.

(* Blocks of m bits with k distinct positions, exactly. *)
Theorem classic_blocked_exact b m k n : (0 < b)%N -> (k <= m)%N ->
  classic_blocked b m k n = \sum_(j < k.+1) 'C(k, j)%:R * ((-1) ^+ j * (1 - (1 - 'C(m - j, k)%:R / 'C(m, k)%:R) / b%:R) ^+ n).
Proof.
move=> b0 km; rewrite /classic_blocked (@blocked_by_size _ _ _ _ _ k (fun j => 'C(m - j, k))) ?card_drawn ?bin_gt0 //.
  by move=> c; have := valP c; rewrite inE => /eqP.
move=> c B _; rewrite /without -card_items_without -!sum1_card [LHS]big_mkcond [RHS]big_mkcond /=.
rewrite (eq_bigr (fun c : draws m k => (fun a => nat_of_bool [disjoint a & B]) (val c))) => [|d _]; last first.
  by rewrite inE; case: [disjoint _ & _].
rewrite (@big_draws _ _ _ m k (fun a => nat_of_bool [disjoint a & B])) big_mkcond /=; apply: eq_bigr => a _; rewrite !inE.
by case: (#|a| == k); case: [disjoint _ & _].
Qed.

(* One block of k independent positions is a standard filter. *)
Theorem standard_one_block m k n : (0 < m)%N -> standard_blocked 1 m k n = rate m (n * k) k.
Proof.
move=> m0; have mk (e : nat) : (m ^ e)%:R != 0 :> rat by rewrite pnatr_eq0 -lt0n expn_gt0 m0.
rewrite standard_blocked_exact // /rate difference mulr_suml; apply: eq_bigr => i _.
rewrite expnD natrM invfM -!mulrA; congr (_ * (_ * _)); rewrite [LHS]mulrC [RHS]mulrA; congr (_ * _).
rewrite mulr_suml; apply: eq_bigr => j _; rewrite -!mulrA; congr (_ * (_ * _)).
have jm : (j <= m)%N by rewrite (leq_trans (ltn_ord j : (j <= i)%N)) // -ltnS ltn_ord.
rewrite divr1 opprB addrC subrK -exprM mulnC !natrX -expr_div_n; congr (_ ^+ _).
by rewrite natrB // mulrBl divff // -(expn1 m) mk.
Qed.

(* One block of k words is a partitioned filter. *)
Theorem split_one_block w k n : (0 < w)%N -> split_rate 1 w k n = partitioned_rate w n k.
Proof.
move=> w0; rewrite split_block_exact // partitioned_exact // exprBn; apply: eq_bigr => j _.
by rewrite expr1n mulr1 divr1 opprB addrC subrK mulr_natl -!exprM mulnC.
Qed.

(* One block of k distinct positions is a classic filter. *)
Theorem classic_one_block m k n : (k <= m)%N -> classic_blocked 1 m k n = classic_rate m k n k.
Proof.
move=> km; rewrite classic_blocked_exact // classic_difference //; apply: eq_bigr => j _.
by rewrite divr1 opprB addrC subrK.
Qed.
