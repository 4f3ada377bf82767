(* The sums of the renewal model (Dozier-FN, appendix E.1): false negatives become rarer over a cycle. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers machine recycling.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A number n that grows by 1 with the probability e j at the step j. *)
Section Counts.
Variable e : nat -> rat.
Hypothesis e01 : forall j, 0 <= e j <= 1.
Implicit Types (x w : nat -> rat) (i j m n a b : nat).

(* The mean of x n after j steps from n. *)
Fixpoint counted x j n : rat := if j is j'.+1 then (1 - e j') * counted x j' n + e j' * counted x j' n.+1 else x n.

Let e0 j : 0 <= e j. Proof. by case/andP: (e01 j). Qed.
Let f0 j : 0 <= 1 - e j. Proof. by rewrite subr_ge0; case/andP: (e01 j). Qed.

Variables x w : nat -> rat.
Hypothesis order : forall a b, (a <= b)%N -> x b * w a <= x a * w b.

Lemma counted_order j a b : (a <= b)%N -> counted x j b * counted w j a <= counted x j a * counted w j b.
Proof.
elim: j a b => [|j IH] a b ab /=; first exact: order.
move: ab; rewrite leq_eqVlt => /orP[/eqP -> // | lt]; have ab := ltnW lt.
have h1 := IH a b ab; have h2 := IH a.+1 b.+1 ab; have h3 := IH a b.+1 (leqW ab); have h4 := IH a.+1 b lt.
move: (counted x j a) (counted x j b) (counted x j a.+1) (counted x j b.+1) h1 h2 h3 h4 => xa xb xc xd.
move: (counted w j a) (counted w j b) (counted w j a.+1) (counted w j b.+1) => wa wb wc wd h1 h2 h3 h4.
have p := e0 j; have r := f0 j; rewrite -subr_ge0 (_ : _ - _ = (1 - e j) * (1 - e j) * (xa * wb - xb * wa) +
  e j * e j * (xc * wd - xd * wc) + ((1 - e j) * e j * (xa * wd - xd * wa) + (1 - e j) * e j * (xc * wb - xb * wc))); last by identity.
by rewrite !addr_ge0 // !mulr_ge0 // subr_ge0.
Qed.

Lemma counted_falls i j a b : (a <= b)%N -> (i <= j)%N -> counted x j b * counted w i a <= counted x i a * counted w j b.
Proof.
move=> + /subnK <-; elim: (j - i)%N b => [|d IH] b ab; first exact: counted_order.
rewrite addSn /= [leLHS]mulrDl [leRHS]mulrDr; apply: ler_add; rewrite -mulrA [leRHS]mulrCA; apply: ler_wpmul2l => //; apply: IH => //.
exact: leqW.
Qed.

Lemma counted_fewer j m n : (j + n <= m)%N -> x m * counted w j n <= counted x j n * w m.
Proof.
elim: j n => [|j IH] n le /=; first exact: order.
rewrite [leLHS]mulrDr [leRHS]mulrDl; apply: ler_add; rewrite [leLHS]mulrCA -[leRHS]mulrA; apply: ler_wpmul2l => //; apply: IH.
  exact: ltnW.
by rewrite addnS.
Qed.

Lemma counted_ge0 (y : nat -> rat) j n : (forall n, 0 <= y n) -> 0 <= counted y j n.
Proof. by move=> y0; elim: j n => [|j IH] n //=; rewrite addr_ge0 // mulr_ge0. Qed.

Lemma counted_gt0 (y : nat -> rat) j n : (forall n, 0 < y n) -> 0 < counted y j n.
Proof.
move=> y0; elim: j n => [|j IH] n //=; have := e0 j; rewrite le_eqVlt => /orP[/eqP <- | p].
  by rewrite subr0 mul1r mul0r addr0.
by rewrite ltr_paddl ?mulr_gt0 // mulr_ge0 // ltW.
Qed.
End Counts.

(* Bits: M bits, of which at most sigma are set if the cycle goes on. *)
Section Bits.
Variables (M k sigma : nat).
Hypothesis (s0 : (0 < sigma)%N) (sM : (sigma < M)%N).
Implicit Types (X Y : nat -> rat) (a b d h i j l n : nat).

(* The probability that h positions take b set bits to l, as (4). *)
Fixpoint moves h b l : rat := if h is h'.+1 then moves h' b l * (l%:R / M%:R) +
  (if l is l'.+1 then moves h' b l' * ((M - l')%:R / M%:R) else 0) else (b == l)%:R.

