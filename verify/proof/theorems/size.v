(* A filter of more bits has a smaller rate, one with more items a larger one: what the searches for sizes bisect on. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard partitioned classic sequences.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A sequence a is log-concave when a i * a j is at least a (i - 1) * a (j + 1), i <= j; a (-1) is 0. *)
Section LogConcave.
Implicit Types a : nat -> rat.

Definition before a (i : nat) : rat := if i is i'.+1 then a i' else 0.
Definition log_concave a : Prop := (forall i, 0 <= a i) /\ forall i j, (i <= j)%N -> before a i * a j.+1 <= a i * a j.

Lemma before_ge0 a i : log_concave a -> 0 <= before a i.
Proof. by case=> pos _; case: i. Qed.

Lemma log_concave_step a i j : log_concave a -> (i <= j)%N -> before a i * a j.+1 <= a i * a j.
Proof. by case=> _; apply. Qed.

(* A step wider, which is equal at the least distance. *)
Lemma log_concave_wide a i j : log_concave a -> (i <= j)%N -> before a i * a j <= a i * before a j.
Proof.
move=> lc; case: j => [|j]; first by rewrite leqn0 => /eqP -> /=; rewrite mul0r mulr0.
rewrite leq_eqVlt => /orP[/eqP -> /=|]; [by rewrite mulrC lexx | exact: (@log_concave_step a i j lc)].
Qed.

Definition spread a (i : nat) : rat := a i + before a i.

