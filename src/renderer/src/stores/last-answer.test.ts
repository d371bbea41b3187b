import { expect, test } from 'vitest'
import { demoModel } from '../../../shared/models/provider-type.ts'
import { noteAnswer, useLastAnswer, usualRouter } from './last-answer.ts'

const demo = { id: 'demo', models: [demoModel.id] }
const shop = { id: 'shop', models: ['openai:gpt-5.4', demoModel.id] }
const docs = { id: 'docs', models: ['openai:gpt-5.4-mini'] }

test.each([
  ['the one used last', [demo, shop, docs], 'docs', 'docs'],
  ['the first one besides the demo while none was used', [demo, shop, docs], null, 'shop'],
  ['another one than the demo, even if that was used last', [demo, docs], 'demo', 'docs'],
  ['the first one besides the demo after the last one was deleted', [demo, shop], 'gone', 'shop'],
  ['the demo when there is no other', [demo], null, 'demo'],
])('a choice of routers begins with %s', (_words, routers, lastId, chosen) => {
  expect(usualRouter(routers, lastId)?.id).toBe(chosen)
})

test('a failed request is not the last answer', () => {
  useLastAnswer.setState({ hasAnswer: false, routerId: null })
  noteAnswer({ status: 502, routerId: 'shop' })
  expect(useLastAnswer.getState()).toEqual({ hasAnswer: false, routerId: null })
  noteAnswer({ status: 200, routerId: 'docs' })
  expect(useLastAnswer.getState()).toEqual({ hasAnswer: true, routerId: 'docs' })
})
