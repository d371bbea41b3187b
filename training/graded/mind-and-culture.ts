/** Graded prompts about languages, arts, play and thinking, by kind. graded-prompts.ts describes the lines. */
export const mindAndCulture = {
  learning_languages: String.raw`
1 writing | what's "thank you" in italian? ~ plural of mouse ~ past tense of "go" ~ is it "a apple" or "an apple"? ~ what does "ciao" mean
1 writing @de | was heißt "hund" auf englisch? ~ der oder das tisch?
1 writing @fr | comment dit-on « chat » en anglais ? ~ féminin de « acteur »
1 writing @es | ¿cómo se dice "casa" en inglés? ~ plural de "luz"
1 writing @it | come si dice "pane" in inglese?
1 writing @pl | jak jest po angielsku "okno"?
1 writing @nl | is het de of het huis?
1 writing @ru | как по-английски «книга»?
2 writing | When do I use "since" and when "for"? ~ Ten German verbs with separable prefix, each in a sentence ~ explain the subjunctive in Spanish to a beginner ~ Correct my Dutch and say why: Ik heb gisteren naar Amsterdam gegaan.
2 writing @de | Wann benutzt man im Englischen das present perfect? ~ Verbessere: I am living here since three years.
2 writing @fr | Différence entre « imparfait » et « passé composé », avec cinq exemples
2 writing @es | Explícame "por" y "para" con ejemplos. ~ Corrige: Yo soy cansado porque he trabajado mucho ayer.
2 writing @it | Quando si usa il congiuntivo dopo "penso che"?
2 writing @pl | Wytłumacz różnicę między "make" i "do".
2 writing @nl | Wanneer schrijf je d, t of dt?
2 writing @ru | Объясни разницу между совершенным и несовершенным видом иностранцу.
3 writing | Rank by formality and say who'd use each: could you, would you mind, any chance you, I should be grateful if ~ Story of 120 words at A2 in Polish that uses each of the seven cases once, mark them. ~ Why is "I have been knowing him" wrong but "I've been meaning to" right?
3 writing @de | Erkläre alle Lesarten von »Er hat den Mann mit dem Hund nicht nur gestern gesehen« durch Umformung.
3 writing @ru | Почему говорят «на Кубе», но «в Крыму»? Сформулируй правило, исключения и спорные случаи.
3 writing @es | Traduce a tres registros y explica las pérdidas: "He's not wrong, but he's not exactly helping."
4 writing | Gloss by morpheme: Turkish "Avrupalılaştıramadıklarımızdanmışsınızcasına" ~ Text of 100 words that's correct Dutch and correct Afrikaans ~ which tense is "used to could"? Analyse with data from dialects.
4 writing @fr | Écris un paragraphe dont chaque phrase est ambiguë à l'oral et univoque à l'écrit.
4 writing @pl | Zdanie poprawne po polsku i po czesku, o różnych znaczeniach, co najmniej osiem słów.
4 writing @it | Una poesia in endecasillabi perfetti che sia leggibile anche in latino.
5 writing | Decide if Basque and Iberian are kin. ~ Reconstruct proto-forms for these isolates and date the split.
`,
  books_and_films: String.raw`
1 trivia | who wrote hamlet? ~ what's the name of the wizard school in harry potter ~ is "moby dick" about a whale? ~ who directed jaws
1 trivia @de | wer schrieb den faust? ~ wie heißt der hund von obelix?
1 trivia @fr | qui a écrit les misérables ? ~ de quelle couleur est le petit chaperon ?
1 trivia @es | ¿quién escribió el quijote?
1 trivia @it | chi ha scritto la divina commedia?
1 trivia @pl | kto napisał pana tadeusza?
1 trivia @nl | hoe heet het konijntje van dick bruna?
1 trivia @ru | кто написал «войну и мир»?
2 history | Plot of Pride and Prejudice in five sentences ~ three films like Amélie and why ~ What is magical realism? Name two authors. ~ a reading list for somebody who liked Dune ~ Which themes does Lord of the Flies share with Animal Farm?
2 history @de | Inhaltsangabe von Die Verwandlung in hundert Wörtern ~ Charakterisiere Nathan den Weisen.
2 history @fr | Résume L'Étranger sans dévoiler la fin. ~ Trois arguments pour et contre lire les classiques au collège
2 history @es | ¿De qué trata Cien años de soledad?
2 history @it | Riassumi I promessi sposi per un ragazzo di tredici anni.
2 history @ru | Краткое содержание «Евгения Онегина» по главам
2 history @pl | Plan wydarzeń Balladyny
2 history @nl | Waar gaat De ontdekking van de hemel over?
3 history | Whose voice is it in free indirect style here, and where does it turn? {{museum}} ~ How does unreliable narration differ in Lolita, The Remains of the Day and Gone Girl? ~ Compare two translations of the first line of the Odyssey you know for certain.
3 history @de | Deute Rilkes Panther metrisch und inhaltlich, Strophe für Strophe.
3 history @ru | Чем полифония Достоевского отличается от многоголосия у Фолкнера? С примерами.
3 history @it | Confronta il fanciullino di Pascoli con la noia leopardiana.
4 history | quote the last sentence of the fourth chapter of Middlemarch ~ Which minor Victorian novel has a blind locksmith? ~ Scan the choruses of Agamemnon ~ Was Shakespeare's Cardenio in Theobald's Double Falsehood? Weigh it, line by line.
4 history @fr | Cite exactement trois vers de Scève et situe-les dans Délie.
4 history @es | ¿En qué página de la primera edición de Rayuela aparece el capítulo 68 y cómo se forma cada neologismo?
4 history @pl | Który film polski z 1937 roku zaginął i kto grał w nim drugoplanowe role?
4 history @nl | Noem alle vertalers van Multatuli in het Tsjechisch, met jaar.
5 history | Full cast of the lost film London After Midnight's understudies ~ List every revision between the 1805 and 1850 Prelude, book six.
5 history @de | Wer saß 1781 bei der Premiere der Räuber in der dritten Reihe?
`,
  games: String.raw`
1 logic_puzzles | how many cards in a deck? ~ what beats rock ~ how many squares has a chess board ~ a riddle for kids, with the answer ~ how does a pawn move?
1 logic_puzzles @de | wie viele augen hat ein würfel insgesamt? ~ ein scherzrätsel bitte
1 logic_puzzles @fr | combien de joueurs au football ? ~ une devinette facile
1 logic_puzzles @es | ¿cuántas cartas tiene la baraja española?
1 logic_puzzles @it | quanti giocatori ha una squadra di calcio?
1 logic_puzzles @pl | ile pionków ma gracz w szachach?
1 logic_puzzles @nl | hoeveel stenen heeft een dominospel?
1 logic_puzzles @ru | сколько фигур у игрока в шахматах?
2 logic_puzzles | rules of backgammon, short ~ Which is the better first word in a five-letter word game, and why? ~ What's the Sicilian defence? ~ ideas for a treasure hunt in a flat, six stations
2 logic_puzzles @de | Erkläre Skat für Anfänger. ~ Wie gewinnt man bei Vier gewinnt am ehesten?
2 logic_puzzles @fr | Les règles de la belote en dix lignes
2 logic_puzzles @it | Spiega le regole della briscola
2 logic_puzzles @es | Explica el mus a un extranjero. ~ Un juego para diez niños en un parque
2 logic_puzzles @ru | Правила игры «Мафия» и роли для восьми человек
2 logic_puzzles @pl | Zasady gry w makao
2 logic_puzzles @nl | Klaverjassen uitgelegd voor beginners
3 logic_puzzles | Bridge: 1NT, 2C, 2H, 4NT, what's that now and what do I show with two aces? ~ Expected rolls till all six faces came ~ A level of a heist game that teaches three rules with no text ~ Nim with 3, 5, 7: who wins and by which move?
3 logic_puzzles @de | Drei Schalter, eine Glühbirne, aber du darfst nur einmal und blind hinein. Was geht noch?
3 logic_puzzles @ru | Игра: 21 камень, берут 1, 3 или 4. Кто выигрывает и как?
3 logic_puzzles @es | ¿Con qué probabilidad sale un póquer de dados en tres tiradas guardando lo mejor?
4 logic_puzzles | mate in three: Kg1 Qh5 Bd3, Kg8 Rf8 pawns f7 g7 ~ Best strategy for guessing two of ten hats with delay ~ Solve: SEND+MORE+GOLD=MONEY in base 12, all solutions ~ Optimal stopping with recall at cost 1
4 logic_puzzles @fr | Résous à la main : dames, 4 contre 3, fin de partie, les blancs gagnent-ils toujours ?
4 logic_puzzles @it | Cento prigionieri e una lampadina, senza contatore: strategia e tempo atteso.
4 logic_puzzles @nl | Los op: cijfers 1 t/m 9, elk één keer, abc × de = fghi, alle oplossingen.
4 logic_puzzles @pl | Rozwiąż sudoku z 17 podpowiedziami: 000000010400000000020000000000050407008000300001090000300400200050100000000806000
5 logic_puzzles | Is 8 by 8 hex's opening at b4 a win? Prove. ~ Solve go on 5 by 6. ~ Perfect play in poker, six-handed, 100 big blinds
`,
  geography_and_news: String.raw`
1 trivia | capital of spain? ~ on which continent is kenya ~ is canada bigger than france? ~ what's the longest river in europe? ~ which sea is salty enough to float in
1 trivia @de | hauptstadt von portugal? ~ an welchem fluss liegt köln?
1 trivia @fr | capitale de la belgique ?
1 trivia @es | ¿en qué continente está egipto?
1 trivia @it | qual è la capitale della grecia? ~ in che mare si trova la sardegna?
1 trivia @pl | nad jakim morzem leży gdańsk?
1 trivia @nl | welke landen grenzen aan nederland?
1 trivia @ru | столица франции? ~ какая самая длинная река в россии?
2 history | Why do we have leap years? ~ How does the EU make a law, in ten lines? ~ What was the Marshall plan? ~ Explain the difference between England, Great Britain and the UK. ~ how does a central bank fight inflation
2 history @de | Wie wird der Bundespräsident gewählt? ~ Was war die Hanse?
2 history @fr | Comment fonctionne le Sénat ? ~ Pourquoi Bruxelles est-elle bilingue ?
2 history @es | ¿Qué es la OTAN y para qué sirve?
2 history @it | Come si elegge il presidente della Repubblica?
2 history @pl | Czym zajmuje się Senat?
2 history @nl | Wat doet een waterschap?
2 history @ru | Почему распался СССР? Пять главных причин.
3 history | Which two capitals lie on the same river within sight, and why are they apart? ~ Why did Switzerland get the right to vote for women so late, canton by canton? ~ Steelman both sides on congestion charging, with evidence that counts against each.
3 history @de | Vergleiche drei Wahlsysteme anhand derselben fiktiven Stimmen und zeige, wann jedes kippt.
3 history @fr | Pourquoi l'Alsace a-t-elle un droit local, que contient-il encore et que serait-il difficile d'abolir ?
3 history @ru | Сравни реформы Столыпина и Мэйдзи: цели, средства, результат.
4 history | all enclaves of Baarle, by area ~ Which states recognised Biafra, in order, with dates? ~ Border changes between Chile and Argentina since 1881, parcel by parcel ~ How many people lived in Bruges in 1340? Weigh the sources.
4 history @es | ¿Qué municipios cambiaron de provincia en España desde 1833? Lista completa.
4 history @de | Welche Gemeinden gehörten 1803 zur Grafschaft Bentheim?
4 history @pl | Wymień wszystkich starostów powiatu limanowskiego w latach 1918-1939.
4 history @it | Elenca i sindaci di Comacchio dal 1866 al 1900.
5 history | Name the pilot of the first mail plane to Stornoway. ~ Population of each street of Lübeck in 1460
5 history @ru | Кто был волостным старшиной Кемской волости в 1874 году?
`,
  strict_forms: String.raw`
1 writing | write a sentence with the word "garden" ~ three words that rhyme with cat ~ a short poem on rain ~ a two line joke on cats
1 writing @de | ein kurzer reim auf haus ~ ein satz mit dem wort regen
1 writing @fr | trois mots qui riment avec « chat »
1 writing @es | una frase con la palabra luna
1 writing @it | una rima con amore
1 writing @pl | rymowanka o kocie
1 writing @nl | een rijmpje voor sinterklaas, vier regels
1 writing @ru | короткий стишок про осень
2 writing | A limerick on a baker from Ghent ~ a haiku on the first snow ~ a story for bedtime, a hedgehog, 150 words ~ a toast for my sister's wedding, one minute
2 writing @de | Gutenachtgeschichte von einem Igel, der nicht schlafen kann ~ Rede zum 50. Geburtstag, zwei Minuten
2 writing @es | Un cuento corto sobre un faro
2 writing @fr | Un poème de huit vers sur la mer
2 writing @ru | Сказка про ёжика, который боялся темноты
2 writing @pl | Wiersz na Dzień Matki, dwie zwrotki
2 writing @it | Filastrocca sui giorni della settimana
2 writing @nl | Een verhaaltje over een eend die niet kan zwemmen
3 writing | Dialogue of two people who break up and speak only of a broken dishwasher ~ Exactly 50 words, no adjective, on a lighthouse ~ pastiche of Hemingway on buying a phone, not a parody ~ A story told only in entries of a lost-and-found book
3 writing @de | Kurzgeschichte in genau zehn Sätzen, jeder beginnt mit »Bevor«
3 writing @es | Un microrrelato de exactamente cien palabras sin la palabra "que"
3 writing @ru | Рассказ без прилагательных, 100 слов, про вокзал
4 writing | villanelle, true rhymes, on rust ~ sestina on a train ~ lipogram in e on the sea, 120 words ~ A sonnet in which each line has exactly nine words ~ acrostic both ways, first and last letters
4 writing @de | Anagramm von »Frühlingserwachen« ~ Hexameter, zwölf Zeilen, vom Einkaufen
4 writing @fr | lipogramme sans e sur l'hiver ~ alexandrins sans e muet
4 writing @it | terzine dantesche sul traffico
4 writing @es | soneto sin la letra a
4 writing @pl | trzynastozgłoskowiec o windzie, szesnaście wersów
4 writing @nl | sonnet zonder de letter n
4 writing @ru | венок сонетов, первые три ~ палиндром из семи слов
5 writing | palindrome of 100 words ~ heroic crown of sonnets, anagrams throughout ~ a square poem, readable down
`,
  estimates: String.raw`
1 word_problems | is a whale heavier than an elephant? ~ about how tall is a door ~ half of 90 ~ 10 % of 50 ~ round 3.14159 to two places
1 word_problems @de | wie viel ist ein dutzend? ~ 15 plus 27
1 word_problems @fr | le double de 35 ? ~ 100 moins 37
1 word_problems @es | ¿cuánto es la mitad de 18?
1 word_problems @it | quanto fa 9 per 6?
1 word_problems @pl | ile to jest 20 % ze 100?
1 word_problems @nl | hoeveel is 12 keer 12?
1 word_problems @ru | сколько будет 45 плюс 55?
2 word_problems | Paint for a room of 4 by 5 m, 2.5 m high, two coats, 10 m2 a litre: how many litres? ~ A car takes 6.4 l per 100 km. What does 350 km cost at 1.79? ~ 30 % off and then 10 % off: how much off? ~ how many piano tuners might a city of a million have
2 word_problems @de | Wie viele Fliesen 30 mal 60 brauche ich für 14 Quadratmeter mit 10 % Verschnitt?
2 word_problems @fr | Un train roule à 240 km/h pendant 1 h 45. Quelle distance ?
2 word_problems @es | Si 3 obreros tardan 8 días, ¿cuánto tardan 4?
2 word_problems @it | Un prodotto costa 80 euro con il 22 % di IVA inclusa. Qual è il prezzo netto?
2 word_problems @pl | Ile paneli kupić na pokój 3,6 na 4,2 m, paczka 2,1 m2?
2 word_problems @nl | Een trui van 60 euro is nu 45. Hoeveel procent korting?
2 word_problems @ru | Сколько обоев нужно на комнату 3 на 4 метра, высота 2,7, рулон 10 на 0,53?
3 word_problems | How much does the sea rise if all ships leave it? ~ Water is 30 % salt by mass; boil off a third, add 200 g salt, now 50 %. How much was there? ~ How fast must I cycle back to average 20 if I went at 12? And to average 24?
3 word_problems @de | Schätze den Jahresverbrauch aller Aufzüge Deutschlands, mit Spanne und der unsichersten Annahme.
3 word_problems @fr | Combien de molécules du dernier souffle de César dans une inspiration ? Détaille.
3 word_problems @ru | Две трубы и сток: 6 ч, 8 ч, 12 ч; сток открыли через час после первой трубы, вторую через два. Когда полон?
3 word_problems @es | Un reloj adelanta 4 minutos por hora y otro atrasa 3; ¿cuándo vuelven a marcar lo mismo, y la hora correcta?
4 word_problems | 73^41 mod 997 by hand ~ 7429 times 8356 minus 51^4 ~ trailing zeros of 1000! in base 12 ~ 2^100, all digits ~ sqrt(7) to ten places, steps
4 word_problems @de | 48713 mal 90627 im Kopf, bitte exakt ~ Primfaktoren von 1000003 mal 999983 minus 1
4 word_problems @pl | 17 do potęgi 13, dokładnie
4 word_problems @it | 123456 diviso 789, dodici decimali
4 word_problems @nl | 19 tot de macht 9, exact
5 word_problems | Factor 2^67 - 1 and 2^71 + 1 by hand. ~ How many bits did mankind speak before 1900? Within a factor of two, provably.
`,
  advice_and_choices: String.raw`
1 everyday | tea or coffee in the evening? ~ is a laptop or a tablet better for typing? ~ should i take an umbrella if it's raining ~ black shoes with a black suit?
1 everyday @de | passt blau zu grau? ~ bus oder zu fuß für 500 meter?
1 everyday @fr | rouge ou blanc avec du poisson ?
1 everyday @es | ¿gato o perro para un piso pequeño?
1 everyday @it | meglio doccia o bagno per risparmiare acqua?
1 everyday @pl | rower czy auto na dwa kilometry?
1 everyday @nl | fiets of bus bij regen?
1 everyday @ru | чай или кофе перед сном?
2 everyday | Used or new for a first car? List what to check. ~ pros and cons of a dog for a family in a flat ~ E-reader or paper for a student? ~ Which mattress for side sleepers, in general?
2 everyday @de | Wärmepumpentrockner oder Wäscheleine? Vor- und Nachteile. ~ Welche Kamera für Anfänger, worauf achten?
2 everyday @es | ¿Alquilar o comprar esquís si voy una semana al año?
2 everyday @fr | Faut-il un robot aspirateur dans 45 m² avec un chat ?
2 everyday @it | Bici elettrica o scooter per 8 km al giorno?
2 everyday @pl | Jaki laptop na studia humanistyczne, na co patrzeć?
2 everyday @nl | Moet ik mijn oude koelkast vervangen of houden?
2 everyday @ru | Какой велосипед выбрать для города? На что смотреть?
3 everyday | Two offers: 52k in Lyon, four days; 68k in Zurich, five days and a long commute; partner can't work there. Decide with numbers. ~ I can save one: the orchard, the barn or the pension. 61, no heirs. Ask me the five questions that decide it. ~ Pick a school for twins who need opposite things.
3 everyday @de | Pflegegeld, Heim oder Kraft im Haus für meinen Vater, Pflegegrad 3, Rente 1.900: vergleiche Kosten und Belastung mit Annahmen.
3 everyday @fr | Quitter un CDI pour une thèse à 41 ans : construis l'arbre de décision avec probabilités et regrets.
3 everyday @ru | Ипотека сейчас под 16 % или копить три года? Построй модель и скажи, при каких условиях ответ меняется.
3 everyday @nl | Weeg af: warmtenet, hybride pomp of wachten, voor een hoekhuis uit 1974.
4 everyday | Should I be tested for Huntington's? Argue both ways as people who chose would, then find what can't be weighed. ~ Value our farm's water right for four heirs under three climates so that none envies another. ~ Is it wrong to have a third child? Not a survey, an argument I could lose to.
4 everyday @es | Diseña un reparto de la herencia (piso, taller, deudas) sin envidia entre tres hermanos y demuéstralo.
5 everyday | A rule for all my choices that I'd never regret, proved. ~ Which career will matter most in 2070?
`,
  long_texts: String.raw`
1 extraction | {{stew}}\n\nHow many people is it for? ~ {{tram}}\n\nWhich line is it about? ~ Who wrote this? Name only.\n\n{{ticket}} ~ {{bees glacier}}\n\nIs there anything about bees in it? ~ {{email}}\n\nUntil when is the sender away? ~ Just tell me whether this is a recipe or a contract: {{lease}}
1 extraction @de | {{memo}}\n\nWann beginnt die Nachtschicht künftig? ~ Ist dieser Text auf Englisch? {{kiln}}
1 extraction @fr | {{tides}}\n\nParle-t-on de la mer dans ce texte ? Oui ou non. ~ {{library}}\n\nQuel lieu ce texte décrit-il ?
1 extraction @es | {{museum}}\n\n¿Es un texto sobre un museo? ~ {{minutes}}\n\n¿Quién preside la reunión?
1 extraction @it | {{mill}}\n\nIn che anno chiuse il mulino?
1 extraction @pl | {{review}}\n\nIle gwiazdek dał autor?
1 extraction @nl | {{bakery}}\n\nGaat dit over een bakker?
1 extraction @ru | {{stew}}\n\nСколько фасоли нужно?
2 extraction | {{minutes memo}}\n\nAll dates as a list, with what happens. ~ Three sentences on this, for my chief: {{incident}} ~ {{survey}}\n\nWhat do people complain about most? ~ Translate only the numbers and what they count into a table: {{tram}}
2 extraction @de | {{lease}}\n\nFasse die Pflichten des Mieters auf Deutsch in Stichpunkten zusammen.
2 extraction @es | {{review}}\n\nResume en español en dos frases, sin perder la conclusión.
2 extraction @fr | {{tram}}\n\nRésume en français pour un journal de quartier, 60 mots.
2 extraction @ru | {{tides}}\n\nПеречисли по-русски правила для тех, кто идёт через отмель.
2 extraction @pl | {{ticket}}\n\nStreść po polsku problem klienta i to, czego oczekuje.
2 extraction @nl | {{policy}}\n\nVat in het Nederlands samen wat er van mij verwacht wordt.
2 extraction @it | {{harvest}}\n\nRiassumi in italiano in tre punti.
3 extraction | {{minutes}}\n\n{{policy}}\n\nWhich decision breaks the policy, and which clause allows a way round? ~ {{trial}}\n\nWhat can't be concluded from this although it sounds so? ~ {{log incident}}\n\nDo the two agree on what happened first? Quote both.
3 extraction @de | {{lease}}\n\nWelche zwei Klauseln widersprechen sich im Ergebnis, wenn ich zum 10. Mai untervermieten und kündigen will? Auf Deutsch.
3 extraction @fr | {{survey table}}\n\nCroise les deux et dis en français ce qui ne peut pas être vrai à la fois.
4 extraction | every word that occurs exactly twice: {{museum}} ~ {{chess}}\n\nIs the position after the last move legal? ~ {{table}}\n\nRevenue per order by country, then the geometric mean, three decimals ~ Longest chain of sentences in which each begins with the last letter of the one before: {{radio glacier}}
4 extraction @es | ¿cuántas palabras de exactamente siete letras hay? {{harvest}}
5 extraction | {{cart stock}}\n\nOutput of both after 1,000 random calls with seed 4, exactly. ~ Shortest text from which each sentence of this can be derived by deleting letters: {{mill}}
`,
  marketing: String.raw`
1 business | a slogan for a bakery ~ what does B2B mean? ~ hashtag ideas for a cat photo ~ name for a coffee stall ~ what is a logo for?
1 business @de | name für einen fahrradladen ~ was ist ein newsletter?
1 business @fr | un slogan pour une pizzeria
1 business @es | nombre para una peluquería ~ un lema para una frutería
1 business @it | un nome per una gelateria
1 business @pl | nazwa dla kwiaciarni
1 business @nl | slogan voor een fietsenmaker
1 business @ru | название для кофейни
2 business | Product text for hand-made soap with lavender, 80 words ~ Instagram posts for a week, a small bookshop ~ Press release on our tenth birthday ~ SWOT of a food truck, four points each ~ Subject lines for a spring sale, ten
2 business @de | Flyertext für ein Straßenfest ~ Werbetext für eine Ferienwohnung an der Ostsee
2 business @es | Tres publicaciones para una academia de baile ~ Descripción para un aceite de oliva
2 business @fr | Texte de vitrine pour les soldes d'un magasin de jouets
2 business @it | Descrizione per un agriturismo in collina
2 business @pl | Opis oferty pokoju w górach na portal
2 business @nl | Nieuwsbrief van een tuincentrum over het voorjaar
2 business @ru | Пост о скидках в цветочном магазине
3 business | Price a subscription with three tiers from these facts: cost 2.10, rivals 9 and 14, churn 5 %, 60 % want one feature only. ~ Positioning against a free rival in one paragraph, a hard claim, its proof and what we give up ~ Plan to win the first 30 dentists as clients with 4,000 euros, week by week
3 business @de | Kampagne mit 20.000 Euro für Blutspenden bei 18- bis 25-Jährigen, mit Messplan, der Wirkung von Mitnahme trennt
3 business @fr | Étude de marché pour une librairie-café dans une ville de 18 000 habitants : sources, chiffres à trouver, seuil d'abandon
3 business @ru | Юнит-экономика доставки обедов: собери модель с пятью допущениями и точкой безубыточности.
4 business | Marketing mix model on 24 months with collinear channels and one price war: priors, identification, what to refuse to say ~ Auction design for our ad slots against collusion of three big bidders ~ 40 brand names, free as .com, neutral in ten languages
4 business @es | Estrategia de entrada en cuatro países con licencias incompatibles y un socio que compite; opciones reales valoradas.
5 business | Predict which of these 200 start-ups will be worth a billion, with calibrated odds.
`,
  nature: String.raw`
1 biology | do fish sleep? ~ how many legs has a bee ~ what do cows eat? ~ is the sun a star ~ what is ice made of?
1 biology @de | wie viele beine hat ein käfer? ~ ist der mond ein planet?
1 biology @fr | que mange le panda ? ~ le soleil est-il une étoile ?
1 biology @es | ¿qué comen los conejos? ~ ¿de qué color es la clorofila?
1 biology @it | quante zampe ha un ragno?
1 biology @pl | co je jeż? ~ czy wieloryb to ryba?
1 biology @nl | slapen vissen?
1 biology @ru | чем питается белка? ~ сколько планет в солнечной системе?
2 biology | How do vaccines work? ~ Why do leaves change colour? ~ mitosis against meiosis in a table ~ What holds the moon in its orbit? ~ How does soap clean?
2 biology @de | Wie entsteht ein Regenbogen? ~ Aufbau einer Zelle, kurz
2 biology @fr | Comment se forme un volcan ?
2 biology @es | ¿Cómo respiran los peces? ~ Explica la tectónica de placas.
2 biology @it | Come funziona la fotosintesi?
2 biology @pl | Dlaczego jesienią liście zmieniają kolor?
2 biology @nl | Hoe werkt eb en vloed?
2 biology @ru | Как образуется иней? ~ Что такое естественный отбор?
3 biology | A pea cross gives 9:3:4. Explain by pathway and predict the test cross. ~ Why does a hot-air balloon rise more slowly at noon in summer? ~ Half-life from counts 812, 655, 531, 440 at 10 min with background 21
3 biology @de | Warum sind Inselarten oft kleiner oder größer als Festlandarten? Ordne die Hypothesen nach Belegen.
3 biology @fr | Pourquoi la glace glisse-t-elle ? Dis ce qui est établi et ce qui ne l'est pas.
3 biology @ru | Сцепленное наследование: три гена, потомство 380, 372, 92, 88, 31, 27, 6, 4. Порядок и расстояния.
4 biology | Stable isotopes of three diets, four consumers: mixing model with routing, what's not identifiable ~ derive Kleiber's exponent and break it ~ Why are there two sexes? ~ fix the phylogeny: long branches, four taxa, which sites?
4 biology @es | Deriva la velocidad de fijación de un alelo con selección dependiente de la frecuencia y deriva.
5 biology | Origin of the ribosome, step by step, testable. ~ What is consciousness for? ~ turbulence: prove a bound on dissipation
`,
}
