import { expect, test } from 'vitest'
import { readKeptTexts } from './kept-texts.ts'

const content = {
  requestId: 'r',
  routerId: 'router',
  startedAtMs: 0,
  request: JSON.stringify({
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hi' },
    ],
  }),
  isRequestCut: false,
  answer: JSON.stringify({ model: 'm', choices: [{ message: { content: 'Hello.' } }] }),
  isAnswerCut: false,
}

test('what was asked and answered is read from what was kept', () => {
  expect(readKeptTexts(content)).toEqual({ system: 'Be short.', user: 'Hi', output: 'Hello.' })
})

test('no answer is none, and a request that was cut is not guessed at', () => {
  expect(readKeptTexts({ ...content, answer: null })?.output).toBeNull()
  expect(readKeptTexts({ ...content, answer: '{"choices":[{"mess' })?.output).toBeNull()
  expect(readKeptTexts({ ...content, request: content.request.slice(0, 20) })).toBeNull()
})
