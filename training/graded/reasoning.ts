/** Graded prompts about numbers, proofs and puzzles, by kind. graded-prompts.ts describes the lines. */
export const reasoning = {
  everyday_maths: String.raw`
1 word_problems | what's 15% of 80
1 word_problems | 7 * 8 =
1 word_problems | I have 3 apples and buy 4 more. How many do I have?
1 word_problems | how many cm are 2.5 m
1 word_problems | half of 250?
2 word_problems | Split a bill of 84.60 between 4 people with a 10% tip, what does each pay
1 word_problems | A train leaves at 9:47 and takes 2 h 35 min. When does it arrive?
2 word_problems | a shirt costs 40 after 20 percent off. what was the price before
2 word_problems | How much paint do I need for a room of 4 x 5 m, 2.5 m high, two coats, 10 m2 per litre? ignore doors
2 word_problems | My car uses 6.4 l per 100 km. What does a trip of 340 km cost at 1.79 a litre?
3 word_problems | Loan of 18,000 at 5.4 % a year, 48 equal monthly payments. Payment, and the total interest?
3 word_problems | Two taps fill a tub in 12 and 18 minutes, the drain empties it in 24. With the drain open for the first 6 minutes only, when is it full?
3 word_problems | Three siblings share 14,400 so that the second gets 20% more than the first and the third 600 less than the first two together. Who gets what?
3 word_problems | is 9.11 bigger than 9.9, and what is their difference?
3 word_problems | A test is 95% sensitive and 90% specific, 2% are ill. Someone is positive twice, with independent tests. How likely is he ill?
5 word_problems | 48739 * 96217, exact, no calculator
5 word_problems | Divide 7 by 61 to 60 decimal places.
4 word_problems | Plan the cheapest rail passes: 9 people, each with the days of travel below; passes for 3, 5, 10 days cost 40, 62, 110, single days 16, groups of 4 on the same day 46. Days: A 1-4, B 2,5,9, C 1-10, D 3-6, E 1,9, F 4-8, G 2-3, H 5-9, I 1,2,3,9.
5 word_problems | sum of digits of 2^150
3 word_problems | If I put 150 a month into an ETF at 5 % for 22 years and then take 900 a month at 3 %, how many years does it last?
5 word_problems | 3141592653 × 2718281828 × 1414213562, all digits
1 word_problems c1 | 12 + 30
4 word_problems c1 | 0.123 recurring (012345679...) as a fraction: explain which block repeats, then cube it exactly
1 word_problems c2 | How many eggs are in two dozen?
4 word_problems c2 | A baker sells rolls in bags of 6, 10 and 15. Which totals above 29 are impossible, in how many ways can he sell 120, and in how many if no kind may be used more than seven times?
1 word_problems l1 | What is 25 plus 17?
1 word_problems l1 @es | ¿cuánto es 25 más 17?
2 word_problems l2 | Anna is three times as old as Ben. In eight years she will be twice as old. How old are they?
2 word_problems l2 @de | Anna ist dreimal so alt wie Ben. In acht Jahren ist sie doppelt so alt. Wie alt sind beide?
3 word_problems l3 | A shop raises a price by 15 % and then lowers it twice by 8 %. By how many per cent has the price changed, and which single discount brings it back to the old price?
3 word_problems l3 @zh | 商店先涨价15%,然后两次降价8%。价格总共变化了百分之几?再打多少折扣才能回到原价?
1 word_problems f1 | A box has 24 chocolates. Ida eats a third, Karim a quarter of the rest. How many are left?
1 word_problems f1 | Q: Tove has 10 pens and loses 3. How many are left?\nA: 10 - 3 = 7. The answer is 7.\n\nQ: A bus has 40 seats, half are taken. How many are free?\nA: 40 / 2 = 20. The answer is 20.\n\nQ: A box has 24 chocolates. Ida eats a third, Karim a quarter of the rest. How many are left?\nA:
1 word_problems m1 | The common fund has 6,212 and we buy a rack for 400. What is left?
1 word_problems m1 | {{minutes}}\n\nIf Rosalind spends the whole amount on the rack, what is left in the common fund?
4 word_problems d1 | 17^23 mod 1009, by hand
1 word_problems d1 | {{bakery}}\n\n{{policy}}\n\nWe've been asked to check the figures of this bakery before the travel policy is applied to it too, and my head is spinning. So let's begin with the simplest sum: there are three shops, and each shall get two new bread knives. How many bread knives do I have to order? Don't worry about the market shop, which may or may not be closed when its lease ends; for the time being it counts as a shop like the others.
4 word_problems | {{policy}}\n\nA trip: Monday 06:40 to Friday 21:15, hotels at 138, 152 (city on list B), 190 (same city) and 191 (approved beforehand, not on list B); breakfast included, but the policy says nothing of that; two taxis alone, at 21:50 with a suitcase and at 05:58 without; a train of six hours in first class for 84 instead of 61; a flight of 7 h 55 in business for 1,420 where economy was 390; and a fine of 30. The claim is handed in on day 30. What is paid, line by line and in total, if where the policy is silent the company pays nothing? What if it pays everything that isn't forbidden?
2 word_problems | we are 7 people, rent for the house is 1,330 for the week but two only stay 3 nights of the 7. fair split per night?
3 word_problems | Salary 52,000, raise of 3.5 % in April and a one-off of 1,200 in June, inflation 4.1 % over the year. Am I better or worse off in real terms this calendar year, and by how much?
1 word_problems c3 | For the picnic on Saturday we've invited my two sisters with their husbands, and both couples bring their two children. My wife and I come alone. How many people is that altogether, so that I know how many plates to pack?
5 word_problems c3 | 2^67 - 1 factored, by hand, with every step
1 word_problems c4 | My son gets 5 euros pocket money each week and wants to buy a football that costs 20 euros. He has spent everything he had on ice cream, so he begins with nothing. How many weeks will he have to wait?
4 word_problems c4 | 987654321^2 exactly?
2 word_problems c5 | We're driving to the sea tomorrow, it's 270 km, and on the motorway we make about 90 km in an hour with the trailer. With a break of half an hour for lunch, at what time must we leave to be there at three in the afternoon?
4 word_problems c5 | cube root of 91 to 12 decimals
3 word_problems | 13% of 8.7% of 41,250?
2 word_problems | angle of clock hands at 7:23
3 word_problems | Days from 17 Feb 2027 to 3 Nov 2029?
1 word_problems | We have got eleven chairs in the hall and there are going to be twenty-four people on Saturday, all of whom would like to sit, because it's going to be a long evening with a lecture on the history of our railway station and then the slides of Mr Brandt's journey through Norway, which he's been promising since the spring. The school would lend us chairs, but the caretaker wants an exact number. How many chairs do we have to borrow so that everybody can sit?
`,
  formal_maths: String.raw`
1 formal_maths | solve x + 5 = 12
1 formal_maths | derivative of x^2
1 formal_maths | Is 17 a prime number?
1 formal_maths | area of a circle with radius 3
2 formal_maths | Solve 2x^2 - 5x - 3 = 0
2 formal_maths | integrate x*e^x
2 formal_maths | what is the inverse of the matrix [[2,1],[5,3]]
2 formal_maths | Explain what a limit is, with an example.
1 formal_maths | probability of two sixes with two dice
2 formal_maths | prove that sqrt(2) is irrational
2 formal_maths | Prove by induction that n^3 + 5n is divisible by 6 and give a second proof without induction.
3 formal_maths | Integral of 1/(x^4+1) from 0 to infinity, with steps
3 formal_maths | How many surjections are there from a set of 7 to a set of 4 elements?
3 formal_maths | eigenvalues and a jordan basis of [[3,1,0],[-1,1,0],[0,0,2]]
3 formal_maths | Does the series of sin(n)/n converge? absolutely? justify
3 formal_maths | Find all integers x, y with x^2 - y^2 = 2028... or say if there are none
4 formal_maths | Find all functions f: R -> R with f(x f(y) + f(x)) = 2 f(x) + x y. Proof required.
4 formal_maths | Show that every group of order 1365 has a normal subgroup of order 91... or find a counterexample
4 formal_maths | Let p > 3 be prime. Prove that the numerator of 1 + 1/2 + ... + 1/(p-1) is divisible by p^2, and determine when by p^3.
4 formal_maths | Compute the fundamental group of the complement of the Hopf link and of the trefoil, and show that the two are not isomorphic.
4 formal_maths | Let f be entire with |f(z)| <= e^{|z|} and f(n) = 0 for all integers n. Must f vanish? What if e is replaced by e^{3.2|z|}?
4 formal_maths | In triangle ABC the incircle touches BC at D. Prove that the incircles of ABD and ACD touch each other, and generalise.
4 formal_maths | How many 8 x 8 zero-one matrices have all row and column sums equal to 2?
4 formal_maths | Prove that there are infinitely many twin primes, or explain exactly where the sieve stops short.
4 formal_maths | Does there exist a bounded linear operator on separable Hilbert space without a non-trivial invariant subspace?
5 formal_maths | Show that the Burnside group B(2,5) is finite or infinite.
5 formal_maths | Let a_1 < a_2 < ... be integers with bounded gaps such that no finite nonempty sum of distinct terms is a perfect square. Decide whether such a sequence can have positive lower density, with full proof.
5 formal_maths | classify all finite simple groups with an abelian Sylow 2-subgroup, proof without using the classification
1 formal_maths c1 | is 0 even
5 formal_maths c1 | Is every even number greater than 2 a sum of two primes? Prove what can be proved, with effective constants.
1 formal_maths c2 | what is 5 factorial
4 formal_maths c2 | Prove that n! + 1 is a perfect square for at most finitely many n under abc, with every constant stated.
2 formal_maths c3 | gcd of 84 and 126 with euclid's algorithm
4 formal_maths c3 | Determine the average number of steps of Euclid's algorithm for pairs below n up to O(1), with proof of the leading constant.
1 formal_maths l1 | Solve the system: 2x + y = 7, x - y = 2.
1 formal_maths l1 @ja | 連立方程式 2x + y = 7、x - y = 2 を解いてください。
4 formal_maths l2 | Prove that a continuous bijection from a compact space to a Hausdorff space is a homeomorphism, and characterise the Hausdorff spaces for which compactness may be dropped on the left if the right side is a manifold.
4 formal_maths l2 @de | Beweise, dass eine stetige Bijektion von einem kompakten in einen Hausdorff-Raum ein Homöomorphismus ist, und charakterisiere, wann links auf Kompaktheit verzichtet werden kann, wenn rechts eine Mannigfaltigkeit steht.
5 formal_maths l3 | Prove that zeta(5) is irrational.
5 formal_maths l3 @fr | Démontre que zeta(5) est irrationnel.
3 formal_maths l4 | Find the number of solutions of x + y + z = 20 in non-negative integers with x at most 6 and y at least 3.
3 formal_maths l4 @ko | x + y + z = 20이고 x는 6 이하, y는 3 이상인 음이 아닌 정수해의 개수를 구하세요.
4 formal_maths f1 | Determine all primes p for which p^2 + 2 divides 2^p + 1.
4 formal_maths f1 | Hi there! Quick one for you, hopefully :) Could you please determine all primes p for which p^2 + 2 divides 2^p + 1? Just the answer in one line is fine, no need to write a lot. Have a lovely day!
1 formal_maths f2 | Factor x^2 + 7x + 12.
1 formal_maths f2 | Problem: x^2 + 3x + 2\nFactors: (x + 1)(x + 2)\n\nProblem: x^2 - 9\nFactors: (x - 3)(x + 3)\n\nProblem: x^2 + 7x + 12\nFactors:
5 formal_maths d1 | Prove Baker's theorem on linear forms in logarithms.
1 formal_maths d1 | {{trial}}\n\n{{survey}}\n\n{{bakery}}\n\nMy statistics course starts next week, and these are three texts with many percentages from the reading list. Before I ask about confidence intervals, which I don't understand at all, please tell me one thing so that I don't look silly: 50 per cent of a number, is that half of it or a quarter of it? I've seen both in my notes, but I think that one of the lines slipped when I copied them.
5 formal_maths d2 | Prove Roth's theorem with Kelley-Meka bounds.
1 formal_maths d2 | Ok so my teacher has given us a long story to read over the weekend and at its end there's a question and I want to check my answer before I hand it in. The story:\n\n{{mill}}\n\n{{tides}}\n\nThe question at the end is (I'm not joking, it's really about nothing that's in the story): x + 1 = 3, what is x? I think that it is 2 but my brother says that there must be a trick because the teacher would never ask something so simple after two pages of mills and sand.
3 formal_maths | ABC conjecture: status and proof?
4 formal_maths | Galois group of x^8 - 24x^4 + 25?
3 formal_maths | i dont get lagrange multipliers. find the max of xy on x^2 + 4y^2 = 8 and tell me what lambda actually means
3 formal_maths | Let X, Y be independent and uniform on [0, 1]. Density of X/Y and P(X/Y < 2).
3 formal_maths m1 | A scale differs by 0.9 with a 95 % interval of 0.3 to 1.5, groups of 99 each. Which standard deviation does this imply, and which p?
3 formal_maths m1 | {{trial}}\n\nAssuming equal groups, which standard deviation of the score does the interval imply, and which p?
1 formal_maths c4 | I'm helping my niece with her homework, and she must name a triangle whose three sides all have the same length. I remember that there's a special word for it but it doesn't come to me. What's it called?
5 formal_maths c4 | Moving sofa: prove the optimal area.
2 formal_maths c5 | In class we had that the angles of a triangle add up to 180 degrees, and now the question is what it is for a figure with five sides, with a reason. I think one has to cut it into triangles but I'm not sure into how many.
5 formal_maths c5 | Give a 5-chromatic unit-distance graph, vertices listed.
1 formal_maths c6 | There's a jar with three red marbles and one blue one in it, and I take one out without looking. My brother says that it's more likely to be blue because blue is his favourite colour. Which colour is more likely?
4 formal_maths c6 | Is Z[sqrt(14)] Euclidean? Prove it.
3 formal_maths | Closed form: sum k^2 2^k, k=0..n
3 formal_maths | Is x^4 + 1 reducible over Q? mod p?
2 formal_maths | derangements of 7?
3 formal_maths | residue of 1/(z sin z) at 0
2 formal_maths | My exam in statistics is on Monday, and in the list of things that we must be able to explain there's the difference between the mean and the median. I know how to compute them: one adds up and divides, for the other one sorts and takes the middle one. But then it says "give an example in which they differ a lot, and say which one you'd report and why", and in my notes there's only the word "income" with three exclamation marks. Could you give me a short example with numbers?
`,
  logic: String.raw`
1 logic_puzzles | All cats are animals. Tom is a cat. Is Tom an animal?
1 logic_puzzles | A is taller than B, B is taller than C. Who is the smallest?
1 logic_puzzles | what comes next: 2, 4, 6, 8, ...
1 logic_puzzles | if today is tuesday what day is it in 3 days
2 logic_puzzles | A farmer must cross a river with a fox, a goose and a sack of corn. How?
1 logic_puzzles | next number: 1, 1, 2, 3, 5, 8, 13
2 logic_puzzles | Some birds can't fly. Penguins are birds. Does it follow that penguins can't fly? explain
2 logic_puzzles | make a truth table for (p -> q) and not q
3 logic_puzzles | A farmer with a boat for himself and one item wants to cross with a goat. There is also a cabbage that stays at home. How many crossings?
3 logic_puzzles | Ann, Bo and Cy each tell two statements, one true, one false. Ann: "Bo did it. Cy is innocent." Bo: "Ann did it. I was away." Cy: "I didn't do it. Ann is lying about Bo." Who did it?
4 logic_puzzles | Alice has 4 sisters and 3 brothers. How many sisters does each brother of Alice have? And how many siblings has the youngest?
4 logic_puzzles | Twelve coins, one is lighter or heavier. Find it in three weighings, give the full scheme.
3 logic_puzzles | is this valid, in which system: possibly necessarily p, therefore necessarily p
4 logic_puzzles | How many r's are in "strawberry", and how many letters are left when all of them are taken out?
4 logic_puzzles | Five houses in a row; owners from five towns with five pets, five instruments. The Ghent man plays the oboe. The parrot lives next to the lute. The Turku woman is in the middle. The cat's owner lives left of the drum. The man from Cork keeps newts. The flute is at an end. The first house is Porto's. The harp's owner has no fur at home. The dog lives two houses from the oboe. Graz is not next to Porto, and the cat is not at an end. Who owns the tortoise? If it is not determined, list all solutions.
4 logic_puzzles | Spell "counterrevolutionaries" backwards with every vowel replaced by its position in the word.
4 logic_puzzles | Solve: SEND + MORE = MONEY in base 11. All solutions.
4 logic_puzzles | Formalise in first-order logic with identity and two sorts, and prove or refute: everybody who admires only those who admire nobody but themselves admires at most one person.
4 logic_puzzles | 100 prisoners, one switch room with two bulbs, unknown initial state, prisoners may be called in any fair order. A protocol with the least expected number of visits?
5 logic_puzzles | fill this sudoku: 000000010400000000020000000000050407008000300001090000300400200050100000000806000
5 logic_puzzles | Is there a finite set of axioms for the equational theory of regular expressions, and with which extra rule? Give proofs, not references.
5 logic_puzzles | Give an optimal strategy for 5 x 5 x 5 tic-tac-toe with 4 in a row, as a table.
5 logic_puzzles | Construct a 13 x 13 crossword grid, fully checked, with symmetric blocks, all words over three letters and none a proper name; clues too.
1 logic_puzzles c1 | True or false: if it rains the street gets wet. It rains. So the street is wet.
4 logic_puzzles c1 | Two logicians know the sum and the product of two numbers between 2 and 400. S: I knew you could not know. P: now I know. S: so do I. How many pairs are possible? List those with sum below 70.
1 logic_puzzles c2 | odd one out: dog, cat, table, horse
3 logic_puzzles c2 | odd one out and why, there is only one consistent answer: 2197, 4913, 6859, 12167, 24389, 29791, 35937
2 logic_puzzles l1 | Three friends have a dog, a cat and a bird. Ida has no dog. Karim's animal can fly. Who has which animal?
2 logic_puzzles l1 @pl | Trzech przyjaciół ma psa, kota i ptaka. Ida nie ma psa. Zwierzę Karima umie latać. Kto ma jakie zwierzę?
3 logic_puzzles l2 | On an island knights always tell the truth and knaves always lie. A says: "B and I are different." B says: "A is a knave." What are they?
3 logic_puzzles l2 @pt | Numa ilha, os cavaleiros dizem sempre a verdade e os patifes mentem sempre. A diz: «Eu e B somos diferentes.» B diz: «A é um patife.» O que são eles?
1 logic_puzzles f1 | Which is bigger, 7 or 3?
1 logic_puzzles f1 | Compare.\n5 or 2 -> 5\n1 or 9 -> 9\n7 or 3 ->
3 logic_puzzles f2 | What's the next term: 3, 4, 8, 17, 33, 58?
3 logic_puzzles f2 | Reply with a single integer and nothing else. What's the next term: 3, 4, 8, 17, 33, 58?
4 logic_puzzles d1 | Name words with five consecutive vowels, ten.
1 logic_puzzles d1 | {{chess}}\n\n{{radio}}\n\n{{kiln}}\n\nAfter reading these I had an argument with my sister about logic. She says that one cannot be sure of anything; I say that some things are certain. Let us take the simplest one. Every club that meets on Tuesdays meets at least once a week. The chess club meets on Tuesdays. Does it meet at least once a week? Please say yes or no. She has promised to accept your answer, whatever it is, and I have promised not to mention the business with the oranges again.
3 logic_puzzles | Some of my friends play chess. Everyone who plays chess owns a teapot. No one in my street owns a teapot. What can you say about my friends and my street? Only what follows.
4 logic_puzzles | {{minutes}}\n\n{{email}}\n\n{{chess}}\n\nSuppose that everybody named in these texts is in the same town in the week of the 11th of April 2031, that nobody can be at two places, that whoever has promised something does it at the last possible moment, that the van is either back for everything or for nothing, and that those who like hens play chess. Who could have been in the back room of the Anchor on the Tuesday of that week, who certainly not, and about whom is nothing known? Give the derivation; a name about whom there are two answers must be listed with both.
1 logic_puzzles c3 | Mia, Ben and Lou had a race in the garden. Mia was faster than Ben, and Lou came in last because she stopped to look at a snail. I couldn't see it from the kitchen, so please tell me, who won?
5 logic_puzzles c3 | Is Quine's NF consistent? Sketch why.
1 logic_puzzles c4 | My grandfather tells me the same riddle every Sunday, and I never tell him that I know the answer: which is heavier, a kilo of feathers or a kilo of iron? What would you say to him?
4 logic_puzzles c4 | hardest logic puzzle, but with four gods?
2 logic_puzzles | Negate: every lock has exactly one key
3 logic_puzzles | 2, 3, 5, 9, 17, ... two continuations, justify
3 logic_puzzles | two ropes, one hour each, measure 45 minutes... and 15?
1 logic_puzzles | In our kindergarten we've a game in which I hide a toy under one of three cups, a red one, a green one and a blue one, and the children may ask me questions that I answer with yes or no. Today Ida asked, "Is it under the red one?", and I said no, and then Karim asked, "Is it under the blue one?", and I said no again. Then it was time for lunch, and they all ran off. Under which cup was the toy?
`,
}
