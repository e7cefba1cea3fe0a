"""Small rulesheets for tests, one for each thing that propnets must get right."""

HEAP = """
(role first) (role second)
(init (beans 7)) (init (turn first))
(one 1) (one 2) (one 3)
(less 1 0 1) (less 2 1 1) (less 3 2 1) (less 4 3 1) (less 5 4 1) (less 6 5 1) (less 7 6 1)
(less 2 0 2) (less 3 1 2) (less 4 2 2) (less 5 3 2) (less 6 4 2) (less 7 5 2)
(less 3 0 3) (less 4 1 3) (less 5 2 3) (less 6 3 3) (less 7 4 3)
(other first second) (other second first)
(<= (legal ?who (take ?k)) (true (turn ?who)) (true (beans ?n)) (less ?n ?left ?k))
(<= (legal ?who wait) (role ?who) (true (turn ?else)) (distinct ?who ?else))
(<= (next (beans ?left)) (true (beans ?n)) (does ?who (take ?k)) (less ?n ?left ?k))
(<= (next (turn ?who)) (true (turn ?before)) (other ?before ?who))
(<= terminal (true (beans 0)))
(<= (goal ?who 0) (true (turn ?who)))
(<= (goal ?who 100) (role ?who) (not (true (turn ?who))))
"""

PENNIES = """
; Two rounds of matching pennies, both players at once; who wins the second counts more.
(role even) (role odd)
(init (round 1))
(side heads) (side tails)
(<= (legal ?who (show ?side)) (role ?who) (side ?side))
(<= (next (round 2)) (true (round 1)))
(<= (next (round 3)) (true (round 2)))
(<= matched (does even (show ?side)) (does odd (show ?side)))
(<= (next (won even ?n)) (true (round ?n)) matched)
(<= (next (won odd ?n)) (true (round ?n)) (not matched))
(<= (next (won ?who ?n)) (true (won ?who ?n)))
(<= terminal (true (round 3)))
(<= (goal ?who 100) (true (won ?who 1)) (true (won ?who 2)))
(<= (goal ?who 60) (true (won ?who 2)) (not (true (won ?who 1))) (role ?who))
(<= (goal ?who 40) (true (won ?who 1)) (not (true (won ?who 2))) (role ?who))
(<= (goal ?who 0) (role ?who) (not (true (won ?who 1))) (not (true (won ?who 2))))
"""

DICE = """
; A player bets while a die is thrown, and then may keep or double what came.
(role random) (role better)
(init (stage bet))
(pips 1) (pips 2) (pips 3)
(<= (legal random (throw ?n)) (true (stage bet)) (pips ?n))
(<= (legal random rest) (not (true (stage bet))))
(<= (legal better (bet ?n)) (true (stage bet)) (pips ?n))
(<= (legal better keep) (true (stage answer)))
(<= (legal better double) (true (stage answer)))
(<= (next (thrown ?n)) (does random (throw ?n)))
(<= (next (bet ?n)) (does better (bet ?n)))
(<= (next (stage answer)) (true (stage bet)))
(<= (next (stage end)) (true (stage answer)))
(<= (next doubled) (does better double))
(<= (next (thrown ?n)) (true (thrown ?n)))
(<= (next (bet ?n)) (true (bet ?n)))
(<= right (true (bet ?n)) (true (thrown ?n)))
(<= terminal (true (stage end)))
(<= (goal better 100) right (true doubled))
(<= (goal better 70) right (not (true doubled)))
(<= (goal better 30) (not right) (not (true doubled)))
(<= (goal better 0) (not right) (true doubled))
"""

BRIDGES = """
; A builder opens roads, in any order; who can be reached from whom is a circle of rules.
(role builder)
(road a b) (road b c) (road c d) (road d a) (road b e)
(init (moves 0)) (after 0 1) (after 1 2) (after 2 3)
(<= (legal builder (open ?x ?y)) (road ?x ?y) (not (true (opened ?x ?y))))
(<= (next (opened ?x ?y)) (does builder (open ?x ?y)))
(<= (next (opened ?x ?y)) (true (opened ?x ?y)))
(<= (next (moves ?m)) (true (moves ?n)) (after ?n ?m))
(<= (linked ?x ?y) (true (opened ?x ?y)))
(<= (linked ?x ?y) (true (opened ?y ?x)))
(<= (reach ?x ?y) (linked ?x ?y))
(<= (reach ?x ?z) (reach ?x ?y) (linked ?y ?z))
(<= terminal (true (moves 3)))
(<= terminal (reach a c) (reach e d))
(<= (goal builder 100) (reach a c) (reach e d))
(<= (goal builder 50) (reach a c) (not (reach e d)))
(<= (goal builder 0) (not (reach a c)))
"""

