import { expect, test } from 'vitest'
import { readStoredTexts } from './kept-texts.ts'

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

test('reads the texts from the stored request and answer', () => {
  expect(readStoredTexts(content)).toEqual({ system: 'Be short.', user: 'Hi', output: 'Hello.' })
})

test('a missing answer gives no text, and a truncated request is not guessed', () => {
  expect(readStoredTexts({ ...content, answer: null })?.output).toBeNull()
  expect(readStoredTexts({ ...content, answer: '{"choices":[{"mess' })?.output).toBeNull()
  expect(readStoredTexts({ ...content, request: content.request.slice(0, 20) })).toBeNull()
})
