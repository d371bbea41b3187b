import type { AnswersById } from './answers.ts'

export const codeQuestionAnswers: AnswersById = {
  'code-too-many-requests': {
    right: 'The correct answer is **C) 429**, "Too Many Requests".',
    wrong: [
      'The correct answer is **D) 503**, because the service is overloaded.',
      'A) 403',
      'The answer is 409, so option B.',
    ],
  },
  'code-python-range': {
    right: 'The loop visits 1, 4 and 7, so the program prints **12**.',
    wrong: [
      'The loop visits 1, 4, 7 and 10, so it prints **22**.',
      'It prints 45.',
      'The loop visits 3, 6 and 9: **18**.',
    ],
  },
  'code-typeof-null': { right: '`object`', wrong: ['null', '"undefined"', 'It prints `Null`.'] },
  'code-sort-as-text': {
    right: '```\n100,20,3\n```',
    wrong: ['3,20,100', '100, 3, 20', '[100, 20, 3]'],
  },
  'code-undo-commit': {
    right: '```bash\ngit reset --soft HEAD~1\n```',
    wrong: ['`git reset --mixed HEAD~1`', 'git revert HEAD', 'git reset --hard HEAD~1'],
  },
  'code-sql-having': {
    right: 'B) HAVING filters groups after aggregation, while WHERE filters single rows.',
    wrong: [
      'A) WHERE is the place for all conditions.',
      'The condition belongs into the ON clause, so the answer is C.',
      '**D**',
    ],
  },
  'code-event-loop': { right: 'AFHCGDEB', wrong: ['AHFCGDEB', 'AFHCDEGB', 'AFHCDGEB'] },
  'code-regex-matches': {
    right: '["12", "77", "456", "250"]',
    wrong: [
      '["12", "77", "08", "456", "99", "250"]',
      '["12-", "77x", "456-", "250-"]',
      '```json\n["12", "234", "77", "456", "31", "250"]\n```',
    ],
  },
  'code-generator-trace': {
    right: '`3 2 f2 2 5 4 f4 r true f0 2`',
    wrong: ['3 2 f2 9 5 4 f4 r true f0 2', '3 2 f1 2 5 4 f4 r true f0 2', '3 2 2 5 4 r true 2'],
  },
}
