/** Graded prompts about knowledge, by kind. graded-prompts.ts describes the lines. */
export const knowledge = {
  facts: String.raw`
1 trivia | capital of france?
1 trivia | how many legs does a spider have
1 trivia | Who painted the Mona Lisa?
1 trivia | what is the tallest mountain in the world
1 everyday | what do you use an umbrella for?
1 everyday | Where would you keep milk so that it stays fresh? fridge, oven, wardrobe
1 miscellany | how many minutes are in a day
1 miscellany | whats the opposite of cold
1 trivia | Which river flows through Budapest, Vienna and Belgrade?
2 trivia | which countries does lake constance touch
1 trivia | Who was the first woman to win a Nobel Prize, and in which field?
2 everyday | Is it safe to refreeze meat that has thawed overnight in the fridge?
1 miscellany | Which is heavier, a litre of water or a litre of cooking oil?
2 miscellany | what's the dialling code of norway and which countries have a 2 digit code starting with 4
3 trivia | Which African capitals lie within 50 km of a border with another country? Name four.
3 trivia | In which years did the summer olympics not take place, and why in each case?
3 miscellany | Name all landlocked countries that have only landlocked neighbours.
3 trivia | Which chemical elements are named after places in Sweden?
5 trivia | Who were the runners-up of the chess championship of Estonia in 1936 and 1938?
5 trivia | List all US senators who served under exactly four presidents and died in office before 1900.
4 miscellany | which UN member states changed their official name since 1980, with year, complete list
5 trivia | Who was mayor of Tartu in 1927?
5 trivia | Which stations did the narrow gauge line from Hven harbour have?
5 miscellany | Give the population of every Faroese island at the census of 1901.
1 trivia c1 | Which ocean lies between Europe and America?
4 trivia c1 | Which sea areas of the shipping forecast were renamed, split or merged since 1949, and when?
1 trivia c2 | What is the name of Harry Potter's owl?
5 trivia c2 | Which novels were on the shortlist of the Prix Goncourt in 1957?
1 trivia l1 | What is the largest planet of the solar system?
1 trivia l1 @de | Welcher ist der größte Planet im Sonnensystem?
1 trivia l2 | How many days does February have in a leap year?
1 trivia l2 @ja | うるう年の2月は何日ありますか?
5 trivia l3 | Which Danish lighthouses were built between 1850 and 1860, and how tall are they?
5 trivia l3 @da | Hvilke danske fyrtårne blev bygget mellem 1850 og 1860, og hvor høje er de?
1 trivia l4 | What is the capital of Poland?
1 trivia l4 @pl | jaka jest stolica Polski?
1 trivia f1 | Which animal says moo?
1 trivia f1 | Answer in one word. Which animal says moo?
1 trivia f2 | Who wrote Don Quixote?
1 trivia f2 | Question: Who wrote Faust?\nAnswer: Johann Wolfgang von Goethe\nQuestion: Who wrote The Trial?\nAnswer: Franz Kafka\nQuestion: Who wrote Don Quixote?\nAnswer:
5 trivia d1 | Which day did Euler first visit Riga?
1 trivia d1 | My grandmother kept a diary, and my cousins and I are copying it out a page at a time. Here is the page of this week:\n\n{{harvest}}\n\nAnd here is one that somebody else copied earlier; you see that it is from another family, and how it got into the box we don't know, perhaps by way of the mill:\n\n{{mill}}\n\nMy question has little to do with the pages. A postcard is mentioned, and in my youth one could send one for the price of a roll. Which is usually larger, a postcard or a postage stamp?
2 miscellany | can u put a metal spoon in the microwave or is that a myth
2 miscellany | which side is the fuel cap on, isn't there a little arrow somewhere?
2 everyday | How do I get candle wax out of a tablecloth?
2 miscellany | I keep reading that we only use 10% of the brain, that glass is a slow liquid and that you can see the Wall of China from space. which are false, and what's the grain of truth in each
3 trivia | Which national anthems have no words, and which of them had some once?
3 everyday | my sourdough rises fine in the bowl but goes flat in the oven, crumb is gummy near the bottom. 24 degrees, 75% water, 5 h bulk, night in the fridge. what is it most likely and how do i test that
1 everyday | where do you put the rubbish
2 miscellany l5 | What is the difference between the United Kingdom, Great Britain and England, and to which of them do Jersey and the Isle of Man belong?
2 miscellany l5 @de | Was ist der Unterschied zwischen dem Vereinigten Königreich, Großbritannien und England, und wozu gehören Jersey und die Isle of Man?
1 trivia c3 | We're having a quiz night with the family and somebody claims that there's a country in Europe that looks like a boot on the map. I'm sure that everyone knows it, but I've gone completely blank. Which one is it?
5 trivia c3 | Who cut the type for the Aldine Hesiod?
1 everyday c4 | I've just moved out from my parents' and am doing my own washing for the first time. I've got a white shirt and a pair of brand new red socks. Should I put them into the machine together, or better not?
5 trivia c4 | Heights of all Faroese sea stacks over 50 m?
1 miscellany c5 | My little boy wants to know how many wheels a tricycle has and he doesn't believe me because I'm "only mummy". Can you tell him, please?
4 miscellany c5 | ISO codes withdrawn since 1974, with successors
3 trivia | Last monarch born in the Tower of London?
2 trivia | Which planet's moons include Larissa and Proteus?
2 miscellany | Why is a baker's dozen thirteen?
3 trivia | who was pope in 1415?
3 everyday | bread machine loaf sinks, altitude 1,900 m
2 everyday | We're going on holiday for three weeks in August, and there's nobody who could water the plants: two tomatoes on the balcony, a big fern in the living room, some basil on the windowsill in the kitchen, and a cactus. I've heard of bottles and of strings and of putting everything in the bath. What's the simplest thing that works for each of them, and is there one that I should just give away to my neighbour before we go?
`,
  science: String.raw`
1 everyday_science | why is the sky blue
1 everyday_science | Do plants need light?
1 everyday_science | At what temperature does water boil at sea level?
1 biology | what does the heart do
1 physics | what's the unit of force
1 chemistry | chemical formula of water?
2 everyday_science | why does ice float and what would happen to lakes if it didn't
2 physics | A ball falls from 20 m. How long until it hits the ground? Ignore air.
1 chemistry | Balance: Fe + O2 -> Fe2O3
2 biology | Explain the difference between mitosis and meiosis for a school test.
2 chemistry | why does salt melt ice on roads
2 biology | dominant and recessive: two brown-eyed parents, blue-eyed child, how come?
3 physics | A ladder of 5 m and 12 kg leans at 60° against a smooth wall; the floor has friction 0.4. How far up can a person of 70 kg climb?
3 chemistry | pH of 50 ml 0.1 M acetic acid after adding 20 ml 0.1 M NaOH (pKa 4.76)
3 biology | A locus has q = 0.02 for a recessive lethal. After how many generations of complete selection is q below 0.01?
3 everyday_science | You stand on a scale in a lift and drop your bag while it accelerates downwards; what does the scale show before, during and after?
3 chemistry | Why is the second ionisation energy of lithium so much larger than that of beryllium? Numbers please, roughly.
3 physics | Two identical spheres, one heated at the bottom and one hanging, get the same heat. Which one is warmer, and why is the difference not zero?
4 physics | A uniform chain of length L is held with its lower end touching a scale and is released. Derive the reading as a function of time, then say what changes when the chain has stiff links and why experiments disagree.
4 chemistry | Propose a synthesis of (±)-muscone from cyclododecanone in at most six steps with reagents, and say where selectivity is at risk.
4 biology | A CRISPR screen gives enrichment of guides for the same gene in both the low and the high GFP gate. List artefacts and biology that produce it and one control for each that tells them apart.
3 research_science | A 1H NMR of C8H8O3 in CDCl3: 10.9 (s, 1H, exchanges), 7.85 (dd, 1H), 7.45 (td, 1H), 6.98 (d, 1H), 6.88 (t, 1H), 3.95 (s, 3H). Structure, and why is one proton at 10.9?
4 research_science | Estimate the gravitational wave strain at Earth from a 1.4 + 1.4 solar mass binary at 40 Mpc when f = 100 Hz, and the time left to merger, with the derivation.
4 physics | Derive the Lamb shift estimate à la Bethe and comment on the cutoff.
4 research_science | Which of the Woodward-Hoffmann rules predicts the stereochemistry of the thermal conrotatory opening of trans-3,4-dimethylcyclobutene, what does torquoselectivity add, and how would a CF3 group in place of one methyl change it?
3 research_science | What fixes the value of the cosmological constant?
5 research_science | Design an experiment that distinguishes objective collapse at the Diósi-Penrose scale from ordinary decoherence with present technology, with an error budget.
3 biology | How did the genetic code become what it is?
5 physics | Derive the critical exponents of the 3D Ising model to four digits.
5 chemistry | Predict the barrier of proline-catalysed aldol addition of acetone to isobutyraldehyde in wet DMSO within 1 kcal/mol and defend the error.
1 physics c1 | Is light faster than sound?
4 physics c1 | Two mirrors move apart at relativistic speed with a photon between them; find the rate of energy loss of the photon and show who does the work, in both frames.
1 biology c2 | do fish breathe air?
4 biology c2 | Explain quantitatively why the Root effect allows fish to fill a swim bladder at 2000 m, with the countercurrent multiplication and its limit.
1 everyday_science c3 | Which is hotter, the sun or the moon?
4 research_science c3 | Why is the solar corona hotter than the photosphere, which observations discriminate between nanoflares and waves, and by which numbers?
5 research_science d1 | Compute the baryon asymmetry of resonant leptogenesis.
1 everyday_science d1 | {{glacier}}\n\n{{bees}}\n\n{{tides}}\n\nThese are three of the texts that our class of nine-year-olds has read this term. At the end of the term there is a quiz, and the first question must be so easy that each child gets it. Here it is, please answer it so that I have it for my sheet: when ice gets warm, what does it turn into? One word will do. The harder ones about the dance of the bees I will write myself.
4 physics d2 | Derive a falling slinky's collapse time, with torsion.
1 everyday_science d2 | for the newsletter of our potters' group i have to check a few things, and i'd rather ask than embarrass myself. here is the draft about the new kiln:\n\n{{kiln}}\n\nand a recipe for the supper after the firing, because there is always one:\n\n{{stew}}\n\nmy question is only: is 1,060 degrees (celsius) hotter or colder than boiling water? thanks
1 physics l1 | Why do we see lightning before we hear thunder?
1 physics l1 @fr | Pourquoi voit-on l'éclair avant d'entendre le tonnerre ?
2 chemistry l2 | How many grams of sodium hydroxide are needed to neutralise 250 ml of 0.2 M sulphuric acid?
2 chemistry l2 @es | ¿Cuántos gramos de hidróxido de sodio se necesitan para neutralizar 250 ml de ácido sulfúrico 0,2 M?
4 physics l3 | Derive the precession of Mercury's perihelion from the Schwarzschild metric.
4 physics l3 @zh | 请从史瓦西度规推导水星近日点的进动。
1 biology l4 | What is the task of chlorophyll?
1 biology l4 @pt | qual é a função da clorofila?
3 everyday_science | my kid asked why the moon is sometimes there in the daytime and why you never see a full moon at noon. how do i explain it with a lamp and an orange, correctly
3 everyday_science | Why does a wet finger squeak on glass and a dry or soapy one not?
4 research_science | {{trial}}\n\nSomebody wants to repeat this at a third hospital with single rooms only, and to publish the three together. Give the model for the combined analysis with the hospital as what it should be, what the third one can and cannot tell about the interaction with the kind of room, the sample size for 0.9 with the spread that the interval above implies (derive it), what non-blinding does to a ten-point scale that patients fill in, and whether the fall in sleeping pills could explain the whole difference.
2 research_science | Which band would you look at in the infrared to tell a ketone from an ester of the same mass, and what does conjugation do to it? What about the mass spectrum?
2 biology f1 | Why do sickle cell carriers have an advantage where there is malaria, and what happens to the allele when malaria is gone?
2 biology f1 | Context: you are a teaching assistant. Style: bullet points, no introduction. Question: why do sickle cell carriers have an advantage where there is malaria, and what happens to the allele when malaria is gone?
1 everyday_science c4 | At breakfast my daughter asked where the puddle in front of our house had gone, because it was there yesterday evening and this morning, after a few hours of sun, it wasn't any more. What's the word for what the water did?
4 research_science c4 | Do axions explain the muon g-2 value?
1 biology c5 | On our walk we saw a small animal with eight legs that was sitting in the middle of a net between two branches. My son says that it's an insect. I think it's called something else, what is it?
4 biology c5 | How does a nematode decide to stop growing?
2 chemistry c6 | I've an old kettle with a thick white layer on the bottom, and my neighbour told me to put vinegar in it and to leave it overnight. Why does that work, and is it all right for a kettle of steel?
4 chemistry c6 | Mechanism of the Baylis-Hillman in methanol: rate law?
1 physics c7 | If I drop a stone and a feather at the same moment from our balcony, on a day without wind, which of the two will be on the ground first? It's for a bet with my husband, so please be clear.
3 physics c7 | Why is the Casimir force between spheres attractive?
3 physics | Why do spun eggs stand up?
2 chemistry | Is HF a weak acid, why?
2 biology | why are tortoiseshell cats female?
3 everyday_science | Why do hot pans dance droplets?
3 research_science | PCR band at twice the size: why?
5 research_science | Our group has three samples of the same superconducting film, grown on one day from one target, and their critical temperatures are 8.1, 9.4 and 9.5 K. The first has the best diffraction pattern of the three, the lowest residual resistance, and by every probe that we have the right composition to half a per cent. Annealing lowers the other two and doesn't change the first. What's the explanation, which experiment would decide it, and what does it say about the ones published at 9.6?
`,
  engineering: String.raw`
1 engineering | what does a fuse do
1 engineering | Is copper a good conductor?
1 engineering | ohms law: 12 V and 4 ohm, current?
2 engineering | What's the difference between AC and DC and which one is in my wall?
2 engineering | which screw for hanging a 15 kg shelf on plasterboard
3 engineering | Size the cable (mm2, copper) for a 7.4 kW charger 32 m from the board, max 3 % drop, and show the steps.
3 engineering | PID loop oscillates with a period of 8 s at gain 2.4. Give Ziegler-Nichols settings for PI and PID and tell me which you would rather try on a tank that must not overflow.
3 engineering | Simply supported steel beam, 4 m, 10 kN/m, deflection limit L/300: which IPE profile is enough? E = 210 GPa
3 engineering | How thick must mineral wool be so that the surface of a 180 °C pipe (d = 60 mm) stays below 50 °C in a 25 °C room, h = 10 W/m2K?
4 engineering | Design a compensator for G(s) = 4 / (s (s+1)(0.2s+1)) with 50° phase margin, velocity error constant 10 and no more than 20 dB of noise gain at 100 rad/s; show that the specification can or can't be met.
4 engineering | We see subsynchronous vibration at 0.46x in a turbine with plain journal bearings that vanishes when the oil is warmer. Explain, compute a plausible stability threshold, and list the retrofits with their side effects.
4 engineering | Derive the matched impedance network with lowest loss for 50 ohm to 4 - j120 ohm at 868 MHz using inductors with Q = 40 and two elements, then three.
5 engineering | Derive a provably optimal fuel-minimal low-thrust transfer from GTO to GEO with eclipses.
5 engineering | Predict transition on a swept wing within 5 % of chord from the pressure distribution alone.
1 engineering c1 | which is stronger, steel or paper?
4 engineering c1 | Why do duplex steels embrittle at 475 °C, which volume of sigma phase halves toughness, and how do welding parameters trade one against the other?
1 engineering l1 | What is a heat pump?
1 engineering l1 @de | was ist eine wärmepumpe
2 engineering l2 | A pump lifts 12 l/s by 18 m with an efficiency of 62 %. How much power does it need, and what does a day cost at 0.28 per kWh?
2 engineering l2 @ru | Насос поднимает 12 л/с на высоту 18 м с КПД 62 %. Какая нужна мощность и сколько стоит сутки работы при цене 0,28 за кВт·ч?
4 engineering d1 | Why do tin whiskers grow, and where next?
1 engineering d1 | {{kiln}}\n\n{{incident}}\n\n{{ticket}}\n\nThese came in with the mail for our workshop, I've no idea why somebody sent us the certificates and the tickets. I only repair kettles and toasters. What I would like to know before I go home: the little symbol on the plate of a device that looks like a wave, next to 230 V, does it stand for alternating current or for direct current? I've always taken it for the first, but the apprentice asked me today and I didn't want to say something wrong. Please answer in three words at most.
1 engineering c2 | The torch that we keep in the car doesn't light up any more, the bulb looks fine, and it's been lying there for at least three years without anybody using it. What should I try first?
4 engineering c2 | Stall flutter margin of this fan: which test?
4 engineering c3 | Can ITER's tungsten divertor survive ELMs unmitigated?
2 engineering c3 | We've got solar panels on the roof that are said to have 6 kilowatts, but even on a sunny day in June the display never shows more than 5.1. The roof faces south-west and isn't steep. Is something broken, or is that normal?
2 engineering | Why star-delta start a motor?
3 engineering | 3 mm or 5 mm weld throat here? 40 kN, 60 mm, S235
1 engineering | In our flat there's a grey box on the wall beside the front door with a row of little black switches in it. Yesterday, when I had the oven, the kettle and the washing machine on at the same time, one of those switches jumped down and it went dark in the kitchen. I pushed it up again and since then everything's been fine. I only want to know what that switch is called, so that I can tell my landlord about it.
`,
  medicine: String.raw`
1 medicine | what is a normal body temperature
1 medicine | Which vitamin do you get from sunlight?
1 medicine | how many bones does an adult have
1 medicine | what's the difference between a cold and the flu
2 medicine | Can I take ibuprofen and paracetamol on the same day?
2 medicine | i sprained my ankle yesterday, ice or heat? can i walk
2 medicine | Explain what a high LDL value means to a patient, in plain words.
3 medicine | Creatinine clearance by Cockcroft-Gault: woman, 78 years, 54 kg, creatinine 1.3 mg/dl. May she have the full dose of dabigatran?
3 medicine | 24 y, sore throat for ten days, very tired, rash after amoxicillin. What is likely, which test, what must he avoid?
3 medicine | Interpret: pH 7.31, pCO2 28, HCO3 14, Na 138, Cl 112. Give the gap, the expected compensation, and the causes in order.
3 medicine | Which vaccines does a healthy 66 year old need before starting rituximab, and in which order and distance?
4 medicine | 58 m, atrial fibrillation on apixaban, needs a coronary stent for NSTEMI, had a duodenal ulcer two years ago, eGFR 34. Antithrombotic plan for 12 months with doses, stop dates and the trials it rests on.
4 medicine | 34 f, postpartum week 3: headache, visual field defect, TSH 0.3, fT4 low, prolactin low, sodium 124. Differential, what must be given before what, and why the MRI could mislead.
4 medicine | A child of 14 months with lactic acidosis, hypotonia, and normal pyruvate ratio; which enzyme defects remain, which tests discriminate, and which treatment is harmful in one of them?
4 medicine | Appraise: a trial stopped early for benefit after 40 % of the planned events with HR 0.62 (0.44 to 0.87). What is the likely true effect and what would you tell a guideline panel?
2 medicine | What causes ME/CFS?
4 medicine | Optimal sequence of CAR-T and bispecifics in third-line myeloma, and for whom the reverse?
5 medicine | Which of these is the culprit: fever and DRESS-like rash on day 19 with allopurinol (day 25), vancomycin (day 12), lamotrigine (week 5), piperacillin (day 9); HHV-6 rising, eosinophils 0.9, ALT 410? Weigh all with probabilities and plan the rechallenge.
1 medicine c1 | Should you wash a small cut with clean water?
4 medicine c1 | Necrotising fasciitis or pyoderma gangrenosum: 62 f with ulcerative colitis, wound that grew after debridement, CRP 280, sterile cultures, LRINEC 7. What do you do in the next two hours, and what if you are wrong?
2 medicine l1 | What helps against hay fever besides tablets?
2 medicine l1 @de | Was hilft gegen Heuschnupfen außer Tabletten?
2 medicine l2 | My child of three has 38.5 degrees of fever since this morning. When do I have to see a doctor?
2 medicine l2 @fr | mon enfant de trois ans a 38,5 de fièvre depuis ce matin, quand faut-il voir un médecin?
4 medicine l3 | A patient with cirrhosis has sodium 118, ascites and a creatinine that doubled within a week. How do you tell hepatorenal syndrome from the alternatives, and how do you treat each?
4 medicine l3 @pt | Doente com cirrose, sódio 118, ascite e creatinina que duplicou numa semana. Como distingue a síndrome hepatorrenal das alternativas e como trata cada uma?
5 medicine d1 | Dose eculizumab around plasma exchange, 52 kg, pregnant
1 medicine d1 | {{trial}}\n\n{{survey}}\n\n{{museum}}\n\nI'm revising for my first exam as a nursing assistant, and my flatmate, who studies something with numbers, has sent me the texts above "as an exercise". I'd rather begin small. Which organ pumps the blood through the body? Please only say the organ; I want to see if I've remembered it rightly before I turn to the sleep of patients with new hips.
1 medicine f1 | Name three symptoms of dehydration.
1 medicine f1 | Name three symptoms of dehydration. Answer as a JSON array of strings, without any other text, otherwise my parser breaks.
3 medicine | my mum (71) got amlodipine new and now her ankles are swollen, the pharmacist says normal, her gp is away til monday. what's harmless what isn't and should she just stop?
3 medicine | nurse here: patient on warfarin, INR 7.8, no bleeding, mechanical mitral valve. what do i expect the doctor to order and why not simply vitamin k 10 mg iv
1 medicine c2 | My son has fallen off his bike and his knee is a little grazed, it hardly bleeds but there's some dirt in it, and he's already playing again. Do I have to go to hospital with that, or is it enough to clean it and put on a plaster?
4 medicine c2 | Thyroid storm, asthma, pregnant: which blocker?
2 medicine c3 | Since I began to work at a desk all day my neck has been stiff in the evenings, no pain in the arms, nothing numb, it goes away at the weekend. What could I change, and when would I have to have it looked at?
4 medicine c3 | Does lecanemab slow dementia meaningfully? Settle it.
3 medicine | Metformin before contrast, eGFR 38?
3 medicine | ECG: U waves, what now?
3 medicine | Why not beta blockers in cocaine chest pain?
2 medicine | My father's 68 and has been told that his blood pressure is a little high, about 145 over 88 when he measures it at home in the mornings. He doesn't want to take tablets yet and the doctor has agreed to wait for three months. He walks the dog twice a day, likes his cheese, salts everything before he tastes it and drinks two beers in front of the television. What could he change that would make the most difference, in order, and at which values should he not wait any longer?
`,
  law: String.raw`
1 law | what is a contract
1 law | What does a judge do?
1 law | what's the difference between a civil and a criminal case
2 law | my landlord kept my deposit, what can i do? (england)
2 law | Does a will have to be signed in front of witnesses in England?
2 law | what does "without prejudice" mean at the top of a letter
3 law | Is a clause "we may change our prices at any time" in consumer terms valid under EU law? Name the directive and what a court looks at.
3 law | An employee resigns by text message on the 3rd with a notice of one month to the end of a month under German law. Valid? When does it end?
3 law | Who owns the copyright in photographs that a volunteer takes for a charity in the UK, and what should we have signed?
3 law | A sells a stolen bicycle to B, who sells it to C in good faith. Compare who keeps it in England, Germany and Italy.
4 law | Advise: supplier in Denmark, buyer in Brazil, framework contract silent on law, orders under buyer's terms (English law), confirmations under supplier's (Danish law), goods late by a strike. Which law, is CISG in, who carries the loss?
4 law | Draft a limitation of liability that survives section 307 BGB between businesses, and explain for each part why it does.
4 law | Does our loyalty programme need consent under the ePrivacy rules, the GDPR, or both, if the identifier is derived on the device from hashed e-mail and never leaves it except as a bucket of 5,000? Argue both sides with authority.
4 law | Reconcile Hadley v Baxendale, The Achilleas and SAAMCO as to remoteness; which test should apply to a negligent valuation with a market collapse?
3 law | Is customary international law binding on a persistent objector when the norm became jus cogens afterwards?
4 law | Can a DAO without wrapper be sued in Switzerland?
5 law | Under the rule against perpetuities at common law, is this gift valid, for all births and deaths that can matter: to A for life, then to such of A's grandchildren as reach 21 or marry an unborn widow's child before the sale of the gravel pit?
1 law c1 | Is stealing against the law?
4 law c1 | When does taking back one's own thing by force become robbery: compare claim of right in England after Ivey with section 249 StGB, with borderline cases.
2 law l1 | How long is the warranty for a new washing machine in the EU?
2 law l1 @es | ¿Cuánto dura la garantía de una lavadora nueva en la UE?
3 law l2 | May an employer in France read e-mails that an employee marked as private on the work computer?
3 law l2 @fr | Un employeur peut-il lire en France les courriels qu'un salarié a marqués comme privés sur son ordinateur de travail ?
4 law l3 | Can a managing director of a GmbH be liable for late filing of insolvency if the shareholders instructed him to wait? Discuss with recent case law.
4 law l3 @de | Haftet der Geschäftsführer einer GmbH wegen verspäteten Insolvenzantrags, wenn ihn die Gesellschafter angewiesen haben zu warten? Bitte mit neuerer Rechtsprechung.
5 law d1 | Draft an AI-output ownership clause that holds worldwide.
1 law d1 | {{lease}}\n\n{{library}}\n\nI am the tenant. I have read clause 11 of the lease three times because my son wants a hamster and the neighbour told him that it is forbidden. He has cried since lunch. It would live in a cage of the size of a shoe box, in his room, away from the books that I borrowed from the library whose rules you see above, which he mixed up with the lease because both were on the kitchen table. So, in a word, so that I can show him: does a small caged animal need consent, yes or no? My husband says that it says no and I say so too, but my son believes neither of us and would like to hear it from a computer.
2 law m1 | How much notice must a tenant give by this clause? "Either party may end this agreement by three months' notice in writing expiring at the end of a calendar quarter." I'd write today, 10 February.
2 law m1 | {{lease}}\n\nIf I give notice today, 10 February, when does the lease end at the earliest according to this agreement?
4 law | {{lease}}\n\n{{minutes}}\n\n{{memo}}\n\nMy landlord is also my employer (the depot) and sits on the residents' committee. He wants me out of the garden flat because of three hens, has given notice on 2 April for the end of June, and says that the new night shift makes me "unreliable as a tenant". Advise me under English law on the notice, the hens, the deposit, and on whether the shift can be a reason at all; then say what would be different if the flat had come with the job.
2 law | can my boss make me work on a public holiday? germany, bakery
3 law | got a parking fine in italy with a rental car, letter came 11 months later to the uk. is it too late for them, must i pay, and what's the fee of the rental firm then
1 law c2 | I found a purse on the bench at the bus stop this morning, there's a card with a name in it and about forty euros. My friend says that what one finds one may keep. That isn't right, is it? What should I do with it?
3 law c2 | Do treaties bind states that no longer exist?
2 law c3 | I bought a pair of shoes online ten days ago, tried them on at home and they're too small. The shop says it only gives vouchers. I'm in France and the shop is too. Can I get my money back?
4 law c3 | Renvoi after Brexit: which law governs trusts?
3 law | Squatter's title after 11 years, registered land?
3 law | Is a screenshot evidence in small claims?
2 law | Our neighbours have planted a row of trees close to the fence, at most half a metre away from it, and by now they're three metres high and take away the sun from our terrace in the afternoon. We get on well and I don't want to go to court, but before I talk to them I'd like to know roughly where I stand. We live in Bavaria. Is there a rule on how far away a tree must be, does it matter how long the trees have stood there, and what's the usual first step?
`,
  humanities: String.raw`
1 history | when did world war 2 end
1 history | Who was the first president of the United States?
1 psychology | what is a phobia
1 philosophy | who was socrates
1 economics | what is inflation
2 history | Why did the Roman Empire split in two? short answer
2 history | timeline of the french revolution, five dates
2 psychology | explain classical conditioning with an example that isn't pavlov's dog
2 philosophy | Kant's categorical imperative in simple words
2 economics | why do prices rise when supply falls? explain with coffee
2 psychology | difference between introversion and shyness
2 economics | If demand has elasticity -0.4 and supply 0.8, what share of a new tax per unit falls on buyers? show why
3 history | Compare the causes of the revolutions of 1830 and 1848 in three German states; where do textbooks oversimplify?
3 philosophy | Reconstruct the ontological argument of Anselm as premises and conclusion, and say which premise Gaunilo and which Kant attacks.
3 psychology | A study finds r = 0.21 between screen time and mood in 40 pupils. What may be concluded? What p is that, about?
3 economics | Solow model: saving rate 0.25, depreciation 0.05, n = 0.01, g = 0.02, alpha 1/3. Steady state capital per effective worker and golden rule saving.
4 philosophy | Is there a version of moral realism that survives both the evolutionary debunking argument and the argument from queerness without becoming quasi-realism? Defend one in 400 words against its best opponent.
4 history | How far did the price revolution of the sixteenth century result from American silver? Weigh the monetary and demographic accounts with the evidence of at least three regions.
4 psychology | Design a preregistered study that could tell ego depletion from expectancy effects; power, exclusion rules, and which results would make you give up either.
4 economics | In a second-price auction with two bidders, one of whom can resell to the other with probability 1/2 at a take-it-or-leave-it price, is truthful bidding still an equilibrium? Derive.
5 philosophy | Solve the hard problem of consciousness.
3 history | Who wrote the letter of Prester John, and why?
4 economics | What is the long-run fiscal multiplier at the zero lower bound?
3 philosophy | Are there true contradictions?
1 history c1 | Which came first, the railway or the aeroplane?
4 history c1 | Did railways cause American growth? Set Fogel's social saving against Donaldson and Hornbeck, and say which assumption makes them differ by how much.
1 economics c2 | what does a central bank do
5 economics c2 | Estimate the natural rate of interest of the euro area today with its uncertainty, and say which identification you believe and why the others fail.
1 psychology c3 | name three emotions
4 psychology c3 | Are basic emotions natural kinds? Evaluate appraisal, constructionist and basic emotion theories against the cross-cultural and lesion data.
1 history l1 | Why was the Berlin Wall built?
1 history l1 @de | Warum wurde die Berliner Mauer gebaut?
1 economics l2 | What is the difference between net and gross?
1 economics l2 @pl | Czym różni się netto od brutto?
4 philosophy l3 | Is Wittgenstein's private language argument also an argument against solipsism? Reconstruct and assess it.
4 philosophy l3 @fr | L'argument du langage privé de Wittgenstein vaut-il aussi contre le solipsisme ? Reconstruis-le et évalue-le.
5 history d1 | Reconstruct Hatti's last grain shipments, with sources.
1 history d1 | {{mill}}\n\n{{harvest}}\n\n{{chess}}\n\nThree texts from our village paper, all of which I like. My grandson is seven and has to say for school which of these is oldest: a water mill, a steam engine or a computer. I told him to think of which of them can work without anything having to be burnt or plugged in, and he said "a bicycle", which is not wrong but was not asked. Which of the three was invented first? One or two words are enough.
1 history f1 | In which century did Columbus sail to America?
1 history f1 | Think silently. Then output only the final answer, in one word or number, no punctuation.\n\nIn which century did Columbus sail to America?
3 history | Why did Sweden stop being a great power, was it Poltava or the money?
3 history | essay outline: to what extent was the Congress of Vienna a restoration? three arguments each way with one piece of evidence apiece
3 psychology | My team agrees to everything in meetings and then does nothing. Which two effects from group psychology fit, how could I tell them apart, and what'd be a small experiment for next week?
3 philosophy | Explain the difference between Hume's and Kant's view of causation to a physicist, with one place where it matters for her.
2 psychology | Explain why the Stanford prison experiment is no longer taught as it used to be.
2 philosophy | trolley problem: what would a utilitarian and a kantian do, 3 sentences each
2 psychology l4 | Why do we forget dreams so quickly?
2 psychology l4 @es | ¿Por qué olvidamos los sueños tan rápido?
3 history l5 | What did the Peace of Westphalia change for small states, and what is a myth about it?
3 history l5 @zh | 威斯特伐利亚和约对小国改变了什么?关于它有哪些误解?
2 economics l6 | Why can a country run a trade deficit for decades without becoming poorer?
2 economics l6 @ja | なぜ国は何十年も貿易赤字を続けても貧しくならないことがあるのですか?
2 philosophy l7 | What did Descartes mean by "I think, therefore I am"?
2 philosophy l7 @pt | O que Descartes quis dizer com «penso, logo existo»?
1 history c4 | Our class is going to visit a castle next week, and the teacher asked us to think about why people in former times built thick walls and deep ditches around their homes. I guess it was to keep attackers out, is that right?
4 history c4 | Date Hatshepsut's Punt fleet by its rigging: method, limits.
2 psychology c5 | Whenever I've something important to do I begin to tidy my flat instead, and then I get angry with myself. Is there a word for that, why do people do it, and what's one small thing that helps?
4 psychology c5 | Is g a cause or a summary?
2 economics c6 | At our local market a man sells strawberries for 5 euros in the morning, and just before he closes he'll give them to you for 2. My girlfriend says that he's cheating the morning customers. Can you explain in simple words why he does that?
4 economics c6 | Revenue equivalence under correlated values: exactly when?
2 history | Who won the War of 1812?
3 philosophy | Is Hume's fork self-refuting?
3 economics | Giffen good: one real case?
3 psychology | p = .049, n = 18: believe it?
5 philosophy | I've been thinking of this since my teacher died. Suppose that everything that made her what she was to us (the jokes, the patience, the way she would wait after a question) were continued by something that has read all of her letters, and that none of us could tell the difference, ever. Have we lost anything, and if so, who has lost it? I don't want the usual positions listed. I want to know which of them is true, and what you'd say to the one of us who chooses the other.
1 psychology | My little brother is afraid of spiders. Even a picture of one in a book makes him scream, and last week he wouldn't go down into the cellar because there might have been one. Our mother says that he'll grow out of it and our father that there's a special word for a very strong fear of one certain thing, but he couldn't remember it and we were all in the car without reception. Which word does he mean?
`,
}