Let M0 : (0 : rat) < M%:R. Proof. by rewrite ltr0n (leq_ltn_trans _ sM). Qed.
Let up b : 0 <= (M - b)%:R / M%:R :> rat. Proof. by rewrite divr_ge0 ?ler0n. Qed.
Let stay b : 0 <= b%:R / M%:R :> rat. Proof. by rewrite divr_ge0 ?ler0n. Qed.

Lemma moves_standard h (A : {set 'I_M}) l : standard_moves h A l = moves h #|A| l.
Proof.
have MN : (0 < M)%N := leq_ltn_trans (leq0n _) sM.
elim: h l => [|h IH] l /=; have [z s] := standard_moves_recursion A l MN; first by rewrite z.
by rewrite s IH; case: l {z s} => // l; rewrite IH.
Qed.

Lemma moves_ge0 h b l : 0 <= moves h b l.
Proof. by elim: h l => [|h IH] l /=; rewrite ?ler0n //; apply: addr_ge0; [exact: mulr_ge0 | case: l => // l; exact: mulr_ge0]. Qed.

Lemma moves_below h b l : (l < b)%N -> moves h b l = 0.
Proof. by elim: h l => [|h IH] l lt /=; rewrite ?gtn_eqF // IH // mul0r add0r; case: l lt => // l lt; rewrite IH ?mul0r // ltnW. Qed.

Lemma moves_stay h b : moves h b b = (b%:R / M%:R) ^+ h.
Proof. by elim: h => [|h IH] /=; rewrite ?eqxx // IH exprSr; case: b {IH} => [|b]; rewrite ?addr0 // moves_below // mul0r addr0. Qed.

(* The mean of X after n positions from b set bits, where it counts as 0 if more than sigma bits are set. *)
Fixpoint carried X n b : rat := if n is n'.+1 then b%:R / M%:R * carried X n' b + (M - b)%:R / M%:R * carried X n' b.+1
  else (b <= sigma)%N%:R * X b.

Lemma carried_over X n b : (sigma < b)%N -> carried X n b = 0.
Proof. by elim: n b => [|n IH] b lt /=; [rewrite leqNgt lt mul0r | rewrite !IH ?mulr0 ?addr0 // leqW]. Qed.

Lemma carried_ge0 X n b : (forall l, (l <= sigma)%N -> 0 <= X l) -> 0 <= carried X n b.
Proof.
move=> X0; elim: n b => [|n IH] b /=; last by rewrite addr_ge0 // mulr_ge0.
by case: leqP => bs; rewrite ?mul0r // mul1r X0.
Qed.

Lemma carried_gt0 n b : (0 < b <= sigma)%N -> 0 < carried (fun=> 1) n b.
Proof.
move=> /andP[b0 bs]; elim: n => [|n IH] /=; first by rewrite bs mulr1.
apply: ltr_paddr; first by apply: mulr_ge0 => //; apply: carried_ge0 => l _; exact: ler01.
by apply: mulr_gt0 IH; rewrite divr_gt0 // ltr0n.
Qed.

Lemma carried_moves X n h b : \sum_(l < sigma.+1) moves h b l * carried X n l = carried X (n + h) b.
Proof.
elim: h n => [|h IH] n.
  rewrite addn0; have [bs | bs] := leqP b sigma; last first.
    rewrite carried_over // big1 // => l _; have lb : (l < b)%N by rewrite (leq_ltn_trans _ bs) // -ltnS.
    by rewrite /= gtn_eqF ?mul0r.
  rewrite (bigD1 (Ordinal (bs : (b < sigma.+1)%N))) //= eqxx mul1r big1 ?addr0 // => l; rewrite -val_eqE /= eq_sym => /negbTE ->.
  by rewrite mul0r.
rewrite addnS -addSn -IH /=; under eq_bigr => l _ do rewrite mulrDl.
under [RHS]eq_bigr => l _ do rewrite mulrDr.
rewrite !big_split /=; congr (_ + _); first by apply: eq_bigr => l _; rewrite -mulrA.
rewrite big_ord_recl mul0r add0r [RHS]big_ord_recr /= carried_over // !mulr0 addr0.
by apply: eq_bigr => l _; rewrite -mulrA.
Qed.

Lemma carried_order X n a b : (forall l l', (l <= l')%N -> X l' <= X l) -> (forall l, (l <= sigma)%N -> 0 <= X l) -> (a <= b)%N ->
  carried X n b * carried (fun=> 1) n a <= carried X n a * carried (fun=> 1) n b.
Proof.
move=> XF X0; elim: n a b => [|n IH] a b ab /=.
  have [bs | bs] := leqP b sigma; last by rewrite !mul0r mulr0.
  by rewrite (leq_trans ab bs) !mul1r !mulr1 XF.
move: ab; rewrite leq_eqVlt => /orP[/eqP -> // | lt]; have ab := ltnW lt.
have h1 := IH a b ab; have h2 := IH a.+1 b.+1 ab; have h3 := IH a b.+1 (leqW ab); have h4 := IH a.+1 b lt.
move: (carried X n a) (carried X n b) (carried X n a.+1) (carried X n b.+1) h1 h2 h3 h4 => xa xb xc xd.
move: (carried _ n a) (carried _ n b) (carried _ n a.+1) (carried _ n b.+1) => wa wb wc wd h1 h2 h3 h4.
move: (up a) (up b) (stay a) (stay b); move: (a%:R / M%:R) (b%:R / M%:R) ((M - a)%:R / M%:R) ((M - b)%:R / M%:R) => ra rb pa pb pa0 pb0 ra0 rb0.
rewrite -subr_ge0 (_ : _ - _ = ra * rb * (xa * wb - xb * wa) + pa * pb * (xc * wd - xd * wc) +
  (ra * pb * (xa * wd - xd * wa) + pa * rb * (xc * wb - xb * wc))); last by identity.
by rewrite !addr_ge0 // !mulr_ge0 // subr_ge0.
Qed.

(* The arrival j + 1 of a cycle is recorded with the probability e j. The number of set bits has the distribution (19), and
   psi if i messages are recorded for certain. *)
Variable e : nat -> rat.
Hypotheses (e01 : forall j, 0 <= e j <= 1) (k0 : (0 < k)%N).

Fixpoint bits j l : rat := if j is j'.+1 then (1 - e j') * bits j' l + e j' * \sum_(b < sigma.+1) bits j' b * moves k b l
  else (l == 0%N)%:R.
Fixpoint psi i l : rat := if i is i'.+1 then \sum_(b < sigma.+1) psi i' b * moves k b l else (l == 0%N)%:R.

Lemma bits_carried X j n : \sum_(l < sigma.+1) bits j l * carried X n l = counted e (fun i => carried X (n + i * k) 0%N) j 0%N.
Proof.
have start (Z : nat -> rat) : \sum_(l < sigma.+1) (l == 0%N :> nat)%:R * Z (l : nat) = Z 0%N.
  by rewrite big_ord_recl /= mul1r big1 ?addr0 // => l _; rewrite mul0r.
suff h i : \sum_(l < sigma.+1) bits j l * carried X (n + i * k) l = counted e (fun i => carried X (n + i * k) 0%N) j i.
  by have := h 0%N; rewrite mul0n addn0.
elim: j i => [|j IH] i /=; first by rewrite (start (carried X (n + i * k))).
under eq_bigr => l _ do rewrite mulrDl -!mulrA mulr_suml; rewrite big_split /= -!mulr_sumr IH; congr (_ + _ * _).
rewrite exchange_big -IH; apply: eq_bigr => b _ /=; under eq_bigr => l _ do rewrite -mulrA.
by rewrite -mulr_sumr carried_moves mulSn addnCA addnC addnA.
Qed.

Lemma psi_carried X n i : \sum_(l < sigma.+1) psi i l * carried X n l = carried X (n + i * k) 0%N.
Proof.
elim: i n => [|i IH] n; first by rewrite mul0n addn0 big_ord_recl /= mul1r big1 ?addr0 // => l _; rewrite mul0r.
rewrite mulSn addnA -IH /=; under eq_bigr => l _ do rewrite mulr_suml.
rewrite exchange_big; apply: eq_bigr => b _ /=; under eq_bigr => l _ do rewrite -mulrA.
by rewrite -mulr_sumr carried_moves.
Qed.
End Bits.

(* Ranks: h j i is the probability of (24) that the rank i is disabled after j arrivals, for D ranks. *)
Section Ranks.
Variables (D : nat) (pr : rat) (q d : nat -> rat).
Hypotheses (pr01 : 0 <= pr <= 1) (q0 : forall i, 0 <= q i) (q1 : \sum_(i < D) q i = 1) (qs : forall i, q i.+1 <= q i).
Hypotheses (d0 : forall i, 0 <= d i) (d1 : \sum_(i < D) d i = 1).
Implicit Types (i j c : nat).

(* The probabilities that a new message enters at a rank above i, and below i. *)
Definition higher i : rat := \sum_(r < i) d r.
Definition lower i : rat := 1 - \sum_(r < i.+1) d r.

Fixpoint h j i : rat := if j is j'.+1 then pr * (h j' i + (1 - h j' i) * q i) +
    (1 - pr) * (d i + (if i is i'.+1 then h j' i' else 0) * higher i + h j' i * lower i)
  else 0.

(* The probability that a repeat is of a rank that is not disabled. *)
Definition absent j : rat := \sum_(i < D) q i * (1 - h j i).

Let p0 : 0 <= pr. Proof. by case/andP: pr01. Qed.
Let r0 : 0 <= 1 - pr. Proof. by rewrite subr_ge0; case/andP: pr01. Qed.

Lemma part_le (f : nat -> rat) i : (forall l, 0 <= f l) -> \sum_(l < D) f l = 1 -> (i <= D)%N -> \sum_(l < i) f l <= 1.
Proof.
by move=> f0 f1 iD; rewrite -f1 -(subnKC iD) big_split_ord /= ler_addl sumr_ge0.
Qed.

Lemma one_le (f : nat -> rat) i : (forall l, 0 <= f l) -> \sum_(l < D) f l = 1 -> (i < D)%N -> f i <= 1.
Proof. by move=> f0 f1 iD; apply: le_trans (part_le f0 f1 iD); rewrite big_ord_recr /= ler_addr sumr_ge0. Qed.

Lemma h01 j i : (i < D)%N -> 0 <= h j i <= 1.
Proof.
elim: j i => [|j IH] i iD /=; first by rewrite ?lexx ?ler01.
have /andP[a0 a1] := IH i iD; have c0 : 0 <= higher i by exact: sumr_ge0.
have e0 : 0 <= lower i by rewrite subr_ge0 part_le.
have total : d i + higher i + lower i = 1 by rewrite /lower big_ord_recr /= -/(higher i) [d i + _]addrC addrC subrK.
have [b0 b1] : 0 <= (if i is i'.+1 then h j i' else 0) /\ (if i is i'.+1 then h j i' else 0) <= 1.
  by case: i iD {a0 a1 c0 e0 total} => [|i] iD; [split; rewrite ?lexx ?ler01 | apply/andP/IH; exact: ltnW].
move: (if i is i'.+1 then h j i' else 0) b0 b1 => b b0 b1; have qi := one_le q0 q1 iD; apply/andP; split.
  apply: addr_ge0; apply: mulr_ge0 => //; last by rewrite !addr_ge0 // mulr_ge0.
  by rewrite addr_ge0 // mulr_ge0 // subr_ge0.
apply: (@le_trans _ _ (pr * 1 + (1 - pr) * 1)); last by rewrite !mulr1 addrC subrK.
apply: ler_add; apply: ler_wpmul2l => //.
  rewrite -subr_ge0 (_ : _ - _ = (1 - h j i) * (1 - q i)); last by move: (h j i) (q i) => x y; identity.
  by rewrite mulr_ge0 // subr_ge0.
by rewrite -[leRHS]total !ler_add // ler_pimull.
Qed.

(* A new message moves disabled ranks down, and repeats add to them: the rank c and all above it gain. *)
Lemma gains j c : (c < D)%N ->
  \sum_(i < c.+1) (d i + (if nat_of_ord i is i'.+1 then h j i' else 0) * higher i + h j i * lower i - h j i) = higher c.+1 * (1 - h j c).
Proof.
elim: c => [|c IH] cD.
  rewrite big_ord_recl big_ord0 /= /lower /higher !big_ord_recl !big_ord0 /=; move: (h j 0) (d 0%N) => x y; identity.
rewrite big_ord_recr IH 1?ltnW //= /lower [higher c.+2]/higher !big_ord_recr /= -/(higher c) /higher !big_ord_recr /=.
move: (\sum_(i < c) d i) (d c) (d c.+1) (h j c) (h j c.+1) => s x y u v; identity.
Qed.

Lemma falling_weights (g : nat -> rat) c : (forall b, (b < c)%N -> 0 <= \sum_(i < b.+1) g i) -> 0 <= \sum_(i < c) q i * g i.
Proof.
case: c => [|c] prefix; first by rewrite big_ord0.
suff : q c * (\sum_(i < c.+1) g i) <= \sum_(i < c.+1) q i * g i by apply: le_trans; rewrite mulr_ge0 // prefix.
elim: c prefix => [|c IH] prefix; first by rewrite !big_ord_recl !big_ord0 !addr0.
rewrite big_ord_recr [leRHS]big_ord_recr /= mulrDr ler_add2r; apply: le_trans (IH _) => [|b bc]; last exact: prefix (ltnW bc).
by apply: ler_wpmul2r; [exact: prefix | exact: qs].
Qed.

Lemma absent_falls j : absent j.+1 <= absent j.
Proof.
rewrite -subr_ge0 -sumrB.
have -> : \sum_(i < D) (q i * (1 - h j i) - q i * (1 - h j.+1 i)) = pr * (\sum_(i < D) q i * ((1 - h j i) * q i)) +
    (1 - pr) * (\sum_(i < D) q i * (d i + (if nat_of_ord i is i'.+1 then h j i' else 0) * higher i + h j i * lower i - h j i)).
  rewrite !mulr_sumr -big_split /=; apply: eq_bigr => i _; move: (if nat_of_ord i is _.+1 then _ else _) => b.
  move: (h j i) (q i) (d i) (higher i) (lower i) => x y z u v; identity.
have hh i : (i < D)%N -> 0 <= 1 - h j i by move=> iD; rewrite subr_ge0; case/andP: (h01 j iD).
apply: addr_ge0; apply: mulr_ge0 => //.
  by apply: sumr_ge0 => i _; rewrite !mulr_ge0 // hh.
apply: (falling_weights (g := fun i => d i + (if i is i'.+1 then h j i' else 0) * higher i + h j i * lower i - h j i)) => b bD.
by rewrite gains // mulr_ge0 ?hh // sumr_ge0.
Qed.

Lemma absent_ge0 j : 0 <= absent j.
Proof. by apply: sumr_ge0 => i _; rewrite mulr_ge0 // subr_ge0; case/andP: (h01 j (ltn_ord i)). Qed.

Lemma absent_le1 j : absent j <= 1.
Proof.
by rewrite -q1; apply: ler_sum => i _; rewrite ler_pimulr // ler_subl_addr ler_addl; case/andP: (h01 j (ltn_ord i)).
Qed.

Lemma absent_le i j : (i <= j)%N -> absent j <= absent i.
Proof. by move=> /subnK <-; elim: (j - i)%N => //= l IH; apply: le_trans IH; rewrite addSn absent_falls. Qed.

(* An arrival is recorded with the probability (25). *)
Definition eta j : rat := 1 - pr + pr * absent j.

Lemma eta01 j : 0 <= eta j <= 1.
Proof.
apply/andP; split; first by rewrite addr_ge0 // mulr_ge0 // absent_ge0.
rewrite -subr_ge0 /eta (_ : _ - _ = pr * (1 - absent j)); last by move: (absent j) => x; identity.
by apply: mulr_ge0 => //; rewrite subr_ge0 absent_le1.
Qed.

Variables (M k sigma : nat).
Hypotheses (s0 : (0 < sigma)%N) (sM : (sigma < M)%N) (k0 : (0 < k)%N).

(* The probabilities that a cycle has the arrival j + 1, (20), and that this arrival is a false negative, (21). *)
Definition alive j : rat := \sum_(l < sigma.+1) bits M k sigma eta j l.
Definition negative j : rat := pr * absent j * \sum_(l < sigma.+1) bits M k sigma eta j l * (1 - moves M k l l).

(* The probability gamma_k(i) that a message sets no bit, given that i messages fit. *)
Definition gamma i : rat :=
  1 - (\sum_(l < sigma.+1) psi M k sigma i l * (1 - moves M k l l)) / \sum_(l < sigma.+1) psi M k sigma i l.

Let unset l : rat := 1 - (l%:R / M%:R) ^+ k.
Let x i := carried M sigma unset (0 + i * k) 0.
Let w i := carried M sigma (fun=> 1) (0 + i * k) 0.

Lemma sum_unset (f : nat -> rat) : \sum_(l < sigma.+1) f l * (1 - moves M k l l) = \sum_(l < sigma.+1) f l * carried M sigma unset 0 l.
Proof. by apply: eq_bigr => l _; rewrite moves_stay /= -ltnS ltn_ord mul1r. Qed.

Lemma sum_all (f : nat -> rat) : \sum_(l < sigma.+1) f l = \sum_(l < sigma.+1) f l * carried M sigma (fun=> 1) 0 l.
Proof. by apply: eq_bigr => l _; rewrite /= -ltnS ltn_ord !mulr1. Qed.

Lemma unset_falls l l' : (l <= l')%N -> unset l' <= unset l.
Proof.
move=> le; rewrite ler_add2l ler_opp2; apply: ler_expn2r; rewrite ?nnegrE ?divr_ge0 ?ler0n //.
by rewrite ler_wpmul2r ?invr_ge0 ?ler0n // ler_nat.
Qed.

Lemma unset_ge0 l : (l <= sigma)%N -> 0 <= unset l.
Proof.
move=> ls; have MN : (0 < M)%N := leq_ltn_trans (leq0n _) sM.
rewrite subr_ge0 exprn_ile1 ?divr_ge0 ?ler0n // ler_pdivr_mulr ?ltr0n // mul1r ler_nat.
exact: leq_trans ls (ltnW sM).
Qed.

Lemma fits_gt0 i : 0 < w i.
Proof.
rewrite /w; case: (0 + i * k)%N => [|n] /=; first by rewrite mulr1 ltr01.
rewrite mul0r mul0r add0r subn0 divff ?mul1r ?carried_gt0 // pnatr_eq0.
by apply: contraTneq sM => ->.
Qed.

Lemma order_xw a b : (a <= b)%N -> x b * w a <= x a * w b.
Proof.
move=> /subnK <-; elim: (b - a)%N => [|l IH]; first by [].
have step c : x c.+1 * w c <= x c * w c.+1.
  rewrite /x /w !add0n mulSn addnC -!carried_moves !mulr_suml mulr_sumr; apply: ler_sum => u _.
  rewrite -mulrA [leRHS]mulrCA; apply: ler_wpmul2l; first exact: moves_ge0.
  by apply: carried_order => //; [exact: unset_falls | exact: unset_ge0].
rewrite addSn -(ler_pmul2r (fits_gt0 (l + a))) mulrAC; apply: le_trans (ler_wpmul2r (ltW (fits_gt0 a)) (step _)) _.
rewrite mulrAC [leRHS]mulrAC ler_wpmul2r // ltW //; exact: fits_gt0.
Qed.

Lemma aliveE j : alive j = counted eta w j 0.
Proof. by rewrite /alive sum_all bits_carried. Qed.

Lemma negativeE j : negative j = pr * absent j * counted eta x j 0.
Proof. by rewrite /negative sum_unset bits_carried. Qed.

Lemma alive_gt0 j : 0 < alive j.
Proof. by rewrite aliveE; apply: (counted_gt0 eta01); exact: fits_gt0. Qed.

Lemma x_ge0 i : 0 <= x i. Proof. by apply: carried_ge0; exact: unset_ge0. Qed.

Lemma rarer i j : (i <= j)%N -> negative j * alive i <= negative i * alive j.
Proof.
move=> ij; rewrite !negativeE !aliveE -!mulrA; apply: ler_wpmul2l => //.
apply: ler_pmul; [exact: absent_ge0 | | exact: absent_le |].
  by rewrite mulr_ge0 ?(counted_ge0 eta01) // => l; [exact: x_ge0 | exact: ltW (fits_gt0 l)].
exact: (counted_falls eta01 order_xw).
Qed.

(* Dozier-FN (39), and (41) with the luck of the arrival m in place of gamma_k(m), of the renewal model with sums to sigma,
   for k independent positions, without retaining: let m = m' + 1. Of the first m arrivals, at least the share c_m are false
   negatives, where c_m is the probability that the arrival m is a false negative, given that the cycle has an arrival m. So
   they are at least the share of (39). Of the arrivals m + 1 to n, at most the share c_m are false negatives, for all n. *)
Theorem rarer_negatives m' n :
  [/\ pr * absent m' * (1 - gamma m'.+1) * (\sum_(j < m'.+1) alive j) <= \sum_(j < m'.+1) negative j,
      negative m' / alive m' * (\sum_(j < m'.+1) alive j) <= \sum_(j < m'.+1) negative j &
      \sum_(m'.+1 <= j < n) negative j <= negative m' / alive m' * (\sum_(m'.+1 <= j < n) alive j)].
Proof.
split.
- rewrite /gamma opprB addrC subrK (sum_unset (psi M k sigma m'.+1)) sum_all !psi_carried -/(x _) -/(w _).
  rewrite mulr_sumr; apply: ler_sum => j _; rewrite negativeE aliveE -!mulrA; apply: ler_wpmul2l => //.
  apply: ler_pmul; [exact: absent_ge0 | | by apply: absent_le; rewrite -ltnS |].
    by rewrite mulr_ge0 ?x_ge0 // mulr_ge0 ?invr_ge0 ?(ltW (fits_gt0 _)) // (counted_ge0 eta01) // => l; exact: ltW (fits_gt0 l).
  rewrite mulrCA ler_pdivr_mull ?fits_gt0 // mulrC [leRHS]mulrC; rewrite mulrC.
  by apply: (counted_fewer eta01 order_xw); rewrite addn0 ltnW.
- rewrite mulr_sumr; apply: ler_sum => j _; rewrite mulrAC ler_pdivr_mulr ?alive_gt0 //; apply: rarer; by rewrite -ltnS.
rewrite mulr_sumr; apply: ler_sum_nat => j /andP[mj _]; rewrite mulrAC ler_pdivl_mulr ?alive_gt0 //; apply: rarer; exact: ltnW.
Qed.

(* Dozier-FN (23) of the renewal model with sums to sigma, for k independent positions, without retaining: the quotient of
   the sums of (21) and of (20) over the first m arrivals falls with m, or stays the same. So it is at least its limit, which
   is the model's rate. *)
Theorem quotients_fall m n : (0 < m <= n)%N ->
  (\sum_(j < n) negative j) / (\sum_(j < n) alive j) <= (\sum_(j < m) negative j) / (\sum_(j < m) alive j).
Proof.
move=> /andP[m0 /subnK <-]; have pos l : (0 < l)%N -> 0 < \sum_(j < l) alive j.
  by case: l => // l _; rewrite big_ord_recr ltr_paddl ?alive_gt0 // sumr_ge0 // => j _; rewrite ltW ?alive_gt0.
elim: (n - m)%N => [|l IH]; first by [].
apply: le_trans IH; have lm : (0 < l + m)%N by rewrite addn_gt0 m0 orbT.
rewrite addSn ler_pdivr_mulr ?pos // mulrAC ler_pdivl_mulr ?pos // !big_ord_recr /= mulrDl mulrDr ler_add2l.
by rewrite mulr_sumr mulr_suml; apply: ler_sum => j _; apply: rarer; exact: ltnW.
Qed.
End Ranks.
