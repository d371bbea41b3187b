/** The thread in which an export is read. It answers each message with the next `ReadMessage`. */
import { on } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { ImportRefused } from './imported.ts'
import { prepare } from './prepare.ts'
import { readExport } from './read-export.ts'
import type { ReadMessage } from './read-in-worker.ts'

async function* messages(path: string): AsyncIterable<ReadMessage> {
  try {
    for await (const found of readExport(path)) {
      if (found.kind === 'conversation') {
        yield { ...found, conversation: await prepare(found.conversation) }
      } else yield found
    }
    yield { kind: 'end' }
  } catch (error) {
    if (!(error instanceof ImportRefused)) throw error
    yield { kind: 'refused', reason: error.message }
  }
}

const port = parentPort
if (port) {
  // Checked boundary: `readInWorker` gives the worker a path and nothing else.
  const found = messages(workerData as string)[Symbol.asyncIterator]()
  for await (const _ of on(port, 'message')) {
    const next = await found.next()
    if (next.done) break
    port.postMessage(next.value)
  }
}
