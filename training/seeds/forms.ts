/**
 * Forms of requests, with texts and code to insert; `{}` marks the place. The request determines the kind of prompt,
 * whatever the text is about, so every form is combined with several texts.
 */
export const extractionForms = String.raw`
Extract all names from this text: {}
Extract the dates and places mentioned below as JSON.\n\n{}
Summarize the following text in one sentence:\n\n{}
Summarise this for me in three bullet points: {}
TL;DR\n\n{}
Give me the key points of this passage.\n{}
Classify the following text into one of: news, advert, personal, manual.\n\nText: {}\nLabel:
What is the sentiment of this text? Answer positive, negative or neutral.\n{}
Return a JSON object with "who", "what", "when" for the text below.\n{}
List every number in this text together with what it counts:\n{}
Which organisations are mentioned here? Only a list, no explanation. {}
Read the text and answer only from it: who did something, and when?\n\n{}
Find the sentence that states the main claim and quote it exactly.\n{}
Tag the parts of speech in this sentence: {}
Pull out all action items from the notes below.\n{}
Based on the context below, answer the question. If it is not in the context, say so.\nContext: {}\nQuestion: where did it happen?
Identify the language and the tone of this text: {}
Fill this table from the text (columns: person, place, time).\n{}
Output only valid JSON. Schema: {"title": string, "tags": string[]}. Input: {}
Does the following text contain personal data? Answer yes or no and say which.\n{}
`

export const transformationForms = String.raw`
Translate to French: {}
Translate the following text into Spanish.\n\n{}
Please translate this into English: {}
Übersetze den folgenden Text ins Deutsche: {}
Correct grammar and spelling, keep everything else: {}
Proofread this:\n\n{}
Rewrite this in the past tense: {}
Rewrite the following in plain language: {}
Paraphrase: {}
Make this shorter, at most fifteen words: {}
Convert this paragraph to a bulleted list:\n{}
Turn this text into a Markdown table:\n{}
Put the sentences below in passive voice.\n{}
Change all names in this text to initials: {}
Reformat the text below as an FAQ.\n{}
Convert all units in this text to metric: {}
Rewrite the text with British spelling: {}
Replace every noun by a synonym: {}
Split this into sentences, one per line: {}
Write this out without abbreviations: {}
`

export const writingForms = String.raw`
Write a short story that begins with: {}
Continue writing: {}
Write a tweet about this: {}
Write a headline and a teaser for this text: {}
Write a friendly reply to this message: {}
Reply to this email and politely decline: {}
Write a poem inspired by this: {}
Make this sound more professional: {}
Make this more engaging for a newsletter:\n{}
Write a press release about the following.\n{}
`

export const texts = String.raw`
The ferry to the island leaves at seven and comes back at noon, unless there is fog.
Our heating was repaired on 4 November by two people from Brandt & Sons, and it broke again on the 9th.
Sales rose by 12 percent in the second quarter, mostly because of the new shop in Leeds.
I loved the first half of the film, but the end felt as if somebody had run out of time.
The patient, 54, reported chest pain after climbing stairs; blood pressure was 150 over 95.
Dear team, the printer on floor three is out of order until Thursday, please use the one in the hall.
The supplier guarantees that the goods are free of defects for a period of 24 months.
Mira walked 14 kilometres along the river and counted thirty-one herons before it got dark.
In 1905 a clerk at a patent office published four papers that changed physics.
Add the onions, let them brown for ten minutes, then pour in half a litre of stock.
The committee could not agree on the date, so Mr Okoye proposed to vote by letter.
Battery lasts two days, screen is bright, but the charger gets hot. Three stars.
`

export const codeForms = String.raw`
Explain this code:\n{}
What does this do?\n\n{}
Fix the bug in this code:\n{}
Add comments to this function.\n{}
Refactor this to be easier to read:\n{}
Write tests for this:\n{}
Rewrite this in TypeScript:\n{}
Make this faster:\n{}
Why does this throw an error?\n{}
Add input validation to the following function:\n{}
Is there a security problem in this snippet?\n{}
Convert this to use async/await where it makes sense:\n{}
`

export const snippets = String.raw`
def total(items):\n    result = 0\n    for item in items:\n        result += item["price"] * item["qty"]\n    return result
function pick(list) {\n  return list[Math.floor(Math.random() * list.length + 1)]\n}
SELECT c.name, COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY c.name
public static boolean isEven(int n) {\n    return n % 2 == 1;\n}
with open("report.csv") as f:\n    rows = [line.split(",") for line in f]\nprint(rows[0][7])
const users = await fetch('/api/users').then(r => r.json())\nusers.map(u => <li>{u.name}</li>)
fn longest(a: &str, b: &str) -> &str {\n    if a.len() > b.len() { a } else { b }\n}
for file in $(ls *.txt); do\n  mv $file $(echo $file | tr a-z A-Z)\ndone
`
