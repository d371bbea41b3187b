import { expect, test } from 'vitest'
import { titleOf } from './title-text.ts'

const english = 'Could you please tell me why the sea rises twice a day?'

test.each([
  [english, 'Why tides rise twice', 'Why tides rise twice'],
  [english, '  Causes of tides.\n', 'Causes of tides'],
  ['Warum gibt es Ebbe und Flut?', 'Ursachen der Gezeiten', 'Ursachen der Gezeiten'],
  ['Почему бывают приливы?', 'Причины приливов', 'Причины приливов'],
  ['なぜ潮は満ちるのですか', '潮の満ち引きの理由', '潮の満ち引きの理由'],
  ['为什么会有潮汐？', '潮汐的成因', '潮汐的成因'],
])('for the question %j, %j is a title', (question, answer, title) => {
  expect(titleOf(answer, question)).toBe(title)
})

test.each([
  ['one word', 'Tides'],
  ['nine words', 'Why the sea rises and falls twice every day'],
  ['quotes', '“Why tides rise”'],
  ['straight quotes', '"Why tides rise"'],
  ['two lines', 'Why tides rise\nTwice a day'],
  ['a label', 'Title: Why tides rise'],
  ['a beginning of a list', 'Here is a title:'],
  ['markup', '**Why tides rise**'],
  ['invisible characters', 'Why tides\u202E rise'],
  ['another script', '潮汐的成因'],
  ['nothing', ''],
  ['no letters', '1 2 3'],
  ['endless words', `Tides ${'x'.repeat(100)}`],
])('%s is no title', (_what, answer) => {
  expect(titleOf(answer, english)).toBeNull()
})
