/** Graded prompts about offices, money and school, by kind. graded-prompts.ts describes the lines. */
export const officeWork = {
  letters: String.raw`
1 writing | two lines to say I got the parcel ~ an out of office note, back on the 14th ~ reply that tuesday at three suits me ~ Put a greeting and a closing around this, nothing else: the invoice is attached ~ please answer yes politely to this and don't add anything: {{email}}
1 writing @de | kurze absage für die besprechung morgen, ich bin krank ~ bestätige bitte den termin am montag um zehn
1 writing @fr | un mail court pour dire que je serai en retard ~ accuse réception de ce dossier
1 writing @es | confirma mi asistencia a la reunión del jueves ~ un correo breve para pedir la factura
1 writing @it | rispondi che va bene per venerdì
1 writing @pl | napisz krótko, że dokumenty doszły
1 writing @nl | kort mailtje: ik ben vrijdag vrij
1 writing @ru | короткий ответ: письмо получил, отвечу завтра
2 writing | A letter to my landlord: heating broken for nine days, I want a date and a lower rent. ~ cancel my gym membership with notice, firm but friendly ~ Remind a client for the second time that invoice 2207 is open. ~ Answer this customer, apologise, offer a refund or a new part: {{ticket}}
2 writing @de | Widerspruch gegen einen Bußgeldbescheid, ich war nicht der Fahrer ~ Bitte um ein Zwischenzeugnis
2 writing @fr | Lettre de résiliation d'un abonnement internet pour déménagement à l'étranger ~ Réclamation pour un colis abîmé
2 writing @es | Carta al ayuntamiento por el ruido de las obras nocturnas
2 writing @pl | Pismo do spółdzielni w sprawie zalania sufitu
2 writing @it | Lettera di reclamo alla compagnia aerea per il bagaglio perso
2 writing @nl | Bezwaarbrief tegen een te hoge energierekening
2 writing @ru | Жалоба в управляющую компанию на шум лифта
3 writing | Decline a supplier we will need next year, without a reason that could be used against us, in 90 words. ~ One letter to three heirs who don't speak to each other, that none of them can read as taking sides. ~ Tell 40 employees that the bonus is cut by half; no jargon, no excuses, with the three questions they'll ask.
3 writing @de | Schreib eine Mieterhöhung nach Modernisierung, die formal hält, mit den Angaben, die nicht fehlen dürfen.
3 writing @ru | Официальный отказ инвестору, который не закрывает дверь и не создаёт обязательств.
4 writing | A resignation whose first letters of lines spell SORRY NOT SORRY and that nobody would notice. ~ Apologise without admitting liability in English, German and French law. ~ Letter to a regulator that discloses a breach, meets every duty of the GDPR and gives a litigant nothing.
4 writing @fr | Réponse à une mise en demeure, sans reconnaître ni nier, préservant chaque délai, en dix phrases sans conditionnel.
5 writing | One text that is at once a valid will in four legal systems.
`,
  spreadsheets: String.raw`
1 code_writing | sum of column b in excel ~ how do I freeze the first row? ~ formula for the average of a1 to a10 ~ shortcut to insert today's date in google sheets ~ how do i merge two cells
1 code_writing @de | wie runde ich in excel auf zwei stellen? ~ excel zeile fixieren
1 code_writing @fr | formule excel pour compter les cellules non vides
1 code_writing @es | cómo ordeno una columna de mayor a menor ~ fórmula para el porcentaje de un total
1 code_writing @pl | jak zablokować wiersz nagłówka w excelu
1 code_writing @nl | hoe maak ik een kolom breder in excel
1 code_writing @it | formula per la media in excel
1 code_writing @ru | как посчитать сумму столбца в excel
2 code_writing | Look up the price for the code in A2 on sheet Prices and show "missing" if there's none. ~ count how often "open" stands in column D for rows of this month ~ split "Last, First" into two columns ~ colour rows whose due date has passed
2 code_writing @de | SVERWEIS von rechts nach links, wie geht das? ~ Summe nur der sichtbaren Zeilen nach dem Filtern
2 code_writing @es | Fórmula que junte nombre y apellido y ponga mayúsculas iniciales
2 code_writing @ru | Формула: если дата старше 30 дней и статус не оплачен, вывести сумму
2 code_writing @fr | Calculer l'âge en années à partir d'une date de naissance
2 code_writing @it | Contare i valori distinti di una colonna
2 code_writing @nl | Formule die alleen werkdagen tussen twee datums telt
3 code_writing | Running FIFO cost of stock in one formula without macros. ~ Unpivot a table of 12 months and three measures with Power Query and keep types right. ~ One LAMBDA that parses "2h 5m 10s", "90m" and "1:30" to minutes, else an error text. ~ Amortisation with irregular extra payments and a rate that changes twice, one row per month
3 code_writing @pl | Formuła, która z listy transakcji zwraca saldo każdego klienta na dowolny dzień, bez kolumn pomocniczych.
3 code_writing @de | Dienstplan: Formel, die Nachtzuschläge über Mitternacht und Feiertage richtig trennt
4 code_writing | Solve a Sudoku with formulas only. ~ XIRR from scratch with convergence for several sign changes, no macro ~ sheet formula for the date of Orthodox Easter, checked against 1900 to 2099 ~ Knapsack in one cell.
5 code_writing | Write a spreadsheet, formulas only, that type-checks lambda terms of System F.
`,
  personal_money: String.raw`
1 economics | what's a standing order? ~ is 5 % on 200 euros 10 euros? ~ what does iban mean ~ gross or net, which is more?
1 economics @de | was ist ein dispokredit? ~ was heißt brutto?
1 economics @es | ¿qué es una hipoteca? ~ ¿qué significa IVA?
1 economics @fr | c'est quoi un livret A ?
1 economics @it | che cos'è un mutuo?
1 economics @pl | co to jest PIT? ~ co to jest lokata?
1 economics @nl | wat is een spaarrekening?
1 economics @ru | что такое вклад? ~ что такое ипотека
2 economics | What becomes of 150 a month at 4 % over 20 years? ~ Index fund or savings account for money I need in two years? ~ a monthly budget for a student with 950 ~ Explain what an ETF is with a simple example and name its risks.
2 economics @de | Lohnt sich Sondertilgung oder lieber sparen, bei 3 % Kreditzins und 2 % Sparzins? ~ Haushaltsplan für eine Familie mit 3.400 netto
2 economics @fr | Combien coûte un crédit de 10 000 euros sur 5 ans à 4,5 % ?
2 economics @it | Differenza tra tasso fisso e variabile, con un esempio
2 economics @pl | Ile odsetek da 10 000 zł na 5 % przez trzy lata, z podatkiem?
2 economics @nl | Hoeveel moet ik opzijzetten om over tien jaar 20.000 te hebben?
2 economics @ru | Чем отличается дебетовая карта от кредитной и когда что выгоднее?
2 economics @es | Plan para pagar tres deudas pequeñas, explícame bola de nieve y avalancha
3 economics | Rent or buy: 1,250 cold against 390,000 with 80,000 of my own at 3.6 %, ten years; show the sums and what tips it. ~ Rebalance 12,400 in A, 3,100 in B, 900 in C and 5,600 in D to 40, 30, 10 and 20 % with the fewest trades, no sale of D, 15 a trade ~ Is a salary sacrifice of 300 into a pension better than an ISA for a 40 % taxpayer of 52?
3 economics @de | Gütergemeinschaft, Zugewinn oder Gütertrennung für eine Gründerin mit Kredit: was ändert sich bei Scheidung, Tod, Insolvenz?
3 economics @es | Autónomo con 38.000 de ingresos y un hijo: ¿SL o seguir así? Haz el cálculo con supuestos claros.
3 economics @pl | Porównaj B2B na ryczałcie, liniowym i etat przy 18 000 zł, z ZUS i urlopem.
4 economics | Live in Basel, work in Mulhouse and Freiburg, wife employed in Zurich, two children: who taxes and insures what, with the treaty articles? ~ Safe withdrawal for 48 years with a state pension from year 22, with fat tails; derive it. ~ Optimal conversion ladder under brackets that are indexed
4 economics @fr | Démembrement, SCI ou assurance-vie pour trois enfants dont un handicapé : compare fiscalement jusqu'au second décès.
5 economics | Beat the market with public data after cost, provably.
`,
  lessons: String.raw`
1 everyday_science | why is the sky blue, for a six year old ~ what's a verb? ~ 7 times 8 ~ what is a noun, one example ~ what do plants need to grow?
1 everyday_science @de | was ist ein adjektiv? ~ warum schwimmt holz?
1 everyday_science @fr | c'est quoi un triangle ? ~ pourquoi il pleut ?
1 everyday_science @es | ¿qué es un mamífero? ~ ¿cuántos continentes hay?
1 everyday_science @pl | co to jest rzeczownik? ~ dlaczego lód pływa?
1 everyday_science @it | perché le foglie cadono?
1 everyday_science @nl | wat is een werkwoord? ~ hoe ontstaat regen?
1 everyday_science @ru | почему небо голубое? ~ что такое глагол?
1 everyday_science | Please read all of this and then tell me only whether it is about an animal, yes or no, because my pupil asked me. {{bees}}
2 everyday_science | Ten questions for a quiz on volcanoes for year five, with answers. ~ A lesson of 45 minutes on fractions with a game. ~ Explain photosynthesis on three levels: child, pupil, student. ~ a gap text of 100 words on the water cycle
2 everyday_science @de | Arbeitsblatt zum Dreisatz mit sechs Aufgaben und Lösungen ~ Erkläre den Treibhauseffekt für die sechste Klasse.
2 everyday_science @es | Diez frases para practicar el pretérito indefinido, con soluciones ~ Explica la Revolución francesa a niños de doce años.
2 everyday_science @fr | Une dictée de 80 mots sur l'automne, niveau CM1
2 everyday_science @it | Spiega le frazioni equivalenti con la pizza
2 everyday_science @nl | Maak een quiz van acht vragen over de Tweede Wereldoorlog voor groep 8
2 everyday_science @pl | Scenariusz lekcji o układzie słonecznym dla klasy czwartej
2 everyday_science @ru | Пять задач на проценты для шестого класса с решениями
3 everyday_science | Write a rubric that two teachers would apply alike to essays on Lord of the Flies, four levels, no vague words. ~ Find where this pupil's idea goes wrong and give one question that makes him see it: heavier things fall faster, because a stone beats a feather. ~ Eight multiple-choice questions on buoyancy whose wrong answers each show a different misconception
3 everyday_science @de | Differenziere eine Stunde zu quadratischen Funktionen für drei Niveaus mit derselben Aufgabe als Kern.
3 everyday_science @ru | Составь контрольную по электрическим цепям с двумя вариантами равной трудности и критериями.
4 everyday_science | Exam of five proofs, none in any textbook, that takes a good student exactly two hours; with solutions. ~ Show which published effect sizes on homework survive their own data problems. ~ A crossword, 11 by 11, dense, only terms of thermodynamics
4 everyday_science @pl | Ułóż trzy zadania olimpijskie z kombinatoryki, nowe, z pełnymi rozwiązaniami i punktacją.
5 everyday_science | Set an exam that no language model passes and every fair pupil does.
`,
  hiring: String.raw`
1 business | what does cv stand for? ~ what should I wear to an interview at a bank? ~ synonym for "responsible for" on a cv ~ is a photo needed on a british cv
1 business @de | was gehört in einen lebenslauf? ~ wie lang darf ein anschreiben sein?
1 business @fr | que veut dire CDI ?
1 business @nl | wat is een proeftijd?
1 business @es | ¿qué es un contrato temporal?
1 business @it | cosa vuol dire tempo indeterminato?
1 business @ru | что такое испытательный срок?
1 business @pl | co to jest umowa zlecenie?
2 business | Cover letter, barista to office assistant, half a page. ~ Five questions to ask at the end of an interview ~ a job advert for a part-time bookkeeper in a small firm ~ Turn my three years in a warehouse into four CV bullets.
2 business @de | Anschreiben für eine Ausbildung als Elektroniker ~ Antworten auf: Was sind Ihre Schwächen?
2 business @it | Lettera di presentazione per un posto di receptionist
2 business @es | Descripción de puesto para un camarero de fin de semana ~ Prepárame para una entrevista de dependiente
2 business @fr | Annonce pour recruter un apprenti boulanger
2 business @pl | List motywacyjny na staż w księgowości
2 business @nl | Feedback na een eerste werkmaand, vriendelijk en concreet
2 business @ru | Резюме продавца-консультанта на одну страницу
3 business | Two finalists: one brilliant and rude, one solid and kind, a team of five in trouble. Decide and say what would change your mind. ~ Structured interview for a data engineer: six questions, what a 1, 3 and 5 sounds like ~ My review says "needs to be more strategic". What do I ask for so that it can be checked?
3 business @fr | Grille de salaires pour 14 personnes, trois métiers, quatre niveaux, avec règles d'augmentation qui tiennent dans 3 % du budget
3 business @de | Abmahnung wegen wiederholter Verspätung, formal sicher, nicht verletzend
4 business | Test our hiring for adverse impact on 212 applicants in four groups with tiny cells, and say what can't be concluded. ~ Redundancy selection across UK, Germany and Spain with one timeline ~ A bonus scheme that no seller can game; prove it.
4 business @nl | Ontwerp een functiehuis voor 300 mensen na een fusie met drie cao's, zonder dat iemand erop achteruitgaat.
5 business | Predict from a CV who will stay five years, and prove the method fair by every definition at once.
`,
  scheduling: String.raw`
1 word_problems | what day comes three days after sunday? ~ how many weeks are in a year ~ 14:30 in twelve hour time ~ how many days till christmas from the 20th of december
1 word_problems @de | wie viele tage hat april? ~ welcher wochentag folgt auf mittwoch?
1 word_problems @es | ¿cuántas horas tiene un día y medio?
1 word_problems @fr | combien de minutes dans deux heures ?
1 word_problems @it | quanti mesi ha un trimestre?
1 word_problems @pl | ile dni ma luty w roku przestępnym?
1 word_problems @nl | hoeveel dagen zitten er in een week?
1 word_problems @ru | сколько минут в полутора часах?
1 word_problems | Here are our minutes. I only need to know on which date we meet next, everything else I know: {{minutes}}
2 word_problems | I start at 8:15, work 7.7 hours and take 45 minutes off. When can I go? ~ Propose three slots next week for people in Berlin and Lagos. ~ Agenda for a one-hour kick-off with seven people ~ Which weekday was 1 January 2000?
2 word_problems @de | Ein Zug fährt um 9:47 und braucht 3 Stunden 38 Minuten. Wann kommt er an?
2 word_problems @fr | Planning de garde pour trois parents sur une semaine ~ Ordre du jour d'une réunion de copropriété
2 word_problems @es | Si hoy es jueves, ¿qué día será dentro de 40 días?
2 word_problems @ru | Составь расписание подготовки к экзамену на десять дней, четыре предмета
2 word_problems @pl | Jeśli kurs trwa 36 godzin, a zajęcia są dwa razy w tygodniu po 90 minut, ile to tygodni?
2 word_problems @nl | Maak een weekrooster voor een huis met vier studenten die om de beurt koken.
2 word_problems @it | Programma di una giornata di formazione, dalle 9 alle 17, con pause
3 word_problems | Six people, two shifts, nobody works late then early, each has two days off in a row, Ana never on Friday: one week. ~ Which weekday is 29 February 2096, and how do you know? ~ Meeting across Auckland, Denver and Warsaw on 27 March 2027 with all clock changes
3 word_problems @it | Turni di otto infermieri per quattro settimane, tre al giorno, massimo due notti di fila
3 word_problems @de | Netzplan: sieben Vorgänge mit Abhängigkeiten, kritischer Pfad und Puffer. A3, B5 nach A, C2 nach A, D4 nach B und C, E6 nach C, F1 nach D und E, G2 nach F.
4 word_problems | Round robin for 14 teams on 3 courts, no team twice in a row, home and away balanced to one ~ prove that the 13th falls on a Friday most ~ job shop, 6 by 6, optimal, with the bound
4 word_problems @ru | Построй турнир на 11 шахматистов с чередованием цвета и докажи, что лучше нельзя.
5 word_problems | Kirkman's schoolgirls for 27, three different solutions up to isomorphism, by hand
`,
}
