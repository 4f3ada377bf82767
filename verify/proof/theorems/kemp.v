(* Burns (34), of Kemp: the probabilities of the number of places that all of several committees have, by the
   probabilities of larger numbers. The sums of his recursion of the binomial moments, with the weights (-1)^s C(s, i),
   are sums of the probabilities. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers standard classic sequences size search claims occupancy laws order.
From Bloomproof Require Import intersections averages differences.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

Lemma falling_natural s v : falling (s%:R : rat) v = (s ^_ v)%:R.
Proof.
elim: v => [|v IH]; first by rewrite /falling big_ord0 ffactn0.
rewrite fallingS IH ffactnSr natrM; have [vs | sv] := leqP v s; first by rewrite natrB.
by rewrite ffact_small // !mul0r.
Qed.

(* s^u is the sum of S(u, v) ff(s, v). *)
Lemma power_by_falling u s : (s ^ u)%:R = \sum_(v < u.+1) (stirling2 u v)%:R * (s ^_ v)%:R :> rat.
Proof. by rewrite natrX -powers_as_falling; apply: eq_bigr => v _; rewrite falling_natural. Qed.

(* The difference of order n of C(w, i), upwards from w. *)
Lemma difference_up n w i : \sum_(l < n.+1) 'C(n, l)%:R * ((-1) ^+ l * 'C(w + l, i)%:R) =
  (-1) ^+ n * ((n <= i) * 'C(w, i - n))%:R :> rat.
Proof.
elim: n w => [|n IH] w; first by rewrite big_ord1 addn0 subn0 bin0 leq0n mul1n expr0 !mul1r.
rewrite (pascal_sum (fun l => (-1) ^+ l * 'C(w + l, i)%:R : rat) n).
rewrite (eq_bigr (fun l : 'I_n.+1 => 'C(n, l)%:R * ((-1) ^+ l * 'C(w + l, i)%:R) -
  'C(n, l)%:R * ((-1) ^+ l * 'C(w.+1 + l, i)%:R))) => [|l _]; last first.
  by rewrite exprS mulN1r mulNr addnS addSn -mulrBr -mulrBr.
rewrite big_split /= sumrN !IH -mulrBr exprS mulN1r mulNr -mulrN; congr (_ * _).
case: (ltngtP n i) => [lt | gt | eq].
- by rewrite !mul1n -(subnSK lt) binS natrD opprD addrA subrr sub0r.
- by rewrite !mul0n subrr oppr0.
by rewrite eq subnn !bin0 subrr mul0n oppr0.
Qed.

(* A sum with both signs of C(s - a, i) ff(s, v) C(i + j, s) over s: it has one term. *)
Lemma alternating_choices a v i j N : (a <= v)%N -> (i + j < N)%N ->
  \sum_(0 <= s < N) (-1) ^+ s * ('C(s - a, i) * (s ^_ v * 'C(i + j, s)))%:R =
  (-1) ^+ (i + j) * ((i + j) ^_ v * ((j <= v) * 'C(v - a, v - j)))%:R :> rat.
Proof.
move=> av xN; set x := (i + j)%N in xN *.
have [xv | vx] := ltnP x v.
  rewrite ffact_small // mul0n mulr0 big_nat big1 // => s /andP[_ _].
  have [sv | vs] := ltnP s v; first by rewrite ffact_small // mul0n muln0 mulr0.
  by rewrite ['C(x, s)]bin_small ?muln0 ?mulr0 //; exact: leq_trans xv vs.
rewrite (big_cat_nat _ _ _ (leq0n v)) /=; last by rewrite (leq_trans vx) // ltnW.
rewrite [X in X + _]big_nat [X in X + _]big1 => [|s /andP[_ sv]]; last by rewrite ffact_small // mul0n muln0 mulr0.
rewrite add0r (big_cat_nat _ _ _ (leq_trans vx (leqnSn x))) //=.
rewrite [X in _ + X]big_nat [X in _ + X]big1 ?addr0 => [|s /andP[xs _]]; last first.
  by rewrite ['C(x, s)]bin_small // !muln0 mulr0.
rewrite -{1}[v]add0n big_addn subSn // big_mkord.
have -> : (v - j = i - (x - v))%N by rewrite subnBA // /x subnDl.
have -> : (j <= v)%N = (x - v <= i)%N by rewrite leq_subLR /x addnC leq_add2r.
have := difference_up (x - v) (v - a) i; move=> e.
have -> : (-1) ^+ x = (-1) ^+ v * (-1) ^+ (x - v) :> rat by rewrite -exprD subnKC.
rewrite natrM mulrCA -[(-1) ^+ v * _ * _]mulrA -e !mulr_sumr; apply: eq_bigr => l _.
have lx : (l <= x - v)%N by rewrite -ltnS.
have -> : (l + v - a = v - a + l)%N by rewrite -addnBA // addnC.
rewrite exprD.
have /(congr1 (fun y : nat => y%:R : rat)) : ((l + v) ^_ v * 'C(x, l + v) = x ^_ v * 'C(x - v, l))%N.
  rewrite -!bin_ffact [(_ * v`! * _)%N]mulnAC [in RHS]mulnAC; congr (_ * _)%N.
  by have := choose_twice v lx; rewrite subnKC // => <-; rewrite mulnC [(l + v)%N]addnC.
rewrite !natrM => ->.
by rewrite [LHS](AC (2*(1*2)) (4*(2*(5*(1*3))))) /=.
Qed.

(* The elementary symmetric sum of the numbers k d. *)
Definition elementary n (k : 'I_n -> nat) r : rat := \sum_(A : {set 'I_n} | #|A| == r) \prod_(d in A) (k d)%:R.

(* The product of s - k d as a polynomial in s. *)
Lemma product_of_sizes n (k : 'I_n -> nat) (s : rat) :
  \prod_d (s - (k d)%:R) = \sum_(u < n.+1) (-1) ^+ (n - u) * elementary k (n - u)%N * s ^+ u.
Proof.
rewrite [RHS](reindex_inj rev_ord_inj) /=.
rewrite (eq_bigr (fun r : 'I_n.+1 => (-1) ^+ r * elementary k r * s ^+ (n - r))) => [|r _]; last first.
  by rewrite subKn // -ltnS.
rewrite (eq_bigr (fun d => - (k d)%:R + s)) => [|d _]; last by rewrite addrC.
have -> : \prod_d (- (k d)%:R + s) = \sum_(A : {set 'I_n}) \prod_d (if d \in A then - (k d)%:R else s).
  transitivity (\prod_d \sum_(b : bool) (if b then - (k d)%:R else s)).
    by apply: eq_bigr => d _; rewrite big_bool.
  rewrite (bigA_distr_bigA (fun d (b : bool) => if b then - (k d)%:R else s)) /=.
  rewrite [RHS](reindex (fun f : {ffun 'I_n -> bool} => [set d | f d])) /=.
    by apply: eq_bigr => f _; apply: eq_bigr => d _; rewrite inE.
  by exists (fun A : {set 'I_n} => [ffun d => d \in A]) => [f | A] _; [apply/ffunP | apply/setP] => d;
    rewrite ?inE ffunE ?inE.
rewrite (partition_big (fun A : {set 'I_n} => inord #|A| : 'I_n.+1) predT) //=.
apply: eq_bigr => r _; rewrite mulr_sumr mulr_suml.
have card_le (A : {set 'I_n}) : (#|A| < n.+1)%N by rewrite ltnS -[X in (_ <= X)%N]card_ord max_card.
apply: eq_big => [A | A /eqP Ar]; first by rewrite -val_eqE /= inordK.
have {}Ar : #|A| = r by rewrite -Ar inordK.
rewrite (bigID (mem A)) /= (eq_bigr (fun d => - 1 * (k d)%:R)) => [|d ->]; last by rewrite mulN1r.
rewrite big_split /= prodr_const Ar; congr (_ * _).
rewrite (eq_bigr (fun=> s)) => [|d /negPf -> //]; rewrite prodr_const -Ar; congr (_ ^+ _).
by have := cardC (mem A); rewrite [RHS]card_ord => c; apply: (@addnI #|A|); rewrite subnKC; [exact: c | rewrite -ltnS].
Qed.

(* (s + 1) (s - m)^c as a polynomial in s + 1. *)
Lemma product_of_bits m c s : s.+1%:R * (s%:R - m%:R) ^+ c =
  \sum_(u < c.+2) (-1) ^+ (c.+1 - u) * ((0 < u)%:R * 'C(c, u.-1)%:R * m.+1%:R ^+ (c.+1 - u)) * s.+1%:R ^+ u :> rat.
Proof.
rewrite big_ord_recl /= !(mul0r, mulr0) add0r.
have -> : s%:R - m%:R = - m.+1%:R + s.+1%:R :> rat.
  by rewrite -[m.+1]addn1 -[s.+1]addn1 !natrD opprD addrACA addNr addr0 addrC.
rewrite exprDn mulr_sumr; apply: eq_bigr => u _.
rewrite [(- m.+1%:R) ^+ _]exprNn -[(_ * _) *+ 'C(c, u)]mulr_natr /bump leq0n add1n subSS mul1r [s.+1%:R ^+ u.+1]exprS.
by rewrite [LHS](AC (1*4) ((2*(5*3))*(1*4))) /=.
Qed.

Lemma two_choices i j v : (0 < j)%N -> (j <= v)%N ->
  ((i + j) ^_ v * 'C(v, v - j) = 'C(i + j, j) * ('C(i, v - j) * v.-1`!) * v)%N /\
  ((i + j) ^_ v * 'C(v.-1, v - j) = 'C(i + j, j) * ('C(i, v - j) * v.-1`!) * j)%N.
Proof.
move=> j0 jv; have v0 : (0 < v)%N by exact: leq_trans jv.
have e : ((i + j) ^_ v * 'C(v, v - j) = 'C(i + j, j) * ('C(i, v - j) * v.-1`!) * v)%N.
  rewrite bin_sub // -bin_ffact -{2}(prednK v0) factS prednK //.
  have [vi | iv] := leqP (v - j) i; last first.
    rewrite ['C(i, _)]bin_small // ['C(i + j, v)]bin_small ?mul0n ?muln0 //; first by rewrite -(subnK jv) ltn_add2r.
  have := choose_twice j vi; rewrite subnKC // [(j + i)%N]addnC => f.
  by rewrite mulnAC f -!mulnA [(v * _)%N]mulnC.
split=> //; apply/eqP; rewrite -(eqn_pmul2l v0) mulnCA; apply/eqP.
have -> : (v * 'C(v.-1, v - j) = j * 'C(v, v - j))%N.
  by rewrite mul_bin_down subKn.
by rewrite mulnCA e mulnC [RHS]mulnC mulnAC.
Qed.

(* Let b s be the binomial moments of numbers P that are 0 from i + M on. *)
Section Sums.
Variables (m c i M : nat) (k : 'I_c.+1 -> nat) (P : nat -> rat).
Let b s := \sum_(0 <= x < i + M) 'C(x, s)%:R * P x.

(* A sum of the moments, with both signs and the weights C(s - a, i) times a polynomial in s, as a sum of P. *)
Lemma weighted_sum N a (w : nat -> rat) : (i + M <= N)%N -> (forall u v, (v < a)%N -> w u * (stirling2 u v)%:R = 0) ->
  \sum_(0 <= s < N) (-1) ^+ s * 'C(s - a, i)%:R * (\sum_(u < c.+2) w u * s%:R ^+ u) * b s =
  \sum_(0 <= j < M) (-1) ^+ (i + j) * P (i + j)%N * \sum_(u < c.+2) w u * \sum_(v < u.+1) (stirling2 u v)%:R *
    ((i + j) ^_ v * ((j <= v) * 'C(v - a, v - j)))%:R.
Proof.
move=> MN wa; pose T s v x : rat := (-1) ^+ s * ('C(s - a, i) * (s ^_ v * 'C(x, s)))%:R.
transitivity (\sum_(0 <= x < i + M) P x * \sum_(u < c.+2) w u * \sum_(v < u.+1) (stirling2 u v)%:R *
  \sum_(0 <= s < N) T s v x).
  rewrite (eq_bigr (fun s => \sum_(0 <= x < i + M) \sum_(u < c.+2) \sum_(v < u.+1)
    P x * (w u * ((stirling2 u v)%:R * T s v x)))) => [|s _]; last first.
    rewrite /b mulr_sumr; apply: eq_bigr => x _; rewrite mulr_sumr mulr_suml; apply: eq_bigr => u _.
    rewrite -natrX power_by_falling !mulr_sumr mulr_suml; apply: eq_bigr => v _; rewrite /T !natrM.
    by rewrite [LHS](AC ((2*(1*2))*2) (7*(3*(4*(1*(2*(5*6))))))) /=.
  rewrite exchange_big /=; apply: eq_bigr => x _; rewrite exchange_big mulr_sumr; apply: eq_bigr => u _ /=.
  by rewrite exchange_big !mulr_sumr; apply: eq_bigr => v _ /=; rewrite !mulr_sumr.
rewrite (big_cat_nat _ _ _ (leq0n i)) ?leq_addr //=.
rewrite [X in X + _]big_nat [X in X + _]big1 ?add0r => [|x /andP[_ xi]]; last first.
  rewrite big1 ?mulr0 // => u _; rewrite big1 ?mulr0 // => v _; rewrite big1 ?mulr0 // => s _; rewrite /T.
  have [sx | xs] := leqP s x; last by rewrite ['C(x, s)]bin_small // !muln0 mulr0.
  by rewrite ['C(_, i)]bin_small ?mulr0 // (leq_ltn_trans (leq_subr _ _)) // (leq_ltn_trans sx).
rewrite -{1}[i]add0n big_addn addKn !big_nat; apply: eq_bigr => j /andP[_ jM].
rewrite [(j + i)%N]addnC -mulrA mulrCA; congr (_ * _); rewrite mulr_sumr; apply: eq_bigr => u _.
rewrite mulrCA !mulr_sumr; apply: eq_bigr => v _; have [va | av] := ltnP v a.
  by rewrite mulrA [(-1) ^+ _ * _]mulrCA [w u * (_ * _)]mulrA wa // !mul0r.
by rewrite /T alternating_choices ?[(stirling2 _ _)%:R * _]mulrCA // (leq_trans _ MN) // ltn_add2l.
Qed.

Hypothesis big : (c.+1 < M)%N.
Hypothesis next : forall s, s.+1%:R * (s%:R - m%:R) ^+ c * b s.+1 = - (\prod_d (s%:R - (k d)%:R)) * b s.

Let sg u : rat := (-1) ^+ (c.+1 - u).
Let B u : rat := (0 < u)%:R * 'C(c, u.-1)%:R * m.+1%:R ^+ (c.+1 - u).
Let E u := elementary k (c.+1 - u)%N.
Let V a (w : nat -> rat) j := \sum_(u < c.+2) w u * \sum_(v < u.+1) (stirling2 u v)%:R *
  ((i + j) ^_ v * ((j <= v) * 'C(v - a, v - j)))%:R.
Let N j := \sum_(j <= u < c.+2) sg u * \sum_(j <= v < u.+1) (stirling2 u v)%:R * 'C(i, v - j)%:R * v.-1`!%:R *
  (j%:R * 'C(c, u.-1)%:R * m.+1%:R ^+ (c.+1 - u) - v%:R * E u).

Let no_empty_part u v : (v < 1)%N -> sg u * B u * (stirling2 u v)%:R = 0.
Proof. by case: v => // _; case: u => [|u]; rewrite /B /= ?(mul0r, mulr0). Qed.

Let both_sums : \sum_(0 <= j < M) (-1) ^+ (i + j) * P (i + j)%N *
  (V 0 (fun u => sg u * E u) j - V 1 (fun u => sg u * B u) j) = 0.
Proof.
set L := (i + M)%N; have wE := @weighted_sum L 0 (fun u => sg u * E u) (leqnn _) (fun u v => _).
have {}wE := wE (fun u v (v0 : (v < 0)%N) => False_ind _ (notF v0)).
have wB := @weighted_sum L.+1 1 (fun u => sg u * B u) (leqnSn _) no_empty_part.
rewrite (eq_bigr (fun j => (-1) ^+ (i + j) * P (i + j)%N * V 0 (fun u => sg u * E u) j -
  (-1) ^+ (i + j) * P (i + j)%N * V 1 (fun u => sg u * B u) j)) => [|j _]; last by rewrite mulrBr.
rewrite big_split /= sumrN -wE -wB big_nat_recl //= [X in - (X + _)](_ : _ = 0) ?add0r; last first.
  rewrite [X in _ * X * _]big1 ?mulr0 ?mul0r // => u _; case: (posnP u) => [-> | u0].
    by rewrite /B !(mul0r, mulr0).
  by rewrite expr0n gtn_eqF // mulr0.
rewrite -sumrN -big_split /= big1 // => s _; rewrite subn0 subn1 /= -product_of_sizes -product_of_bits.
rewrite exprS mulN1r !mulNr opprK -[X in X + _ = _]mulrA -[X in _ + X = _]mulrA -mulrDr.
by rewrite next mulNr subrr mulr0.
Qed.

Let first_term : V 0 (fun u => sg u * E u) 0 - V 1 (fun u => sg u * B u) 0 = \prod_d (i%:R - (k d)%:R).
Proof.
rewrite product_of_sizes /V [X in _ - X]big1 ?subr0 => [|u _].
  apply: eq_bigr => u _; congr (_ * _); rewrite -natrX power_by_falling; apply: eq_bigr => v _.
  by rewrite addn0 !subn0 binn mul1n muln1.
rewrite mulr_sumr big1 // => v _; case: (posnP v) => [-> | v0]; first by rewrite mulrA no_empty_part ?mul0r.
by rewrite subn0 ['C(_, _)]bin_small ?muln0 ?mulr0 // subn1 prednK.
Qed.

Let later_term j : (0 < j)%N -> V 0 (fun u => sg u * E u) j - V 1 (fun u => sg u * B u) j = - ('C(i + j, j)%:R * N j).
Proof.
move=> j0; rewrite /V /N -sumrB (big_nat_widenl _ 0) // big_mkcond big_mkord mulr_sumr -sumrN; apply: eq_bigr => u _.
transitivity (- ('C(i + j, j)%:R * (sg u * \sum_(j <= v < u.+1) (stirling2 u v)%:R * 'C(i, v - j)%:R * v.-1`!%:R *
  (j%:R * 'C(c, u.-1)%:R * m.+1%:R ^+ (c.+1 - u) - v%:R * E u)))); last first.
  by have [// | uj] := leqP j u; rewrite big_geq ?mulr0.
rewrite (big_nat_widenl _ 0) // big_mkcond big_mkord /=; move: (E u) => H.
rewrite !mulr_sumr -sumrB -sumrN; apply: eq_bigr => v _ /=.
have [jv | vj] := leqP j v; last by rewrite mul0n muln0 !(mulr0, subrr, oppr0).
have [one two] := @two_choices i j v j0 jv; have u0 : (0 < u)%N by rewrite (leq_trans (leq_trans j0 jv)) // -ltnS.
rewrite !mul1n subn0 subn1 one two !natrM /B u0 mul1r.
set X := 'C(i + j, j)%:R; set Y := 'C(i, _)%:R; set Z := _`!%:R; set S := (stirling2 u v)%:R; set W := 'C(c, _)%:R.
by set G := m.+1%:R ^+ _; set s := sg u; identity.
Qed.

(* Numbers whose binomial moments have the recursion "next" have Burns (34). *)
Lemma kemp_sum : (forall d, i != k d) ->
  P i = \sum_(1 <= j < c.+1) (-1) ^+ j * 'C(i + j, j)%:R * (N j / \prod_d (i%:R - (k d)%:R)) * P (i + j)%N.
Proof.
move=> ik; set D := \prod_d _; have D0 : D != 0.
  by apply/prodf_neq0 => d _; rewrite subr_eq0 eqr_nat.
have N0 j : (c < j)%N -> N j = 0.
  move=> cj; have [big_j | small] := ltnP c.+1 j; first by rewrite /N big_geq.
  have -> : j = c.+1 by apply/eqP; rewrite eqn_leq small cj.
  rewrite /N big_nat1 big_nat1 /E !subnn expr0 /elementary.
  by rewrite (big_pred1 set0) => [|A]; rewrite ?cards_eq0 // big_set0 /= binn !mulr1 subrr !mulr0.
have := both_sums; rewrite big_ltn; last exact: leq_trans big.
rewrite first_term -/D addn0 [X in _ + X](big_cat_nat _ _ _ (_ : 1 <= c.+1)%N (ltnW big)) //=.
rewrite [X in _ + (_ + X)]big_nat [X in _ + (_ + X)]big1 ?addr0 => [|j /andP[cj _]]; last first.
  by rewrite later_term ?N0 ?mulr0 ?oppr0 ?mulr0 // (leq_trans _ cj).
move/eqP; rewrite addr_eq0 => /eqP e; apply: (mulfI D0).
have s0 : ((-1) ^+ i : rat) != 0 by [rewrite signr_eq0]; apply: (mulfI s0).
rewrite mulrA [LHS]mulrAC e -sumrN [in RHS]mulr_sumr mulr_sumr big_nat [RHS]big_nat; apply: eq_bigr => j /andP[j0 _].
rewrite later_term // mulrN opprK exprD.
by rewrite -[X in _ * (_ * X) = _](divfK D0) [LHS](AC (3*(1*2)) (1*(6*(2*4*5*3)))) /=.
Qed.
End Sums.

(* Burns (34), for c + 1 committees of the sizes k d, where no size is i. In it, elementary k r is the elementary
   symmetric sum of the sizes: the sum of the products of r of them. *)
Theorem committees_share_kemp m c (k : 'I_c.+1 -> nat) (i : nat) : (forall d, (k d <= m)%N) -> (forall d, i != k d) ->
  let F (d : 'I_c.+1) := @batches m 1 (fun=> k d) in
  let U (d : 'I_c.+1) (s : {ffun 'I_1 -> {set 'I_m}}) := filled s in
  let P x := (\sum_(o in all_of F) (#|shared U o| == x)%:R) / #|all_of F|%:R : rat in
  let Q j := (\sum_(j <= u < c.+2) (-1) ^+ (c.+1 - u) *
    \sum_(j <= v < u.+1) (stirling2 u v)%:R * 'C(i, v - j)%:R * v.-1`!%:R *
      (j%:R * 'C(c, u.-1)%:R * m.+1%:R ^+ (c.+1 - u) - v%:R * elementary k (c.+1 - u)%N)) /
    \prod_d (i%:R - (k d)%:R) in
  P i = \sum_(1 <= j < c.+1) (-1) ^+ j * 'C(i + j, j)%:R * Q j * P (i + j)%N.
Proof.
move=> km ik F U P Q; pose M := (m + c.+2)%N.
pose mean (f : nat -> rat) := (\sum_(o in all_of F) f #|shared U o|) / #|all_of F|%:R : rat.
have meanE s : \sum_(0 <= x < i + M) 'C(x, s)%:R * P x = mean (fun x => 'C(x, s)%:R).
  rewrite /mean mulr_suml big_mkord.
  rewrite (eq_bigr (fun x : 'I_(i + M) =>
    \sum_(o in all_of F) 'C(x, s)%:R * (#|shared U o| == x)%:R / #|all_of F|%:R)) => [|x _]; last first.
    by rewrite /P mulrA mulr_sumr mulr_suml.
  rewrite exchange_big /=; apply: eq_bigr => o _.
  have small : (#|shared U o| < i + M)%N.
    by rewrite (leq_ltn_trans (max_card _)) // card_ord /M addnCA -{1}[m]addn0 ltn_add2l addnS.
  rewrite (bigD1 (Ordinal small)) //= eqxx mulr1 big1 ?addr0 // => x.
  by rewrite -val_eqE /= eq_sym => /negPf ->; rewrite mulr0 mul0r.
apply: (@kemp_sum m c i M k P) => //; first by rewrite /M (leq_trans _ (leq_addl _ _)).
move=> s; rewrite !meanE; have [sm | ms] := ltnP s m; last first.
  have none r : (m < r)%N -> mean (fun x => 'C(x, r)%:R) = 0.
    by move=> mr; rewrite /mean big1 ?mul0r // => o _; rewrite bin_small // (leq_ltn_trans (max_card _)) // card_ord.
  rewrite none // mulr0; have [lt | ge] := ltnP m s; first by rewrite none // mulr0.
  have {ms ge} -> : s = m by apply/eqP; rewrite eqn_leq ms ge.
  have [all | ] := boolP [exists d, k d == m].
    by have /existsP[d /eqP kd] := all; rewrite (bigD1 d) //= kd subrr mul0r oppr0 mul0r.
  rewrite negb_exists => /forallP ne; rewrite /mean (committees_share_moment km (leqnn m)).
  by rewrite [\prod_d 'C(k d, m)%:R](bigD1 ord0) //= ['C(k ord0, m)]bin_small ?ltn_neqAle ?ne ?km // !(mul0r, mulr0).
have [_ more] := committees_share_recursion km sm; rewrite [mean _ in LHS]more -/F -/U -/(mean _).
set g : rat := s%:R - m%:R; set b := mean _; set p := \prod_d (_ - (k d)%:R).
have g0 : g != 0 by rewrite subr_eq0 eqr_nat ltn_eqF.
have gc : g ^+ c != 0 by rewrite expf_neq0.
have s0 : (s.+1%:R : rat) != 0 by rewrite pnatr_eq0.
have -> : \prod_d (((k d)%:R - s%:R) / (m%:R - s%:R)) = p / g ^+ c.+1 :> rat.
  rewrite (eq_bigr (fun d => (s%:R - (k d)%:R) / g)) => [|d _].
    by rewrite big_split /= prodr_const card_ord exprVn.
  by rewrite -[(k d)%:R - _]opprB -[m%:R - _]opprB invrN mulrNN.
rewrite -[m%:R - s%:R]opprB -/g exprS invfM !mulNr mulrN; congr (- _).
by rewrite [LHS](AC (2*((2*(1*2))*1)) ((1*4)*(2*7)*(3*6)*(5*8))) /= !mulfV // !mul1r.
Qed.
