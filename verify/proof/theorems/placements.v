(* Where the places of an item fall: among the places that are set, or beside them. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences steps size search claims occupancy laws means machine recycling differences.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Burns (51): the false-positive rate is the probability that all positions of an item are set, for k independent
   positions and for k distinct positions. *)
Theorem rates_are_probabilities m n k :
  let independent := [set o : {ffun 'I_(n * k) -> 'I_m} * {ffun 'I_k -> 'I_m} | hits o.2 \subset hits o.1] in
  let distinct := [set o in setX [set s | s \in @classic.states m k n] (items m k) | o.2 \subset filled o.1] in
  #|independent|%:R / #|{: {ffun 'I_(n * k) -> 'I_m} * {ffun 'I_k -> 'I_m}}|%:R = rate m (n * k) k /\
  #|distinct|%:R / #|setX [set s | s \in @classic.states m k n] (items m k)|%:R = classic_rate m k n k.
Proof.
move=> independent distinct; split.
  rewrite /rate card_prod !card_ffun !card_ord -expnD; congr (_ / _).
  rewrite -sum1_card natr_sum big_mkcond /= /pairs exchange_big /= pair_big /=.
  by apply: eq_bigr => -[t q] _; rewrite inE /=; case: (_ \subset _).
rewrite cardsX /classic_rate mulnC; congr (_ / (_ * _)%:R); last 2 first.
- by rewrite card_items.
- by rewrite cardsE card_states.
rewrite -sum1_card natr_sum big_mkcond /= /classic_pairs exchange_big /=.
rewrite [RHS]big_mkcond /=.
rewrite (eq_bigr (fun p : {ffun 'I_n -> {set 'I_m}} * {set 'I_m} => if (p.1, p.2) \in distinct then 1 else 0)) => [|[s q] _] //.
rewrite -(pair_bigA _ (fun s q => if (s, q) \in distinct then 1 else 0)) /=.
apply: eq_bigr => s _; rewrite [in RHS]big_mkcond /=; case: (boolP (s \in @classic.states m k n)) => sF; last first.
  by rewrite big1 // => q _; rewrite in_set in_setX in_set /= (negbTE sF).
by apply: eq_bigr => q _; rewrite in_set in_setX in_set /= sF inE; case: (_ == k); case: (_ \subset _).
Qed.

(* Burns, section 3, after Table 1: an item's k positions are all different with the probability ff(m, k)/m^k, and its
   limit is 1 as m grows. *)
Theorem collision_free m k : (0 < m)%N ->
  #|[set t : {ffun 'I_(1 * k) -> 'I_m} | #|hits t| == k]|%:R / (m ^ k)%:R = (m ^_ k)%:R / (m ^ k)%:R :> rat /\
  forall e : rat, 0 < e -> exists m0, forall m, (m0 <= m)%N -> `|(m ^_ k)%:R / (m ^ k)%:R - 1| < e.
Proof.
move=> m0; split.
  by rewrite mul1n law_of_hits onto_stirling2 stirling2_diag mulr1 -natrM bin_ffact.
move=> e e0.
have below x : (0 < x)%N -> 1 - (k * k)%:R / x%:R <= (x ^_ k)%:R / (x ^ k)%:R :> rat.
  move=> x0; have X0 : (0 : rat) < x%:R by rewrite ltr0n.
  have [xk | kx] := ltnP x k.
    apply: (@le_trans _ _ 0); last by rewrite divr_ge0 ?ler0n.
    rewrite subr_le0 ler_pdivl_mulr // mul1r ler_nat (leq_trans (ltnW xk)) // leq_pmull //; exact: leq_ltn_trans xk.
  have : (x%:R - k%:R) ^+ k <= (x ^_ k)%:R :> rat.
    rewrite ffact_prod natr_prod -[in X in _ ^+ X](card_ord k) -prodr_const; apply: ler_prod => i _.
    by rewrite -natrB // ler0n /= ler_nat leq_sub2l // ltnW.
  move=> le; apply: (@le_trans _ _ ((x%:R - k%:R) ^+ k / (x ^ k)%:R)); last by rewrite ler_pmul2r // invr_gt0 ltr0n expn_gt0 x0.
  rewrite natrX -expr_div_n mulrBl divff ?gt_eqF //.
  have := @tangent 1 (- (k%:R / x%:R)) k ler01; rewrite !expr1n mulr1 mulrN natrM mulrA; apply.
  by rewrite subr_ge0 ler_pdivr_mulr // mul1r ler_nat.
have above x : (0 < x)%N -> (x ^_ k)%:R / (x ^ k)%:R <= 1 :> rat.
  move=> x0; rewrite ler_pdivr_mulr ?ltr0n ?expn_gt0 ?x0 // mul1r ler_nat ffact_prod.
  rewrite -[X in (_ <= _ ^ X)%N](card_ord k) -prod_nat_const; apply: leq_prod => i _; exact: leq_subr.
exists (Num.bound ((k * k)%:R / e)).+1 => x xm; have x0 : (0 < x)%N by apply: leq_trans xm.
have X0 : (0 : rat) < x%:R by rewrite ltr0n.
rewrite ler0_norm ?subr_le0 ?above // opprB ltr_subl_addr -ltr_subl_addl; apply: lt_le_trans (below x x0).
rewrite ltr_add2l ltr_opp2 ltr_pdivr_mulr // mulrC -ltr_pdivr_mulr //.
apply: lt_trans (archi_boundP _) _; first by rewrite divr_ge0 ?ler0n // ltW.
by rewrite ltr_nat.
Qed.

Lemma classic_moves_sum M k (A : {set 'I_M}) j :
  classic_moves k A j = (\sum_(a in items M k) (#|A :|: a| == j)%:R) / 'C(M, k)%:R.
Proof.
rewrite /classic_moves /mean card_ord; congr (_ / _); last by rewrite card_items.
by rewrite -(big_enum_val (fun a : {set 'I_M} => (#|A :|: a| == j)%:R)).
Qed.

(* Dozier-FP (6): no position changes no bit, for k independent positions and for k distinct positions. *)
Theorem no_move M (A : {set 'I_M}) j : (0 < M)%N ->
  standard_moves 0 A j = (#|A| == j)%:R /\ classic_moves 0 A j = (#|A| == j)%:R.
Proof.
move=> M0; split; first by have [e _] := standard_moves_recursion A j M0.
rewrite classic_moves_sum bin0 divr1 (big_pred1 set0) ?setU0 // => a; by rewrite inE cards_eq0.
Qed.

(* Dozier-FP (11): a recursion over k for the probability that k distinct positions change the number of set bits from i to
   j. *)
Theorem classic_moves_recursion M k (A : {set 'I_M}) j : (k < M)%N ->
  classic_moves k.+1 A j = classic_moves k A j * ((j%:R - k%:R) / (M%:R - k%:R)) +
    (if j is j'.+1 then classic_moves k A j' * ((M%:R - j'%:R) / (M%:R - k%:R)) else 0).
Proof.
move=> kM; have AM : (#|A| <= M)%N by rewrite (leq_trans (max_card _)) ?card_ord.
have d0 : (M%:R - k%:R : rat) != 0 by rewrite subr_eq0 eqr_nat gtn_eqF.
have C0 : ('C(M, k)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n bin_gt0 ltnW.
have C1 : ('C(M, k.+1)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n bin_gt0.
have k0 : (k.+1%:R : rat) != 0 by rewrite pnatr_eq0.
have next : 'C(M, k.+1)%:R * k.+1%:R = 'C(M, k)%:R * (M%:R - k%:R) :> rat := next_choice M k.
(* A quotient of counts, with both denominators. *)
have quotient (x y z u v : rat) : x * k.+1%:R = y * u + z * v ->
    x / 'C(M, k.+1)%:R = y / 'C(M, k)%:R * (u / (M%:R - k%:R)) + z / 'C(M, k)%:R * (v / (M%:R - k%:R)).
  move=> e; rewrite !mulf_div -next -mulrDl -e mulrC [in RHS]mulrC invfM -mulrA; congr (_ * _).
  by rewrite mulrCA mulVf ?mulr1.
have [ji | ] := ltnP j #|A|.
  rewrite !classic_moves0 ?ji // mul0r add0r; case: j ji => // j ji.
  by rewrite classic_moves0 ?mul0r // (ltnW ji).
move=> /subnKC <-; move: (j - #|A|)%N => {j} [|b].
  have same e : (e <= M)%N -> classic_moves e A #|A| = 'C(#|A|, e)%:R / 'C(M, e)%:R.
    by move=> eM; have := @classic_movesE M e A 0 (leq0n e); rewrite addn0 bin0 mul1n subn0.
  rewrite addn0 !same ?(ltnW kM) //; have z : (if #|A| is j'.+1 then classic_moves k A j' * ((M%:R - j'%:R) / (M%:R - k%:R)) else 0) = 0.
    by case e: #|A| => [|i] //; rewrite classic_moves0 ?mul0r // e ltnSn.
  rewrite z addr0; have := quotient 'C(#|A|, k.+1)%:R 'C(#|A|, k)%:R 0 (#|A|%:R - k%:R) 0.
  by rewrite mul0r addr0 !mul0r addr0; apply; exact: next_choice.
rewrite addnS; have [kb | bk] := ltnP k b.
  have o1 : (#|A| + k.+1 < (#|A| + b).+1)%N by rewrite addnS ltnS ltn_add2l.
  have o2 : (#|A| + k < #|A| + b)%N by rewrite ltn_add2l.
  by rewrite !classic_moves0 ?mul0r ?addr0 // ?o1 ?o2 ?(leqW o2) ?orbT.
rewrite -addnS (@classic_movesE M k.+1 A b.+1) // (@classic_movesE M k A b) // subSS !natrM.
have second : 'C(M - #|A|, b.+1)%:R * b.+1%:R = 'C(M - #|A|, b)%:R * (M%:R - (#|A| + b)%:R) :> rat.
  by rewrite next_choice natrB // natrD opprD addrA.
have [f -> first] : exists2 f : rat, classic_moves k A (#|A| + b.+1) = 'C(M - #|A|, b.+1)%:R * f / 'C(M, k)%:R &
    f * ((#|A| + b.+1)%:R - k%:R) = 'C(#|A|, k - b)%:R * (k - b)%:R.
  have [bk1 | kb] := ltnP b k; last first.
    exists 0; last by rewrite (_ : k - b = 0)%N ?mulr0 ?mul0r //; apply/eqP; rewrite subn_eq0.
    by rewrite mulr0 mul0r classic_moves0 // ltn_add2l ltnS kb orbT.
  exists 'C(#|A|, k - b.+1)%:R; first by rewrite classic_movesE // natrM.
  have := next_choice #|A| (k - b.+1); rewrite subnSK // => ->; congr (_ * _).
  by rewrite natrB // natrD opprB addrA.
apply: quotient; rewrite -!mulrA [f * _]mulrC -[_ * f]mulrC first.
have -> : 'C(#|A|, k - b)%:R * (M%:R - (#|A| + b)%:R) = (M%:R - (#|A| + b)%:R) * 'C(#|A|, k - b)%:R :> rat by rewrite mulrC.
rewrite [X in _ = _ + X]mulrA -second.
have -> : k.+1%:R = (k - b)%:R + b.+1%:R :> rat by rewrite -natrD addnS subnK.
set x := _%:R; set y := 'C(#|A|, _)%:R; set u := (k - b)%:R; set v := b.+1%:R; identity.
Qed.

(* Dozier-FP, section IV-A: from i set bits, i at most sigma, a message that makes nothing recycle leads to at most
   min(i + k, sigma) set bits, and some message leads to as many, for k independent positions and for k distinct
   positions. *)
Theorem farthest_state M k sigma (A : {set 'I_M}) : (0 < k)%N -> (k <= sigma)%N -> (sigma < M)%N -> (#|A| <= sigma)%N ->
  let largest (T : finType) (places : T -> {set 'I_M}) b :=
    (forall x, ~~ recycles sigma A (places x) -> (#|next sigma false A (places x)| <= b)%N) /\
    exists2 x, ~~ recycles sigma A (places x) & #|next sigma false A (places x)| = b in
  largest [finType of {ffun 'I_k -> 'I_M}] (@hits M k) (minn (#|A| + k) sigma) /\
  largest [finType of 'I_#|items M k|] (@numbered M k) (minn (#|A| + k) sigma).
Proof.
move=> k0 ks sM As largest.
have few (x : {set 'I_M}) : (#|x| <= k)%N -> ~~ recycles sigma A x -> (#|next sigma false A x| <= minn (#|A| + k) sigma)%N.
  move=> xk no; rewrite leq_min at_most_k_more //=; exact: never_above.
have sub (S : {set 'I_M}) r : (r <= #|S|)%N -> exists2 B : {set 'I_M}, B \subset S & #|B| = r.
  move=> rS; have : (0 < #|[set B : {set 'I_M} | (B \subset S) & (#|B| == r)]|)%N by rewrite cards_draws bin_gt0.
  by case/card_gt0P => B; rewrite inE => /andP[BS /eqP Br]; exists B.
have [e ek eA] : exists2 e : {set 'I_M}, #|e| = k & #|A :|: e| = minn (#|A| + k) sigma.
  pose r := minn k (sigma - #|A|).
  have [|B BA Br] := sub (~: A) r; first by rewrite card_setC_ord geq_min leq_sub2r ?orbT // ltnW.
  have [|C CA Ck] := sub A (k - r)%N.
    by rewrite leq_subLR addnC /r addn_minr leq_min leq_addl subnKC.
  have dis : [disjoint B & A] by rewrite disjoints_subset.
  exists (B :|: C).
    have BC : B :&: C = set0 by apply/setP => x; rewrite !inE; apply/negbTE/negP => /andP[/(subsetP BA)]; rewrite inE => /negP n /(subsetP CA).
    by rewrite cardsU BC cards0 subn0 Br Ck subnKC // /r geq_minl.
  have -> : A :|: (B :|: C) = B :|: A by rewrite setUCA; congr (_ :|: _); apply/setUidPl.
  rewrite cardsU disjoint_setI0 // cards0 subn0 Br addnC /r addn_minr subnKC //.
have noe : ~~ recycles sigma A e by rewrite /recycles eA -leqNgt geq_minr.
have nexte : #|next sigma false A e| = minn (#|A| + k) sigma by rewrite /next (negbTE noe).
split; split.
- move=> q; apply: few; rewrite -[X in (_ <= X)%N](card_ord k); exact: leq_imset_card.
- have x0 : 'I_M := Ordinal (leq_ltn_trans (leq0n sigma) sM).
  pose q : {ffun 'I_k -> 'I_M} := [ffun j : 'I_k => nth x0 (enum e) j].
  suff qe : hits q = e by exists q; rewrite qe.
  apply/setP => y; apply/imsetP/idP => [[j _ ->] | ye].
    by rewrite ffunE -mem_enum mem_nth // -cardE ek.
  have lt : (index y (enum e) < k)%N by rewrite -[X in (_ < X)%N]ek cardE index_mem mem_enum.
  by exists (Ordinal lt); rewrite // ffunE /= nth_index // mem_enum.
- move=> x; apply: few; by have := enum_valP x; rewrite inE => /eqP ->.
have eF : e \in items M k by rewrite inE ek.
by exists (enum_rank_in eF e); rewrite /numbered enum_rankK_in.
Qed.

(* The number of balls that are painted after n samples of k balls from an urn of m balls: a sample of k balls takes i
   painted balls to j by the hypergeometric law, as it has j - i of the m - i balls that were not painted. *)
Definition sample (m k i j : nat) : rat :=
  if (i <= j)%N && (j <= i + k)%N then ('C(m - i, j - i) * 'C(i, k - (j - i)))%:R / 'C(m, k)%:R else 0.
Fixpoint painted (m k n j : nat) : rat :=
  if n is n'.+1 then \sum_(i < m.+1) painted m k n' i * sample m k i j else (j == 0%N)%:R.

(* Burns 2.2, equivalent models: the number of painted balls has the law of the number of places that n sets of k places
   have together. *)
Theorem painting_is_committees m n k j :
  (\sum_(s in @classic.states m k n) (#|filled s| == j)%:R) / #|@classic.states m k n|%:R = painted m k n j.
Proof.
rewrite card_states; elim: n j => [|n IH] j.
  have s0 : {ffun 'I_0 -> {set 'I_m}} by apply: finfun => -[].
  by rewrite /classic.states (big_sequence0 _ _ _ s0) /filled big_ord0 cards0 eq_sym divr1.
have stepE (A : {set 'I_m}) : (\sum_(a in items m k) (#|a :|: A| == j)%:R) / 'C(m, k)%:R = sample m k #|A| j.
  rewrite (eq_bigr (fun a : {set 'I_m} => (#|A :|: a| == j)%:R)) => [|a _]; last by rewrite setUC.
  rewrite -classic_moves_sum /sample; case: andP => [[ij jk] | out].
    by rewrite -{1}(subnKC ij) classic_movesE // leq_subLR.
  by rewrite classic_moves0 // [(j < _)%N]ltnNge [(_ < j)%N]ltnNge -negb_and; apply/negP => /andP.
rewrite [painted _ _ _ _]/= -[RHS]/(\sum_(i < m.+1) painted m k n i * sample m k i j).
rewrite /classic.states big_sequences exchange_big /= expnS natrM invfM mulrCA mulr_suml mulr_sumr.
pose w (s : {ffun 'I_n -> {set 'I_m}}) : 'I_m.+1 := inord #|filled s|.
have wE s : w s = #|filled s| :> nat by rewrite inordK // ltnS (leq_trans (max_card _)) ?card_ord.
rewrite (partition_big w predT) //=; apply: eq_bigr => i _.
rewrite -IH [in RHS]/classic.states mulr_suml mulr_suml [RHS]big_mkcond [LHS]big_mkcond /=; apply: eq_bigr => s _.
case: (s \in ffun_on _) => //=; rewrite -val_eqE /= wE; case: eqP => [<- | _]; last by rewrite !mul0r.
rewrite mul1r -stepE mulrA [LHS]mulrC; congr (_ * _); rewrite [LHS]mulrC; congr (_ / _); apply: eq_bigr => a _.
by rewrite (_ : filled (prepend (a, s)) = a :|: filled s) //; exact: (covered_prepend id a s).
Qed.

(* The falling factorial of any number. *)
Definition falling (R : realFieldType) (r : nat) (z : R) : R := \prod_(i < r) (z - i%:R).

Lemma falling_le (R : realFieldType) r (x y : R) : r%:R - 1 <= x -> x <= y -> falling r x <= falling r y.
Proof.
move=> rx xy; apply: ler_prod => i _; rewrite ler_add2r xy andbT subr_ge0; apply: le_trans rx.
by rewrite ler_subr_addr -mulrSr ler_nat.
Qed.

(* Burns, the proof of Theorem 15: ff(x, r) is convex for x at least r, and even from r - 1 on, and batches occupy at least
   as many places as each of them has. *)
Theorem falling_convex (R : realFieldType) r (x y l : R) m n (k : 'I_n -> nat) :
  (r%:R - 1 <= x -> r%:R - 1 <= y -> 0 <= l -> l <= 1 ->
    falling r (l * x + (1 - l) * y) <= l * falling r x + (1 - l) * falling r y) /\
  forall s, s \in @batches m n k -> forall d, (k d <= #|filled s|)%N.
Proof.
split; last first.
  move=> s /familyP sF d; have := sF d; rewrite !inE => /eqP <-; apply: subset_leq_card; exact: (bigcup_sup d).
move=> rx ry l0 l1; have w0 : 0 <= 1 - l by rewrite subr_ge0.
have lw : l + (1 - l) = 1 by rewrite addrCA subrr addr0.
move: (1 - l) w0 lw => w w0 lw.
elim: r rx ry => [|r IH] rx ry; first by rewrite /falling !big_ord0 !mulr1 lw.
have {}rx : r%:R <= x by move: rx; rewrite mulrSr addrK.
have {}ry : r%:R <= y by move: ry; rewrite mulrSr addrK.
have less : r%:R - 1 <= r%:R :> R by rewrite ler_subl_addr ler_addl ler01.
have {}IH := IH (le_trans less rx) (le_trans less ry).
rewrite /falling !big_ord_recr /= -!/(falling r _).
have -> : l * x + w * y - r%:R = l * (x - r%:R) + w * (y - r%:R).
  by rewrite !mulrBr addrACA -opprD -mulrDl lw mul1r.
have z0 : 0 <= l * (x - r%:R) + w * (y - r%:R) by rewrite addr_ge0 // mulr_ge0 // subr_ge0.
apply: le_trans (ler_wpmul2r z0 IH) _.
have : 0 <= (falling r x - falling r y) * ((x - r%:R) - (y - r%:R)).
  rewrite opprD addrACA [- r%:R + _]addrC opprK subrr addr0.
  have [xy|/ltW yx] := leP x y; last by rewrite mulr_ge0 // subr_ge0 // falling_le // (le_trans less).
  by rewrite mulr_le0 // subr_le0 // falling_le // (le_trans less).
set F := falling r x; set G := falling r y; move: (x - r%:R) (y - r%:R) => u v FG.
have -> : l * (F * u) + w * (G * v) = l * l * (F * u) + w * w * (G * v) + l * w * (F * u + G * v).
  rewrite -[X in X + _ = _]mul1r -[X in _ + X = _]mul1r -lw !mulrDl !mulrDr !mulrA.
  by rewrite [w * l]mulrC; rewrite [LHS](AC (2*2) ((1*4)*(2*3))).
have -> : (l * F + w * G) * (l * u + w * v) = l * l * (F * u) + w * w * (G * v) + l * w * (F * v + G * u).
  rewrite !mulrDl !mulrDr ![_ * F * (_ * _)]mulrACA ![_ * G * (_ * _)]mulrACA [w * l]mulrC.
  by rewrite [LHS](AC (2*2) ((1*4)*(2*3))).
rewrite ler_add2l ler_wpmul2l ?mulr_ge0 // -subr_ge0; move: FG; rewrite mulrBl !mulrBr; congr (_ <= _).
by rewrite opprB opprD addrACA.
Qed.
