(* The rates of larger filters, in whole numbers of 2^-s and of a part of this.

   A term of Burns (56) or (60) is a number of subsets times a power. Coq computes the power in whole numbers of 2^-s, which
   it rounds down, and an upper bound of the error. *)
From Coq Require Import NArith.
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard classic sequences steps size search means cases decimals figures examples.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma ratD a b : rat_of_N (a + b)%num = rat_of_N a + rat_of_N b. Proof. by rewrite /rat_of_N nat_of_add_bin natrD. Qed.
Lemma ratM a b : rat_of_N (a * b)%num = rat_of_N a * rat_of_N b. Proof. by rewrite /rat_of_N nat_of_mul_bin natrM. Qed.
Lemma rat_nat n : rat_of_N (bin_of_nat n) = n%:R. Proof. by rewrite /rat_of_N bin_of_natK. Qed.
Lemma ratX a e : rat_of_N (raised a e) = rat_of_N a ^+ e. Proof. by rewrite /rat_of_N raisedE natrX. Qed.
Lemma rat_ge0 a : 0 <= rat_of_N a. Proof. exact: ler0n. Qed.
Lemma rat_gt0 a : (0 <? a)%num -> 0 < rat_of_N a. Proof. by move=> /bin_gt0 a0; rewrite /rat_of_N ltr0n. Qed.
Lemma rat_le a b : (a <=? b)%num -> rat_of_N a <= rat_of_N b. Proof. by move=> /N.leb_le/bin_le; rewrite /rat_of_N ler_nat. Qed.
Lemma rat_lt a b : (a <? b)%num -> rat_of_N a < rat_of_N b. Proof. by move=> /N.ltb_lt/bin_lt; rewrite /rat_of_N ltr_nat. Qed.

Lemma quotient a b : 0 < rat_of_N b -> rat_of_N (a / b)%num * rat_of_N b <= rat_of_N a /\ rat_of_N a <= (rat_of_N (a / b)%num + 1) * rat_of_N b.
Proof.
move=> b0; have bn : b <> 0%num by move=> e; move: b0; rewrite e ltxx.
split.
  by have := bin_le (N.mul_div_le a b bn); rewrite nat_of_mul_bin mulnC -(ler_nat rat_numDomainType) natrM.
have := bin_lt (N.mul_succ_div_gt a b bn); rewrite nat_of_mul_bin -N.add_1_l nat_of_add_bin => /ltnW.
by rewrite -(ler_nat rat_numDomainType) natrM natrD mulrC [1%:R + _]addrC.
Qed.

(* The number 2^s; and the product of two numbers of 2^-s, rounded down. *)
Definition whole (s : N) : N := (2 ^ s)%num.
Definition times (s a b : N) : N := N.shiftr (a * b) s.

Lemma whole_gt0 s : 0 < rat_of_N (whole s).
Proof. by apply: rat_gt0; apply/N.ltb_lt/N.neq_0_lt_0/N.pow_nonzero. Qed.

(* The number v of 2^-s is at most x, and x is above it by at most e of them. *)
Definition near (s v : N) (x e : rat) : Prop := rat_of_N v <= rat_of_N (whole s) * x /\ rat_of_N (whole s) * x <= rat_of_N v + e.

Lemma near_times s a b (x y e f : rat) : 0 <= x <= 1 -> 0 <= y <= 1 -> 0 <= e -> 0 <= f ->
  near s a x e -> near s b y f -> near s (times s a b) (x * y) (e + f + 1).
Proof.
move=> /andP[x0 x1] /andP[y0 y1] e0 f0 [la ha] [lb hb]; have D0 := whole_gt0 s.
rewrite /near /times N.shiftr_div_pow2; have [lo hi] := quotient (a * b) D0.
rewrite -/(whole s); set c := rat_of_N _ in lo hi *; set D := rat_of_N (whole s) in la ha lb hb lo hi D0 *.
rewrite ratM in lo hi; set A := rat_of_N a in la ha lo hi; set B := rat_of_N b in lb hb lo hi.
have A0 : 0 <= A := rat_ge0 a; have B0 : 0 <= B := rat_ge0 b.
have AD : A <= D by apply: le_trans la _; rewrite ler_pimulr // ltW.
split; rewrite -(ler_pmul2r D0).
  apply: le_trans lo _; apply: le_trans (ler_pmul A0 B0 la lb) _.
  by rewrite [X in X <= _](AC (2*2) (1*(2*4)*3)).
