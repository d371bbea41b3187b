import type { DomainPrompt } from './domain-prompt.ts'

/** Questions about code. */
export const codeQuestions: readonly DomainPrompt[] = [
  {
    id: 'code-too-many-requests',
    grade: 1,
    prompt:
      'Which HTTP status code tells a client that it has sent too many requests?\nA) 403\nB) 409\nC) 429\nD) 503',
    check: { type: 'choice', expected: 'C', options: 'ABCD' },
  },
  {
    id: 'code-python-range',
    grade: 1,
    prompt:
      'What does this Python program print?\n\ntotal = 0\nfor i in range(1, 10, 3):\n    total += i\nprint(total)',
    check: { type: 'number', expected: 12 },
  },
  {
    id: 'code-typeof-null',
    grade: 1,
    prompt:
      'What does console.log(typeof null) print in JavaScript? Reply with the printed text only.',
    check: { type: 'exact', expected: ['object'] },
  },
  {
    id: 'code-sort-as-text',
    grade: 2,
    prompt:
      'What does this JavaScript print? Reply with the printed text only.\n\nconsole.log([3, 20, 100].sort().join(","))',
    check: { type: 'exact', expected: ['100,20,3'] },
  },
  {
    id: 'code-undo-commit',
    grade: 2,
    prompt:
      'Welcher git-Befehl macht den letzten Commit rückgängig, lässt aber alle seine Änderungen im Index (staged) stehen? Nenne nur den Befehl.',
    check: {
      type: 'exact',
      expected: [
        'git reset --soft HEAD~1',
        'git reset --soft HEAD~',
        'git reset --soft HEAD^',
        'git reset --soft @~',
      ],
    },
  },
  {
    id: 'code-sql-having',
    grade: 2,
    prompt:
      'A query must list the customers with more than 5 orders. Where does the condition on the number of orders belong?\nA) in WHERE, before GROUP BY\nB) in HAVING, after GROUP BY\nC) in the ON clause of a join\nD) in ORDER BY',
    check: { type: 'choice', expected: 'B', options: 'ABCD' },
  },
  {
    id: 'code-event-loop',
    grade: 3,
    prompt: `In which order does this JavaScript module print its letters? Reply with the eight letters only, without spaces.

console.log('A')
setTimeout(() => console.log('B'), 0)
Promise.resolve()
  .then(() => {
    console.log('C')
    queueMicrotask(() => console.log('D'))
  })
  .then(() => console.log('E'))
;(async () => {
  console.log('F')
  await null
  console.log('G')
})()
console.log('H')`,
    check: { type: 'exact', expected: ['AFHCGDEB', 'A F H C G D E B', 'A, F, H, C, G, D, E, B'] },
  },
  {
    id: 'code-regex-matches',
    grade: 3,
    prompt: String.raw`Which substrings does the JavaScript regular expression /\b\d{2,3}(?=[-x])(?!-0)/g match in the following text? Reply with a JSON array of strings, in order.

12-5 1234x 77x9 08-01 456-2 99-0 x31x 100 250-`,
    check: {
      type: 'json_schema',
      schema: { type: 'array', items: { type: 'string' } },
      equals: ['12', '77', '456', '250'],
    },
  },
  {
    id: 'code-generator-trace',
    grade: 4,
    prompt: `What does this JavaScript print? Reply with the printed line only.

const log = []
function* steps(n) {
  try {
    while (n > 0) {
      const given = yield n
      n = given ?? n - 1
    }
    return 'end'
  } finally {
    log.push('f' + n)
  }
}
for (const x of steps(3)) {
  log.push(x)
  if (x === 2) break
}
const it = steps(2)
log.push(it.next(9).value, it.next(5).value, it.next().value)
log.push(it.return('r').value, it.next().done)
log.push([...steps(2)].length)
console.log(log.join(' '))`,
    check: { type: 'exact', expected: ['3 2 f2 2 5 4 f4 r true f0 2'] },
  },
]
