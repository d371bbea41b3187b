import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { sampleMessage } from '../../../../../test/sample-conversations.ts'
import { Question } from './question.tsx'

const standIn = sampleMessage({ text: '', imported: { model: null, details: [] } })

function drawn(questions: readonly (typeof standIn)[]): string {
  const turn = { question: standIn, questions, answers: [] }
  return renderToStaticMarkup(<Question turn={turn} conversation="c" routerId="router_a" />)
}

test('a question that an imported answer lacks is not drawn, but its other versions can be reached', () => {
  expect(drawn([standIn])).toBe('')
  const html = drawn([sampleMessage({ id: 'other' }), standIn])
  expect(html).toContain('2/2')
  expect(html).not.toContain('<article')
})
