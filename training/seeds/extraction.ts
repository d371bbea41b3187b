/**
 * Texts to extract from, or to convert into another form. `
 * ` is a line break.
 */
export const extraction = String.raw`
Extract all email addresses from the text below and return them as a JSON array:\nContact sales at sales@example.org or, for returns, returns@example.org.
From the following invoice, give me vendor, date, total and currency as JSON.\nINVOICE 2291 - Acorn Paper, 12 March, Total: EUR 184.50
List every person and organisation mentioned in this paragraph: The mayor met the board of Harbour Rail on Tuesday.
Classify the sentiment of this review as positive, negative or neutral. Answer with one word.\n"The tent leaked, but the staff replaced it at once."
Summarise the following article in three bullet points:\nThe council voted last night to close the bridge for repairs that are expected to last two years.
Return only valid JSON with the keys "name", "quantity", "unit" for each ingredient: 200 g flour, 2 eggs, a pinch of salt
Pull the dates out of this text and write them as YYYY-MM-DD: We met on May 3rd 2021 and again on 7 June 2022.
Which of these categories fits the ticket: billing, login, shipping, other? Ticket: "I was charged twice for one order."
Fill in the fields from the message. Fields: departure, destination, date, passengers. Message: two of us from Lyon to Turin next Friday
Extract the key terms of this contract clause as a table with party, obligation and deadline.\nThe supplier shall deliver within 14 days of the order; the buyer shall pay within 30 days.
Tag each word with its part of speech: The old clock stopped at noon.
Read the log lines and list the unique error codes:\n12:01 ERR E104 timeout\n12:02 ERR E221 refused\n12:05 ERR E104 timeout
Summarize this meeting transcript. Decisions first, then open questions, then who does what.\nAnna: we ship on Monday. Ben: docs are missing. Anna: Ben writes them.
Does the passage mention a price? Answer yes or no and quote it.\nPassage: Tickets are twelve euros at the door.
Extract product names and prices from this HTML:\n<li>Lamp <b>19.90</b></li><li>Chair <b>49.00</b></li>
Give me a one-sentence TL;DR of the text between the lines.\n---\nThe study followed 400 households for a year and found that labels changed little.\n---
Find all phone numbers in the document and normalise them to international format.
Determine the language of each line:\nbonjour tout le monde\nguten Morgen\nbuenos dias
Parse this address into street, number, postcode and city: Lindenweg 14b, 70599 Stuttgart
Label each sentence as claim, evidence or opinion. Output one label per line.
From the CV below extract education, years of experience and skills as JSON.\nStudied chemistry in Porto, 2009-2014. Since then lab technician. Python, Excel.
Answer only from the context. Context: The library opens at nine and closes at six, on Saturdays at one. Question: when does it close on Saturday?
Which topics occur in these customer comments? Count how often each occurs.
Identify the named entities and their types (PER, ORG, LOC) in: Marta Ruiz joined Nordlicht AG in Bergen.
Mark the spam messages with 1 and the others with 0:\nYou won a phone!!! click\nDinner at seven?
Condense this abstract to 50 words for a newsletter.
Extract every number with its unit from this lab report: pH 7.2, sodium 140 mmol/L, weight 71 kg
Go through the chat below and list what the customer still needs from us.
Return the answer as {"category": string, "confidence": number}. Text: the screen flickers when I plug in the charger
Which clause of the policy covers water damage? Quote it word for word.
Write down the table of contents of the following text, with headings by level.
Score each answer from 1 to 5 for politeness and give the scores as CSV.
`

export const transformation = String.raw`
Translate to German: The meeting has been moved to Thursday at ten.
Translate the following text into French and keep the line breaks:\nDear guests,\nthe pool is closed today.
Convert this CSV to a Markdown table:\nname,age\nTom,31\nIda,28
Turn this JSON into YAML:\n{"server": {"port": 8080, "hosts": ["a", "b"]}}
Correct the spelling and grammar, change nothing else: Yesterday we has went too the libary.
Rewrite this list in alphabetical order and remove duplicates: pear, apple, fig, apple, plum
Put this sentence into the passive voice: The committee rejected the proposal.
Convert these temperatures to Fahrenheit and return a table: 12 C, 18 C, 25 C
Reformat these names as "Last, First": Jo Marsh, Ada Quinn, Lee Okafor
Translate this user interface text to Spanish, keep the placeholders: "Hello {name}, you have {count} new messages."
Replace every date in the text by the weekday it fell on.
Change the following text from first person to third person: I opened the door and saw my brother.
Transform this XML to JSON:\n<book><title>Tides</title><year>1998</year></book>
Paraphrase the paragraph in plain language for a ten-year-old reader.
Sort these log lines by time and drop the DEBUG ones:\n10:02 DEBUG a\n09:58 INFO b\n10:01 ERROR c
Capitalise the headings in title case:\nhow we work\nwhat we ask of you
Anonymise this text: replace names by [NAME] and cities by [CITY]. Peter from Ghent called about his order.
Übersetze ins Englische: Der Zug fällt heute leider aus.
Traduis en anglais : la réunion est reportée à lundi.
Break this paragraph into a numbered list, one step per line.
Expand the abbreviations in this note: pt. seen approx. 3 h after adm., BP ok
Convert the recipe from cups to grams.
Make a glossary (term, definition) from the following text.
Merge these two lists and keep the order of the first: [a, c, d] and [b, c, e]
Shorten each line to at most 40 characters without losing its meaning.
Turn the questions and answers below into flashcards in the form front;back
Rewrite the dates in this table from MM/DD/YYYY to ISO format.
Convert this bullet list into one flowing paragraph.
Transcribe the numbers in words: 17, 204, 3,060
Simplify the following legal notice into plain English, same content, half the length.
Turn this email thread into a timeline with one line per event.
Translate to Italian, formal register: We are sorry that your order arrived damaged.
`
