/** A model's process that loads at once, and answers with a thought and a word. */
import type { ModelProcess } from '../../src/service/local/local-model.ts'
import {
  readToModel,
  type FromModel,
  type Generation,
  type Gpu,
  type LoadRequest,
} from '../../src/service/local/protocol.ts'

/** What the process was asked. */
export interface ProcessRequests {
  loads: LoadRequest[]
  generations: Generation[]
}

const facts = {
  title: null,
  trainedTokens: null,
  cacheBytesPerToken: null,
  vocabulary: null,
  parameters: null,
  activeShare: 1,
}

/** @param gpu  the graphics processor that it finds when it may use one */
export function scriptedProcess(asked: ProcessRequests, gpu: Gpu | null = null): ModelProcess {
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
        const { file, contextTokens, usesGpu } = message
        asked.loads.push({ file, contextTokens, usesGpu })
        send({ kind: 'loaded', threads: 1, contextTokens, gpu: usesGpu ? gpu : null, facts })
      }
      if (message?.kind !== 'start') return
      const { id, generation } = message
      asked.generations.push(generation)
      send({ kind: 'delta', id, text: 'They greet me.', isThought: true })
      send({ kind: 'delta', id, text: 'Hi', isThought: false })
      send({ kind: 'done', id, finishReason: 'stop', promptTokens: 5, completionTokens: 6 })
    },
  }
}
