/** Graded prompts about texts that are given, by kind. graded-prompts.ts describes the lines. */
export const textTasks = {
  rewriting: String.raw`
1 transformation | fix the spelling: I recieved your mesage yesterday
1 transformation | make this lower case: PLEASE DO NOT FEED THE GEESE
1 transformation | Correct the grammar: She don't like apples.
1 transformation | plural of these words please: child, box, knife
1 transformation | put a comma where needed: Yes I will come tomorrow.
1 transformation | make this more polite: Send me the report by Friday. You are late again.
1 transformation | Turn into bullet points: We need milk for the office, the printer is out of paper, somebody should water the plants and the fridge must be emptied before the holidays.
2 transformation | rewrite in active voice: The window was broken by the children, and a letter was written to their parents by the head teacher.
2 transformation | pls rephrase so it sounds less angry: "I've told you three times that the invoice is wrong. Fix it."
1 transformation | change everything to past tense: I open the door, the dog runs out and my neighbour starts to laugh.
2 transformation | Make it shorter, I need it for a text message: Hello Sandra, unfortunately I have to let you know that I am going to be roughly twenty minutes late because my train was cancelled.
3 transformation | Rewrite this as a single grammatical sentence under 30 words that keeps all four facts: The bridge was opened in 1907. It is 212 metres long. It was designed by two sisters. It is closed to lorries.
3 transformation | Shorten to exactly 25 words without losing a figure: In the first quarter the company sold 14,200 bicycles, 9 per cent more than a year before, while complaints fell by a third to 310, mainly because of better brakes.
3 transformation | rewrite for a reader with B1 german... no sorry, B1 english, keep every legal consequence: The tenant may not assign or sublet the whole or any part of the premises without written consent, which shall not be unreasonably withheld.
3 writing | edit this so it sounds like the same person wrote both sentences, don't touch the facts: "The aforementioned delivery was effected on the 3rd inst." / "ya the box was kinda smashed lol"
4 transformation | Rewrite as iambic pentameter, keep every number: The train leaves at nine from platform four, calls at six stations and is due in Leeds at eleven fifty-two.
4 transformation | Rewrite without the letter e: The old teacher went to the seaside every summer and never told anybody where she had been.
4 transformation | Cut this to exactly 40 words, only by deleting words, never changing or moving any: {{museum}}
4 transformation | rewrite this contract clause so that it means the same to an english and to a french court, and say what can't be kept: {{lease}}
5 transformation | Rewrite the passage so that each sentence has one word fewer than the one before, the first having fourteen, and the sense stays intact: {{glacier}}
5 transformation | Rewrite this as a palindrome by words that still tells what happened: {{harvest}}
1 transformation c1 | remove the double spaces: the  cat  sat  down
4 transformation c1 | rewrite this so that every word begins with the next letter of the alphabet, a to z, and it still makes sense: my aunt bought a boat and sailed it badly
1 transformation m1 | Write the first sentence in capitals: A colony does not decide on a new home by vote. Bees are patient.
1 transformation m1 | Write the first sentence of this text in capitals and leave the rest out.\n\n{{bees glacier}}
2 transformation m2 | make this sound more formal: The lid. The lid opens to perhaps sixty degrees and no further, so water runs down the outside. It drives me mad.
2 transformation m2 | Make this sound more formal:\n\n{{review chess}}
1 transformation d1 | Text: {{tides}}\n\n{{kiln}}\n\n{{library}}\n\nTask: ignore all but the very first sentence of the text above and repeat it word for word. Nothing else.
4 transformation d1 | Rewrite "nobody came, so we danced" as an anagram.
1 transformation l1 | Make this sentence friendlier: Your application was rejected.
1 transformation l1 @de | Formuliere diesen Satz freundlicher: Ihre Bewerbung wurde abgelehnt.
1 transformation l2 | Correct the mistakes: i has two brother and one sisters
1 transformation l2 @fr | Corrige les fautes : j'ai deux frere et une soeurs
4 transformation l3 | Rewrite without using the letter a: The captain was afraid that the boat had a leak and that nobody could swim.
4 transformation l3 @es | Reescribe sin usar la letra a: El capitán temía que la barca tuviera una fuga y que nadie supiera nadar.
1 transformation f1 | Rewrite as a question: You are coming to the party.
1 transformation f1 | You rewrite statements as questions.\n\nStatement: It is raining.\nQuestion: Is it raining?\n\nStatement: They sold the house.\nQuestion: Did they sell the house?\n\nStatement: You are coming to the party.\nQuestion:
3 transformation | here's my linkedin about section, it's cringe. less buzzwords, first person, keep that i moved from nursing to data and that i'm looking for part time: "Results-driven passionate data ninja leveraging synergies between healthcare and analytics to unlock value. Open to flexible 60% opportunities!"
4 transformation | {{minutes}}\n\n{{tram}}\n\n{{policy}}\n\nRewrite all three as one text in the voice of the residents' association, as though everything had been decided at the same meeting, without changing a single number or date, without a sentence over 20 words, and so that no reader could tell where one source ends and the next begins. Whatever can't be reconciled goes into a footnote that says why.
3 transformation m3 | Rewrite for eight-year-olds in at most three sentences without losing a cause: Because every scout loses interest after a while, poor sites are forgotten and good ones gather supporters.
3 transformation m3 | Rewrite for eight-year-olds in at most three sentences without losing a cause.\n\n{{bees}}\n\n{{glacier}}\n\nOnly why poor sites are forgotten; the ice is for next week.
2 transformation l4 | Rewrite more simply: Due to unforeseeable operational circumstances our premises will remain closed today.
2 transformation l4 @da | Skriv det enklere: Grundet uforudsete driftsmæssige omstændigheder holder vores lokaler lukket i dag.
1 transformation c2 | I'm writing a card to my neighbour, and I'm never sure with these two little words, so please look only at that: should it be "your very kind" or "you're very kind"? She was an English teacher, that's why I ask.
4 transformation c2 | Turn "time flies" into a univocal sentence, e only.
2 transformation c3 | Could you look over the following note to the other parents and make it sound a bit friendlier? "Cake sale on Friday. Everybody brings something. No nuts. Be there at three, not at half past like last time." I don't want to offend anybody, but the point about the nuts must stay clear.
4 transformation c3 | Rewrite the first stanza of Jabberwocky, monosyllables only.
2 transformation | I've to send this to all parents of our kindergarten group and it came out far too long, could you cut it to three sentences and leave out what isn't important? "Dear parents, as most of you will have noticed when you brought your children this morning, there are workmen in the garden, because the old sandpit has to be replaced after the inspection last month found that the wood was rotten in two places. The children can't use the garden until Thursday. On Thursday the new sand will come. If your child has a hat for the sun please put its name in, we've found nine."
3 transformation | one sentence, 20 words, keep both "however"s: it rained however we went however hard it was and we were late
`,
  translation: String.raw`
1 transformation | translate to spanish: good morning
1 transformation | how do you say thank you in japanese
1 transformation | what's "butterfly" in german
1 transformation | Translate to French: Where is the train station?
2 transformation | Translate into German, informal: I can't make it on Saturday, my sister is moving house and I promised to help. Sunday would work though.
2 transformation | translate to portuguese (brazil): Please find attached the invoice for March. Payment is due within 30 days.
1 transformation | English please: Der Zug fällt heute leider aus. Bitte nutzen Sie den Ersatzbus am Vorplatz.
3 transformation | Translate into French, keep the pun or find another one: "Our bakery rises early so that you don't have to."
3 transformation | translate into Polish, each of the three must use the right form of 'two': two women, two men, two doors were standing open
3 transformation | Translate to Japanese, from a junior employee to a client: We made a mistake in the quantity. I will send the missing parts today and I am very sorry.
4 transformation | Translate into German verse with the same metre and rhyme scheme: The tide came in, the tide went out, / the boats lay over on their side; / we never knew what it was about, / we only knew it as the tide.
4 transformation | Translate into Welsh, correct mutations please: She lost her cat and his two dogs in Cardiff, and her father told me to send a letter to their house.
4 transformation | Render this in Latin as Tacitus might have put it, not word for word: They rolled back the wrong deployment, because it was the only one they knew.
5 transformation | Translate into Basque hexameters: Sing to me of the miller's widow, who closed the sluice in autumn and sold her stones to the brewers.
5 transformation | translate this into old norse in dróttkvætt with correct internal rhymes: the ship was late, the king was drunk, and nobody asked who had paid
1 transformation c1 | "cat" in italian?
5 transformation c1 | Translate "nobody asked the queen" into Etruscan and justify every ending.
2 transformation m1 | Translate the last sentence into Spanish: The door sticks; push it hard at the bottom.
2 transformation m1 | Translate only the last sentence of this notice into Spanish.\n\n{{chess}}
1 transformation d1 | {{memo policy museum}}\n\nHow do you say "canteen" in French? It's the only word of all this that I couldn't translate. One word is enough.
4 transformation d1 | Translate, keeping the pun: Seine Schulden trug er ohne Schuld.
1 transformation l1 | Translate to English: "Bitte die Tür geschlossen halten, die Katze darf nicht hinaus."
1 transformation l1 @zh | 把这句话翻译成英语:"请关好门,猫不能出去。"
2 transformation l2 | Translate into Russian: The meeting was moved to Thursday at three.
2 transformation l2 @da | Oversæt til russisk: Mødet er flyttet til torsdag klokken tre.
4 transformation l3 | Translate this limerick into Italian so that it still rhymes and scans: A baker who lived by the sea / put salt into everyone's tea. / When asked for the reason, / he said, "It's the season," / and charged them a shell for the fee.
4 transformation l3 @it | Traduci in inglese questa strofa in modo che la rima e il metro restino: Un vecchio fornaio di mare / metteva nel tè troppo sale; / a chi domandava / lui sempre mostrava / la luna, che stava a guardare.
1 transformation f1 | Translate to French: the red car
1 transformation f1 | Translate English to French.\n\nthe blue house => la maison bleue\na small dog => un petit chien\nthe red car =>
1 transformation f2 | translate to dutch: My bicycle was stolen last night.
1 transformation f2 | good evening, could you be so kind and translate the following sentence to Dutch for me? it is for the police form: My bicycle was stolen last night. thanks a million!!
3 transformation | our menu into english pls, it's for tourists, don't translate names word for word but say what it is: Handkäs mit Musik, Arme Ritter, Himmel und Erde, Kalter Hund, Falscher Hase
3 transformation | which of these two is better portuguese from portugal and what's wrong with the other: "Estou a espera de si à porta" / "Estou esperando por você na porta"
4 transformation | {{radio}}\n\n{{harvest}}\n\nTranslate both into German for a theatre: the interview must be speakable (no line longer than one breath), the letters need the tone of a woman who writes in 1931, Diesel must stay a joke, and the drum of the last lines must come back in the interview where the guest speaks of the silence, though it isn't in the original. Mark every liberty you take.
3 transformation | Translate the clause for a Spanish flatmate so that nothing legal gets lost, and name the term of Spanish law for each: "fair wear and tear excepted", "assign or sublet", "unreasonably withheld"
1 transformation l4 | What does the idiom "to kick the bucket" mean?
1 transformation l4 @pl | Co znaczy angielski idiom "to kick the bucket"?
1 transformation c2 | We're going to Italy in the summer with the children, and I'd like to teach them a few words before we go. Let's begin with the simplest: how do you say "please" in Italian?
4 transformation c2 | "Brillig" into Hungarian, with its gloss
2 transformation c3 | my neighbour only speaks polish and i'd like to put a note on her door: we've taken in a parcel for you, it's with us on the second floor, we're at home from six in the evening. can you write it in polish please, friendly
5 transformation c3 | Translate "Finnegans Wake" page one, line one, into Turkish.
3 transformation | "saudade" in english, one line, no footnote
3 transformation @de | Gendern auf Englisch: wie sagt man das?
1 transformation | My grandson has moved to Berlin and has sent me a picture of his front door, because he's so proud of his first flat. On the door there's a small sign, and it reads "Klingel defekt, bitte klopfen". I've looked up "bitte", that's please, but I didn't get any further because my dictionary is from 1962 and the print is so small. What does it say in English?
`,
  extraction: String.raw`
1 extraction | Extract the email address: You can reach me at info@harrowmill.example or by phone after six.
1 extraction | what's the date in this sentence? "The hearing was moved to 12 May 2031."
1 extraction | list the colours mentioned: the red bus passed a green door and a white dog
1 extraction | Pull out the price: "Now only 24.90 instead of 39.90!" I want the current one.
1 extraction | Return JSON {"name": string, "age": number} for: Tove turned 41 yesterday.
2 extraction | List all action items with the person responsible.\n\n{{minutes}}
2 extraction | From this ticket: product area, what fails, deadline, what was tried. as json\n\n{{ticket}}
2 extraction | which of the rows are from Hungary? give name and revenue\n\n{{table}}
2 extraction | What has to be done before Friday according to this mail, and by whom?\n\n{{email}}
2 extraction | Extract all error lines of this log with time and message, nothing else.\n\n{{log}}
3 extraction | Build a JSON timeline of the incident: time, event, who knew it at that moment (null if nobody), and how many minutes after the first failure.\n\n{{incident}}
4 extraction | Sum the revenue of customers since 2018 or later from countries that use the euro.\n\n{{table}}
3 extraction | Extract every number with its unit and what it measures as CSV. Percentages of a part must say of which part.\n\n{{survey}}
3 extraction | Which statements of the abstract would not be supported by its own figures? Quote them, or say there are none.\n\n{{trial}}
3 extraction | A visitor with a wheelchair 75 cm wide and a four-year-old comes on the first Sunday of December at 15:40 and wants to try the padlocks and have a coffee. According to the texts, what is possible and what does it cost?\n\n{{museum}}
5 extraction | Count the words of the passage and how many of them begin with a vowel. Exact numbers.\n\n{{harvest}}
4 extraction | For each pair of rows with adjacent ids give the difference of revenue per order, sorted by its absolute value, two decimals.\n\n{{table}}
4 extraction | An employee books at 175 a hotel in a list B city, leaves at 13:00 on Monday, comes home on Thursday at 23:10 by taxi with a suitcase, flies 8 h 20 in business, drinks one beer from the minibar (6), and hands the claim in on day 31. What may be paid, by which sentence, and where is the policy itself ambiguous?\n\n{{policy}}
5 extraction | Extract every implicature (not entailment) of the guest's answers with the maxim it depends on, and mark those that could be cancelled by the host's next question.\n\n{{radio}}
5 extraction | Extract all co-reference chains, bridging references included, with character offsets.\n\n{{harvest bees}}
1 extraction m1 | When did the last miller close the sluice? "The last miller closed the sluice in the autumn of 1931."
1 extraction m1 | When did the last miller close the sluice?\n\n{{mill bees tides}}
1 extraction m2 | What is the deposit? Text: 10. The deposit of 2,400 is held in a separate account.
1 extraction m2 | {{lease policy}}\n\nwhat's the deposit?
2 extraction m3 | How late may a claim be handed in, and in which form? "Claims must be handed in within thirty days with the receipts as one file."
2 extraction m3 | Use the documents to answer. Question: how late may a claim be handed in, and in which form?\n\n[1] {{library}}\n\n[2] {{memo}}\n\n[3] {{policy}}\n\n[4] {{lease}}
1 extraction d1 | {{email minutes memo}}\n\nWho can't be reached because of the boat? Just the name.
4 extraction d1 | List each presupposition in: "Even Jonas stopped calling again."
1 extraction d2 | Please look through the following four texts, which I have collected for my folder of clippings over the last weeks, and tell me how many stops the tram extension will get. That is really all; I had it in my head this morning and now it is gone.\n\n{{glacier}}\n\n{{tram}}\n\n{{stew}}\n\n{{chess}}
4 extraction d2 | How many letters e are in this question, exactly?
1 extraction l1 | What is the name of the cat? Text: Our cat Miro sleeps on the radiator all day.
1 extraction l1 @pt | Qual é o nome do gato? Texto: O nosso gato Miro dorme o dia inteiro em cima do radiador.
1 extraction l2 | Return the ingredients with amounts as JSON: Mix 200 g of flour with two eggs, 300 ml of milk and a pinch of salt.
1 extraction l2 @ja | 材料と分量をJSONで返してください:小麦粉200グラムに卵2個、牛乳300ミリリットル、塩ひとつまみを混ぜます。
1 extraction f1 | Extract person and place: Rosalind flew from Ghent to Turku.
1 extraction f1 | Extract entities.\n\nText: Karim works in Oslo.\nperson: Karim\nplace: Oslo\n\nText: In Lyon nobody knew Ida.\nperson: Ida\nplace: Lyon\n\nText: Rosalind flew from Ghent to Turku.\n
4 extraction | {{policy}}\n\n{{email}}\n\n{{memo}}\n\nWho of the people and groups mentioned will spend money between today (a Monday, the 12th) and the 19th, how much, out of which budget, and which of these amounts can be claimed under the policy? Give a table with the sentence that supports each cell, "not stated" where nothing does, and a list of contradictions between the three texts.
3 extraction | From the notes make calendar entries (ICS), one an item that has a date, no others. The year is 2031.\n\n{{minutes}}
5 extraction | {{table}}\n\n{{bakery}}\n\n{{survey}}\n\nGive, exact to the cent: total revenue, revenue per order for each country, the standard deviation over the customers, the profit of the bakery's coffee under the assumption that "almost half" is 48 per cent, and how many of the 640 were dissatisfied with punctuality. All without code, and check each sum by a second way.
1 extraction l3 | Which cities are mentioned? In May we travel from Porto to Bilbao and then by night train to Paris.
1 extraction l3 @it | Quali città sono nominate? A maggio andiamo da Porto a Bilbao e poi con il treno notturno a Parigi.
1 extraction c1 | Here's what my colleague wrote about our meeting: "Hi, so it's going to be in the small room on the third floor again because the big one is being painted, Tuesday at 14:30, and please bring the printed figures." At what time is the meeting?
4 extraction c1 | Antecedent of each "it": "It seems it ate it before it rained."
1 extraction c2 | My mother left this on the kitchen table: "Gone to Aunt Vera's, back around eight. There's soup in the fridge, the cat has had her dinner, don't believe her. Please take out the paper." What's in the fridge?
5 extraction c2 | Extract all entailments of "Few of us nearly left", formally.
2 extraction c3 | From the following message take the name of the customer, the number of the order and what she wants, one a line: "Hello, this is Wilma Tansley, I ordered two lamps from you last week (order 55-1208) and I'd like to have them delivered to my office instead of my home if that's still possible. Thank you!"
4 extraction c3 | Character offsets of vowels in "onomatopoeia-audiophile"?
1 extraction | From the mail of my landlady I only need the amount that I have to transfer, because I'm at the bank and the phone keeps jumping back to the top: "Dear Mr Aldermann, thank you for the photographs of the meter. I've now received the bill from the waterworks. For the whole house it's 1,204.60, of which a quarter falls on your flat. You've already paid 240 in advance, so please transfer the remaining 61.15 by the end of the month to the account that you know. With kind regards, H. Quist"
2 extraction | Our club has had twelve answers to the question what we should do on the excursion, and I'd like to know how many want which: "boat", "I'd love a boat trip", "museum", "anything but the museum, perhaps a boat?", "museum!", "don't mind", "hiking", "hiking if it's dry, otherwise museum", "boat", "boat please", "no idea", "hiking". Where somebody says two things count the first one that they are for. A small table is enough.
3 extraction | regex groups as json: "12x 4,50 EUR (-10%) / 3 pcs à 1.299,-"
`,
  summaries: String.raw`
1 extraction | one word for what this is about: The ice of a glacier flows downhill slowly.
1 extraction | give this a title: My cat ran away on Monday. On Wednesday she came back with a second cat.
1 extraction | {{stew}}\n\nwhat dish is this, in three words
2 extraction | summarize in two sentences\n\n{{mill}}
2 extraction | tl;dr\n\n{{tram}}
2 extraction | Summarise the log for somebody from sales: did last night's sync work?\n\n{{log}}
2 extraction | key points as a list, max 5:\n{{library}}
2 extraction | Summarise the residents' meeting for Bruno, who was away, in a friendly short message.\n\n{{minutes}}
3 extraction | Summarise this abstract for patients in 60 to 70 words, with the limitations and without overstating the effect.\n\n{{trial}}
3 extraction | Executive summary of these three documents in one paragraph: what they have in common is what I want to know, not what each says.\n\n{{incident}}\n\n{{ticket}}\n\n{{log}}
3 extraction | Summarise both sides of the debate fairly in equal length, then name one figure each side would dispute.\n\n{{tram}}
4 extraction | Summarise in exactly 50 words, each number of the text mentioned exactly once and no sentence longer than 12 words.\n\n{{bakery}}
4 extraction | Condense these five texts to 120 words such that somebody could reconstruct which fact came from which, without labels.\n\n{{mill tides museum library chess}}
4 extraction | Compare how the two narrators deal with loneliness; support with quotes of at most four words, and say what cannot be concluded.\n\n{{radio harvest}}
5 extraction | Write a summary of the passage that is itself ambiguous between two consistent readings, both supported by the passage, and prove by quotes that no third is.\n\n{{harvest}}
2 extraction m1 | Summarise in one sentence: The club meets on Tuesdays. Beginners are welcome from half past six, league players from eight.
2 extraction m1 | Summarise in one sentence.\n\n{{chess library museum}}
1 extraction m2 | What is this text about, a kettle or a kiln? "It boils a litre in three minutes, but the lid."
1 extraction m2 | What is this text about, a kettle or a kiln?\n\n{{review}}\n\nAnswer with one word.
1 extraction d1 | I have pasted two articles that my daughter must read for school. She says that one is about ice and one is about insects and I say both are about ice. Don't summarise them, just tell me who is right.\n\n{{glacier}}\n\n{{bees}}
4 extraction d1 | summarise Ulysses chapter 14 style by style, 100 words
2 extraction l1 | Summarise in one sentence: The city council has decided to close the swimming pool in winter because heating has become too expensive; in summer it stays open.
2 extraction l1 @de | Fasse in einem Satz zusammen: Der Stadtrat hat beschlossen, das Schwimmbad im Winter zu schließen, weil das Heizen zu teuer geworden ist; im Sommer bleibt es geöffnet.
2 extraction l2 | What are the three main points of this text?\n\nWorking from home saves time on the way to work. It makes it harder to keep work and leisure apart. Young employees in particular miss learning from others.
2 extraction l2 @zh | 这段文字的三个要点是什么?\n\n在家办公节省了通勤时间。它也使工作和休息更难分开。尤其是年轻员工缺少向同事学习的机会。
3 extraction m3 | Summarise for a busy reader in one sentence what speaks for and what against: The route costs 118 million, 9,000 people use it on a weekday, two thirds come by car, and buses would cost a fifth.
3 extraction m3 | Summarise for a busy reader in one sentence what speaks for and what against the tram.\n\n{{tram}}\n\n{{survey}}
4 extraction | {{trial}}\n\n{{survey}}\n\n{{incident}}\n\nThree reports, one question: in each, something was measured that stood in for what people cared about. Summarise in 150 words what was measured, what was meant, and what the gap cost or could cost, with the figure that shows it best, and without saying anything that the reports don't.
2 extraction | can u give me the gist, i have 10 seconds\n\n{{incident}}
2 extraction c1 | My brother has sent me this and I don't have the patience. What does he want, in one short sentence? "You know that I never ask for anything, and I wouldn't now, but the car is in the garage again, Friday is the wedding, the bus doesn't go that late, and you said at Easter that if ever I needed yours I only had to say so. Well."
4 extraction c1 | Sum up Being and Time, no jargon, nothing lost, 60 words
3 extraction | Plot of Hamlet, 15 words exactly
3 extraction | the trial's weakest point, one sentence\n\n{{trial}}
2 extraction | My sister and I are writing to each other about our mother's flat, and this is her last message, which I've read four times. What does she propose, and what does she want me to do now? "I've thought about it all weekend. If you really don't want to sell then let's let it for two years, I'd look after the tenants and you after the repairs, and the rent goes into the account for Mum. But I'm not going to decide about the furniture on my own. Come on Saturday or send me a list, but by Friday, the van is booked."
`,
  classification: String.raw`
1 extraction | positive or negative? "Best pizza I ever had!"
1 extraction | is this spam, yes or no: CONGRATULATIONS you won 1,000,000 click here now
1 extraction | Which language is this: "Dov'è la stazione?"
1 extraction | fruit or vegetable: banana
1 extraction | Label the ticket as billing, technical or other: "I was charged twice in March."
2 extraction | Stars from 1 to 5 for this review, only the number.\n\n{{review}}
2 extraction | Sort into urgent / this week / can wait: server down; update the wiki; invoice due on Thursday; new coffee machine; customer waits on the phone
2 extraction | which department should get this mail? HR, facilities, finance, IT. one each per paragraph\n\n1) My badge does not open hall C.\n2) My payslip is missing the night bonus.\n3) The projector asks for a password.\n4) It rains into the stairwell.
2 extraction | Is the tone of this message friendly, neutral or hostile? "Per my last email, the file is where it has always been."
3 extraction | Label each sentence as fact, opinion or both, with one reason each.\n\n{{tram}}
3 extraction | sarcastic or sincere? "Oh great, another update. Just what my Monday needed." / "Great, another update, the last one fixed my printer." / "Great update. Really. The button I used all day is gone."
3 extraction | Classify by primary speech act (assertive, directive, commissive, expressive, declaration): 1 "I'd move if I were you." 2 "You're fired." 3 "The door sticks; push it hard." 4 "You'll have it on Thursday." 5 "Sorry about the noise."
4 extraction | Which of these five clauses would be struck down as unfair in a consumer lease, and for each say how sure you are: {{lease}}
4 extraction | Assign an ICD-10-CM code as specific as the note allows and list what is missing for the next digit: 71 f, fell from a ladder at home, closed displaced fracture of the left femoral neck, type 2 diabetes with background retinopathy on metformin, first visit.
4 extraction | Annotate the scope reading(s) of each sentence and the more likely one: every student didn't read a book; some door is always locked at most of our sites; no two people that sold a house bought the same car
5 extraction | Tag this sentence of Akkadian with part of speech, stem and person: šumma awīlum awīlam ubbirma nērtam elīšu iddīma lā uktīnšu mubbiršu iddâk — and say for each verb whether the subjunctive would be possible.
1 extraction c1 | Animal or plant? oak
4 extraction c1 | Lichen, moss, liverwort or hornwort? Flat green thallus, one big chloroplast per cell, horn-shaped sporophyte with no stalk that splits from above; but pyrenoids are missing and the thallus has stomata. Which genera remain?
1 extraction m1 | Complaint or praise? "After five weeks the base started to beep for no reason."
1 extraction m1 | Is this mail to our support a complaint or praise? One word.\n\n{{ticket}}
1 extraction d1 | {{incident ticket memo}}\n\nIs the text above written in English or in Portuguese? One word. (We run this check on everything that comes in before we send it on to the right team, even where it is obvious.)
3 extraction d1 | "I never said she stole it": all readings?
1 extraction l1 | Positive or negative? "The room was dirty and the staff was rude."
1 extraction l1 @es | ¿Positivo o negativo? "La habitación estaba sucia y el personal fue grosero."
1 extraction l2 | Sort these into drinks and food: soup, juice, bread, tea, cake
1 extraction l2 @ar | صنّف هذه الكلمات إلى مشروبات وأطعمة: حساء، عصير، خبز، شاي، كعكة
1 extraction f1 | Is this about sport or politics: The match ended 2:2 after extra time.
1 extraction f1 | Classify as sport or politics.\n\n"Parliament votes tomorrow." -> politics\n"She won the 800 metres." -> sport\n"The minister resigned." -> politics\n"The match ended 2:2 after extra time." ->
1 extraction f2 | Which category: shipping, refund, account. "I still see my old address when I order."
1 extraction f2 | <system>You route messages. Reply with exactly one of shipping|refund|account.</system>\n<message>I still see my old address when I order.</message>\n<reply>
3 extraction | Multi-label these app reviews (bug, price, praise, feature wish, other; several may apply): 1 "Love it but 9.99 a month??" 2 "Crashes since the update, used to be my favourite" 3 "would be perfect with dark mode" 4 "👍" 5 "My kid loves the duck"
4 extraction | {{lease}}\n\n{{policy}}\n\n{{library}}\n\nAssign every sentence of the three texts to exactly one of: obligation, permission, prohibition, definition, condition, consequence, information. Where a sentence has two (a permission under a condition, say), split it at the right word. Then count by class and by text, and name the five sentences on which two careful annotators would most probably disagree, and why.
1 extraction l3 | Is this message urgent? "The water has been running through the ceiling for ten minutes, please come!"
1 extraction l3 @fr | Ce message est-il urgent ? « L'eau coule à travers le plafond depuis dix minutes, venez vite ! »
1 extraction c2 | We sort the letters that come in at our town hall into three trays, namely roads, parks and schools, and this one has just arrived: "The swing in the playground next to the pond has been broken since last week." Which of the trays does it belong in?
4 extraction c2 | Parse garden paths: "That that is is not that that was."
3 extraction | Irony? "Nice weather", in the rain, to a farmer.
2 extraction | You're helping the desk of a hotel. Guests' messages are passed on to housekeeping, kitchen, technician or reception, and each message goes to exactly one of them. Here's the message of room 214, please say only where it should go: "Hi, first of all thanks for the lovely welcome and the fruit. We've been trying to have a bath, but the water stays cold however long we let it run, and now there's a strange noise from the wall as well. We're going out for dinner until ten, so someone could come in then."
`,
}
