(* The steps that Fan and Dozier-FP count: Christensen's table, and the rate of a recycling filter. A program returns its
   result and the number of its steps. A step is a product, a quotient, a sum, or the sum of two products. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import standard sequences steps claims machine recycling.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* One more throw. The list row has the probabilities of i, i + 1, ... set bits. In the new list, the probability of j bits
   is that of j bits times j/M, plus that of j - 1 bits times (M - j + 1)/M. The list ends at M bits. *)
Fixpoint fill (M j : nat) (before : rat) (row : seq rat) : seq rat * nat :=
  if row is x :: rest then let r := fill M j.+1 x rest in (x * (j%:R / M%:R) + before * ((M - j.-1)%:R / M%:R) :: r.1, r.2.+1)
  else if (j <= M)%N then ([:: before * ((M - j.-1)%:R / M%:R)], 1%N) else ([::], 0%N).

(* The list after h throws, if i bits were set before. *)
Fixpoint thrown (M i h : nat) : seq rat * nat :=
  if h is h'.+1 then let p := thrown M i h' in let q := fill M i 0 p.1 in (q.1, (p.2 + q.2)%N) else ([:: 1], 0%N).

Lemma fill_size M j x row : size (fill M j x row).1 = (size row + (j + size row <= M))%N /\ (fill M j x row).2 = size (fill M j x row).1.
Proof.
elim: row j x => [|y row IH] j x /=; first by rewrite addn0; case: (j <= M)%N.
by have [-> ->] := IH j.+1 y; rewrite addSnnS.
Qed.

Lemma fill_entry M j x row e : (0 < M)%N ->
  nth 0 (fill M j x row).1 e = nth 0 row e * ((j + e)%:R / M%:R) + (if e is e'.+1 then nth 0 row e' else x) * ((M - (j + e).-1)%:R / M%:R).
Proof.
move=> M0; elim: row j x e => [|y row IH] j x [|e] /=; rewrite ?addn0 //.
- by case: leqP => lt /=; rewrite mul0r add0r // (_ : (M - j.-1)%N = 0%N) ?mul0r ?mulr0 //; apply/eqP; rewrite subn_eq0 -ltnS prednK // (leq_trans _ lt).
- by case: leqP => _ /=; rewrite ?nth_nil !mul0r ?addr0; case: e => //= e; rewrite ?nth_nil mul0r addr0.
by rewrite IH addSnnS; case: e.
Qed.

Lemma thrown_size M i h : (i <= M)%N -> (size (thrown M i h).1 <= h.+1)%N && (size (thrown M i h).1 <= (M - i).+1)%N.
Proof.
move=> iM; elim: h => //= h /andP[lo hi]; have [-> _] := fill_size M i 0 (thrown M i h).1.
rewrite -addn1 leq_add ?leq_b1 //=; case: (leqP (i + _) M) => [le | _]; last by rewrite addn0.
by rewrite addn1 ltnS leq_subRL.
Qed.

Lemma thrown_steps M i h : (i <= M)%N -> ((thrown M i h).2 <= h * (M - i).+1)%N && ((thrown M i h).2 * 2 <= h * (h + 3))%N.
Proof.
move=> iM; elim: h => //= h /andP[lo hi]; have [e s] := fill_size M i 0 (thrown M i h).1.
have /andP[a b] := thrown_size h.+1 iM; rewrite /= in a b; rewrite s; apply/andP; split.
  by rewrite mulSn addnC leq_add.
rewrite mulnDl (_ : h.+1 * (h.+1 + 3) = h * (h + 3) + h.+2 * 2)%N; first by rewrite leq_add // leq_mul2r.
by rewrite mulSn addSn mulnS addnA addnC; congr (_ + _)%N; rewrite muln2 -addnn addn3 !addSn !addnS.
Qed.