SLIDERS = """
; Two pieces on a small board; "nothing moved here" is a rule of many variables.
(role up) (role down)
(init (at 1 1 stone)) (init (at 3 3 coin)) (init (turn up)) (init (clock 1))
(tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5) (tick 5 6)
(line 1) (line 2) (line 3)
(near 1 2) (near 2 1) (near 2 3) (near 3 2)
(owns up stone) (owns down coin)
(<= (free ?x ?y) (line ?x) (line ?y) (not (taken ?x ?y)))
(<= (taken ?x ?y) (true (at ?x ?y ?piece)))
(<= (step ?x ?y ?x ?v) (line ?x) (near ?y ?v))
(<= (step ?x ?y ?u ?y) (line ?y) (near ?x ?u))
(<= (legal ?who (slide ?piece ?x ?y ?u ?v))
    (true (turn ?who)) (owns ?who ?piece) (true (at ?x ?y ?piece)) (step ?x ?y ?u ?v) (free ?u ?v))
(<= (legal ?who pause) (role ?who) (not (true (turn ?who))))
(<= (different ?x ?y ?u ?v) (line ?x) (line ?y) (line ?u) (line ?v) (distinct ?x ?u))
(<= (different ?x ?y ?u ?v) (line ?x) (line ?y) (line ?u) (line ?v) (distinct ?y ?v))
(<= (next (at ?u ?v ?piece)) (does ?who (slide ?piece ?x ?y ?u ?v)))
(<= (next (at ?a ?b ?kind)) (true (at ?a ?b ?kind)) (does ?who (slide ?piece ?x ?y ?u ?v))
    (different ?a ?b ?x ?y) (different ?a ?b ?u ?v))
(<= (next (turn up)) (true (turn down)))
(<= (next (turn down)) (true (turn up)))
(<= (next (clock ?m)) (true (clock ?n)) (tick ?n ?m))
(<= terminal (true (clock 6)))
(<= (middle ?piece) (true (at 2 2 ?piece)))
(<= (goal ?who 100) (owns ?who ?piece) (middle ?piece))
(<= (goal ?who 30) (owns ?who ?piece) (not (middle ?piece)))
"""

SUMS = f"""
; Lamps are counted one after another, with the count so far handed on: it begins at 0, and never is large.
(role keeper)
(init (lit a)) (init (clock 0))
(after a b) (after b c) (after c d)
{" ".join(f"(number {k})" for k in range(41))}
{" ".join(f"(succ {k} {k + 1})" for k in range(40))}
(lamp a) (lamp b) (lamp c) (lamp d)
(<= (legal keeper (light ?lamp)) (lamp ?lamp))
(<= (next (lit ?lamp)) (does keeper (light ?lamp)))
(<= (next (lit ?lamp)) (true (lit ?lamp)))
(<= (next (clock ?n)) (true (clock ?m)) (succ ?m ?n))
(<= (one ?lamp ?before ?clock ?sum) (true (lit ?lamp)) (succ ?before ?sum) (number ?clock))
(<= (one ?lamp ?sum ?clock ?sum) (lamp ?lamp) (not (true (lit ?lamp))) (number ?sum) (number ?clock))
(<= (counted d ?before ?clock ?sum) (one d ?before ?clock ?sum))
(<= (counted ?lamp ?before ?clock ?sum)
    (one ?lamp ?before ?clock ?here) (after ?lamp ?other) (counted ?other ?here ?clock ?sum))
(<= terminal (true (clock 4)))
(<= terminal (counted a 0 1 4))
(<= (goal keeper 100) (counted a 0 1 4))
(<= (goal keeper 30) (not (counted a 0 1 4)))
"""

STREAK = """
; What a position is worth is remembered: the next position depends on what goals depend on, and on nothing else.
(role walker)
(init (clock 1)) (init (place 1))
(tick 1 2) (tick 2 3) (tick 3 4) (tick 4 5)
(way 1 2) (way 2 3) (way 3 1) (way 1 3)
(<= (legal walker (go ?to)) (true (place ?from)) (way ?from ?to))
(<= (next (place ?to)) (does walker (go ?to)))
(<= (next (clock ?m)) (true (clock ?n)) (tick ?n ?m))
(<= lucky (true (place 3)) (not (true (clock 2))))
(<= lucky (true (place 1)) (true (clock 4)))
(<= (next again) lucky)
(<= (next (before ?place)) (true (place ?place)) (not lucky))
(<= terminal (true (clock 5)))
(<= (goal walker 100) lucky (true again))
(<= (goal walker 60) lucky (not (true again)))
(<= (goal walker 20) (not lucky))
"""

TOYS = {"streak": STREAK, "heap": HEAP, "pennies": PENNIES, "dice": DICE, "bridges": BRIDGES, "sliders": SLIDERS}