(* What adds each element to the next is log-concave too. *)
Lemma log_concave_spread a : log_concave a -> log_concave (spread a).
Proof.
move=> lc; have [pos step] := lc; have bpos i := before_ge0 i lc.
split=> [i|i j ij]; first by rewrite addr_ge0.
have -> : before (spread a) i = before a i + before (before a) i by case: i {ij} => [|[|i]]; rewrite /spread /= ?addr0.
rewrite /spread /= !mulrDl !mulrDr.
have far : before (before a) i * a j.+1 <= a i * before a j.
  case: i ij => [|i] ij; first by rewrite /= mul0r mulr_ge0.
  case: j ij => // j ij; have ij' : (i <= j)%N := ij.
  exact: le_trans (@log_concave_step a i j.+1 lc (leqW ij')) (@log_concave_wide a i.+1 j.+1 lc ij).
have low : before (before a) i * a j <= before a i * before a j.
  clear far; case: i ij => [|i]; first by move=> _; rewrite /= !mul0r.
  by case: j => // j ij; exact: (@log_concave_step a i j lc ij).
rewrite [X in X <= _]addrACA; apply: ler_add; apply: ler_add => //; exact: step.
Qed.

(* So is its product with another. *)
Lemma log_concave_mul a w : log_concave a -> log_concave w -> log_concave (fun i => w i * a i).
Proof.
move=> lca lcw; have [pa sa] := lca; have [pw sw] := lcw; split=> [i|i j ij]; first by rewrite mulr_ge0.
have -> : before (fun i => w i * a i) i = before w i * before a i by case: i {ij} => [|i] //=; rewrite mul0r.
by rewrite mulrACA [leRHS]mulrACA ler_pmul ?sa ?sw ?mulr_ge0 ?before_ge0.
Qed.

Lemma log_concave_iter a e : log_concave a -> log_concave (iter e spread a).
Proof. by move=> lc; elim: e => //= e; exact: log_concave_spread. Qed.

(* Whether g falls beside G: the quotient of g and G does, and g is 0 where G is. *)
Definition falls (g G : nat -> rat) : Prop :=
  [/\ forall i, 0 <= g i, forall i j, (i <= j)%N -> g j * G i <= g i * G j & forall i, G i = 0 -> g i = 0].

Lemma falls_self G : log_concave G -> falls G G.
Proof. by case=> pos _; split=> // i j _; rewrite mulrC. Qed.

Lemma falls_spread g G : log_concave G -> falls g G -> falls g (spread G).
Proof.
move=> lc [pg fg sg]; have [pG stepG] := lc; have bpos i := before_ge0 i lc.
split=> // [i j ij|i]; last first.
  move/eqP; rewrite /spread paddr_eq0 // => /andP[/eqP G0 _]; exact: sg.
rewrite /spread !mulrDr ler_add ?fg //.
have [Gj0|Gj] := eqVneq (G j) 0; first by rewrite (sg j Gj0) mul0r mulr_ge0.
have Gj_pos : 0 < G j by rewrite lt0r Gj pG.
rewrite -(ler_pmul2r Gj_pos) -!mulrA [before G j * _]mulrC.
have wide := log_concave_wide lc ij.
apply: le_trans (_ : g j * (G i * before G j) <= _); first by rewrite ler_wpmul2l.
by rewrite !mulrA ler_wpmul2r // fg.
Qed.

Lemma falls_weights w g G : (forall i, 0 <= w i) -> falls g G -> falls (fun i => w i * g i) (fun i => w i * G i).
Proof.
move=> pw [pg fg sg]; split=> [i|i j ij|i]; first by rewrite mulr_ge0.
  by rewrite mulrACA [leRHS]mulrACA [w j * w i]mulrC ler_wpmul2l ?mulr_ge0 ?fg.
by move/eqP; rewrite mulf_eq0 => /orP[] /eqP z; rewrite ?z ?mul0r // sg ?mulr0.
Qed.

Lemma falls_iter g G e : log_concave G -> falls g G -> falls g (iter e spread G).
Proof. by move=> lc f; elim: e => //= e; apply: falls_spread; exact: log_concave_iter. Qed.
End LogConcave.

Section Binomials.

Definition row (m : nat) (i : nat) : rat := 'C(m, i)%:R.

Lemma row_next m : row m.+1 =1 spread (row m).
Proof. by move=> [|i]; rewrite /spread /row /= ?bin0 ?addr0 // binS natrD. Qed.

Lemma log_concave_row m : log_concave (row m).
Proof.
elim: m => [|m IH].
  split=> [i|i j _]; first by rewrite /row ler0n.
  case: i => [|i]; first by rewrite /= mul0r mulr_ge0 /row ?ler0n.
  by rewrite {2}/row bin0n mulr0 mulr_ge0 /row ?ler0n.
have [pos step] := log_concave_spread IH; split=> [i|i j ij]; rewrite !row_next //.
have -> : before (row m.+1) i = before (spread (row m)) i by case: i {ij} => //= i; rewrite row_next.
exact: step.
Qed.

(* The binomials of a row fall beside those of the next. *)
Lemma row_falls m i j : (i <= j)%N -> row m j * row m.+1 i <= row m i * row m.+1 j.
Proof.
move=> ij; rewrite !row_next /spread !mulrDr ler_add //; first by rewrite mulrC.
by rewrite mulrC; exact: log_concave_wide (log_concave_row m) ij.
Qed.

(* The ways to choose k of i are log-concave in i. *)
Lemma log_concave_column k : log_concave (fun i => 'C(i, k)%:R).
Proof.
split=> [i|i j ij]; rewrite ?ler0n //; case: i ij => [|i] ij /=; first by rewrite mul0r mulr_ge0 ?ler0n.
case: k => [|k]; first by rewrite !bin0.
rewrite !binS -!natrM ler_nat mulnDr mulnDl leq_add2l.
rewrite -(leq_pmul2l (ltn0Sn k)) mulnA mul_bin_left -mulnA [X in (_ <= X)%N]mulnCA mul_bin_left [X in (_ <= X)%N]mulnCA.
by rewrite leq_mul2r leq_sub2r ?orbT // ltnW.
Qed.
End Binomials.

Section Compare.
Variables g G : nat -> rat.
Hypothesis gG : falls g G.

Let D m i j : rat := row m i * row m.+1 j - row m j * row m.+1 i.
Let d i j : rat := g i * G j - g j * G i.

(* How much the product of a row's sum of g and the next one's of G is larger than the other one, twice. *)
Lemma sums_gap m :
  ((\sum_(b < m.+2) row m b * g b) * (\sum_(b < m.+2) row m.+1 b * G b) -
   (\sum_(b < m.+2) row m.+1 b * g b) * (\sum_(b < m.+2) row m b * G b)) *+ 2 =
  \sum_(i < m.+2) \sum_(j < m.+2) D m i j * d i j.
Proof.
rewrite !big_distrlr /= -sumrB; set s := (X in X *+ 2).
have sE : s = \sum_(i < m.+2) \sum_(j < m.+2) D m i j * (g i * G j).
  apply: eq_bigr => i _; rewrite -sumrB; apply: eq_bigr => j _.
  by rewrite /D mulrBl mulrACA [X in _ - X]mulrACA [row m.+1 i * row m j]mulrC.
have sN : s = \sum_(i < m.+2) \sum_(j < m.+2) - D m i j * (g j * G i).
  rewrite sE exchange_big /=; apply: eq_bigr => i _; apply: eq_bigr => j _.
  by rewrite /D opprB.
rewrite mulr2n {1}sE sN -big_split /=; apply: eq_bigr => i _; rewrite -big_split /=; apply: eq_bigr => j _.
by rewrite mulNr -mulrBr.
Qed.

Lemma gap_ge0 m i j : 0 <= D m i j * d i j.
Proof.
have [_ fall _] := gG; have [ij|/ltnW ji] := leqP i j; first by rewrite mulr_ge0 ?subr_ge0 ?row_falls ?fall.
by rewrite mulr_le0 // subr_le0 ?row_falls ?fall.
Qed.

(* Where the quotient of g and G falls, so does that of their sums with a row's binomials, from one row to the next. *)
Lemma sums_fall m :
  (\sum_(b < m.+2) row m.+1 b * g b) * (\sum_(b < m.+2) row m b * G b) <=
  (\sum_(b < m.+2) row m b * g b) * (\sum_(b < m.+2) row m.+1 b * G b).
Proof.
rewrite -subr_ge0 -(pmulrn_lge0 _ (ltn0Sn 1)) sums_gap.
by apply: sumr_ge0 => i _; apply: sumr_ge0 => j _; exact: gap_ge0.
Qed.

(* Strictly, where both quotients fall between two places. *)
Lemma sums_fall_strictly m i j : (i < m.+2)%N -> (j < m.+2)%N ->
  row m j * row m.+1 i < row m i * row m.+1 j -> g j * G i < g i * G j ->
  (\sum_(b < m.+2) row m.+1 b * g b) * (\sum_(b < m.+2) row m b * G b) <
  (\sum_(b < m.+2) row m b * g b) * (\sum_(b < m.+2) row m.+1 b * G b).
Proof.
move=> im jm Dij dij; rewrite -subr_gt0 -(pmulrn_lgt0 _ (ltn0Sn 1)) sums_gap.
rewrite (bigD1 (Ordinal im)) //= (bigD1 (Ordinal jm)) //= -addrA ltr_paddr //.
  by rewrite addr_ge0 //; [apply: sumr_ge0 => l _; exact: gap_ge0 | apply: sumr_ge0 => l _; apply: sumr_ge0 => p _; exact: gap_ge0].
by rewrite mulr_gt0 // subr_gt0.
Qed.
End Compare.

Section StandardSizes.

Lemma onto_next N : onto N.+1 =1 (fun i => i%:R * spread (onto N) i).
Proof.
move=> [|i]; first by rewrite /onto big_ord1 /= subn0 exp0n // !mulr0 mul0r.
pose h (j : nat) : rat := (-1) ^+ j * ((i.+1 - j) ^ N)%:R.
have -> : onto N.+1 i.+1 = i.+1%:R * \sum_(j < i.+2) 'C(i, j)%:R * h j.
  rewrite mulr_sumr; apply: eq_bigr => j _; rewrite expnS natrM /h [_ ^+ j * _]mulrCA [LHS]mulrA [RHS]mulrA.
  by rewrite -!natrM [('C(i.+1, _) * _)%N]mulnC mul_bin_down.
have -> : spread (onto N) i.+1 = \sum_(j < i.+2) 'C(i.+1, j)%:R * h j - \sum_(j < i.+1) 'C(i, j)%:R * h j.+1.
  rewrite -sumrN; congr (_ + _); apply: eq_bigr => j _.
  by rewrite /h subSS exprS mulN1r mulNr mulrN opprK.
congr (_ * _); rewrite big_ord_recl [X in _ = X - _]big_ord_recl /= !bin0 -addrA; congr (_ + _); rewrite -[RHS]sumrB.
by apply: eq_bigr => j _; rewrite -mulrBl /bump /= add1n binS natrD addrK.
Qed.

Lemma log_concave_onto N : log_concave (onto N).
Proof.
elim: N => [|N IH].
  have z : onto 0 =1 row 0.
    move=> i; rewrite /row bin0n /onto; have := alternating [set: 'I_i].
    rewrite (sum_by_size _ (fun j => (-1) ^+ j)) cardsT card_ord -cards_eq0 cardsT card_ord => <-.
    by apply: eq_bigr => j _; rewrite expn0 mulr1.
  have [pos step] := log_concave_row 0; split=> [i|i j ij]; rewrite !z //.
  by have -> : before (onto 0) i = before (row 0) i; [case: i {ij} => //= i; rewrite z | exact: step].
have [pos step] := log_concave_mul (log_concave_spread IH) (log_concave_column 1).
split=> [i|i j ij]; rewrite !onto_next; first by have := pos i; rewrite bin1.
have -> : before (onto N.+1) i = before (fun i => 'C(i, 1)%:R * spread (onto N) i) i.
  by case: i {ij} => //= i; rewrite onto_next bin1.
by have := step i j ij; rewrite !bin1.
Qed.

(* The filters of N throws with a query of k, by the number of places that all of them hit. *)
Lemma standard_falls N k : falls (fun i => onto N i * (i ^ k)%:R) (onto (N + k)).
Proof.
elim: k => [|k IH].
  have [pos fall zero] := falls_self (log_concave_onto N); rewrite addn0.
  by split=> [i|i j ij|i]; rewrite ?expn0 ?mulr1; [exact: pos | exact: fall | exact: zero].
have [pos fall zero] := falls_weights (w := fun i => i%:R) (fun i => ler0n _ i) (falls_spread (log_concave_onto (N + k)) IH).
have e i : onto N i * (i ^ k.+1)%:R = i%:R * (onto N i * (i ^ k)%:R) by rewrite expnS natrM mulrCA.
rewrite addnS; split=> [i|i j ij|i]; rewrite ?e ?onto_next; [exact: pos | exact: fall | exact: zero].
Qed.

(* All throws, by the number of places that they hit. *)
Lemma all_throws m N : \sum_(i < m.+1) row m i * onto N i = (m ^ N)%:R.
Proof.
have := sum_by_hits m N (fun _ => 1); rewrite sumr_const card_throws => ->.
by apply: eq_bigr => i _; rewrite mulr1.
Qed.

(* The rate falls with m, or stays the same: one more bit never raises it. *)
Theorem rate_falls_in_bits m N k : (0 < m)%N -> rate m.+1 N k <= rate m N k.
Proof.
move=> m0; have pos p : (0 < p)%N -> (0 : rat) < (p ^ (N + k))%:R by move=> p0; rewrite ltr0n expn_gt0 p0.
rewrite /rate ler_pdivr_mulr ?pos // mulrAC ler_pdivl_mulr ?pos // -!all_throws !stirling.
have longer (f : nat -> rat) : \sum_(i < m.+1) row m i * f i = \sum_(i < m.+2) row m i * f i.
  by rewrite [RHS]big_ord_recr /= {3}/row bin_small // mul0r addr0.
by rewrite (longer (onto (N + k))) (longer (fun i => onto N i * (i ^ k)%:R)); exact: sums_fall (standard_falls N k) m.
Qed.
(* What falls is strictly larger at one place than at two. *)
Lemma onto1 N : onto N.+1 1 = 1.
Proof. by rewrite /onto !big_ord_recl big_ord0 /= !subn0 exp1n exp0n // !mulr0 addr0 !mul1r. Qed.

Lemma onto2 N : onto N.+1 2 = (2 ^ N.+1)%:R - 2%:R.
Proof.
rewrite /onto !big_ord_recl big_ord0 /= !subn0 exp1n exp0n // !mulr0 addr0 !mul1r expr1.
by rewrite bin1 mulr1 mulrN1.
Qed.

(* One more bit lowers the rate strictly if there are at least one bit, one throw and one position. *)
Theorem rate_falls_strictly_in_bits m N k : (0 < m)%N -> (0 < N)%N -> (0 < k)%N -> rate m.+1 N k < rate m N k.
Proof.
move=> m0 N0 k0; have pos p : (0 < p)%N -> (0 : rat) < (p ^ (N + k))%:R by move=> p0; rewrite ltr0n expn_gt0 p0.
rewrite /rate ltr_pdivr_mulr ?pos // mulrAC ltr_pdivl_mulr ?pos // -!all_throws !stirling.
have longer (f : nat -> rat) : \sum_(i < m.+1) row m i * f i = \sum_(i < m.+2) row m i * f i.
  by rewrite [RHS]big_ord_recr /= {3}/row bin_small // mul0r addr0.
rewrite (longer (onto (N + k))) (longer (fun i => onto N i * (i ^ k)%:R)).
apply: (@sums_fall_strictly _ _ (standard_falls N k) m 1 2) => //.
  rewrite /row !bin1 -!natrM ltr_nat binS bin1 mulnC mulnDr addnC mulSn [(m * 'C(m, 2))%N]mulnC ltn_add2r ltn_neqAle.
  rewrite bin2 -divn2; have le : ((m * m.-1) %/ 2 <= m * m.-1)%N := leq_div _ _.
  by rewrite -ltn_neqAle (leq_ltn_trans le) // ltn_pmul2l // prednK.
case: N N0 {pos longer} => // N _; case: k k0 => // k _; rewrite !addSn !onto1 !onto2 exp1n !mul1r mulr1.
rewrite mulrBl -natrM -expnD addSn ltr_add2l ltr_opp2 -natrM ltr_nat -[X in (X < _)%N]muln1 ltn_pmul2l //.
by rewrite -[1%N](expn0 2) ltn_exp2l.
Qed.
End StandardSizes.

Section Between.
Variables (m : nat) (S : finType) (F : pred S) (U : S -> {set 'I_m}) (c : nat -> rat).
Hypothesis cE : forall A, \sum_(s in F) (U s == A)%:R = c #|A|.

(* Those that have all of A but for some of D, and nothing else. *)
Lemma between (A D : {set 'I_m}) : D \subset A -> \sum_(s in F) ((A :\: D \subset U s) && (U s \subset A))%:R = iter #|D| spread c #|A|.
Proof.
elim: {D}#|D| {-2}D (erefl #|D|) A => [|e IH] D De A DA.
  rewrite De /= -cE; apply: eq_bigr => s _; move/eqP: De; rewrite cards_eq0 => /eqP ->.
  by rewrite setD0 eqEsubset andbC.
have [x xD] : exists x, x \in D by apply/set0Pn; rewrite -card_gt0 De.
have xA : x \in A by apply: subsetP DA x xD.
have D'e : #|D :\ x| = e by move: De; rewrite (cardsD1 x) xD => -[].
have D'A : D :\ x \subset A :\ x by rewrite setSD.
have Ae : #|A| = #|A :\ x|.+1 by rewrite (cardsD1 x A) xA.
rewrite De iterS /spread {2}Ae /= -D'e -(IH _ D'e A (subset_trans (subD1set D x) DA)) -(IH _ D'e _ D'A) -big_split /=.
apply: eq_bigr => s _.
have AD : A :\: D = (A :\ x) :\: (D :\ x) by apply/setP => y; rewrite !inE; case: eqP => // ->; rewrite xD.
have AD' : A :\: (D :\ x) = x |: (A :\: D) by apply/setP => y; rewrite !inE; case: eqP => // ->; rewrite xD xA.
rewrite AD' subUset sub1set -AD subsetD1; case: (x \in U s); rewrite /= ?andbF ?addr0 ?andbT ?add0r //.
Qed.
End Between.

Section ClassicSizes.
Variables m k : nat.
Implicit Types A a : {set 'I_m}.

(* The number of sequences of n sets of k places that have b given places and no other. *)
Fixpoint committees (k n : nat) : nat -> rat :=
  if n is n'.+1 then fun b => 'C(b, k)%:R * iter k spread (committees k n') b else fun b => (b == 0%N)%:R.

Lemma log_concave_committees n : log_concave (committees k n).
Proof.
elim: n => [|n IH] /=; last exact: log_concave_mul (log_concave_iter k IH) (log_concave_column k).
split=> [i|i j _]; first exact: ler0n.
by rewrite mulr0 mulr_ge0 ?ler0n.
Qed.

(* The number of sequences of n sets of k places that together have exactly the places in A. *)
Theorem committees_cover n A : \sum_(s in @states m k n) (filled s == A)%:R = committees k n #|A|.
Proof.
elim: n A => [|n IH] A.
  have s0 : {ffun 'I_0 -> {set 'I_m}} by apply: finfun => -[].
  by rewrite /states (big_sequence0 _ _ _ s0) /filled big_ord0 /= cards_eq0 eq_sym.
rewrite /states big_sequences /=.
transitivity (\sum_(a in items m k) (a \subset A)%:R * iter k spread (committees k n) #|A| : rat).
  apply: eq_bigr => a; rewrite inE => /eqP ak.
  transitivity (\sum_(s in @states m k n) (a \subset A)%:R * ((A :\: a \subset filled s) && (filled s \subset A))%:R : rat).
    apply: eq_bigr => s _; rewrite -natrM mulnb; congr (nat_of_bool _)%:R.
    have -> : filled (prepend (a, s)) = a :|: filled s by exact: (covered_prepend id a s).
    by rewrite eqEsubset subUset subDset [a :|: _]setUC andbAC -andbA.
  rewrite -mulr_sumr; case: (boolP (a \subset A)) => aA; last by rewrite !mul0r.
  by rewrite (between IH aA) ak.
rewrite -mulr_suml; congr (_ * _); rewrite -cards_draws -sum1_card natr_sum big_mkcond [RHS]big_mkcond /=.
by apply: eq_bigr => a _; rewrite !inE andbC; case: (#|a| == k); case: (a \subset A).
Qed.

(* Burns (5) of sets: a sum over the states that depends on the number of places set. *)
Lemma sum_by_filled n (f : nat -> rat) :
  \sum_(s in @states m k n) f #|filled s| = \sum_(b < m.+1) row m b * (committees k n b * f b).
Proof.
have := sum_by_size [set: 'I_m] (fun b => committees k n b * f b); rewrite cardsT card_ord => <-.
rewrite (partition_big (fun s : {ffun 'I_n -> {set 'I_m}} => filled s) predT) //=.
rewrite [RHS](eq_bigl predT) => [|B]; last by rewrite subsetT.
apply: eq_bigr => A _; rewrite -(committees_cover n A) mulr_suml [LHS]big_mkcondr /=.
by apply: eq_bigr => s _; case: eqP => [->|_]; rewrite ?mul1r ?mul0r.
Qed.

Lemma all_sequences n : \sum_(b < m.+1) row m b * committees k n b = ('C(m, k) ^ n)%:R.
Proof.
have := sum_by_filled n (fun _ => 1); rewrite sumr_const card_states => ->.
by apply: eq_bigr => b _; rewrite mulr1.
Qed.

Lemma classic_by_filled n :
  classic_rate m k n k = (\sum_(b < m.+1) row m b * (committees k n b * 'C(b, k)%:R)) / ('C(m, k) ^ n.+1)%:R.
Proof. by rewrite classic_mean -mulr_suml (sum_by_filled n (fun b => 'C(b, k)%:R)) expnS natrM invfM mulrA. Qed.
End ClassicSizes.

Lemma classic_falls k n : falls (fun b => committees k n b * 'C(b, k)%:R) (committees k n.+1).
Proof.
have lc := log_concave_committees k n.
have [pos fall zero] := falls_weights (w := fun b => 'C(b, k)%:R) (fun b => ler0n _ _) (falls_iter k lc (falls_self lc)).
by split=> [i|i j ij|i]; rewrite ![committees k n _ * _]mulrC; [exact: pos | exact: fall | exact: zero].
Qed.

(* A classic filter's rate falls with m, or stays the same. *)
Theorem classic_rate_falls_in_bits m k n : (k <= m)%N -> classic_rate m.+1 k n k <= classic_rate m k n k.
Proof.
move=> km; have pos p : (k <= p)%N -> (0 : rat) < ('C(p, k) ^ n.+1)%:R by move=> kp; rewrite ltr0n expn_gt0 bin_gt0 kp.
rewrite !classic_by_filled ler_pdivr_mulr ?pos ?leqW // mulrAC ler_pdivl_mulr ?pos // -!all_sequences.
have longer (f : nat -> rat) : \sum_(i < m.+1) row m i * f i = \sum_(i < m.+2) row m i * f i.
  by rewrite [RHS]big_ord_recr /= {3}/row bin_small // mul0r addr0.
rewrite (longer (committees k n.+1)) (longer (fun b => committees k n b * 'C(b, k)%:R)).
exact: sums_fall (classic_falls k n) m.
Qed.

(* One more item raises a classic filter's rate, or leaves it unchanged. *)
Theorem classic_rate_rises m k n : (k <= m)%N -> classic_rate m k n k <= classic_rate m k n.+1 k.
Proof.
move=> km; have pos e : (0 : rat) < ('C(m, k) ^ e)%:R by rewrite ltr0n expn_gt0 bin_gt0 km.
pose total n : rat := \sum_(s in @states m k n) ('C(#|filled s|, k))%:R.
have more : total n * ('C(m, k))%:R <= total n.+1.
  rewrite /total mulr_suml [in leRHS]/states big_sequences exchange_big /=.
  apply: ler_sum => s _; rewrite mulr_natr -(card_items m k) -sumr_const; apply: ler_sum => a _.
  have -> : filled (prepend (a, s)) = a :|: filled s by exact: (covered_prepend id a s).
  by rewrite ler_nat leq_bin2l // subset_leq_card // subsetUr.
have rateE e : classic_rate m k e k = total e / ('C(m, k) ^ e.+1)%:R.
  by rewrite classic_mean -mulr_suml expnS natrM invfM mulrA.
rewrite !rateE ler_pdivr_mulr // mulrAC ler_pdivl_mulr // [('C(m, k) ^ n.+2)%:R]natrX exprS -natrX mulrA.
by rewrite ler_pmul2r.
Qed.

(* A partitioned filter's rate falls with the number s of bits of a slice, or stays the same. *)
Theorem partitioned_rate_falls_in_bits s n k : (0 < s)%N -> partitioned_rate s.+1 n k <= partitioned_rate s n k.
Proof.
move=> s0; have sn : (0 : rat) < s%:R by rewrite ltr0n.
have inv1 p : (0 < p)%N -> 0 <= 1 - p%:R^-1 :> rat by move=> p0; rewrite subr_ge0 invf_le1 ?ltr0n // ler1n.
have up : (1 - s%:R^-1) ^+ n <= (1 - s.+1%:R^-1) ^+ n :> rat.
  by rewrite ler_expn2r ?nnegrE ?inv1 // ler_add2l ler_opp2 lef_pinv ?posrE ?ltr0n // ler_nat.
rewrite !partitioned_exact // ler_expn2r ?nnegrE ?ler_add2l ?ler_opp2 ?subr_ge0 ?exprn_ile1 ?inv1 ?ler_subl_addr ?ler_addl ?invr_ge0 ?ler0n //.
Qed.

(* One more item raises a partitioned filter's rate, or leaves it unchanged. *)
Theorem partitioned_rate_rises s n k : (0 < s)%N -> partitioned_rate s n k <= partitioned_rate s n.+1 k.
Proof.
move=> s0; have q0 : 0 <= 1 - s%:R^-1 :> rat by rewrite subr_ge0 invf_le1 ?ltr0n // ler1n.
have q1 : 1 - s%:R^-1 <= 1 :> rat by rewrite ler_subl_addr ler_addl invr_ge0 ler0n.
rewrite !partitioned_exact // ler_expn2r ?nnegrE ?subr_ge0 ?exprn_ile1 // ler_add2l ler_opp2 exprS.
by rewrite ler_pimull ?exprn_ge0.
Qed.
