(* Levels: how rarely a statistic is as extreme as a p-value says, and how rarely a nonnegative supermartingale grows.

   These are what the exact intervals and the examination's level rest on, over finite spaces. *)
From mathcomp Require Import all_ssreflect all_algebra.
From Bloomproof Require Import numbers.
Set Implicit Arguments. Unset Strict Implicit. Unset Printing Implicit Defensive.
Import Order.TTheory GRing.Theory Num.Theory.
Local Open Scope ring_scope.

(* A finite space of outcomes that need not be equally likely: each has its probability. *)
Section Tails.
Variables (T : finType) (pr : T -> rat) (X : T -> nat).
Hypothesis pr0 : forall t, 0 <= pr t.
Definition chance (A : pred T) : rat := \sum_(t | A t) pr t.

Lemma chance_le (A B : pred T) : (forall t, A t -> B t) -> chance A <= chance B.
Proof.
move=> AB; rewrite /chance big_mkcond [leRHS]big_mkcond /=; apply: ler_sum => t _.
by have := AB t; have := pr0 t; case: (A t); case: (B t) => //= _ /(_ isT).
Qed.

(* The probability of a value of X as large as x, or larger; and as small, or smaller. *)
Definition upper_tail (x : nat) : rat := chance (fun t => x <= X t)%N.
Definition lower_tail (x : nat) : rat := chance (fun t => X t <= x)%N.

(* The probability that the p-value of the upper tail is at most a level is at most this level. *)
Theorem upper_level (level : rat) : 0 <= level -> chance (fun t => upper_tail (X t) <= level) <= level.
Proof.
move=> l0; case: (pickP (fun t => upper_tail (X t) <= level)) => [t0 t0A | none]; last first.
  by rewrite /chance big1 // => t; rewrite none.
have ex : exists x, [exists t, (X t == x) && (upper_tail (X t) <= level)].
  by exists (X t0); apply/existsP; exists t0; rewrite eqxx.
case: (ex_minnP ex) => x /existsP[t /andP[/eqP Xt tl]] least.
apply: le_trans tl; rewrite Xt; apply: chance_le => s sA; apply: least.
by apply/existsP; exists s; rewrite eqxx.
Qed.

(* The probability that the p-value of the lower tail is at most a level is at most this level. *)
Theorem lower_level (level : rat) : 0 <= level -> chance (fun t => lower_tail (X t) <= level) <= level.
Proof.
move=> l0; case: (pickP (fun t => lower_tail (X t) <= level)) => [t0 t0A | none]; last first.
  by rewrite /chance big1 // => t; rewrite none.
pose top := (\max_t X t)%N.
have ex : exists x, [exists t, (X t == x) && (lower_tail (X t) <= level)].
  by exists (X t0); apply/existsP; exists t0; rewrite eqxx.
have bound x : [exists t, (X t == x) && (lower_tail (X t) <= level)] -> (x <= top)%N.
  by move=> /existsP[t /andP[/eqP <- _]]; exact: leq_bigmax.
case: (ex_maxnP ex bound) => x /existsP[t /andP[/eqP Xt tl]] most.
apply: le_trans tl; rewrite Xt; apply: chance_le => s sA; apply: most.
by apply/existsP; exists s; rewrite eqxx.
Qed.

Lemma chance_or (A B : pred T) : chance (fun t => A t || B t) <= chance A + chance B.
Proof.
rewrite /chance big_mkcond [X in _ <= X + _]big_mkcond [X in _ <= _ + X]big_mkcond -big_split /=; apply: ler_sum => t _; have := pr0 t.
by case: (A t); case: (B t) => /= p; rewrite ?addr0 ?add0r ?ler_addl.
Qed.

(* Chernoff's bound for the upper tail: if c >= 1, then P[X >= x] c^x is at most the mean of c^X. *)
Theorem chernoff_upper (c : rat) x : 1 <= c -> upper_tail x * c ^+ x <= \sum_t pr t * c ^+ X t.
Proof.
move=> c1; have c0 : 0 <= c by apply: le_trans c1.
rewrite /upper_tail /chance mulr_suml big_mkcond /=; apply: ler_sum => t _.
case: ifP => [le | _]; last by rewrite mulr_ge0 ?exprn_ge0.
by rewrite ler_wpmul2l ?pr0 // ler_weexpn2l.
Qed.

(* Chernoff's bound for the lower tail: if 0 <= c <= 1, then P[X <= x] c^x is at most the mean of c^X. *)
Theorem chernoff_lower (c : rat) x : 0 <= c <= 1 -> lower_tail x * c ^+ x <= \sum_t pr t * c ^+ X t.
Proof.
move=> /andP[c0 c1]; rewrite /lower_tail /chance mulr_suml big_mkcond /=; apply: ler_sum => t _.
case: ifP => [le | _]; last by rewrite mulr_ge0 ?exprn_ge0.
by rewrite ler_wpmul2l ?pr0 // ler_wiexpn2l.
Qed.
End Tails.

(* An exact interval, such as Clopper and Pearson's, contains those distributions of a family under which both tails
   of the observation have a probability above half the level. The probability that the interval leaves out the true
   distribution is at most the level. *)
Theorem exact_interval (Theta : Type) (T : finType) (law : Theta -> T -> rat) (X : T -> nat) (level : rat) (true_ : Theta) :
  0 <= level -> (forall t, 0 <= law true_ t) ->
  chance (law true_) (fun t => (upper_tail (law true_) X (X t) <= level / 2%:R) || (lower_tail (law true_) X (X t) <= level / 2%:R)) <= level.
Proof.
move=> l0 p0; have h0 : 0 <= level / 2%:R by rewrite divr_ge0 ?ler0n.
apply: le_trans (chance_or p0 _ _) _.
rewrite [leRHS](_ : level = level / 2%:R + level / 2%:R); last by rewrite -mulr2n -mulr_natr divfK ?pnatr_eq0.
by apply: ler_add; [exact: upper_level | exact: lower_level].
Qed.

(* The binomial law of n trials: successes of weight p, failures of weight 1 - p. Its upper tail grows with p. *)
Section Binomial.
Implicit Types (p q : rat) (n x : nat).

Fixpoint successes n x p : rat := (* the probability of x successes or more in n trials *)
  if x is x'.+1 then (if n is n'.+1 then p * successes n' x' p + (1 - p) * successes n' x p else 0) else 1.

Lemma successes0 n p : successes n 0 p = 1. Proof. by case: n. Qed.

Lemma successes_none n x p : (n < x)%N -> successes n x p = 0.
Proof. by elim: n x => [|n IH] [|x] //= lt; rewrite !IH ?mulr0 ?addr0 // ltnW. Qed.

Lemma successes_fewer n x p : 0 <= p <= 1 -> 0 <= successes n x.+1 p <= successes n x p.
Proof.
move=> /andP[p0 p1]; have q0 : 0 <= 1 - p by rewrite subr_ge0.
elim: n x => [|n IH] [|x] /=; rewrite ?lexx ?ler01 //.
  have /andP[a b] := IH 0%N; rewrite successes0 in b *; rewrite mulr1 addr_ge0 ?mulr_ge0 //=.
  by have := ler_wpmul2l q0 b; rewrite /= mulr1 => le; rewrite -[leRHS](subrK p 1) addrC ler_add2r.
have /andP[a b] := IH x; have /andP[c d] := IH x.+1.
by rewrite addr_ge0 ?mulr_ge0 //= ler_add // ler_wpmul2l.
Qed.

(* The probability of at least x successes in n trials grows with p. *)
Theorem binomial_tail_grows n x p q : 0 <= p -> p <= q -> q <= 1 -> successes n x p <= successes n x q.
Proof.
move=> p0 pq q1; have p1 := le_trans pq q1; have q0 := le_trans p0 pq.
have p01 : 0 <= p <= 1 by rewrite p0.
elim: n x => [|n IH] [|x] //=; rewrite ?lexx //.
have mix r (a b : rat) : r * a + (1 - r) * b = b + r * (a - b) by rewrite mulrBl mul1r mulrBr addrCA.
apply: (@le_trans _ _ (q * successes n x p + (1 - q) * successes n x.+1 p)).
  rewrite !mix ler_add2l ler_wpmul2r // subr_ge0; by case/andP: (successes_fewer n x p01).
by apply: ler_add; apply: ler_wpmul2l; rewrite ?IH ?subr_ge0.
Qed.

(* Chernoff's bound for the binomial distribution: P[X >= x] c^x <= (1 - p + p c)^n if c >= 1. *)
Theorem chernoff_binomial n x p (c : rat) : 0 <= p <= 1 -> 1 <= c -> successes n x p * c ^+ x <= (1 - p + p * c) ^+ n.
Proof.
move=> /andP[p0 p1] c1; have c0 : 0 <= c by apply: le_trans c1.
have q0 : 0 <= 1 - p by rewrite subr_ge0.
have one : 1 <= 1 - p + p * c by rewrite -addrA ler_addl addrC subr_ge0 ler_pemulr.
elim: n x => [|n IH] [|x]; rewrite ?expr0 ?mulr1 ?mul0r ?ler01 ?successes0 ?exprn_ege1 //.
rewrite [successes _ _ _]/= mulrDl [leRHS]exprS [leRHS]mulrDl [leRHS]addrC; apply: ler_add.
  by rewrite exprS mulrACA ler_wpmul2l ?mulr_ge0.
by rewrite -mulrA ler_wpmul2l.
Qed.

(* Hoeffding's inequality of 1963, which is Chernoff's bound at its best: if p <= q, then P[X >= x] is at most
   (p/q)^x ((1-p)/(1-q))^(n-x). For q = x/n this is e^(-n D(x/n, p)), where D(q, p) = q ln(q/p) + (1-q) ln((1-q)/(1-p)).
   *)
Theorem hoeffding_binomial n x p q : 0 <= p -> p <= q -> q <= 1 -> (x <= n)%N ->
  successes n x p * (q ^+ x * (1 - q) ^+ (n - x)) <= p ^+ x * (1 - p) ^+ (n - x).
Proof.
move=> p0 pq q1; have q0 := le_trans p0 pq; have p1 := le_trans pq q1.
have r0 : 0 <= 1 - p by rewrite subr_ge0.
have s0 : 0 <= 1 - q by rewrite subr_ge0.
have sr : 1 - q <= 1 - p by rewrite ler_add2l ler_opp2.
elim: n x => [|n IH] [|x] xn; rewrite ?successes0 ?expr0 ?mul1r ?subn0 ?lexx ?ler_expn2r ?nnegrE // subSS.
rewrite [successes _ _ _]/= exprS [p ^+ x.+1]exprS.
set a := successes n x p; set b := successes n x.+1 p.
apply: (@le_trans _ _ (q * p * (a * (q ^+ x * (1 - q) ^+ (n - x))) + (1 - p) * (q * q ^+ x * (b * (1 - q) ^+ (n - x))))).
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; set c := q ^+ x; set d := (1 - q) ^+ _; identity.
apply: (@le_trans _ _ (q * p * (p ^+ x * (1 - p) ^+ (n - x)) + (1 - q) * (p * p ^+ x * (1 - p) ^+ (n - x)))); last first.
  by rewrite le_eqVlt; apply/orP; left; apply/eqP; set c := p ^+ x; set d := (1 - p) ^+ _; identity.
apply: ler_add; first by rewrite ler_wpmul2l ?IH ?mulr_ge0.
have := xn; rewrite ltnS leq_eqVlt => /orP[/eqP e | lt].
  by rewrite /b successes_none ?e // !mul0r !mulr0 mulr_ge0 ?mulr_ge0 ?exprn_ge0.
have := IH x.+1 lt; rewrite -/b; have -> : (n - x = (n - x.+1).+1)%N by rewrite subnSK.
rewrite !exprS => h; have := ler_wpmul2l (mulr_ge0 r0 s0) h.
set c := q ^+ x; set d := (1 - q) ^+ _; set e := p ^+ x; set f := (1 - p) ^+ _ => h'.
apply: le_trans (le_trans h' _); rewrite le_eqVlt; apply/orP; left; apply/eqP; identity.
Qed.
End Binomial.

(* Trials whose probability of success depends on what came before. *)
Section Trials.
Variables (T : finType) (w : seq T -> T -> rat) (success : pred T) (p : rat).
Hypothesis w0 : forall h x, 0 <= w h x.
Hypothesis w1 : forall h, \sum_x w h x = 1.
Hypothesis at_most : forall h, \sum_(x | success x) w h x <= p.
Hypothesis p01 : 0 <= p <= 1.

(* The probability of x successes or more in n trials after h. *)
Fixpoint many (n x : nat) (h : seq T) : rat :=
  if x is x'.+1 then (if n is n'.+1 then \sum_y w h y * many n' (if success y then x' else x) (rcons h y) else 0) else 1.

(* If no trial succeeds with more than the probability p, whatever came before, then x successes or more in n trials
   have at most their probability in n independent trials of probability p. *)
Theorem trials_below n x h : many n x h <= successes n x p.
Proof.
elim: n x h => [|n IH] [|x] h //=; set a := successes n x p; set b := successes n x.+1 p.
have ba : b <= a by case/andP: (successes_fewer n x p01).
rewrite (bigID success) /=; apply: (@le_trans _ _ (\sum_(y | success y) w h y * a + \sum_(y | ~~ success y) w h y * b)).
  by apply: ler_add; apply: ler_sum => y sy; rewrite ?sy ?(negbTE sy) ler_wpmul2l ?IH.
rewrite -!mulr_suml; have := w1 h; rewrite (bigID success) /=.
set u := \sum_(y | success y) _; set v := \sum_(y | _) _ => uv; have vE : v = 1 - u by rewrite -uv addrAC subrr add0r.
have up : u <= p := at_most h; rewrite vE -subr_ge0.
rewrite (_ : _ - _ = (p - u) * (a - b)); last by identity.
by rewrite mulr_ge0 // subr_ge0.
Qed.
End Trials.

(* A game of steps: what came before is h, the next outcome x has the probability w h x, and M h is what is held. *)
Section Ville.
Variables (T : finType) (w : seq T -> T -> rat) (M : seq T -> rat).
Hypothesis w0 : forall h x, 0 <= w h x.
Hypothesis w1 : forall h, \sum_x w h x = 1.
Hypothesis M0 : forall h, 0 <= M h.

(* A supermartingale: the mean of what is held next is at most what is held. *)
Hypothesis falls_in_mean : forall h, \sum_x w h x * M (rcons h x) <= M h.

(* The probability that what is held reaches a at h or in the next n steps. *)
Fixpoint reaches (a : rat) (n : nat) (h : seq T) : rat :=
  if a <= M h then 1 else if n is n'.+1 then \sum_x w h x * reaches a n' (rcons h x) else 0.

(* Ville's inequality: the probability that M ever reaches a is at most M h/a. *)
Theorem ville a n h : 0 < a -> reaches a n h <= M h / a.
Proof.
move=> a0; elim: n h => [|n IH] h /=; case: ifP => [le | _]; rewrite ?divr_ge0 ?(ltW a0) //.
- by rewrite ler_pdivl_mulr // mul1r.
- by rewrite ler_pdivl_mulr // mul1r.
apply: (@le_trans _ _ (\sum_x w h x * (M (rcons h x) / a))).
  by apply: ler_sum => x _; rewrite ler_wpmul2l.
rewrite (eq_bigr (fun x => w h x * M (rcons h x) / a)) => [|x _]; last by rewrite mulrA.
by rewrite -mulr_suml ler_wpmul2r ?invr_ge0 ?(ltW a0).
Qed.
End Ville.
