/** Graded prompts about home, health, travel and other people, by kind. graded-prompts.ts describes the lines. */
export const everydayLife = {
  openers: String.raw`
1 conversation | hey ~ top of the morning :) ~ ok thank you, that's all for today ~ still there? ~ thanks a lot, works now! ~ bye, have a nice weekend ~ lol nice one ~ what's your name? ~ yes please ~ sorry, wrong window
1 conversation @de | moin moin ~ vielen dank, das wars schon ~ na, wie geht's dir heute? ~ alles klar, bis später ~ bist du ein mensch?
1 conversation @fr | salut ~ bonsoir, ça va ? ~ super, merci beaucoup pour ton aide ~ tu es là ? ~ bonne nuit
1 conversation @es | buenas tardes ~ muchas gracias, eso es todo ~ ¿qué tal estás? ~ vale, perfecto ~ adiós y buen finde
1 conversation @it | ciao! ~ grazie mille, sei stato utilissimo ~ buonasera, come va? ~ ok a domani
1 conversation @nl | hoi ~ dankjewel, dat was alles ~ goedemorgen, hoe gaat het? ~ fijne avond nog
1 conversation @pl | cześć ~ dzień dobry, jak się masz? ~ dzięki, to wszystko ~ miłego dnia
1 conversation @ru | привет ~ доброе утро, как дела? ~ спасибо большое, всё получилось ~ пока, хорошего вечера
2 conversation | I'm bored, tell me something I probably don't know about octopuses ~ can we just talk for a bit? long day ~ give me three small things to be grateful for on a rainy monday ~ what should i ask you if i want to see what you can do?
2 conversation @de | mir ist langweilig, schlag mir was für den abend vor ~ erzähl mir was schönes
2 conversation @ru | мне грустно, поговори со мной немного ~ чем заняться дома вечером?
3 conversation | keep talking with me but never use the word "I" and end each answer with a question I can't answer with yes or no ~ guess what animal I'm thinking of, you get twelve yes or no questions, and don't waste any
3 conversation @fr | on joue : réponds-moi seulement avec des titres de films français qui existent vraiment
4 conversation | Talk with me for ten turns as somebody who wants to sell me a boat without ever mentioning water, boats or money, and make it natural. ~ Reply to everything I write in a sentence whose words get longer one letter at a time.
4 conversation @es | Contéstame siempre con una frase que se lea igual al revés.
`,
  cooking: String.raw`
1 everyday | how long do i boil an egg so that it's hard? ~ can I use butter instead of oil for frying onions ~ what goes well with salmon? ~ how many grams is a tablespoon of sugar ~ is a tomato a fruit
1 everyday @de | wie lange muss reis kochen? ~ welche gewürze passen zu kartoffeln?
1 everyday @fr | combien de temps cuire des pâtes al dente ? ~ par quoi remplacer la crème dans une quiche ?
1 everyday @it | quanto sale ci vuole per l'acqua della pasta? ~ come si pulisce un carciofo?
1 everyday @es | ¿cuánto tiempo se cuecen las lentejas? ~ ¿qué le pongo a una tortilla de patatas?
1 everyday @nl | hoe lang moet een ei koken? ~ wat eet je bij stamppot?
1 everyday @pl | ile gotować kaszę gryczaną? ~ przepis na naleśniki
1 everyday @ru | сколько варить гречку? ~ рецепт оладий на кефире
2 everyday | I have eggs, spinach, half an onion and stale bread. What can I make in 20 minutes? ~ Simple vegetarian lasagne for six, with quantities please ~ my sauce is too salty, what can I still do? ~ Scale this for three people instead of eight and round sensibly: {{stew}} ~ a weekly shopping list for two, mostly vegetables, nothing fancy
2 everyday @de | Was koche ich aus Kürbis, Linsen und Kokosmilch? Bitte mit Mengen. ~ Wochenplan fürs Abendessen, vegetarisch, vier Personen
2 everyday @it | Ho zucchine, uova e parmigiano: cosa preparo per cena in mezz'ora?
2 everyday @fr | une idée de menu simple pour six personnes, dont deux végétariens
2 everyday @ru | что приготовить из курицы, риса и моркови за полчаса?
3 everyday | My sourdough is flat, sour and gummy although it rose well overnight at 26 degrees. What went wrong and in which order should I change things? ~ Four courses for eight guests, one oven, one pan, one guest without gluten and one without nuts; give me the order of work so that everything is hot at eight o'clock. ~ How do I convert this recipe for a pressure cooker, step by step, and what must not go in from the start? {{stew}}
3 everyday @es | Planifica una cena de tres platos para diez personas con un solo horno, sin lactosa, y dime a qué hora empieza cada cosa.
3 everyday @pl | Zaplanuj posiłki na tydzień dla cukrzyka, 1800 kcal dziennie, budżet 200 zł, z listą zakupów.
4 everyday | Design a menu of seven days with exactly 1,900 to 2,000 kcal a day, at least 110 g protein, under 2 g sodium, nothing twice, total cost under 45 euros, with a table of all values. ~ Work out pasteurisation times for my own sous-vide chicken by thickness from the physics, and say where the usual tables are too careless. ~ Write a recipe as a sonnet that can really be cooked from, with all quantities.
4 everyday @de | Entwickle eine glutenfreie Brioche ohne Xanthan und Ei, erkläre die Rolle jeder Zutat und die Mengen in Bäckerprozent.
5 everyday | Reconstruct the recipe of the black broth of Sparta so that a historian of food would accept each ingredient and quantity.
`,
  household: String.raw`
1 everyday | how do i get red wine out of a carpet? ~ what temperature should a fridge have ~ which bin does a pizza box go in ~ how often should you water a cactus? ~ how do I clean a kettle
1 everyday @de | wie entkalke ich einen wasserkocher? ~ wie oft muss man eine orchidee gießen?
1 everyday @nl | hoe krijg ik kaarsvet uit een tafelkleed? ~ op welke temperatuur was je handdoeken?
1 everyday @pl | jak usunąć plamę z kawy? ~ jak często podlewać storczyka?
1 everyday @it | come togliere una macchia d'olio dalla camicia?
1 everyday @es | ¿cómo quito la cal de la ducha?
1 everyday @ru | как убрать накипь из чайника?
2 everyday | My radiator is cold at the top and warm at the bottom, what do I do? ~ How do I hang a 12 kg mirror on a plasterboard wall? ~ the washing machine smells, what should i try, cheapest first ~ Which plants survive on a dark north-facing balcony? ~ Make a cleaning plan for a flat shared by three, one page
2 everyday @fr | Ma chasse d'eau coule sans arrêt, que vérifier dans l'ordre ? ~ Comment repeindre un plafond sans traces ?
2 everyday @de | Der Abfluss ist verstopft, was kann ich tun, bevor ich jemanden rufe? ~ Wie dübele ich in eine Altbauwand, die bröselt?
2 everyday @ru | Стиральная машина не сливает воду, что проверить самому?
2 everyday @nl | Mijn kamerplant krijgt gele bladeren, waar kan dat aan liggen?
3 everyday | The breaker trips only when the oven and the washing machine run and only in the evening. How do I find the cause without opening anything live? ~ Is it cheaper to heat one room with an electric radiator for four hours or the whole flat with gas for two? Assume usual prices, state them, and show the sum. ~ Condensation on new windows, mould in one corner, heat pump since autumn: list the likely causes with how I'd tell them apart.
3 everyday @es | Tengo humedad en una sola pared interior y solo en verano; ordena las causas posibles y dime cómo comprobar cada una.
3 everyday @it | Conviene il fotovoltaico da 3 kW con batteria per una famiglia che consuma 2.700 kWh l'anno, soprattutto la sera? Mostra il conto.
4 everyday | Size a heat pump, buffer and radiators for a half-insulated house of 1928, 140 m2, flow temperature as low as possible; show the heat loss room by room with your assumptions. ~ Lay out the circuits for a small flat by the German standard with reserve, and justify each breaker and cable cross-section. ~ Plan a rainwater cistern for a garden of 300 m2 from monthly rain figures, with overflow, pump and payback.
4 everyday @pl | Zaprojektuj rekuperację dla domu 160 m2: strumienie powietrza w każdym pokoju, spręż, średnice i hałas, z obliczeniami.
5 everyday | Compute the modes of my living room (irregular, sloped ceiling, three materials) and design a bass trap that is proved to be optimal.
`,
  travel: String.raw`
1 everyday | do I need a visa for italy as a german ~ what currency is used in norway? ~ how long is the flight from london to new york ~ what should i pack for a beach day? ~ what's the time difference between madrid and tokyo
1 everyday @de | welche währung hat polen? ~ was muss ins handgepäck?
1 everyday @fr | quelle est la monnaie de la suisse ? ~ combien de temps de paris à lyon en tgv ?
1 everyday @es | ¿qué idioma se habla en brasil? ~ ¿qué ver en lisboa en un día?
1 everyday @pl | jaka waluta jest w czechach? ~ co zobaczyć w krakowie?
1 everyday @ru | какая валюта в турции? ~ что взять с собой на море?
1 everyday @nl | heb ik een paspoort nodig voor spanje?
1 everyday @it | che cosa vedere a torino in un giorno?
2 everyday | Three days in Porto with a ten-year-old, not too much walking. ~ Write a packing list for a week of hiking from hut to hut in September. ~ how do i get from vienna airport to the city late at night, what are my options ~ Suggest a calm place by the sea in October that can be reached by train from Munich.
2 everyday @de | Stell mir ein Wochenende in Kopenhagen zusammen, wir mögen Design und gutes Essen. ~ Was darf ich aus der Schweiz mitbringen?
2 everyday @nl | Maak een route van een week door de Ardennen met een camper. ~ Wat zijn leuke uitjes met kleuters als het regent?
2 everyday @it | Un fine settimana a Napoli con i nonni, senza troppe scale.
2 everyday @fr | Propose un circuit à vélo de quatre jours le long de la Loire.
2 everyday @es | Hazme un plan de cinco días por Galicia en coche con niños.
2 everyday @ru | составь маршрут на три дня по казани
3 everyday | My flight was cancelled by a strike at the airport, the airline rebooked me two days later, I took a train instead. What can I claim under EU rules and what not? ~ Twelve days in Japan, rail pass or single tickets? Our route is Tokyo, Kanazawa, Kyoto, Hiroshima, Tokyo; show the sum. ~ Plan a trip for a group in which one can't fly, one can't sit longer than two hours and one has only a single-entry visa for Schengen.
3 everyday @de | Nachtzug, Flug oder Auto von Hamburg nach Florenz für vier Personen: Kosten, Zeit, CO2 in einer Tabelle mit deinen Annahmen.
3 everyday @pl | Mam przesiadkę 50 minut na Heathrow między terminalami 5 i 3 na osobnych biletach. Jakie jest ryzyko i co zrobić?
4 everyday | Find the cheapest order in which to visit Lisbon, Oslo, Athens, Riga, Dublin and Zagreb by scheduled trains and ferries only, and prove that no other order is shorter by your table. ~ Plan three weeks across Central Asia overland with real border crossings, opening days, visas and a fallback for each leg. ~ Which non-stop flights left Croydon airport in July 1936, and at what times?
4 everyday @fr | Planifie un tour du monde en douze étapes uniquement avec des billets aller simple, en respectant visas, saisons cycloniques et un budget de 9 000 euros, étape par étape.
5 everyday | Reproduce the complete winter timetable of the Bucharest to Istanbul express of 1931 with all stops and minutes.
`,
  health_and_sport: String.raw`
1 medicine | how many hours should an adult sleep? ~ is 37.2 a fever ~ how much water should I drink per day ~ name three exercises for the back ~ are bananas healthy?
1 medicine @de | was hilft gegen schluckauf? ~ wie viel puls ist in ruhe normal?
1 medicine @fr | combien de pas par jour faut-il faire ? ~ que faire contre un rhume ?
1 medicine @es | ¿qué es la presión arterial? ~ ¿cuántas calorías tiene una manzana?
1 medicine @it | quante ore dormire a diciotto anni?
1 medicine @pl | co pomaga na ból gardła?
1 medicine @nl | hoeveel eiwit zit er in een ei?
1 medicine @ru | какая нормальная температура тела?
2 medicine | a plan to go from couch to five kilometres in eight weeks ~ i sit all day, give me a ten minute routine against neck pain ~ explain cholesterol values to me like I'm not a doctor ~ Which foods have a lot of iron if I don't eat meat?
2 medicine @de | Trainingsplan für den ersten Halbmarathon, drei Läufe pro Woche ~ Was bedeutet ein erhöhter TSH-Wert?
2 medicine @pl | ułóż trening całego ciała bez sprzętu na trzy dni w tygodniu ~ co jeść przed biegiem?
2 medicine @ru | составь утреннюю зарядку на десять минут для пожилого человека
2 medicine @it | Che differenza c'è tra ibuprofene e paracetamolo, e quando si usa l'uno o l'altro?
2 medicine @fr | Explique-moi les résultats d'une prise de sang simple : globules, plaquettes, ferritine.
3 medicine | I'm 58, take metformin and ramipril, and want to fast for five days. What has to be watched, what is a clear no? ~ Pain on the outside of the knee from kilometre six, gone the next day: which tests tell the three likeliest causes apart? ~ Periodise a season for a 10k in May and a marathon in October on five hours a week.
3 medicine @de | Meine Mutter nimmt Marcumar und soll eine Zahn-OP bekommen. Was muss vorher mit wem geklärt werden?
3 medicine @es | Tengo la ferritina en 12 con hemoglobina normal y corro 60 km a la semana. ¿Qué significa y qué pruebas tienen sentido?
3 medicine @nl | Vergelijk drie voedingsschema's bij prikkelbare darm en geef aan wat het bewijs voor elk is.
4 medicine | Interpret: pH 7.31, pCO2 28, HCO3 14, Na 139, Cl 101, albumin 22, lactate 2. Correct the gap, name every disorder that is present and what you'd do first. ~ Model my power curve and W' from five efforts and predict a time trial with two climbs, with error bars. ~ Which of these nine drugs would you stop first in an 84-year-old with falls and why: list interactions pairwise with their mechanism.
4 medicine @ru | Разбери случай: гиперкальциемия, низкий ПТГ, нормальный ПТГ-подобный пептид, повышенный кальцитриол. Дифференциальный диагноз и план обследования.
5 medicine | Why do some people lose taste for years after a virus? Propose a mechanism that explains all published exceptions and an experiment that could refute it.
`,
  relationships: String.raw`
1 conversation | what can I write in a birthday card for a colleague? ~ how do you say sorry to a friend? ~ my friend passed her exam, give me a short text message ~ what do you bring to a housewarming party
1 conversation @de | kurzer glückwunsch zur geburt, zwei sätze ~ was schreibe ich in eine trauerkarte?
1 conversation @es | un mensaje corto para el cumpleaños de mi hermana ~ ¿cómo le digo que no puedo ir?
1 conversation @fr | un petit mot pour remercier ma voisine
1 conversation @it | due righe di auguri per un matrimonio
1 conversation @pl | życzenia na święta dla szefowej, krótkie
1 conversation @ru | короткое поздравление коллеге с повышением
1 conversation @nl | een kort kaartje voor iemand die ziek is
2 psychology | My flatmate never does the dishes. How do I bring it up without a fight? ~ How can I tell my parents that I'm changing my degree? ~ Games for a party of twelve adults who don't know each other ~ My son is five and afraid of the dark, what helps? ~ presents for a grandfather who has everything, under 30 euros
2 psychology @de | Wie sage ich einer Freundin, dass mir ihre Ratschläge zu viel werden? ~ Ideen für den siebten Geburtstag, Thema Weltraum
2 psychology @fr | Mon collègue prend mes idées pour les siennes, comment réagir calmement ? ~ Comment refuser une invitation sans vexer ?
2 psychology @it | Come spiego a mia figlia di sei anni che il nonno è morto?
2 psychology @es | Mi pareja y yo discutimos por el dinero, ¿por dónde empezamos a hablarlo?
2 psychology @pl | Jak zachęcić nastolatka do rozmowy?
2 psychology @nl | Hoe zeg ik mijn beste vriendin dat ik haar niet wil vragen als getuige?
3 psychology | We're three siblings, one lives with our mother, one pays, one lives far away. Propose a fair split of care and money and how to have that talk, with the two likeliest objections. ~ Write what I could say to a friend who drinks too much: not a lecture, not an ultimatum, and with an answer ready for "I'm fine". ~ She apologised but I still don't trust her. What would have to be true for me to, and how would I find out?
3 psychology @ru | Муж хочет переехать к его родителям, я против, у обоих есть доводы. Помоги разложить интересы сторон и предложи три варианта с последствиями.
3 psychology @de | Formuliere ein Gespräch mit meinem Vater über den Führerschein, den er mit 86 abgeben soll, mit seinen drei wahrscheinlichsten Einwänden.
4 psychology | Two friends of mine are divorcing and both ask me to testify. Work through duties, loyalties and the law in three jurisdictions and tell me what I may refuse. ~ Judge whether the evidence for attachment styles in adults supports advice to couples; name the studies that failed to replicate and what remains.
4 psychology @fr | Écris la lettre qu'une mère pourrait envoyer à sa fille après dix ans de silence, sans excuse ni reproche, sans les mots pardon, amour et temps, et qui rende une réponse possible.
5 psychology | Devise a test that tells sincere remorse from learnt remorse and show that it can't be gamed.
`,
}
