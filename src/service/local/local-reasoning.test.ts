/** The reasoning of a local model, with a process that answers from a script. */
import { expect, onTestFinished, test } from 'vitest'
import { open } from '../../../test/local/ask-local-model.ts'
import type { ChatRequest } from '../../shared/chat.ts'
import { localModelName, type ModelProcess } from './local-model.ts'
import { readToModel, type FromModel, type Generation } from './protocol.ts'

const hello: ChatRequest = { messages: [{ role: 'user', content: 'Hello' }] }
const facts = {
  title: null,
  trainedTokens: null,
  cacheBytesPerToken: null,
  vocabulary: null,
  parameters: null,
  activeShare: 1,
}

/** Loads at once, and answers with a thought and a word. */
function scriptedProcess(started: Generation[]): ModelProcess {
  let tell: (message: unknown) => void = () => {}
  let exit = () => {}
  const send = (message: FromModel) => tell(message)
  return {
    pid: undefined,
    onMessage: (listener) => (tell = listener),
    onExit: (listener) => (exit = listener),
    kill: () => exit(),
    send(received) {
      const message = readToModel(received)
      if (message?.kind === 'load') {
        send({ kind: 'loaded', threads: 1, contextTokens: 4096, gpu: null, facts })
      }
      if (message?.kind !== 'start') return
      const { id, generation } = message
      started.push(generation)
      send({ kind: 'delta', id, text: 'They greet me.', isThought: true })
      send({ kind: 'delta', id, text: 'Hi', isThought: false })
      send({ kind: 'done', id, finishReason: 'stop', promptTokens: 5, completionTokens: 6 })
    },
  }
}

async function answerOf(body: ChatRequest) {
  const started: Generation[] = []
  const model = await open({ fork: () => scriptedProcess(started) })
  onTestFinished(() => model.close())
  const request = { model: localModelName, body }
  const { choices } = await model.complete(request, new AbortController().signal)
  return { deltas: choices.map(({ delta }) => delta), generation: started[0] }
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