Lemma thrown_moves M h (A : {set 'I_M}) d : (0 < M)%N -> nth 0 (thrown M #|A| h).1 d = standard_moves h A (#|A| + d).
Proof.
move=> M0; have AM : (#|A| <= M)%N by rewrite -[X in (_ <= X)%N]card_ord max_card.
have below l j : (j < #|A|)%N -> standard_moves l A j = 0.
  move=> lt; rewrite /standard_moves /mean big1 ?mul0r // => q _; case: eqP => // e.
  by have := subset_leq_card (subsetUl A (hits q)); rewrite e leqNgt lt.
elim: h d => [|h IH] d /=.
  have [-> _] := standard_moves_recursion A (#|A| + d) M0; case: d => [|d]; first by rewrite addn0 eqxx.
  by rewrite /= nth_nil -[X in X == _]addn0 eqn_add2l.
rewrite fill_entry //; have [_ ->] := standard_moves_recursion A (#|A| + d) M0.
rewrite -IH; congr (_ + _); case: d => [|d]; last by rewrite addnS /= -IH.
rewrite mul0r addn0; case e: #|A| => [|a] //.
by rewrite below ?mul0r // e.
Qed.

Lemma mean_of_throws m N (f : {ffun 'I_N -> 'I_m} -> rat) : mean f = (\sum_t f t) / (m ^ N)%:R.
Proof. by rewrite /mean card_ffun !card_ord. Qed.

(* Fan, section 2.3 and section 7: Christensen's table of the probabilities that j throws hit i of m bits has k n rows
   after its first, and each row has at most m + 1 entries. It takes at most k n (m + 1) steps, and gives the rate. *)
Theorem christensen_table m n k : (0 < m)%N -> let table := thrown m 0 (n * k) in
  [/\ forall i, nth 0 table.1 i = #|[set t : {ffun 'I_(n * k) -> 'I_m} | #|hits t| == i]|%:R / (m ^ (n * k))%:R,
      rate m (n * k) k = \sum_(i < m.+1) nth 0 table.1 i * (i%:R / m%:R) ^+ k,
      (size table.1 <= m.+1)%N & (table.2 <= n * k * m.+1)%N].
Proof.
move=> m0 table; have M0 : (m%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n.
have entries i : nth 0 table.1 i = (\sum_(t : {ffun 'I_(n * k) -> 'I_m}) (#|hits t| == i)%:R) / (m ^ (n * k))%:R.
  have := thrown_moves (n * k) (set0 : {set 'I_m}) i m0; rewrite cards0 add0n => ->.
  by rewrite /standard_moves mean_of_throws; congr (_ / _); apply: eq_bigr => t _; rewrite set0U.
split.
- move=> i; rewrite entries; congr (_ / _); rewrite -sum1_card natr_sum [RHS]big_mkcond /=.
  by apply: eq_bigr => t _; rewrite inE; case: (_ == i).
- rewrite /rate power_mean expnD natrM invfM mulrA.
  under [RHS]eq_bigr => i _ do rewrite entries mulrAC mulr_suml; rewrite -mulr_suml exchange_big mulrAC; congr (_ / _).
  rewrite mulr_suml; apply: eq_bigr => t _; have tm : (#|hits t| < m.+1)%N by rewrite ltnS -[X in (_ <= X)%N]card_ord max_card.
  rewrite (bigD1 (Ordinal tm)) //= eqxx mul1r big1 ?addr0 ?expr_div_n ?natrX // => i.
  by rewrite -val_eqE /= eq_sym => /negbTE ->; rewrite mul0r.
- by have := thrown_size (n * k) (leq0n m); rewrite subn0 => /andP[].
by have := thrown_steps (n * k) (leq0n m); rewrite subn0 => /andP[].
Qed.

Lemma over_rows M sigma h (f : seq rat * nat -> nat) :
  (\sum_(r <- [seq thrown M i h | i <- iota 0 sigma.+1]) f r = \sum_(i < sigma.+1) f (thrown M i h))%N.
Proof. by rewrite big_map (_ : iota 0 sigma.+1 = index_iota 0 sigma.+1) ?big_mkord // /index_iota subn0. Qed.

Lemma rows_steps M k sigma : (0 < k)%N -> (sigma < M)%N -> (\sum_(r <- [seq thrown M i k | i <- iota 0 sigma.+1]) r.2 <= 2 * M * k ^ 2)%N.
Proof.
move=> k0 sM; rewrite -(leq_pmul2r (isT : 0 < 2)%N) over_rows big_distrl /=.
apply: (@leq_trans (\sum_(i < sigma.+1) k * (k + 3))).
  by apply: leq_sum => i _; have /andP[] := thrown_steps k (leq_trans (ltnW (ltn_ord i)) sM).
rewrite sum_nat_const card_ord (leq_trans (leq_mul sM (leqnn _))) // (_ : 2 * M * k ^ 2 * 2 = M * (k * (k * 4)))%N.
  by rewrite leq_mul2l leq_mul2l mulnS leq_add2l -{1}[3%N]mul1n leq_mul2r k0 !orbT.
by rewrite -mulnn [LHS](AC (2*2*1) (2*(3*(4*(1*5))))).
Qed.

(* Dozier-FP, section IV-E, first paragraph, for k independent positions: the probabilities tau_k(i, j) for 0 <= i <=
   sigma, in lists that begin at j = i, are at most (sigma + 1) (k + 1) values. They follow from those for k - 1 in as many
   steps, and from k = 0 on in at most 2 M k^2 steps. *)
Theorem kernel_steps M k sigma : (0 < k <= M)%N -> (sigma < M)%N ->
  let rows h := [seq thrown M i h | i <- iota 0 sigma.+1] in
  let steps h := (\sum_(r <- rows h) r.2)%N in
  [/\ forall (A : {set 'I_M}) j, (#|A| <= sigma)%N -> (#|A| <= j)%N ->
        nth 0 (nth ([::], 0%N) (rows k) #|A|).1 (j - #|A|) = standard_moves k A j,
      forall h, (\sum_(r <- rows h) size r.1 <= sigma.+1 * h.+1)%N,
      forall h, (steps h.+1 <= steps h + sigma.+1 * h.+2)%N & (steps k <= 2 * M * k ^ 2)%N].
Proof.
move=> /andP[k0 kM] sM rows steps; have M0 : (0 < M)%N := leq_ltn_trans (leq0n _) sM.
have fits (i : 'I_sigma.+1) : (i <= M)%N by rewrite (leq_trans _ (ltnW sM)) // -ltnS.
have constant c : (sigma.+1 * c = \sum_(i < sigma.+1) c)%N by rewrite sum_nat_const card_ord.
split.
- by move=> A j As Aj; rewrite (nth_map 0%N) ?size_iota // nth_iota // add0n thrown_moves // subnKC.
- by move=> h; rewrite over_rows constant; apply: leq_sum => i _; have /andP[] := thrown_size h (fits i).
- move=> h; rewrite /steps !over_rows constant -big_split; apply: leq_sum => i _ /=.
  have [_ ->] := fill_size M i 0 (thrown M i h).1; rewrite leq_add2l.
  by have /andP[] := thrown_size h.+1 (fits i).
exact: rows_steps.
Qed.

(* The sum of the products of pairs. *)
Fixpoint products (l : seq (rat * rat)) : rat * nat :=
  if l is x :: rest then let r := products rest in (x.1 * x.2 + r.1, r.2.+1) else (0, 0%N).

(* Dozier-FP (15) from g 0 = 1 on: g i is the sum of g j tau j i over j from i - k to i - 1, divided by 1 - tau i i. *)
Fixpoint solve (tau : nat -> nat -> rat) (k n : nat) : seq rat * nat :=
  if n is n'.+1 then
    let p := solve tau k n' in let s := products [seq (nth 0 p.1 j, tau j n) | j <- index_iota (n - k) n] in
    (rcons p.1 (s.1 / (1 - tau n n)), (p.2 + s.2.+1)%N)
  else ([:: 1], 0%N).

Lemma products_sum (T : Type) (f : T -> rat * rat) (l : seq T) :
  (products [seq f i | i <- l]).1 = \sum_(i <- l) (f i).1 * (f i).2 /\ (products [seq f i | i <- l]).2 = size l.
Proof. by elim: l => [|x l [e s]] /=; rewrite ?big_nil ?big_cons ?e ?s. Qed.

Lemma solve_size tau k n : size (solve tau k n).1 = n.+1.
Proof. by elim: n => //= n IH; rewrite size_rcons IH. Qed.

Lemma solve_steps tau k n : ((solve tau k n).2 <= k.+1 * n)%N.
Proof.
elim: n => //= n IH; have [_ ->] := products_sum (fun j => (nth 0 (solve tau k n).1 j, tau j n.+1)) (index_iota (n.+1 - k) n.+1).
by rewrite size_iota mulnS addnC leq_add // ltnS leq_subLR addnC -leq_subLR.
Qed.

Section Stationary.
Variables (M sigma : nat) (E : finType) (places : E -> {set 'I_M}) (p : nat -> rat) (tau : nat -> nat -> rat) (k : nat).
Hypothesis leaves : forall J : {set 'I_M}, (#|J| <= sigma)%N -> exists e, ~~ (places e \subset J).
Hypothesis within : forall J : {set 'I_M}, inside places J = p #|J|.
Hypothesis moves : forall (A : {set 'I_M}) j, (#|A| <= j)%N -> mean (fun e => (#|A :|: places e| == j)%:R) = tau #|A| j.
Hypothesis few : forall e, (#|places e| <= k)%N.
Hypothesis sM : (sigma < M)%N.

(* Dozier-FP, section IV-E, second paragraph: given tau, the numbers of arrivals that find i bits set, which are in
   proportion to pi_i, take at most (k + 1) sigma steps for all i from 0 to sigma. *)
Theorem stationary_steps :
  (forall i, (i <= sigma)%N -> seen M p i = seen M p 0 * nth 0 (solve tau k sigma).1 i) /\
  ((solve tau k sigma).2 <= k.+1 * sigma)%N.
Proof.
split; last exact: solve_steps.
have prefix n i : (i <= n)%N -> nth 0 (solve tau k n).1 i = nth 0 (solve tau k i).1 i.
  elim: n => [|n IH]; first by rewrite leqn0 => /eqP ->.
  rewrite leq_eqVlt => /orP[/eqP -> // | lt]; rewrite /= nth_rcons solve_size lt; exact: IH.
move=> i is_; rewrite (prefix _ _ is_); have [n] := ubnP i; elim: n i is_ => // n IH [|i] is_ lt; first by rewrite mulr1.
have all (A : {set 'I_M}) j : mean (fun e => (#|A :|: places e| == j)%:R) = if (#|A| <= j)%N then tau #|A| j else 0.
  case: leqP => [/moves // | lower]; rewrite /mean big1 ?mul0r // => d _; case: eqP => // u.
  by have := subset_leq_card (subsetUl A (places d)); rewrite u leqNgt lower.
have := @state_by_state M sigma E places p leaves within (fun a b => if (a <= b)%N then tau a b else 0) k all few i.+1 is_ sM.
rewrite leqnn => e.
have out : 1 - tau i.+1 i.+1 != 0.
  have /card_gt0P[A] : (0 < #|[set A : {set 'I_M} | #|A| == i.+1]|)%N.
    by have := card_draws (ordinal_finType M) i.+1; rewrite card_ord => ->; rewrite bin_gt0 (leq_trans is_ (ltnW sM)).
  rewrite inE => /eqP Ai; rewrite -{1}Ai -[X in tau _ X]Ai -moves // subr_eq0 eq_sym lt_eqF //.
  rewrite (_ : mean _ = inside places A); first by apply: (inside_lt1 leaves); rewrite Ai.
  apply: eq_mean => d /=; congr ((nat_of_bool _)%:R); apply/eqP/idP => [u | /setUidPl -> //].
  by rewrite -(_ : A :|: places d = A) ?subsetUr //; apply/eqP; rewrite eq_sym eqEcard subsetUl u leqnn.
have [ps _] := products_sum (fun j => (nth 0 (solve tau k i).1 j, tau j i.+1)) (index_iota (i.+1 - k) i.+1).
rewrite /= nth_rcons solve_size ltnn eqxx ps; apply: (mulIf out); rewrite e mulrA divfK // mulr_sumr.
rewrite big_nat_cond [RHS]big_nat_cond; apply: eq_bigr => j /andP[/andP[_ ji] _] /=.
rewrite (ltnW ji) mulrA; congr (_ * _); rewrite (prefix i j) // -IH //; first by rewrite (leq_trans _ (ltnW is_)).
exact: leq_trans ji lt.
Qed.
End Stationary.

Fixpoint power (x : rat) (k : nat) : rat * nat := if k is k'.+1 then let p := power x k' in (x * p.1, p.2.+1) else (1, 0%N).

(* The probability of going from i bits to j, in lists of thrown that are computed once. *)
Definition listed (rows : seq (seq rat * nat)) i j : rat := nth 0 (nth ([::], 0%N) rows i).1 (j - i).

(* The rate by Dozier-FP (4), (15), (17) and (18), for k independent positions, if the filter does not retain. *)
Definition rate_program (M k sigma : nat) : rat * nat :=
  let rows := [seq thrown M i k | i <- iota 0 sigma.+1] in
  let g := solve (listed rows) k sigma in
  let rho := [seq power (i%:R / M%:R) k | i <- iota 0 sigma.+1] in
  let s := products [seq (nth 0 g.1 i, (nth (0, 0%N) rho i).1) | i <- iota 0 sigma.+1] in
  (s.1 / (\sum_(x <- g.1) x), (\sum_(r <- rows) r.2 + g.2 + \sum_(r <- rho) r.2 + s.2 + size g.1 + 1)%N).

Lemma powerE x k : power x k = (x ^+ k, k).
Proof. by elim: k => //= k ->; rewrite exprS. Qed.

Lemma eq_solve tau tau' k n : (forall i j, (i <= n)%N -> tau i j = tau' i j) -> solve tau k n = solve tau' k n.
Proof.
elim: n => //= n IH e; rewrite IH => [|i j le]; last by apply: e; exact: leqW.
have -> : [seq (nth 0 (solve tau' k n).1 j, tau j n.+1) | j <- index_iota (n.+1 - k) n.+1] =
    [seq (nth 0 (solve tau' k n).1 j, tau' j n.+1) | j <- index_iota (n.+1 - k) n.+1].
  by apply/eq_in_map => j; rewrite mem_index_iota => /andP[_ lt]; rewrite e // ltnW.
by rewrite e.
Qed.

(* Dozier-FP, section IV-E, last paragraph, for k independent positions and a filter that does not retain: the rate takes
   at most 8 k^2 M steps overall. *)
Theorem rate_steps M k sigma : (0 < k)%N -> (sigma < M)%N ->
  (rate_program M k sigma).1 = recycling_rate (@hits M k) sigma /\ ((rate_program M k sigma).2 <= 8 * k ^ 2 * M)%N.
Proof.
move=> k0 sM; have M0 : (0 < M)%N := leq_ltn_trans (leq0n _) sM.
rewrite /rate_program; set rows := [seq thrown _ _ _ | _ <- _]; set g := solve _ _ _; set rho := [seq power _ _ | _ <- _].
have iotaE : iota 0 sigma.+1 = index_iota 0 sigma.+1 by rewrite /index_iota subn0.
have gS : size g.1 = sigma.+1 by exact: solve_size.
have [sumE sumS] := products_sum (fun i => (nth 0 g.1 i, (nth (0, 0%N) rho i).1)) (iota 0 sigma.+1).
split.
  pose tau i j := nth 0 (thrown M i k).1 (j - i).
  have gE : g = solve tau k sigma.
    by apply: eq_solve => i j is_; rewrite /listed /tau (nth_map 0%N) ?size_iota // nth_iota.
  pose p j : rat := (j%:R / M%:R) ^+ k; have within (J : {set 'I_M}) : inside (@hits M k) J = p #|J| by exact: throws_inside.
  have go (A : {set 'I_M}) j : (#|A| <= j)%N -> mean (fun e : {ffun 'I_k -> 'I_M} => (#|A :|: hits e| == j)%:R) = tau #|A| j.
    by move=> Aj; rewrite /tau thrown_moves // subnKC.
  have few (e : {ffun 'I_k -> 'I_M}) : (#|hits e| <= k)%N by rewrite -[X in (_ <= X)%N]card_ord leq_imset_card.
  have [seenE _] := @stationary_steps M sigma _ _ p tau k (throws_leave sM k0) within go few sM.
  have [_ ->] := @rate_in_closed_form M sigma _ _ p within; transitivity ((\sum_(i <- iota 0 sigma.+1) nth 0 g.1 i * (nth (0, 0%N) rho i).1) / \sum_(x <- g.1) x); first by rewrite -sumE.
  rewrite iotaE big_mkord.
  have M0' : seen M p 0 = 1.
    rewrite /seen bin0 mul1r big_ord1 bin0 mul1r subnn expr0 /p mul0r expr0n gtn_eqF // subr0; exact: divr1.
  have all i : (i < sigma.+1)%N -> nth 0 g.1 i = seen M p i.
    by rewrite ltnS => is_; rewrite gE seenE // M0' mul1r.
  rewrite [X in _ / X](big_nth 0) gS big_mkord; congr (_ / _); apply: eq_bigr => i _; rewrite all //; congr (_ * _).
  by rewrite (nth_map 0%N) ?size_iota // nth_iota // powerE.
have s1 : (sigma.+1 <= k ^ 2 * M)%N by rewrite (leq_trans sM) // leq_pmull // expn_gt0 k0.
have kk : (k <= k ^ 2)%N by rewrite -{1}[k]expn1 leq_pexp2l.
have c1 := rows_steps k0 sM; have c2 := solve_steps (listed rows) k sigma; rewrite -/g in c2.
have c3 : (\sum_(r <- rho) r.2 <= k ^ 2 * M)%N.
  rewrite big_map; under eq_bigr => i _ do rewrite powerE /=.
  rewrite iotaE big_mkord sum_nat_const card_ord mulnC leq_mul //.
rewrite -[X in (X <= _)%N]/(\sum_(r <- rows) r.2 + g.2 + \sum_(r <- rho) r.2 + (products _).2 + size g.1 + 1)%N sumS size_iota gS.
set x := (k ^ 2 * M)%N in s1 c3; rewrite -mulnA -/x (_ : 8 * x = 2 * x + 2 * x + x + x + x + x)%N; last by rewrite -mulnDl -!mulSnr.
rewrite !leq_add // ?(leq_trans _ s1) //; first by rewrite (leq_trans c1) // -mulnA [(M * _)%N]mulnC.
apply: leq_trans c2 _; rewrite /x; apply: (@leq_trans (2 * (k * M))).
  rewrite mulnA leq_mul //; first by rewrite mul2n -addnn -addn1 leq_add2l.
  exact: ltnW.
by rewrite leq_mul2l /= leq_mul2r kk orbT.
Qed.
