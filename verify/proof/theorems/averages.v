(* Averages, coins, counters and moments: claims of Dozier, Fan and Burns, and the last inequality of Burns' Theorem 15. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences size search means claims occupancy laws order classic_below intersections.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* Burns, Corollary 12: the recursions of the factorial moments and of the binomial moments of the number of places that
   all of c committees have. *)
Theorem committees_share_recursion m c (k : 'I_c -> nat) r : (forall d, (k d <= m)%N) -> (r < m)%N ->
  let F (d : 'I_c) := @batches m 1 (fun=> k d) in
  let U (d : 'I_c) (s : {ffun 'I_1 -> {set 'I_m}}) := filled s in
  let mean f := (\sum_(o in all_of F) f #|shared U o|) / #|all_of F|%:R : rat in
  mean (fun x => (x ^_ r.+1)%:R) = (m%:R - r%:R) * (\prod_d (((k d)%:R - r%:R) / (m%:R - r%:R))) * mean (fun x => (x ^_ r)%:R) /\
  mean (fun x => 'C(x, r.+1)%:R) =
    (m%:R - r%:R) / r.+1%:R * (\prod_d (((k d)%:R - r%:R) / (m%:R - r%:R))) * mean (fun x => 'C(x, r)%:R).
Proof.
move=> km rm F U mean; have r0 : (r.+1%:R : rat) != 0 by rewrite pnatr_eq0.
have C0 : ('C(m, r)%:R : rat) != 0 by rewrite pnatr_eq0 -lt0n bin_gt0 ltnW.
have g0 : (m%:R - r%:R : rat) != 0 by rewrite subr_eq0 eqr_nat gtn_eqF.
set P := \prod_d _; have bin : mean (fun x => 'C(x, r.+1)%:R) = (m%:R - r%:R) / r.+1%:R * P * mean (fun x => 'C(x, r)%:R).
  rewrite /mean (committees_share_moment km (r := r.+1)) // (committees_share_moment km (ltnW rm)).
  have more (x : nat) : 'C(x, r.+1)%:R = 'C(x, r)%:R * (x%:R - r%:R) / r.+1%:R :> rat.
    by apply: (mulIf r0); rewrite next_choice divfK.
  have key : \prod_d 'C(k d, r.+1)%:R / 'C(m, r.+1)%:R ^+ c = (\prod_d 'C(k d, r)%:R / 'C(m, r)%:R ^+ c) * P :> rat.
    have power_ (x : rat) : x ^+ c = \prod_(d < c) x by rewrite prodr_const card_ord.
    rewrite !power_ -!prodf_div -big_split /=; apply: eq_bigr => d _.
    rewrite !more !invfM invrK; set a := 'C(k d, r)%:R; set b := _ - _; set u := 'C(m, r)%:R^-1; set v := (_ - _)^-1.
    by rewrite [LHS](AC (3*3) ((1*4)*(2*5)*(3*6))) /= mulVf // mulr1.
  rewrite -[LHS]mulrA key more -['C(m, r)%:R * _ / 'C(m, r)%:R ^+ c]mulrA; set Q := _ / _ ^+ c; set d := _ - _; set e := r.+1%:R^-1.
  by set a := 'C(m, r)%:R; rewrite [LHS](AC (3*2) ((2*3)*5*(1*4))).
split=> //; have fact e : mean (fun x => (x ^_ e)%:R) = e`!%:R * mean (fun x => 'C(x, e)%:R).
  rewrite /mean mulrA mulr_sumr; congr (_ / _); apply: eq_bigr => o _; by rewrite -bin_ffact natrM mulrC.
rewrite !fact bin factS natrM; set a := r`!%:R; set b := mean _; set d := _ - _.
by rewrite [LHS](AC (2*4) ((1*4)*(3*5*(2*6)))) /= mulfV // mul1r.
Qed.

(* Dozier-FN, Theorem 4: a coin i is chosen with probability P i and shows heads with probability p i > 0. If the coin is
   chosen anew for each flip, heads come at least as often as if it is held after tails and chosen anew after heads. In
   the second case, pi i says how often the coin i is flipped: what the flips preserve. *)
Theorem held_coins (I : finType) (P p pi : I -> rat) : (forall i, 0 <= P i) -> \sum_i P i = 1 -> (forall i, 0 < p i) ->
  \sum_i pi i = 1 -> (forall j, \sum_i pi i * ((1 - p i) * (i == j)%:R + p i * P j) = pi j) ->
  \sum_i pi i * p i = (\sum_i P i / p i)^-1 /\ \sum_i pi i * p i <= \sum_i P i * p i.
Proof.
move=> P0 P1 p0 pi1 st; set H := \sum_i pi i * p i.
have flips j : pi j = P j / p j * H.
  have := st j; rewrite (eq_bigr (fun i => pi i * (1 - p i) * (i == j)%:R + pi i * p i * P j)) => [|i _]; last by rewrite mulrDr !mulrA.
  rewrite big_split /= -mulr_suml -/H (bigD1 j) //= eqxx mulr1 big1 ?addr0 => [|i /negbTE ->]; last by rewrite mulr0.
  rewrite mulrBr mulr1 -addrA => /eqP; rewrite -subr_eq0 addrAC subrr add0r addrC subr_eq0 => /eqP e.
  by rewrite mulrAC [P j * H]mulrC e mulfK // gt_eqF.
set Q := \sum_i P i / p i; have QH : Q * H = 1 by rewrite -pi1 (eq_bigr _ (fun j _ => flips j)) mulr_suml.
have Q0 : 0 <= Q by apply: sumr_ge0 => i _; rewrite divr_ge0 // ltW.
have Qn : Q != 0 by apply: contra_eq_neq QH => ->; rewrite mul0r eq_sym oner_eq0.
have Qp : 0 < Q by rewrite lt_neqAle eq_sym Qn.
have HE : H = Q^-1 by apply: (mulfI Qn); rewrite QH mulfV.
split=> //; rewrite HE -[leLHS]mul1r ler_pdivr_mulr //.
have tangent_line i : P i * (Q + Q - (p i)^-1 * 1) <= P i * (p i * (Q * Q)).
  rewrite ler_wpmul2l // mulr1 -(ler_pmul2l (p0 i)) mulrBr mulfV ?gt_eqF // -subr_ge0.
  set x := p i; have -> : x * (x * (Q * Q)) - (x * (Q + Q) - 1) = (x * Q - 1) ^+ 2 by identity.
  exact: sqr_ge0.
have : \sum_i P i * (Q + Q - (p i)^-1 * 1) <= \sum_i P i * (p i * (Q * Q)) by apply: ler_sum => i _; exact: tangent_line.
rewrite (eq_bigr (fun i => P i * (Q + Q) - P i / p i)) => [|i _]; last by rewrite mulr1 mulrBr.
rewrite sumrB -mulr_suml P1 mul1r -/Q addrK (eq_bigr (fun i => P i * p i * (Q * Q))) => [|i _]; last by rewrite mulrA.
by rewrite -mulr_suml mulrA -[leLHS]mul1r ler_pmul2r.
Qed.

(* Fan, section 5: the least of the counters of an item q is at least the number of times that q was inserted. Each
   insertion of an item adds 1 to each counter that it has, or 1 for each of its k hash functions. *)
Theorem counters_above (T : eqType) m k (h : T -> 'I_k.+1 -> 'I_m) (s : seq T) (q : T) :
  let once x := (\sum_(y <- s) (x \in [set h y j | j : 'I_k.+1]))%N in
  let each x := (\sum_(y <- s) #|[set j | h y j == x]|)%N in
  (forall j, (count_mem q s <= once (h q j))%N) /\ (forall j, (count_mem q s <= each (h q j))%N) /\
  (count_mem q s <= \big[minn/once (h q ord0)]_j once (h q j))%N /\
  (count_mem q s <= \big[minn/each (h q ord0)]_j each (h q j))%N.
Proof.
move=> once each.
have a j : (count_mem q s <= once (h q j))%N.
  rewrite -sum1_count /once big_mkcond /=; apply: leq_sum => y _; case: eqP => [->|_ //].
  by rewrite (_ : h q j \in _) //; apply/imsetP; exists j.
have b j : (count_mem q s <= each (h q j))%N.
  rewrite -sum1_count /each big_mkcond /=; apply: leq_sum => y _; case: eqP => [->|_ //].
  by apply/card_gt0P; exists j; rewrite inE.
split=> //; split=> //; split.
  by elim/big_ind: _ => [|x y|j _]; rewrite ?a // leq_min => -> ->.
by elim/big_ind: _ => [|x y|j _]; rewrite ?b // leq_min => -> ->.
Qed.

(* Dozier-FP, section II-B: from (1), the rate rises to 1 as n increases. *)
Theorem worst_case_limit M k : (1 < M)%N -> (0 < k)%N ->
  let f n := (1 - (1 - M%:R^-1) ^+ (k * n)) ^+ k : rat in
  (forall n, f n < f n.+1 /\ f n < 1) /\ forall e, 0 < e -> exists n0, forall n, (n0 <= n)%N -> 1 - e < f n.
Proof.
move=> M1 k0 f; have M0 : (0 < M)%N by rewrite ltnW.
set x : rat := 1 - M%:R^-1; have x0 : 0 < x by rewrite subr_gt0 invf_lt1 ?ltr0n // ltr1n.
have x1 : x < 1 by rewrite ltr_subl_addr ltr_addl invr_gt0 ltr0n.
have p1 n : x ^+ n <= 1 by rewrite exprn_ile1 // ltW.
have nn n : 0 <= 1 - x ^+ n by rewrite subr_ge0.
split=> [n|].
  split; last by rewrite exprn_ilt1 ?nn -?lt0n // ltr_subl_addr ltr_addl exprn_gt0.
  by rewrite ltr_expn2r ?nnegrE -?lt0n // ltr_add2l ltr_opp2 ltr_iexpn2l // ltn_pmul2l.
move=> e e0; pose y := x^-1; have y1 : 0 < y - 1 by rewrite subr_gt0 invf_gt1.
have [n0 big] : exists n0 : nat, k%:R < e * (1 + n0%:R * (y - 1)).
  pose q := k%:R / (e * (y - 1)); exists (Num.bound q).
  have q0 : 0 <= q by rewrite divr_ge0 ?ler0n // mulr_ge0 ?ltW.
  have := archi_boundP q0; rewrite /q ltr_pdivr_mulr ?mulr_gt0 // => lt.
  by rewrite mulrDr mulr1 (lt_le_trans lt) // mulrCA ler_addr ltW.
exists n0 => n nn0; apply: (@lt_le_trans _ _ (1 - k%:R * x ^+ (k * n))); last first.
  by apply: bernoulli; rewrite p1 exprn_ge0 // ltW.
rewrite ltr_add2l ltr_opp2; apply: (@le_lt_trans _ _ (k%:R * x ^+ n0)).
  rewrite ler_wpmul2l ?ler0n // ler_wiexpn2l ?ltW //; first by rewrite (leq_trans nn0) // leq_pmull.
have pos : 0 < x ^+ n0 by rewrite exprn_gt0.
rewrite -ltr_pdivl_mulr // -exprVn; apply: (lt_le_trans big); rewrite ler_pmul2l //.
have := @tangent 1 (y - 1) n0 ler01; rewrite !expr1n mulr1 [1 + (y - 1)]addrC subrK; apply.
by rewrite invr_ge0 ltW.
Qed.

Lemma rate_grows m k a b : (0 < m)%N -> (0 < k)%N -> (a <= b)%N -> rate m a k <= rate m b k.
Proof.
move=> m0 k0; elim: b => [|b IH]; first by rewrite leqn0 => /eqP ->.
rewrite leq_eqVlt => /orP[/eqP -> // | ab]; apply: le_trans (IH ab) _.
have [m1 | m2] := leqP m 1; last by rewrite ltW // rate_rises.
have -> : m = 1%N by apply/eqP; rewrite eqn_leq m1.
rewrite /rate !exp1n !divr1 !power_mean; set L := (\sum_t _); apply: (@le_trans _ _ 1).
  rewrite /L (eq_bigr (fun=> (#|hits ([ffun=> ord0] : {ffun 'I_b -> 'I_1})| ^ k)%:R)) => [|t _].
    rewrite sumr_const card_throws exp1n mulr1n -[leRHS]/(1%:R : rat) ler_nat; have := leq_exp2r #|hits ([ffun=> ord0] : {ffun 'I_b -> 'I_1})| 1 k0; rewrite exp1n => ->.
    by rewrite (leq_trans (max_card _)) // card_ord.
  by congr (#|hits _| ^ _)%:R; apply/ffunP => i; rewrite [LHS]ord1 [RHS]ord1.
pose t0 : {ffun 'I_b.+1 -> 'I_1} := [ffun=> ord0]; apply: (@le_trans _ _ (#|hits t0| ^ k)%:R).
  rewrite ler1n expn_gt0 card_gt0; apply/orP; left; apply/set0Pn.
  by exists ord0; apply/imsetP; exists ord0; rewrite ?ffunE.
by rewrite (bigD1 t0) //= ler_addl sumr_ge0 // => t _; rewrite ler0n.
Qed.

(* Dozier-FP, section II-B: the average over the rates that the N messages meet, exact or by the worst-case bound (1), is
   lower than the rate after N messages, which is the rate that is allowed. *)
Theorem average_below_allowed M N k : (0 < M)%N -> (0 < N)%N -> (0 < k)%N ->
  let bound n := (1 - (1 - M%:R^-1) ^+ (n * k)) ^+ k : rat in
  (\sum_(i < N) rate M (i * k) k) / N%:R < rate M (N * k) k /\ (\sum_(i < N) bound i) / N%:R < bound N.
Proof.
move=> M0 N0 k0 bound.
have below (f : nat -> rat) : (forall a b, (a <= b)%N -> f a <= f b) -> f 0%N < f N -> (\sum_(i < N) f i) / N%:R < f N.
  move=> up lt; rewrite ltr_pdivr_mulr ?ltr0n // mulr_natr -[N in _ *+ N]card_ord -sumr_const.
  case: N N0 lt => // n _ lt; rewrite !big_ord_recl ltr_le_add //; apply: ler_sum => i _.
  by apply: up; rewrite ltnW // lift0 ltnS.
have /andP[x0 x1] := share01 M0.
have last : 0 < bound N.
  rewrite exprn_gt0 // subr_gt0 exprn_ilt1 ?muln_eq0 -?lt0n ?negb_or -?lt0n ?N0 ?k0 //.
  by rewrite ltr_subl_addr ltr_addl invr_gt0 ltr0n.
have first : bound 0%N = 0 by rewrite /bound mul0n expr0 subrr expr0n -[k]prednK.
split; last first.
  apply: below; rewrite ?first // => a b ab; rewrite ler_expn2r ?nnegrE ?subr_ge0 ?exprn_ile1 //.
  by rewrite ler_add2l ler_opp2 ler_wiexpn2l // leq_mul2r ab orbT.
apply: (below (fun i => rate M (i * k) k)) => [a b ab|]; first by rewrite rate_grows // leq_mul2r ab orbT.
apply: (@lt_le_trans _ _ (bound N)); last exact: bloom_below.
rewrite (_ : rate M (0 * k) k = 0) //; rewrite /rate power_mean mul0n big1 ?mul0r // => t _.
rewrite (_ : hits t = set0) ?cards0 ?exp0n //; apply/setP => y; rewrite inE; apply/negbTE/imsetP => -[[i lt]].
by have := lt.
Qed.

Lemma union_occupied m (E1 E2 : finType) (F1 : pred E1) (F2 : pred E2) (U1 : E1 -> {set 'I_m}) (U2 : E2 -> {set 'I_m}) w1 w2 :
  (forall A : {set 'I_m}, \sum_(s in F1) (U1 s \subset A)%:R = w1 #|A|) ->
  (forall A : {set 'I_m}, \sum_(t in F2) (U2 t \subset A)%:R = w2 #|A|) ->
  forall A : {set 'I_m}, \sum_(s in F1) \sum_(t in F2) (A \subset U1 s :|: U2 t)%:R = nabla #|A| (fun y => w1 y * w2 y) m.
Proof.
move=> e1 e2 A; rewrite pair_big_dep /=.
apply: (@all_occupied m _ [pred p | (p.1 \in F1) && (p.2 \in F2)] (fun p => U1 p.1 :|: U2 p.2)) => B.
rewrite -e1 -e2 mulr_suml -(pair_big_dep (mem F1) (fun _ => mem F2) (fun s t => (U1 s :|: U2 t \subset B)%:R)) /=.
apply: eq_bigr => s _; rewrite mulr_sumr; apply: eq_bigr => t _.
by rewrite subUset -natrM mulnb.
Qed.

Lemma item_above_throws m k r : (0 < k)%N -> (k <= m)%N -> (r <= m)%N ->
  nabla r (fun y => (y ^ k)%:R) m / (m ^ k)%:R <= nabla r (fun y => 'C(y, k)%:R) m / 'C(m, k)%:R.
Proof.
move=> k0 km rm; have [rk | kr] := leqP r k; last first.
  by rewrite nabla_choices_above // mul0r -/(hit k r m) too_few // mul0r.
have := classic_lower 1 km rk; rewrite mul1n.
have km' := km; rewrite classic_difference // => h; apply: (le_trans h).
rewrite -/(nabla r (fun y => ('C(y, k)%:R / 'C(m, k)%:R) ^+ 1) m) -nabla_scale.
by rewrite (@eq_nabla _ _ (fun y => 'C(y, k)%:R / 'C(m, k)%:R)) // => y; rewrite expr1.
Qed.

(* Theorem 15 of Burns, its second and its fourth term: n batches of k fill r given urns at least as often as n k
   balls. *)
Theorem batches_above_balls m k n r : (0 < m)%N -> (k <= m)%N -> (r <= m)%N ->
  nabla r (fun x => (x ^ (n * k))%:R) m / (m ^ (n * k))%:R <= nabla r (fun x => 'C(x, k)%:R ^+ n) m / 'C(m, k)%:R ^+ n.
Proof.
move=> m0 km /some_set[A <-]; have [k0 | k0] := posnP k.
  rewrite k0 muln0 bin0 expr1n expn0 (eq_nabla _ _ (w' := fun=> 1)) // [in leRHS](eq_nabla _ _ (w' := fun=> 1)) // => x.
  by rewrite bin0 expr1n.
elim: n A => [|n IH] A.
  by rewrite mul0n expn0 (eq_nabla _ _ (w' := fun=> 1)) // [in leRHS](eq_nabla _ _ (w' := fun=> 1)) // expr0.
have states_in (B : {set 'I_m}) : \sum_(s in @states m k n) (filled s \subset B)%:R = 'C(#|B|, k)%:R ^+ n :> rat.
  have same : @states m k n =i @batches m n (fun=> k) by move=> s.
  by rewrite (eq_bigl _ _ same) batches_within /choices prodr_const card_ord.
have items_in (B : {set 'I_m}) : \sum_(a in [pred a | a \in items m k]) (a \subset B)%:R = 'C(#|B|, k)%:R :> rat.
  rewrite -cards_draws -sum1_card natr_sum [LHS]big_mkcond [RHS]big_mkcond /=.
  by apply: eq_bigr => a _; rewrite !inE andbC; case: (#|a| == k); case: (a \subset B).
have throws_in := @throws_within m k.
have minus (B C D : {set 'I_m}) : (B \subset C :|: D) = (B :\: C \subset D) by rewrite subDset.
have M0 : (0 : rat) < (m ^ k)%:R by rewrite ltr0n expn_gt0 m0.
have N0 : (0 : rat) < (m ^ (n * k))%:R by rewrite ltr0n expn_gt0 m0.
have C0 : (0 : rat) < 'C(m, k)%:R by rewrite ltr0n bin_gt0.
have Cn0 : (0 : rat) < 'C(m, k)%:R ^+ n by rewrite exprn_gt0.
have small (B C : {set 'I_m}) : (#|B :\: C| <= m)%N by rewrite -[m in (_ <= m)%N]card_ord max_card.
set mixed := \sum_(s in @states m k n) \sum_(u in {ffun 'I_k -> 'I_m}) (A \subset filled s :|: hits u)%:R : rat.
have above : mixed / (m ^ k)%:R <= nabla #|A| (fun x => 'C(x, k)%:R ^+ n.+1) m / 'C(m, k)%:R.
  rewrite (@eq_nabla _ _ (fun x => 'C(x, k)%:R ^+ n * 'C(x, k)%:R)) => [|x]; last by rewrite exprSr.
  rewrite -(@union_occupied m _ _ _ _ _ _ (fun x => 'C(x, k)%:R ^+ n) (fun x => 'C(x, k)%:R) states_in items_in) /mixed [in leLHS]mulr_suml [in leRHS]mulr_suml; apply: ler_sum => s _.
  under eq_bigr => u _ do rewrite minus.
  under [in leRHS]eq_bigr => a _ do rewrite minus.
  by rewrite (@all_occupied m _ _ _ (fun x => (x ^ k)%:R) throws_in) (@all_occupied m _ _ _ (fun x => 'C(x, k)%:R) items_in); apply: item_above_throws.
have below : nabla #|A| (fun x => (x ^ (n.+1 * k))%:R) m / (m ^ (n * k))%:R <= mixed / 'C(m, k)%:R ^+ n.
  rewrite (@eq_nabla _ _ (fun x => (x ^ k)%:R * (x ^ (n * k))%:R)) => [|x]; last by rewrite mulSn expnD natrM.
  rewrite -(@union_occupied m _ _ _ _ _ _ (fun x => (x ^ k)%:R) (fun x => (x ^ (n * k))%:R) throws_in (@throws_within m (n * k))) /mixed [in leRHS]exchange_big /= [in leLHS]mulr_suml [in leRHS]mulr_suml; apply: ler_sum => u _.
  under eq_bigr => t _ do rewrite minus.
  under [in leRHS]eq_bigr => s _ do rewrite setUC minus.
  by rewrite (@all_occupied m _ _ _ (fun x => (x ^ (n * k))%:R) (@throws_within m (n * k))) (@all_occupied m _ _ _ (fun x => 'C(x, k)%:R ^+ n) states_in).
rewrite mulSn expnD natrM invfM mulrA mulrAC -mulSn.
apply: (@le_trans _ _ (mixed / 'C(m, k)%:R ^+ n / (m ^ k)%:R)); first by rewrite ler_pmul2r ?invr_gt0.
by rewrite mulrAC exprS invfM mulrA ler_pmul2r ?invr_gt0.
Qed.
