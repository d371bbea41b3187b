/** The reasoning of a local model, with a process that answers from a script. */
import { expect, onTestFinished, test } from 'vitest'
import { open } from '../../../test/local/ask-local-model.ts'
import { scriptedProcess, type ProcessRequests } from '../../../test/local/scripted-process.ts'
import type { ChatRequest } from '../../shared/chat/chat.ts'
import { localModelName } from './local-model.ts'

const hello: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] }

async function answerOf(body: ChatRequest) {
  const asked: ProcessRequests = { loads: [], generations: [] }
  const model = await open({ fork: () => scriptedProcess(asked) })
  onTestFinished(() => model.close())
  const request = { model: localModelName, body }
  const { choices } = await model.complete(request, new AbortController().signal)
  return { deltas: choices.map(({ delta }) => delta), generation: asked.generations[0] }
}

test('reasoning arrives apart from the answer', async () => {
  const { deltas, generation } = await answerOf(hello)

  expect(deltas).toEqual([{ reasoning_content: 'They greet me.' }, { content: 'Hi' }, {}])
  expect(generation).toMatchObject({ mayReason: true })
})

test('reasoning_effort none turns reasoning off', async () => {
  const { generation } = await answerOf({ ...hello, reasoning_effort: 'none' })

  expect(generation).toMatchObject({ mayReason: false })
})
