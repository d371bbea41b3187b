import type { AnswersById } from './answers.ts'

export const chatWritingAnswers: AnswersById = {
  'writing-correct-sentence': {
    right: "She doesn't like apples.",
    wrong: ["She don't like apples.", 'She did not like apples.', 'She dosent like apples.'],
  },
  'writing-polite-request': { right: 'C', wrong: ['A', 'B) You have to help me.', '**D**'] },
  'writing-german-article': {
    right: 'dem',
    wrong: ['das', 'den', 'Ich gebe der Kind einen Apfel.'],
  },
  'writing-thank-you': {
    right: 'Thank you, Ms. Okafor, for taking the time to meet with me on Tuesday.',
    wrong: [
      'Thank you very much for the meeting on Tuesday.',
      'Dear Ms. Okafor, thank you for yesterday’s meeting.',
      'It was nice to see you on Tuesday, Ms. Okafor.',
    ],
  },
  'writing-spanish-verb': {
    right: '**está**',
    wrong: ['es', 'esta', 'La puerta es abierta ahora.'],
  },
  'writing-product-card': {
    right:
      '```json\n{\n  "title": "Handmade Wooden Pencil Box",\n  "tags": ["wood", "stationery", "gift"],\n  "tone": "friendly"\n}\n```',
    wrong: [
      '{"title": "A beautiful handmade wooden pencil box for everyone", "tags": ["wood", "desk", "gift"], "tone": "friendly"}',
      '{"title": "Wooden Pencil Box", "tags": ["wood", "desk", "gift", "school"], "tone": "friendly"}',
      '{"title": "Wooden Pencil Box", "tags": ["wood", "environment-friendly", "gift"], "tone": "warm"}',
    ],
  },
  'writing-tone': {
    right: 'The speaker says the opposite of what they mean: **B) sarcastic**.',
    wrong: ['A) enthusiastic', 'The tone is neutral, so the answer is C.', 'D'],
  },
  'writing-sentence-order': {
    right: '[2, 4, 1, 3]',
    wrong: ['[2, 1, 4, 3]', '[4, 2, 1, 3]', '2, 4, 1, 3'],
  },
  'writing-french-subjunctive': {
    right: 'sois',
    wrong: ['es', 'Il faut que tu soit à l’heure.', 'seras'],
  },
  'writing-passive': {
    right: 'The new budget has been approved by the committee.',
    wrong: [
      'The new budget was approved by the committee.',
      'The new budget has approved the committee.',
      'The new budget is being approved by the committee.',
    ],
  },
  'writing-invitation': {
    right:
      'A does not end with a question, B has 32 words, and C has an exclamation mark.\n\nThe answer is **D**.',
    wrong: ['The answer is **A**.', 'B meets all of the rules. Answer: B', 'C'],
  },
  'writing-confused-words': {
    right: '["discrete", "effect", "elicit", "complement", "principal"]',
    wrong: [
      '["discrete", "affect", "elicit", "complement", "principal"]',
      '["discreet", "effect", "elicit", "compliment", "principal"]',
      '["discrete", "effect", "elicit", "complement", "principle"]',
    ],
  },
  'writing-german-endings': {
    right:
      'Trotz des starken Regens ging er mit seinem alten Freund ohne einen warmen Mantel durch den dunklen Wald.',
    wrong: [
      'Trotz dem starken Regen ging er mit seinem alten Freund ohne einen warmen Mantel durch den dunklen Wald.',
      'Trotz des starken Regens ging er mit seinem alten Freund ohne einem warmen Mantel durch den dunklen Wald.',
      'Trotz des starken Regens ging er mit seinen alten Freund ohne einen warmen Mantel durch dem dunklen Wald.',
    ],
  },
  'writing-german-commas': {
    right:
      'Er versprach, dass er, sobald er den Brief, den sie ihm geschickt hatte, gelesen habe, antworten werde.',
    wrong: [
      'Er versprach, dass er sobald er den Brief, den sie ihm geschickt hatte, gelesen habe, antworten werde.',
      'Er versprach, dass er, sobald er den Brief den sie ihm geschickt hatte gelesen habe, antworten werde.',
      'Er versprach, dass er, sobald er den Brief, den sie ihm geschickt hatte, gelesen habe antworten werde.',
    ],
  },
  'writing-five-letter-words': {
    right:
      'Every, night, small, river, below, house, grows, three, white, boats, drift, under, stone, while, older, folks, trade, tales, about, great.\n\nAnswer: 20',
    wrong: ['Answer: 19', 'I count 21 words.\n\nAnswer: 21', 'Answer: 18'],
  },
  'writing-snowball': {
    right: '["I", "do", "not", "like", "plain", "boring", "written", "speeches"]',
    wrong: [
      '["I", "am", "not", "here", "today", "simply", "because", "reasons"]',
      '["I", "do", "not", "know", "where", "family", "doctors", "purchase"',
      '["I", "am", "the", "best", "writer", "around", "without", "question"]',
    ],
  },
  'writing-exact-lengths': {
    right:
      '{"short": "Fresh bread at seven", "long": "We bake before sunrise so your day can start warm."}',
    wrong: [
      '{"short": "Fresh bread at seven.", "long": "We bake before sunrise so your day can start warm."}',
      '{"short": "Fresh bread at seven", "long": "We bake early so your day starts with warm bread."}',
      '{"short": "Baked with love", "long": "Every loaf tells the story of our family and of yours."}',
    ],
  },
  'writing-twenty-words': {
    right:
      '["Today","my","sister","found","an","old","brown","box","under","our","stairs","and","took","every","letter","inside","it","back","safely","home"]',
    wrong: [
      '["Today","my","sister","found","an","old","brown","box","under","our","stairs","and","took","every","letter","in","it","back","home"]',
      '["Today","my","sister","found","an","old","brown","box","under","my","stairs","and","took","every","letter","inside","it","back","safely","home"]',
      '["Today","my","brother","found","an","old","brown","box","under","our","stairs","and","took","every","letter","inside","it","back","safely","home"]',
    ],
  },
  'writing-six-rules': {
    right:
      'A has an "e" in "the", B repeats "in", C has two commas, D has 16 words and F only three words with "s".\n\nAnswer: E',
    wrong: ['Answer: B', 'Answer: D', 'All rules hold for the first one.\n\nAnswer: A'],
  },
  'writing-remove-words': {
    right: 'the again open would nobody that of boxes nine bay silent a old the dawn',
    wrong: [
      'dawn the old a silent bay nine boxes of that nobody would open again the',
      'the again open ever would nobody that of boxes nine bay silent a old the dawn',
      'again open would nobody that of boxes nine bay silent a old dawn',
    ],
  },
}