have -> : D * (x * y) * D = (D * x) * (D * y) by rewrite [RHS](AC (2*2) (1*(2*4)*3)).
apply: (@le_trans _ _ ((A + e) * (D * y))); first by apply: ler_wpmul2r => //; rewrite mulr_ge0 // ltW.
rewrite mulrDl; apply: (@le_trans _ _ (A * (B + f) + e * D)).
  by apply: ler_add; [exact: ler_wpmul2l | apply: ler_wpmul2l; rewrite // ler_pimulr // ltW].
rewrite mulrDr; apply: (@le_trans _ _ ((c + 1) * D + f * D + e * D)); last first.
  rewrite -!mulrDl (_ : c + 1 + f + e = c + (e + f + 1)) //.
  by rewrite -!addrA [1 + _]addrC [f + e]addrC -!addrA.
by rewrite ler_add2r; apply: ler_add => //; rewrite mulrC ler_wpmul2l.
Qed.

Fixpoint power_of (s p : N) (k : positive) : N :=
  match k with
  | xH => p
  | xO k => let a := power_of s p k in times s a a
  | xI k => let a := power_of s p k in times s (times s a a) p
  end.
Definition powered (s p : N) (k : nat) : N := if bin_of_nat k is Npos k then power_of s p k else whole s.

Lemma unit_power (x : rat) k : 0 <= x <= 1 -> 0 <= x ^+ k <= 1.
Proof. by move=> /andP[x0 x1]; rewrite exprn_ge0 ?exprn_ile1. Qed.

Lemma powered_near s p (x e : rat) k : 0 <= x <= 1 -> 0 <= e -> near s p x e -> near s (powered s p k) (x ^+ k) (k%:R * (e + 1)).
Proof.
move=> x01 e0 px; rewrite /powered -[k in x ^+ k]bin_of_natK -[k in k%:R]bin_of_natK.
case: (bin_of_nat k) => [|q] /=; first by rewrite /near mul0r addr0 expr0 mulr1.
suff [lo hi] : near s (power_of s p q) (x ^+ nat_of_pos q) ((nat_of_pos q)%:R * (e + 1) - 1).
  by split=> //; apply: le_trans hi _; rewrite ler_add2l ler_subl_addr ler_addl.
have pos_ge1 r : 1 <= (nat_of_pos r)%:R * (e + 1).
  have r1 : (0 < nat_of_pos r)%N by elim: r => //= r IH; rewrite NatTrec.doubleE // double_gt0.
  by rewrite -[leLHS]mul1r; apply: ler_pmul; rewrite ?ler01 ?ler1n // ler_addr.
elim: q => [q IH | q IH |] /=; last by rewrite mul1r addrK expr1.
  have IH0 : 0 <= (nat_of_pos q)%:R * (e + 1) - 1 by rewrite subr_ge0.
  have xq := unit_power (nat_of_pos q) x01.
  have sq := near_times xq xq IH0 IH0 IH IH.
  have xx : 0 <= x ^+ nat_of_pos q * x ^+ nat_of_pos q <= 1 by rewrite -exprD unit_power.
  have ee := addr_ge0 (addr_ge0 IH0 IH0) (@ler01 rat_numDomainType).
  have := near_times xx x01 ee e0 sq px; rewrite NatTrec.doubleE -addnn exprS exprD mulrC.
  rewrite mulrSr natrD mulrDl mul1r mulrDl; move: ((nat_of_pos q)%:R * _) => z.
  have -> : z - 1 + (z - 1) + 1 + e + 1 = z + z + (e + 1) - 1; last by [].
  by rewrite [z - 1 + _]addrA subrK [z + z + (e + 1)]addrA addrK [z - 1 + z]addrAC [LHS]addrAC subrK.
have IH0 : 0 <= (nat_of_pos q)%:R * (e + 1) - 1 by rewrite subr_ge0.
have xq := unit_power (nat_of_pos q) x01.
have := near_times xq xq IH0 IH0 IH IH; rewrite NatTrec.doubleE -addnn exprD.
rewrite natrD mulrDl; move: ((nat_of_pos q)%:R * _) => z.
have -> : z - 1 + (z - 1) + 1 = z + z - 1; last by [].
by rewrite addrA subrK addrAC.
Qed.

(* The even terms, the odd terms and the errors of an alternating sum. *)
Fixpoint alternate (l : seq (N * N)) : N * N * N :=
  if l is c :: l' then let: (even, odd, error) := alternate l' in (c.1 + odd, even, c.2 + error)%num else (0, 0, 0)%num.

Lemma alternateP (D : rat) (l : seq (N * N)) (t : nat -> rat) :
  (forall i, (i < size l)%N -> let c := nth (0, 0)%num l i in rat_of_N c.1 <= D * t i /\ D * t i <= rat_of_N c.1 + rat_of_N c.2) ->
  let: (even, odd, error) := alternate l in let sum := D * \sum_(i < size l) (-1) ^+ i * t i in
  rat_of_N even - rat_of_N odd - rat_of_N error <= sum /\ sum <= rat_of_N even - rat_of_N odd + rat_of_N error.
Proof.
elim: l t => [|c l IH] t near; first by rewrite /= big_ord0 mulr0 (_ : rat_of_N 0 = 0) ?subr0 ?addr0.
have := IH (fun i => t i.+1) (fun i il => near i.+1 il); rewrite /=; case: (alternate l) => -[even odd] error /= [lo hi].
have [a b] := near 0%N isT; rewrite /= in a b.
have -> : D * (\sum_(i < (size l).+1) (-1) ^+ i * t i) = D * t 0%N - D * (\sum_(i < size l) (-1) ^+ i * t i.+1).
  rewrite big_ord_recl expr0 mul1r mulrDr -mulrN -sumrN; congr (_ + _ * _).
  by apply: eq_bigr => i _; rewrite exprS mulN1r mulNr.
move: (D * t 0%N) (D * (\sum_(i < size l) _)) a b lo hi => x y a b lo hi; rewrite !ratD.
split.
  have -> : rat_of_N c.1 + rat_of_N odd - rat_of_N even - (rat_of_N c.2 + rat_of_N error) =
      rat_of_N c.1 - (rat_of_N even - rat_of_N odd + rat_of_N error) - rat_of_N c.2.
    by rewrite !opprD opprK !addrA [LHS](ACl (1*3*2*5*4)).
  by apply: le_trans (ler_sub a hi); rewrite ler_subl_addr ler_addl rat_ge0.
have -> : rat_of_N c.1 + rat_of_N odd - rat_of_N even + (rat_of_N c.2 + rat_of_N error) =
    rat_of_N c.1 + rat_of_N c.2 - (rat_of_N even - rat_of_N odd - rat_of_N error).
  by rewrite !opprD !opprK !addrA [LHS](ACl (1*4*3*2*5)).
exact: ler_sub.
Qed.

(* The number F, where D = d/e times F is between the sums of an alternating list, is above the case c or at most this case. *)
Definition above_case (c : N * N) (d e : N) (l : seq (N * N)) : bool :=
  let: (even, odd, error) := alternate l in
  [&& (0 <? c.2)%num, (0 <? d)%num, (0 <? e)%num & (c.1 * d + (odd + error) * (e * c.2) <? even * (e * c.2))%num].
Definition below_case (c : N * N) (d e : N) (l : seq (N * N)) : bool :=
  let: (even, odd, error) := alternate l in
  [&& (0 <? c.2)%num, (0 <? d)%num, (0 <? e)%num & ((even + error) * (e * c.2) <=? c.1 * d + odd * (e * c.2))%num].

Definition enclosed (d e : N) (l : seq (N * N)) (F : rat) : Prop :=
  0 < rat_of_N d -> 0 < rat_of_N e -> let: (even, odd, error) := alternate l in
  rat_of_N even - rat_of_N odd - rat_of_N error <= rat_of_N d / rat_of_N e * F /\
  rat_of_N d / rat_of_N e * F <= rat_of_N even - rat_of_N odd + rat_of_N error.

Lemma above_caseP c d e l F : enclosed d e l F -> above_case c d e l -> rat_of_N c.1 / rat_of_N c.2 < F.
Proof.
rewrite /enclosed /above_case; case: (alternate l) => -[even odd] error near /and4P[/rat_gt0 c0 /rat_gt0 d0 /rat_gt0 e0 /rat_lt].
have [lo _] := near d0 e0; rewrite ratD !ratM ratD => lt.
rewrite ltr_pdivr_mulr // -(ltr_pmul2r d0); apply: lt_le_trans (_ : (rat_of_N even - rat_of_N odd - rat_of_N error) * (rat_of_N e * rat_of_N c.2) <= _).
  by rewrite mulrBl mulrBl -addrA -opprD -mulrDl ltr_subr_addr.
have -> : F * rat_of_N c.2 * rat_of_N d = rat_of_N d / rat_of_N e * F * (rat_of_N e * rat_of_N c.2).
  by rewrite [RHS]mulrA [_ * rat_of_N e]mulrAC divfK ?gt_eqF // [LHS]mulrC mulrA.
by rewrite ler_wpmul2r // mulr_ge0 ?rat_ge0.
Qed.

Lemma below_caseP c d e l F : enclosed d e l F -> below_case c d e l -> F <= rat_of_N c.1 / rat_of_N c.2.
Proof.
rewrite /enclosed /below_case; case: (alternate l) => -[even odd] error near /and4P[/rat_gt0 c0 /rat_gt0 d0 /rat_gt0 e0 /rat_le].
have [_ hi] := near d0 e0; rewrite !(ratD, ratM) => le.
rewrite ler_pdivl_mulr // -(ler_pmul2r d0); apply: le_trans (_ : _ <= (rat_of_N even - rat_of_N odd + rat_of_N error) * (rat_of_N e * rat_of_N c.2)) _.
  have -> : F * rat_of_N c.2 * rat_of_N d = rat_of_N d / rat_of_N e * F * (rat_of_N e * rat_of_N c.2).
    by rewrite [RHS]mulrA [_ * rat_of_N e]mulrAC divfK ?gt_eqF // [LHS]mulrC mulrA.
  by rewrite ler_wpmul2r // mulr_ge0 ?rat_ge0.
by rewrite addrAC mulrBl ler_subl_addr.
Qed.

(* The number of subsets of j places that are hit, over all sequences of k throws. *)
Definition subsets_hit (m k j : nat) : rat := \sum_(q : {ffun 'I_k -> 'I_m}) 'C(#|hits q|, j)%:R.

Lemma few_hits m k (q : {ffun 'I_k -> 'I_m}) : (#|hits q| <= k)%N.
Proof. by apply: leq_trans (leq_imset_card _ _) _; rewrite card_ord. Qed.

Lemma subsets_hit_none m k j : (k < j)%N -> subsets_hit m k j = 0.
Proof. by move=> kj; apply: big1 => q _; rewrite bin_small // (leq_ltn_trans (few_hits q)). Qed.

Lemma moved h m j : (h <= m)%N ->
  (h * 'C(h, j) + (m - h) * 'C(h.+1, j) = (m - j) * 'C(h, j) + (m.+1 - j) * (if j is j'.+1 then 'C(h, j') else 0))%N.
