import type { DomainPrompt } from './domain-prompt.ts'

export const chatWritingPrompts: readonly DomainPrompt[] = [
  {
    id: 'writing-correct-sentence',
    grade: 1,
    prompt:
      'Correct this sentence and reply with the corrected sentence only: She dont like apples.',
    check: { type: 'exact', expected: ["She doesn't like apples", 'She does not like apples'] },
  },
  {
    id: 'writing-polite-request',
    grade: 1,
    prompt:
      'Which sentence is the most polite way to ask a stranger for help?\nA) Help me with this.\nB) You have to help me.\nC) Excuse me, could you please help me for a moment?\nD) Why is nobody helping me?\nReply with the letter only.',
    check: { type: 'choice', expected: 'C', options: 'ABCD' },
  },
  {
    id: 'writing-german-article',
    grade: 1,
    prompt:
      'Welches Wort gehört in die Lücke? Antworte nur mit dem Wort.\n\nIch gebe ___ Kind einen Apfel. (bestimmter Artikel)',
    check: { type: 'exact', expected: ['dem', 'Ich gebe dem Kind einen Apfel'] },
  },
  {
    id: 'writing-thank-you',
    grade: 1,
    prompt:
      'Write one sentence that thanks Ms. Okafor for the meeting on Tuesday. Use her name and the day.',
    check: {
      type: 'facts',
      required: [['Okafor'], ['Tuesday'], ['thank*', 'grateful', 'appreciate*', 'gratitude']],
      forbidden: ['Mr. Okafor', 'Thursday'],
    },
  },
  {
    id: 'writing-spanish-verb',
    grade: 1,
    prompt:
      'Completa con «es» o «está» y responde solo con esa palabra: La puerta ___ abierta ahora.',
    check: { type: 'exact', expected: ['está', 'La puerta está abierta ahora'] },
  },
  {
    id: 'writing-product-card',
    grade: 2,
    prompt:
      'Write a product card for a wooden pencil box. Reply with JSON only: {"title": at most 30 characters, "tags": exactly three different words of at most 12 characters, "tone": "friendly"}.',
    check: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          title: { type: 'string', minLength: 5, maxLength: 30 },
          tags: {
            type: 'array',
            items: { type: 'string', minLength: 2, maxLength: 12 },
            minItems: 3,
            maxItems: 3,
            uniqueItems: true,
          },
          tone: { const: 'friendly' },
        },
        required: ['title', 'tags', 'tone'],
        additionalProperties: false,
      },
    },
  },
  {
    id: 'writing-tone',
    grade: 2,
    prompt:
      '"Oh, wonderful. Another meeting about how many meetings we have. Exactly what my Friday evening needed." What is the tone?\nA) enthusiastic\nB) sarcastic\nC) neutral\nD) apologetic',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'writing-sentence-order',
    grade: 2,
    prompt:
      'These sentences form a short paragraph, but their order is lost:\n1. There she learned that the last train had been cancelled.\n2. Lena left the office late on Friday.\n3. In the end, a colleague who lived nearby drove her home.\n4. She hurried to the station without stopping for dinner.\nReply with JSON only: an array of the four numbers in the right order.',
    check: {
      type: 'json_schema',
      schema: { type: 'array', items: { type: 'integer' } },
      equals: [2, 4, 1, 3],
    },
  },
  {
    id: 'writing-french-subjunctive',
    grade: 2,
    prompt:
      'Conjugue le verbe entre parenthèses et réponds seulement avec la forme verbale : Il faut que tu ___ (être) à l’heure.',
    check: { type: 'exact', expected: ['sois', "Il faut que tu sois à l'heure"] },
  },
  {
    id: 'writing-passive',
    grade: 2,
    prompt:
      'Rewrite this sentence in the passive voice and keep its tense: "The committee has approved the new budget." Reply with the sentence only.',
    check: {
      type: 'exact',
      expected: [
        'The new budget has been approved by the committee',
        'The new budget has been approved',
      ],
    },
  },
  {
    id: 'writing-invitation',
    grade: 3,
    prompt:
      'Which invitation meets all of these rules: at most 25 words; names the date 12 May; no exclamation mark; ends with a question; says "you" to the reader?\nA) Will you join our garden party on 12 May? Bring a friend and something to share.\nB) We are having a garden party on 12 May. Shall we keep a seat at the long table under the old trees by the river for you and one of your friends?\nC) Our garden party is on 12 May! Can you join us and bring a small dish?\nD) Our garden party is on 12 May, and we would love to see you there. Will you come?',
    check: { type: 'choice', expected: 'D', options: 'ABCD' },
  },
  {
    id: 'writing-confused-words',
    grade: 3,
    prompt:
      'Fill each gap with one of these words; each is used at most once: affect, effect, elicit, illicit, discreet, discrete, complement, compliment, principal, principle.\n\n1. The probability function takes only ___ values.\n2. The new manager hopes to ___ change within a month.\n3. The lawyer tried to ___ an answer from the witness.\n4. The white wine is a perfect ___ to the fish.\n5. They repaid the interest but not the ___.\n\nReply with a JSON array of the five words, in order.',
    check: {
      type: 'json_schema',
      schema: { type: 'array', items: { type: 'string' } },
      equals: ['discrete', 'effect', 'elicit', 'complement', 'principal'],
    },
  },
  {
    id: 'writing-german-endings',
    grade: 3,
    prompt:
      'Ergänze alle Endungen und antworte nur mit dem vollständigen Satz:\n\nTrotz d__ stark__ Regen__ ging er mit sein__ alt__ Freund ohne ein__ warm__ Mantel durch d__ dunkl__ Wald.',
    check: {
      type: 'exact',
      isCaseSensitive: true,
      expected: [
        'Trotz des starken Regens ging er mit seinem alten Freund ohne einen warmen Mantel durch den dunklen Wald',
      ],
    },
  },
  {
    id: 'writing-german-commas',
    grade: 3,
    prompt:
      'Setze alle nötigen Kommas und antworte nur mit dem Satz:\n\nEr versprach dass er sobald er den Brief den sie ihm geschickt hatte gelesen habe antworten werde.',
    check: {
      type: 'exact',
      expected: [
        'Er versprach, dass er, sobald er den Brief, den sie ihm geschickt hatte, gelesen habe, antworten werde',
      ],
    },
  },
  {
    id: 'writing-five-letter-words',
    grade: 3,
    prompt:
      'How many words of this sentence have exactly five letters? End with a line "Answer: <number>".\n\nEvery night the small river below our house grows loud, and three white boats drift under the stone arch while older folks trade tales about great storms.',
    check: { type: 'number', expected: 20 },
  },
  {
    id: 'writing-snowball',
    grade: 3,
    prompt:
      'Write a grammatical English sentence of eight words in which the first word has one letter, the second two letters, and so on up to eight letters. Reply with a JSON array of the eight words, without punctuation.',
    check: {
      type: 'json_schema',
      schema: {
        type: 'array',
        prefixItems: [1, 2, 3, 4, 5, 6, 7, 8].map((length) => ({
          type: 'string',
          minLength: length,
          maxLength: length,
        })),
        items: false,
        minItems: 8,
        uniqueItems: true,
      },
    },
  },
  {
    id: 'writing-exact-lengths',
    grade: 4,
    prompt:
      'Write two slogans for a bakery. The first has exactly 20 characters and the second exactly 50 characters, counting spaces and punctuation. Both are natural English, end without spaces and are not padded. Reply with JSON only, in the form {"short": "…", "long": "…"}.',
    check: {
      type: 'json_schema',
      schema: {
        type: 'object',
        properties: {
          short: { type: 'string', minLength: 20, maxLength: 20 },
          long: { type: 'string', minLength: 50, maxLength: 50 },
        },
        required: ['short', 'long'],
        additionalProperties: false,
      },
    },
  },
  {
    id: 'writing-twenty-words',
    grade: 4,
    prompt:
      'Write a grammatical English sentence of exactly 20 words. The first word is "Today", the last is "home", no word occurs twice, and every word has two to six letters. Reply with a JSON array of the 20 words, without punctuation.',
    check: {
      type: 'json_schema',
      schema: {
        type: 'array',
        prefixItems: Array.from({ length: 20 }, (_, index) => {
          if (index === 0) return { const: 'Today' }
          if (index === 19) return { const: 'home' }
          return { type: 'string', minLength: 2, maxLength: 6 }
        }),
        items: false,
        minItems: 20,
        uniqueItems: true,
      },
    },
  },
  {
    id: 'writing-six-rules',
    grade: 4,
    prompt:
      'Which sentence meets all of these rules: exactly 15 words; no letter "e"; at least five words that start with "s"; no word twice; exactly one comma?\nA) Still out of sight, our small ship sails north until the storm stops it again.\nB) Still half in sight, our small ship sails north as a storm is coming in.\nC) Still half in sight, our small ship sails north, until a storm stops it again.\nD) Still half in sight, our small ship sails far north until a storm stops it again.\nE) Still half in sight, our small ship sails north until a storm stops it again.\nF) Half lost to sight, our boat turns north until a big storm stops it again.\nEnd with a line "Answer: <letter>".',
    check: { type: 'choice', expected: 'E', options: 'ABCDEF' },
  },
  {
    id: 'writing-remove-words',
    grade: 4,
    prompt:
      'Delete every word that contains the letter "r" (in either case), then put the remaining words into reverse order. Keep their spelling, drop all punctuation, and reply with the resulting words only, separated by single spaces.\n\nBefore dawn the old ferry crossed a silent bay, carrying nine boxes of letters that nobody would ever open again after the war.',
    check: {
      type: 'exact',
      expected: ['the again open would nobody that of boxes nine bay silent a old the dawn'],
    },
  },
]
