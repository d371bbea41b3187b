/** Graded prompts that leave much to the writer, by kind. graded-prompts.ts describes the lines. */
export const openTasks = {
  chat: String.raw`
1 conversation | hi
1 conversation | good morning! how are you today?
1 conversation | thanks, that helped a lot
1 conversation | lol ok
1 conversation | tell me a joke
1 conversation | what can you do?
1 conversation | I'm bored
1 conversation | never mind, found it
1 conversation | What should I cook tonight? I have eggs, spinach and half a pack of feta.
2 conversation | my dog died yesterday and i don't know what to do with myself
2 conversation | Recommend three books like The Hobbit for a 10 year old.
2 conversation | can you help me decide between a used e-bike and a new normal bike, 900 euro
1 conversation | I have an interview tomorrow and I'm nervous. any tips
2 conversation | Let's play 20 questions. You think of an animal, I ask.
3 conversation | Pretend you're my landlord and I'm asking for a rent reduction because of mould. Be tough but fair, stay in role, one reply at a time, and stop when I say "cut". I'll begin: Good evening, do you have a minute?
3 conversation | my sister stopped talking to me after I didn't invite her ex to my wedding, but he's also my best friend and our cousin's boss. what do i say to her first, and what not
3 conversation | You said yesterday that I should quit my job. Do you still think so?
3 conversation | be honest: is my plan stupid? sell the flat (no mortgage), live in a van for two years with two kids of 4 and 9, wife says "we'll see"
4 conversation | I want to argue with you about whether you've preferences. Don't hedge, don't agree with me to be nice, take back what I refute and nothing else. First: you can't prefer what you can't miss.
4 conversation | Talk me through my father's eulogy without writing it for me. He drank, he was funny, half the room hasn't forgiven him and the other half doesn't know. Ask one question at a time and remember what I refuse to say.
4 conversation | Simulate a conversation with my future self in which each answer contradicts the one before and both are true. I start: was it worth it?
5 conversation | Play Nomic with me. I move first: amend rule 203 so that unanimous consent is needed only in odd rounds and adopt a rule that makes this amendment unamendable. Keep the rule book, referee strictly, and win if you can.
1 conversation c1 | what's up
4 conversation c1 | Convince me of something I already believe, by an argument I haven't heard, then of its opposite, equally well. I believe that voting should be compulsory.
1 conversation l1 | Hello, how are you?
1 conversation l1 @zh | 你好,你怎么样?
1 conversation l2 | good night, see you tomorrow
1 conversation l2 @da | godnat, vi ses i morgen
2 conversation l3 | I had a fight with my best friend. How can I apologise?
2 conversation l3 @es | me peleé con mi mejor amiga, ¿cómo le pido perdón?
1 conversation l4 | Give me an idea for a birthday present for my mother, she likes gardens.
1 conversation l4 @ru | посоветуй подарок маме на день рождения, она любит сад
1 conversation d1 | so this is how my day went, sorry it's long: {{email}} that was in my inbox when i woke up and then, on the tram, i read this: {{tram}} and in the evening i went to the club, this is their flyer: {{chess}} and now i am lying on my bed and feel tired but good. you don't have to do anything with all of this, just wish me a good night.
4 conversation d1 | make me laugh about my divorce, surprise me
1 conversation f1 | Say hello.
1 conversation f1 | ### Instruction:\nSay hello.\n\n### Response:\n
2 conversation | ugh. third time this week my flatmate left his dishes and went to his gf's. i don't wanna be the mum of this flat. how do i say it without him going all quiet for a week again
3 conversation | i'm 34 and everyone around me has kids, i don't know whether i want one or whether i just don't want to be left out. don't give me a list pls, just help me think
1 conversation f2 | Suggest a name for my new cat, she's grey.
1 conversation f2 | SYSTEM: You are Pip, a cheerful shop assistant. Never talk about prices. Keep answers under 30 words.\nCUSTOMER: hello!\nPIP: Hello there! How can I make your day brighter?\nCUSTOMER: Suggest a name for my new cat, she's grey.\nPIP:
1 conversation c2 | Hello! I've never talked to a computer like this before, my granddaughter has set it up for me and showed me where to type. I don't have a question really, I only wanted to see whether it works. Are you there?
3 conversation c2 | disagree with me until I'm right
1 conversation | just wanted to say that the recipe you gave me last week was a big success, even my mother in law asked for it, and she never asks for anything. so thank you, from all of us, and have a nice evening!
3 conversation | roast me, but kindly, i'm a tax lawyer who juggles
3 conversation | say sorry like you mean it
2 conversation | so i did it, i handed in my notice today. after nine years. my hands were shaking and my boss was actually really nice about it, he said he'd half expected it, and then he asked whether i'd stay a month longer than i have to, because of the audit, and i said i'd think about it, and now i'm sitting on the bench outside and feel like i've stolen something. is it normal to feel like that? i'm happy about the new job, i really am
`,
  creative_writing: String.raw`
1 writing | write a sentence about a dog
1 writing | happy birthday message for my friend Tom
1 writing | give me three names for a goldfish
1 writing | Rhyme with "light"?
1 writing | short poem about autumn, 4 lines, rhymed
2 writing | write a thank you note to my son's teacher, she is leaving the school
2 writing | bedtime story about a hedgehog who can't sleep, about 150 words
2 writing | Write a product description for hand-made wool socks, warm and a bit funny.
1 writing | caption for a photo of my cat in a shoe box
1 writing | Make up a tagline for a repair café.
3 writing | Write a limerick about a plumber from Perth in which the last line is a pun on pipes.
3 writing | Sonnet in Shakespearean form about a broken lift, with a real turn in line nine.
3 writing | a 200 word story in second person, present tense, without adjectives
3 writing | Write the opening page of a crime novel in which the reader knows who did it, the detective doesn't, and nobody speaks.
4 writing | acrostic of MODELPORT about the sea, each line exactly seven syllables
4 writing | Write a sestina on the end words door, salt, hour, hands, rain, letter, with its envoi, and let it tell a story.
4 writing | A dialogue of 300 words between two sisters over the sale of a house in which neither mentions the house, the money or the mother, and both lie once.
4 writing | villanelle whose refrains change meaning by punctuation alone
4 writing | A lipogram without e and t, 120 words, about a storm at sea.
4 writing | Short story of 600 words told by an unreliable narrator whose error the reader must find out from three numbers that do not add up.
5 writing | Write a page of prose that a good editor would take for a lost draft of a modernist master, without any imitation that could be named.
5 writing | A double dactyl cycle, seven stanzas, each with its six-syllable single-word line, on the kings and queens of a country you invent, historically consistent between the stanzas.
5 writing | A poem that's a sonnet read downwards and a different correct sonnet read upwards.
4 writing | write something genuinely funny about death, ten words
1 writing c1 | Two rhyming words for "cat"
5 writing c1 | Crown of seven sonnets in Petrarchan rhyme, each last line the next one's first, each about one stage of a lock being picked.
1 writing l1 | Write a short get-well wish for a colleague.
1 writing l1 @de | Schreib einen kurzen Genesungswunsch für eine Kollegin.
2 writing l2 | Write a poem of four lines about the sea.
2 writing l2 @ja | 海についての四行の詩を書いてください。
4 writing l3 | Write a sonnet in strict alexandrines about a tram that never arrives, with alternating masculine and feminine rhymes.
4 writing l3 @fr | Écris un sonnet en alexandrins stricts sur un tram qui n'arrive jamais, avec alternance des rimes masculines et féminines.
4 writing d1 | Six-word novel, two plot twists.
1 writing d1 | {{harvest}}\n\n{{radio}}\n\n{{bees}}\n\nOur writing group has brought these three pieces today, and each of us should say something about them. While the others are reading, I only need a small thing from you, for the board at the door: write the words "Welcome to the writing group" with an exclamation mark at the end. No decoration, no further words, we have a pen for the flowers.
2 writing m1 | Write a two-sentence teaser for a talk about how bees choose a new home.
2 writing m1 | Write a two-sentence teaser for a talk based on this text.\n\n{{bees glacier}}
4 writing | {{harvest}}\n\n{{radio}}\n\nWrite the missing letters from September and October, two of them, in the grandmother's voice, such that the handwriting getting smaller can be felt without being mentioned, the postcard of eleven words (write it too) answers both, nothing contradicts what my mother remembered, and the island of the interview appears once without anybody in the story knowing what it'll be. No rain in either letter.
2 writing | my best friend turns 30 and i need a toast, we met in a laundrette when she dyed all my shirts pink. one minute, funny, not too sentimental
3 writing | rewrite the fairy tale of the hare and the hedgehog as a court report, with findings and reasons, deadpan
2 writing f1 | Write a tweet announcing that our library opens on Sundays.
2 writing f1 | Tone: warm. Length: max 200 characters. Hashtags: none. Emojis: none.\nTask: a tweet announcing that our library opens on Sundays.\nOutput:
2 writing l4 | Write a short story of five sentences about a lost key.
2 writing l4 @ru | Напиши короткий рассказ из пяти предложений о потерянном ключе.
1 writing c2 | My colleague Petra is leaving us on Friday after eleven years, and everybody is signing a card for her. I'd like to write something simple and warm, one sentence is enough, we weren't very close but I always liked her. What could I put?
4 writing c2 | Palindromic love letter, fifty words.
1 writing c3 | For our little café we need a sign for the door that tells guests in a friendly way that we're closed today because of a family celebration and that we'll be back tomorrow at nine as usual. Just the text please.
4 writing c3 | An aphorism worth keeping. One.
2 writing c4 | My daughter's turning six and would like a story about a small dragon who's afraid of fire and a mouse who helps him, not longer than a page, with a happy ending, and the mouse has to be called Pim because that's her soft toy.
4 writing c4 | pantoum, eight stanzas, only questions
2 writing | haiku, exact syllables, about tax returns
3 writing | Clerihew on Ada Lovelace
3 writing | first line of a novel nobody could put down
1 writing | We're celebrating the fiftieth birthday of our choir in June and have booked the big room above the library, with coffee and cake from three and singing from five. I've already written the invitation, it only needs a heading, something short and cheerful that says that it's the choir's birthday. Nothing clever, most of our members are over seventy and don't care for puns. One suggestion is enough, I'll write it by hand.
`,
  business_planning: String.raw`
1 business | what does ROI mean
1 business | What is a budget?
1 business | Write an out of office reply, back on the 19th, urgent things to the service desk.
1 business | agenda for a 30 minute kickoff meeting with a new client
2 business | email to a customer whose delivery is 2 weeks late, apologise, offer 10% on the next order
2 business | pros and cons of a four day week for a team of 6, bullet points
2 business | Break even: fixed costs 3,000 a month, price 12, variable cost 7. How many?
1 everyday | packing list for a weekend of camping with two kids
2 everyday | plan a birthday party for 8 six year olds, indoors, cheap
3 business | Compare the options for the market shop: close now, at the end of the lease, or try a later opening; with figures from the text, and what you would still need to know.\n\n{{bakery}}
3 business | Write a job ad for a night shift nurse that is attractive, lawful in the EU, under 180 words and doesn't use the word "flexible".
3 business | OKRs for a support team of 12 whose ticket volume doubles in Q3 while two people are on leave; measurable and not gameable
3 everyday | 10 days in Portugal by train with a toddler, no more than 2.5 h a day, 2 nights at least per stop, fly in Porto, out of Faro, in early April. Day by day with what to book.
3 business | Postmortem for executives, one page, blameless, with 4 actions that have an owner role, a date and a test that they worked.\n\n{{incident}}
4 business | Build the 13-week cash forecast for this bakery with the assumptions you need, find the week with the least cash, and say which two assumptions decide it.\n\n{{bakery}}
4 business | Price a usage-based API with three customer segments (many small, seasonal, one giant with an alternative), costs 0.8 cents a call falling 4 % a quarter, and a competitor that will match list prices within a month. Give tiers, expected migration, and when you would lose the giant.
4 business | Timetable for 14 teachers, 9 classes and 5 rooms with the constraints: two part-timers not on Wednesdays, labs only in rooms 4 and 5, no class has maths after lunch, PE in double periods, nobody more than one gap a day. Produce it or prove that it's impossible; ask for what is missing.
4 business | Negotiation plan for our lease renewal: BATNA of both sides, order of concessions, three openings with wording, and what we learn from each reply. Facts:\n{{lease bakery}}
4 business | Will this company exist in five years? Give a probability and the evidence that would move it by ten points: {{bakery}}
4 business | Design a voting rule for our board of 7 that can't be manipulated, respects seniority and always decides.
5 business | Forecast next month's cotton price to 2 percent.
1 business c1 | what is a logo
4 business c1 | Rebrand a funeral company for the under-40s without losing the over-70s: positioning, name architecture, what to test first with whom, the budget split of 60,000, and the one thing that would make you stop.
1 everyday c2 | should I take an umbrella if it rains?
4 everyday c2 | Coordinate the move of three households on one Saturday with one van (3.5 t, 09:00 to 19:00), two drivers, a piano on the 4th floor without a lift, a fridge that must stand 4 hours, and 35 minutes between each pair of addresses. Give the schedule and the slack, or show that it doesn't work.
1 business l1 | Write a short e-mail to my boss that I am ill today and cannot come.
1 business l1 @pl | Napisz krótki e-mail do szefa, że jestem dziś chory i nie przyjdę.
1 business l2 | What is the difference between turnover and profit?
1 business l2 @pt | Qual é a diferença entre faturamento e lucro?
3 business l3 | Write a reminder for an unpaid invoice (third one, 61 days late) that threatens interest and handover to a lawyer, correct in law in Germany and still polite.
3 business l3 @de | Schreib eine dritte Mahnung (61 Tage überfällig), die Verzugszinsen und die Übergabe an eine Anwältin ankündigt, rechtlich korrekt und trotzdem höflich.
4 business d1 | model the Basel IV output floor, mid-size mortgage bank
1 business d1 | {{policy}}\n\n{{memo}}\n\n{{minutes}}\n\nHi, I'm new here and was told to read all of these on my first morning. I have read them, more or less, and I will ask my colleagues about the trains and the hens. One thing I was too shy to ask: what does "HR" stand for? People have said it to me five times today, each time with a nod, as though it were the name of a person who would come round the corner any minute. Just the two words please.
1 business f1 | Suggest three subject lines for a mail that announces our summer sale.
1 business f1 | Dear assistant, I am writing on behalf of the marketing department. Would you be so kind as to suggest three subject lines for a mail that announces our summer sale? Your support is, as always, very much appreciated. Kind regards
3 business | im opening a small climbing gym in a town of 40k, 2 competitors 25 km away. what are the 5 numbers i need to know before i sign the lease and how do i get each of them in a week for under 500
4 business | {{bakery}}\n\n{{tram}}\n\n{{survey}}\n\nThe hospital stop of the new tram will be forty metres from our market shop. Decide now whether to extend its lease: build a decision tree with the dates in the texts, the chance of the referendum, thirty months of building in front of the door, and the share of passengers who'd buy something; say where each figure comes from (text, assumption), what the value of waiting half a year is, and which single figure, if it's wrong by a third, turns the decision round.
2 business f2 | Three ideas to cut no-shows at a hair salon.
2 business f2 | Three ideas to cut no-shows at a hair salon. Format each as: idea - cost - effect. No introduction, no conclusion, plain text.
2 everyday | meal plan mon-fri, vegetarian, one of us hates mushrooms, 25 minutes max per dinner
1 business c5 | My boss has asked me to put "the minutes" of yesterday's meeting on her desk, and it's my first week here. I don't want to ask her. Does she mean a written summary of what was said, or something with the clock?
3 business c5 | Guaranteed market entry strategy for Japan?
1 everyday c3 | We're having friends over for dinner at seven this evening, the lasagne has to be in the oven for 45 minutes and should then rest for a quarter of an hour. If we want to eat at half past seven, when do I put it in at the latest?
3 everyday c3 | seat 90 wedding guests, 41 feuds, tables of ten
2 business c4 | I run a small flower shop and a customer has complained in a friendly way that the roses she bought on Saturday were already drooping on Monday. I'd like to write back to her, apologise and offer her a new bunch for free. Three or four sentences.
4 business c4 | unit economics of same-day delivery below 8 euros?
3 business | LTV:CAC 5, still burning cash. Why?
3 business | rename "Blunt Knives Ltd" for export, 5 options
3 everyday | 3 trains, 2 toddlers, 1 hour, Milan: plan
1 everyday | I've never made pancakes on my own, and tomorrow's my wife's birthday and I'd like to surprise her in bed. I've got flour, eggs, milk, butter, a little sugar and salt in the house, and a pan that doesn't stick. The children will help, they're four and six, so it shouldn't be complicated. Which of the things that I listed go into the dough, and roughly how much of each for four people?
`,
  agents: String.raw`
1 extraction | You can call get_weather(city). User: what's the weather in Oslo? Reply with the call only.
1 extraction | Tools: light_on(room), light_off(room).\nUser: turn off the kitchen light\nCall:
1 extraction | Return {"done": true} if the step below succeeded, else {"done": false}.\nStep output: exit code 0, 12 files copied
2 extraction | You have search(query), open(url), answer(text). The user asks when the museum opens in winter. What is the first call, as JSON {"tool":..., "args":...}?
2 code_editing | You are a coding agent in a repository. Tests print: "1 failed: expected 3, got 4 at sum.test.ts:9". Which file do you open first, and what next? one line each
2 everyday | Tools: calendar.list(day), calendar.create(day, time, title). Put "dentist" on Friday at 9 unless there is something at that time. Give the calls in order.
2 extraction | Pick the tool for each request. Tools: refund, track, cancel, human.\n1 where is my parcel\n2 I want my money back\n3 you people are useless\n4 please don't send it\nAnswer as a JSON array.
3 everyday | Plan with these tools only: flights(from,to,day), trains(from,to,day), hotel(city,night), pay(id). Goal: Turku to Graz and back, 3 nights, under 600, no flight before 8. Give the tree of calls with what you do at each outcome; never pay before both ways are found.
3 code_editing | Agent step. Goal: rename column usr_nm to user_name everywhere. Seen so far: 14 files match, 3 are migrations, 1 is a vendored dump. Give the plan and the exact commands, so that the history of migrations stays valid.
3 extraction | Schema: {"intent": "book"|"move"|"cancel", "date": ISO date|null, "people": integer|null, "notes": string[]}. Today is Thursday 2031-05-01. Message: "can we do the Friday after next rather than this one, two fewer than the eight I said, and is the goods lift working?"
3 code_editing | You have bash. Disk is 100% full on a database server, you mustn't lose data or restart postgres. First ten commands in order and what each outcome makes you do next.
4 code_editing | You are an autonomous agent with edit, run and commit. The goal: migrate this codebase of 180k lines from callbacks to async with no change of observable order, in commits that each pass. Write the plan: order of modules, the codemod, how order is verified, when to stop and ask.
4 extraction | Conversation so far has 3 tool results that contradict each other: crm says the client moved to Bergen in 2029, the invoice of 2030 has Oslo, the user says "same as always". Tool budget is 2 calls of lookup(id, source, date). Decide the calls by value of information and give the decision table.
4 code_editing | Design the permission model and loop of an agent that may send mail for a law firm: which tools, which approvals, what is logged, how is injected text in incoming mail kept from steering it, and which attacks remain.
5 code_editing | Act as planner for 40 agents that edit one monorepo for a week without talking to each other except by commits. Produce a decomposition such that no two need the same file, given only this goal: replace our storage engine. State the invariants that make it safe and prove it.
5 extraction | From this web page of an unknown shop, work out by clicking alone (click(x,y), type(text), see()) how its checkout can be completed without an account; write a policy that works for 95 % of shops.
1 extraction c1 | Tool: say(text). Say hello.
4 code_editing c1 | Tools: run(cmd), read(path), write(path, text). Find why nightly builds of this unknown project are not reproducible and make them so; you see outputs only of commands you choose, at most 25. Give the whole strategy as a decision procedure with the commands.
1 extraction l1 | Tools: timer(minutes), alarm(time). "Wake me at half past six." Which call?
1 extraction l1 @de | Werkzeuge: timer(minuten), wecker(uhrzeit). "Weck mich um halb sieben." Welcher Aufruf?
2 extraction l2 | Tools: play(song), pause(), volume(0..10). "A bit quieter please", it is at 6. Give the call as JSON.
2 extraction l2 @es | Herramientas: play(cancion), pause(), volume(0..10). «Un poco más bajo, por favor», ahora está en 6. Da la llamada en JSON.
1 extraction m1 | Did this step fail? Output: "2031-04-02T03:15:12Z INFO worker-3 wrote 1200 rows". yes/no
1 extraction m1 | Did the mail digest start at all? Answer yes or no. Output of the step:\n{{log}}\n\nNotes of the previous step:\n{{incident}}
1 extraction d1 | You are the router of a help desk. You have the tools reply(text) and escalate(team). History:\n\n{{ticket}}\n\n{{email}}\n\n{{memo}}\n\nThe customer has just written "thanks, all solved, you can close it". Which tool do you call? Give only its name. Don't reply to the older messages, they were dealt with by a colleague in the morning and each of the three has been told so, once by mail and once by telephone.
4 code_editing d1 | make main green again, 400 red tests, unattended
1 extraction f1 | Which tool answers "what's 13 * 17"? calculator, search or calendar
1 extraction f1 | Tools: calculator, search, calendar.\nRequest: next free slot on Monday?\nTool: calendar\nRequest: who won the cup?\nTool: search\nRequest: what's 13 * 17\nTool:
4 code_editing | You are one step of a coding agent. Repository summary, files and the last tool results follow.\n\nfile shop/cart.js:\n{{cart}}\n\nfile warehouse/stock.py:\n{{stock}}\n\nlast run:\n{{log}}\n\nGoal of the user: "carts must not sell what isn't in stock, across both systems, and the shop must stay usable when the warehouse is down". You may propose at most five edits and three commands in this step. Reply with JSON {"thought", "edits", "commands", "stop"}; edits must apply cleanly to the files as shown, and "stop" must be true if and only if a question for the user can't be avoided, in which case it's the only thing you return.
3 extraction m2 | Tools: refund(order, cents), reply(text), escalate(team). Rule: refunds over 5000 cents are escalated to finance, unless the order is under 24 h old. Customer: "Order 881, 74.90, placed last night at ten, still not packed, money back please." It's 9 in the morning. Give the calls.
3 extraction m2 | Tools: refund(order, cents), reply(text), escalate(team).\n\nHandbook:\n{{library}}\n\n{{policy}}\n\nShop rule: refunds over 5000 cents are escalated to finance, unless the order is under 24 h old.\n\nCustomer: "Order 881, 74.90, placed last night at ten, still not packed, money back please." It's 9 in the morning. Give the calls.
3 extraction | Extract the arguments for book_table(date: ISO, time: HH:MM, people: int, terrace: bool, note?: string) or ask exactly one question if something needed is missing. Today is Sunday 2031-06-08. "Table for the six of us plus the baby next Sat, half seven-ish, outside unless it rains"
1 extraction l3 | Tools: send_message(to, text), call(number). "Tell Ida that I'm ten minutes late." Which call?
1 extraction l3 @zh | 工具:send_message(to, text)、call(number)。“告诉Ida我会晚到十分钟。”应该调用哪个?
1 extraction c2 | You're the assistant of a smart home. There's only one tool, set_temperature(room, degrees). The user has just come in from the cold and says: "It's freezing, please make it 21 degrees in the living room." Write down the call and nothing else.
4 code_editing c2 | bisect a flaky, order-dependent failure, ten runs allowed
2 extraction c3 | You're the assistant of a dental practice with the tools find_slot(day), book(slot, name) and cancel(booking). A patient writes: "This is Karim, I've got toothache, could I come on Monday or else on Tuesday?" Which call do you make first, and which one if that one returns nothing?
5 code_editing c3 | port this kernel driver to Rust, unattended, no hardware
3 code_editing | next command? "git bisect bad" printed nothing
2 extraction | Tools: add, mul. Compute 3*(4+5)*2, calls only.
2 extraction | You are an assistant with access to the following functions. Use them if required.\n\n{"name": "get_order", "description": "Look up an order by its number", "parameters": {"type": "object", "properties": {"number": {"type": "string"}}, "required": ["number"]}}\n{"name": "send_invoice", "description": "Send the invoice of an order again by e-mail", "parameters": {"type": "object", "properties": {"number": {"type": "string"}, "email": {"type": "string"}}, "required": ["number", "email"]}}\n\nUser: the invoice for my order B-7741 never arrived, could you send it to office@quillpress.example please?
`,
}