Proof.
move=> hm; case: j => [|j]; first by rewrite !bin0 !muln1 subn0 muln0 addn0 addnC subnK.
rewrite binS subSS mulnDr addnA -mulnDl [(h + _)%N]addnC subnK //.
have [jh | hj] := leqP j h; last by rewrite !bin_small ?muln0 // ltnW.
have e := mul_bin_left h j.
have [jm | mj] := ltnP j m.
  rewrite -{1}(subnK jm) mulnDl e -addnA; congr (_ + _)%N.
  by rewrite -mulnDl; congr (_ * _)%N; rewrite addnC addnBA // subnK.
have jE : j = m by apply/eqP; rewrite eqn_leq mj (leq_trans jh).
have hE : h = m by apply/eqP; rewrite eqn_leq hm -{1}jE.
by rewrite jE hE bin_small // !muln0 !subnn.
Qed.

Lemma subsets_hitS m k j : subsets_hit m k.+1 j =
  (m - j)%:R * subsets_hit m k j + (m.+1 - j)%:R * (if j is j'.+1 then subsets_hit m k j' else 0).
Proof.
rewrite /subsets_hit (sum_more m k (fun h => 'C(h, j)%:R : rat)) exchange_big /=.
have e (q : {ffun 'I_k -> 'I_m}) : \sum_(x : 'I_m) 'C(#|x |: hits q|, j)%:R =
    (m - j)%:R * 'C(#|hits q|, j)%:R + (m.+1 - j)%:R * (if j is j'.+1 then 'C(#|hits q|, j')%:R else 0) :> rat.
  rewrite (bigID (mem (hits q))) /= (eq_bigr (fun=> 'C(#|hits q|, j)%:R)) => [|x xq]; last by rewrite (setUidPr _) ?sub1set.
  rewrite sumr_const -[X in X + _ = _]mulr_natl (eq_bigr (fun=> 'C(#|hits q|.+1, j)%:R)) => [|x xq]; last by rewrite cardsU1 xq.
  rewrite sumr_const -[X in _ + X = _]mulr_natl.
  have -> : #|[pred x | x \notin hits q]| = (m - #|hits q|)%N.
    by rewrite -card_setC_ord; apply: eq_card => x; rewrite !inE.
  have := moved j (set_size (hits q)); case: (j) => [|j'] e; first by rewrite -!natrM -natrD e natrD !natrM mulr0.
  by rewrite -!natrM -!natrD e.
rewrite (eq_bigr _ (fun q _ => e q)) big_split /= -mulr_sumr -mulr_sumr; case: (j) => // .
by rewrite [X in _ + _ * X = _]big1.
Qed.

Lemma subsets_hit0 m j : subsets_hit m 0 j = (j == 0%N)%:R.
Proof.
rewrite /subsets_hit (eq_bigr (fun=> (j == 0%N)%:R)) => [|q _].
  by rewrite sumr_const card_ffun !card_ord expn0.
by have := few_hits q; rewrite leqn0 => /eqP ->; rewrite bin0n.
Qed.

Fixpoint next_row (m j : nat) (before : N) (row : seq N) : seq N :=
  if row is a :: row' then (bin_of_nat (m - j) * a + bin_of_nat (m.+1 - j) * before)%num :: next_row m j.+1 a row'
  else [:: (bin_of_nat (m.+1 - j) * before)%num].
Definition row (m k : nat) : seq N := iter k (next_row m 0 0%num) [:: 1%num].

Lemma size_next m j b r : size (next_row m j b r) = (size r).+1.
Proof. by elim: r j b => //= a r IH j b; rewrite IH. Qed.

Lemma size_row m k : size (row m k) = k.+1.
Proof. by elim: k => //= k IH; rewrite size_next IH. Qed.

Lemma nth_next m j b r i : (i <= size r)%N -> rat_of_N (nth 0%num (next_row m j b r) i) =
  (m - (j + i))%:R * rat_of_N (nth 0%num r i) + (m.+1 - (j + i))%:R * rat_of_N (nth 0%num (b :: r) i).
Proof.
elim: r j b i => [|a r IH] j b [|i] //=.
- by rewrite ratM rat_nat addn0 mulr0 add0r.
- by rewrite ratD !ratM !rat_nat addn0.
by rewrite ltnS => /IH ->; rewrite addSnnS.
Qed.

Lemma rowP m k i : rat_of_N (nth 0%num (row m k) i) = subsets_hit m k i.
Proof.
elim: k i => [|k IH] i; first by rewrite subsets_hit0; case: i => [|[|i]].
have [le | gt] := leqP i k.+1; last first.
  by rewrite subsets_hit_none // nth_default // size_row.
rewrite [row m k.+1]/= nth_next ?size_row // add0n subsets_hitS IH; congr (_ + _ * _).
by case: i {le} => [|i] /=.
Qed.

(* The standard filter's rate, as an alternating sum. *)
Lemma rate_sum m n k : (0 < m)%N -> rate m (n * k) k =
  \sum_(j < k.+1) (-1) ^+ j * (subsets_hit m k j / (m ^ k)%:R * (((m - j)%:R / m%:R) ^+ n) ^+ k).
Proof.
move=> m0; rewrite /rate difference_of_queries.
have e (q : {ffun 'I_k -> 'I_m}) : \sum_(j < #|hits q|.+1) 'C(#|hits q|, j)%:R * ((-1) ^+ j * ((m - j) ^ (n * k))%:R) =
    \sum_(j < k.+1) 'C(#|hits q|, j)%:R * ((-1) ^+ j * ((m - j) ^ (n * k))%:R) :> rat.
  have hk : (#|hits q|.+1 <= k.+1)%N by rewrite ltnS few_hits.
  rewrite (big_ord_widen _ (fun j => 'C(#|hits q|, j)%:R * ((-1) ^+ j * ((m - j) ^ (n * k))%:R)) hk) big_mkcond /=.
  by apply: eq_bigr => j _; case: ltnP => // lt; rewrite bin_small ?mul0r.
rewrite (eq_bigr _ (fun q _ => e q)) exchange_big mulr_suml /=; apply: eq_bigr => j _.
rewrite -mulr_suml -/(subsets_hit m k j) mulrCA -!mulrA; congr (_ * _).
rewrite -exprM expr_div_n natrX expnD natrM invfM -!natrX; congr (_ * _).
by rewrite mulrA mulrC.
Qed.

(* The terms of the standard filter: for each j, the number of subsets, without its last u bits, times the power. *)
Definition base (s : N) (m n j : nat) : N := (whole s * raised (bin_of_nat (m - j)) n / raised (bin_of_nat m) n)%num.
Definition standard_term (u : N) (k : nat) (p : N * N) : N * N :=
  let c := N.shiftr p.1 u in let e := bin_of_nat k.*2 in (c * p.2, c * e + p.2 + e)%num.
Definition standard_list (s u : N) (m n k : nat) : seq (N * N) :=
  let r := row m k in [seq standard_term u k (nth 0%num r j, powered s (base s m n j) k) | j <- iota 0 k.+1].

Lemma part_le1 m j : (0 < m)%N -> 0 <= ((m - j)%:R / m%:R : rat) <= 1.
Proof. by move=> m0; rewrite divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r ler_nat leq_subr. Qed.

Lemma base_near s m n j : (0 < m)%N -> near s (base s m n j) (((m - j)%:R / m%:R) ^+ n) 1.
Proof.
move=> m0; have M0 : 0 < rat_of_N (raised (bin_of_nat m) n) by rewrite ratX rat_nat exprn_gt0 ?ltr0n.
have [lo hi] := quotient (whole s * raised (bin_of_nat (m - j)) n) M0.
have e : rat_of_N (whole s) * ((m - j)%:R / m%:R) ^+ n * rat_of_N (raised (bin_of_nat m) n) = rat_of_N (whole s * raised (bin_of_nat (m - j)) n)%num.
  by rewrite ratM !ratX !rat_nat expr_div_n mulrA divfK // expf_neq0 // pnatr_eq0 -lt0n.
by split; rewrite -(ler_pmul2r M0) e.
Qed.

Lemma standard_termP s u m k j G v (x : rat) : (0 < m)%N -> 0 <= x <= 1 -> rat_of_N G = subsets_hit m k j ->
  near s v (x ^+ k) (k%:R * 2%:R) -> let c := standard_term u k (G, v) in let y := subsets_hit m k j / (m ^ k)%:R * x ^+ k in
  let D := rat_of_N (whole s * raised (bin_of_nat m) k)%num / rat_of_N (whole u) in
  rat_of_N c.1 <= D * y /\ D * y <= rat_of_N c.1 + rat_of_N c.2.
Proof.
move=> m0 x01 GE [lo hi] /=; have U0 := whole_gt0 u; rewrite N.shiftr_div_pow2 -/(whole u).
have M0 : ((m ^ k)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n expn_gt0 m0.
have -> : rat_of_N (whole s * raised (bin_of_nat m) k)%num / rat_of_N (whole u) * (subsets_hit m k j / (m ^ k)%:R * x ^+ k) =
    rat_of_N G / rat_of_N (whole u) * (rat_of_N (whole s) * x ^+ k).
  rewrite ratM ratX rat_nat -natrX -GE; move: (rat_of_N G) (rat_of_N (whole s)) (rat_of_N (whole u))^-1 (x ^+ k) => g w v' y.
  by rewrite [LHS](AC ((2*1)*((1*1)*1)) ((4*3*(1*6))*(2*5))) /= divff ?mulr1.
have [a b] := quotient G U0; rewrite -ler_pdivl_mulr // in a; rewrite -ler_pdivr_mulr // in b; move: a b.
move: (rat_of_N G / _) => g; rewrite !ratD !ratM; set c := rat_of_N (G / _)%num => a b.
have c0 : 0 <= c := rat_ge0 _; have v0 := rat_ge0 v.
have kE : rat_of_N (bin_of_nat k.*2) = k%:R * 2%:R by rewrite rat_nat -muln2 natrM.
split; first exact: ler_pmul.
apply: le_trans (ler_pmul (le_trans c0 a) (le_trans v0 lo) b hi) _; rewrite kE.
by rewrite mulrDl mul1r mulrDr !addrA.
Qed.

Lemma standard_enclosed s u m n k : (0 < m)%N ->
  enclosed (whole s * raised (bin_of_nat m) k) (whole u) (standard_list s u m n k) (rate m (n * k) k).
Proof.
move=> m0 _ _; set D := _ / _.
pose t j := subsets_hit m k j / (m ^ k)%:R * (((m - j)%:R / m%:R) ^+ n) ^+ k.
have := @alternateP D (standard_list s u m n k) t; rewrite size_map size_iota -(rate_sum n k m0); apply=> i ik.
rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n.
have x01 := unit_power n (part_le1 i m0).
apply: standard_termP => //; first exact: rowP.
by have := powered_near k x01 (@ler01 _) (base_near s n i m0).
Qed.

(* The terms of the classic filter. The number p is the share of the sets of k places that leave out j given places, in
   whole numbers of 2^-s, and c is the number of subsets of j places. *)
Fixpoint classic_from (s : N) (m n k j : nat) (left : nat) (p c : N) : seq (N * N) :=
  (c * powered s p n, c * bin_of_nat (n * j.+1))%num ::
  if left is l.+1 then classic_from s m n k j.+1 l (p * bin_of_nat (m - j - k) / bin_of_nat (m - j))%num (c * bin_of_nat (k - j) / bin_of_nat j.+1)%num
  else [::].
Definition classic_list (s : N) (m n k : nat) : seq (N * N) := classic_from s m n k 0 k (whole s) 1%num.

Section ClassicTerms.
Variables (s : N) (m n k : nat).
Hypothesis km : (k <= m)%N.
Let share j : rat := 'C(m - j, k)%:R / 'C(m, k)%:R.

Lemma share_unit j : 0 <= share j <= 1.
Proof.
have C0 : (0 : rat) < 'C(m, k)%:R by rewrite ltr0n binomial.bin_gt0.
by rewrite divr_ge0 ?ler0n // ler_pdivr_mulr // mul1r ler_nat leq_bin2l // leq_subr.
Qed.

Lemma next_share j : (j < m)%N -> share j.+1 * (m - j)%:R = share j * (m - j - k)%:R.
Proof.
move=> jm; rewrite /share mulrAC [RHS]mulrAC -!natrM; congr (_%:R / _).
by have := mul_bin_down (m - j) k; rewrite subnS mulnC => ->; rewrite mulnC.
Qed.

Lemma next_near j p : (j < m)%N -> near s p (share j) j%:R -> near s (p * bin_of_nat (m - j - k) / bin_of_nat (m - j))%num (share j.+1) j.+1%:R.
Proof.
move=> jm [lo hi]; have B0 : 0 < rat_of_N (bin_of_nat (m - j)) by rewrite rat_nat ltr0n subn_gt0.
have [a b] := quotient (p * bin_of_nat (m - j - k)) B0; move: B0 a b; rewrite ratM !rat_nat => B0.
set q := rat_of_N (_ / _)%num => a b; have e := next_share jm.
have A : (m - j - k)%:R <= (m - j)%:R :> rat by rewrite ler_nat leq_subr.
have A0 : (0 : rat) <= (m - j - k)%:R by rewrite ler0n.
split; rewrite -/q -(ler_pmul2r B0) -mulrA e mulrA.
  by apply: le_trans a _; apply: ler_wpmul2r.
apply: le_trans (ler_wpmul2r A0 hi) _; rewrite mulrDl; apply: le_trans (ler_add b (ler_wpmul2l (ler0n _ j) A)) _.
by rewrite -mulrDl ler_pmul2r // mulrSr -addrA [1 + _]addrC.
Qed.

Lemma next_subsets j : (j < k)%N -> (bin_of_nat 'C(k, j) * bin_of_nat (k - j) / bin_of_nat j.+1)%num = bin_of_nat 'C(k, j.+1).
Proof.
move=> jk; have -> : (bin_of_nat 'C(k, j) * bin_of_nat (k - j))%num = (bin_of_nat 'C(k, j.+1) * bin_of_nat j.+1)%num.
  apply: (can_inj nat_of_binK); rewrite !nat_of_mul_bin !bin_of_natK.
  by rewrite mulnC [RHS]mulnC mul_bin_left.
apply: N.div_mul => e; have := bin_of_natK j.+1; by rewrite e.
Qed.

Lemma classic_fromP l j p i : (j + l = k)%N -> near s p (share j) j%:R -> (i <= l)%N ->
  let c := nth (0, 0)%num (classic_from s m n k j l p (bin_of_nat 'C(k, j))) i in
  let y := 'C(k, j + i)%:R * share (j + i) ^+ n in
  rat_of_N c.1 <= rat_of_N (whole s) * y /\ rat_of_N (whole s) * y <= rat_of_N c.1 + rat_of_N c.2.
Proof.
elim: l j p i => [|l IH] j p [|i] //= jl pn il.
- have [lo hi] := powered_near n (share_unit j) (ler0n _ j) pn.
  rewrite addn0 !ratM !rat_nat mulrCA -mulrDr; split; apply: ler_wpmul2l; rewrite ?ler0n //.
  by rewrite natrM mulrSr.
- have [lo hi] := powered_near n (share_unit j) (ler0n _ j) pn.
  rewrite addn0 !ratM !rat_nat mulrCA -mulrDr; split; apply: ler_wpmul2l; rewrite ?ler0n //.
  by rewrite natrM mulrSr.
have jk : (j < k)%N by rewrite -jl addnS ltnS leq_addr.
have jm := leq_trans jk km; rewrite next_subsets // -addSnnS; apply: IH => //; first by rewrite addSnnS.
exact: next_near.
Qed.

Lemma size_classic j l p c : size (classic_from s m n k j l p c) = l.+1.
Proof. by elim: l j p c => //= l IH j p c; rewrite IH. Qed.

Lemma classic_enclosed : enclosed (whole s) 1 (classic_list s m n k) (classic_rate m k n k).
Proof.
move=> _ _; have -> : rat_of_N 1 = 1 by []. 
pose t j := 'C(k, j)%:R * share j ^+ n.
have := @alternateP (rat_of_N (whole s)) (classic_list s m n k) t; rewrite size_classic divr1.
have -> : classic_rate m k n k = \sum_(i < k.+1) (-1) ^+ i * t i.
  by rewrite classic_difference //; apply: eq_bigr => i _; rewrite mulrCA.
apply=> i ik; have := @classic_fromP k 0 (whole s) i (add0n _); rewrite bin0 add0n; apply=> //.
have C0 : ('C(m, k)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n binomial.bin_gt0.
by rewrite /near /share subn0 divff // addr0 mulr1.
Qed.
End ClassicTerms.

(* A lower bound of (1 - y)^b, if y is at most v + e numbers of 2^-s. *)
Definition power_test (s : N) (c : N * N) (v e : N) (b : nat) : bool :=
  [&& (v + e <=? whole s)%num, (0 <? c.2)%num & (c.1 * whole s <? powered s (whole s - (v + e)) b * c.2)%num].

Lemma power_testP s c v e b (y : rat) : 0 <= y -> rat_of_N (whole s) * y <= rat_of_N v + rat_of_N e ->
  power_test s c v e b -> rat_of_N c.1 / rat_of_N c.2 < (1 - y) ^+ b.
Proof.
move=> y0 hi /and3P[ve /rat_gt0 c0 /rat_lt]; rewrite !ratM => lt; have D0 := whole_gt0 s.
pose w : rat := 1 - (rat_of_N v + rat_of_N e) / rat_of_N (whole s).
have w1 : 0 <= w <= 1.
  rewrite /w subr_ge0 ler_pdivr_mulr // mul1r -ratD rat_le //= ler_subl_addr ler_addl.
  by rewrite divr_ge0 ?rat_ge0.
have ws : rat_of_N (whole s) * w = rat_of_N (whole s - (v + e))%num.
  rewrite /w mulrBr mulr1 mulrC divfK ?gt_eqF // -ratD.
  by apply/eqP; rewrite subr_eq -ratD N.sub_add //; exact/N.leb_le.
have nw : near s (whole s - (v + e)) w 0 by rewrite /near ws addr0.
have [lo _] := powered_near b w1 (lexx 0) nw.
apply: lt_le_trans (_ : w ^+ b <= _); last first.
  case/andP: w1 => w0 _; have wy : w <= 1 - y by rewrite ler_add2l ler_opp2 ler_pdivl_mulr // mulrC.
  by rewrite ler_expn2r // nnegrE // (le_trans w0).
rewrite ltr_pdivr_mulr // -(ltr_pmul2r D0); apply: lt_le_trans lt _.
by rewrite mulrAC ler_pmul2r // mulrC.
Qed.

Definition standard_range_test (s : N) (c : N * N) (m n a b : nat) : bool := power_test s c (powered s (base s m n 1) a) (bin_of_nat (a * 2)) b.
Definition classic_range_test2 (s : N) (c : N * N) (m n a b : nat) : bool := power_test s c (base s m n.-1 a) 1 b.

Lemma leave_out m : (0 < m)%N -> 1 - m%:R^-1 = (m - 1)%:R / m%:R :> rat.
Proof. by move=> m0; rewrite natrB // mulrBl divff ?mul1r // pnatr_eq0 -lt0n. Qed.

Lemma bloom_range_testP s c m n a b k : (0 < m)%N -> standard_range_test s c m n a b -> (a <= k <= b)%N ->
  rat_of_N c.1 / rat_of_N c.2 < (1 - (1 - m%:R^-1) ^+ (n * k)) ^+ k.
Proof.
move=> m0 test /andP[ak kb]; apply: (@lt_le_trans _ _ ((1 - (1 - m%:R^-1) ^+ (n * a)) ^+ b)); last first.
  have /andP[x0 x1] := share01 m0.
  by apply: power_range; rewrite ?exprn_ge0 ?exprn_ile1 // ler_wiexpn2l // leq_mul2l ak orbT.
rewrite leave_out // exprM; have x01 := unit_power n (part_le1 1 m0).
have [_ hi] := powered_near a x01 (@ler01 _) (base_near s n 1 m0).
apply: power_testP test; first by case/andP: (unit_power a x01).
by rewrite rat_nat natrM.
Qed.

Lemma standard_range_testP s c m n a b k : (0 < m)%N -> standard_range_test s c m n a b -> (a <= k <= b)%N ->
  rat_of_N c.1 / rat_of_N c.2 < rate m (n * k) k.
Proof. by move=> m0 test akb; apply: lt_le_trans (bloom_range_testP m0 test akb) (bloom_below (n * k) m0 k). Qed.

Lemma classic_range_test2P s c m n a b k : (0 < n)%N -> (0 < a)%N -> (k <= m)%N -> classic_range_test2 s c m n a b -> (a <= k <= b)%N ->
  rat_of_N c.1 / rat_of_N c.2 < classic_rate m k n k.
Proof.
move=> n0 a0 km test akb; have [ak _] := andP akb; have k0 := leq_trans a0 ak; have m0 := leq_trans k0 km.
apply: lt_le_trans (classic_range _ _ n0 k0 akb) => //.
have -> : 1 - a%:R / m%:R = (m - a)%:R / m%:R :> rat.
  by rewrite natrB ?(leq_trans ak) // mulrBl divff // pnatr_eq0 -lt0n.
have [_ hi] := base_near s n.-1 a m0.
by apply: power_testP test => //; case/andP: (unit_power n.-1 (part_le1 a m0)).
Qed.
