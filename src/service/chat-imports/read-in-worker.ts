/** Reads an export in a thread of its own, with limited memory, one conversation at a time. */
import { on } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ChatSource } from '../../shared/chat/imports.ts'
import type { Found } from './imported.ts'
import { ImportRefused } from './imported.ts'
import type { PreparedConversation } from './prepare.ts'

/** What the worker sends: one for each `next`, and at last `end`. */
export type ReadMessage =
  | { kind: 'conversation'; source: ChatSource; conversation: PreparedConversation }
  | (Exclude<Found, { kind: 'conversation' }> & { source: ChatSource })
  | { kind: 'refused'; reason: string }
  | { kind: 'end' }

/** One conversation. */
const limitMs = 60_000
const resourceLimits = {
  maxOldGenerationSizeMb: 1_024,
  maxYoungGenerationSizeMb: 16,
  stackSizeMb: 8,
}

/** @throws ImportRefused for what no reader knows, and for a file that takes too much time or memory */
export async function* readInWorker(path: string): AsyncIterable<ReadMessage> {
  const entry = new URL(
    import.meta.url.endsWith('.ts') ? './import-worker.ts' : './import-worker.js',
    import.meta.url,
  )
  const worker = new Worker(entry, {
    name: 'import',
    workerData: path,
    env: {},
    argv: [],
    resourceLimits,
  })
  const ended = new AbortController()
  worker.once('error', () => ended.abort())
  worker.once('exit', () => ended.abort())
  try {
    const messages = on(worker, 'message', { signal: ended.signal })
    for (;;) {
      const timer = setTimeout(() => ended.abort(), limitMs)
      worker.postMessage('next')
      const next = await messages.next().finally(() => clearTimeout(timer))
      // Checked boundary: the worker sends nothing else.
      const [message] = next.value as [ReadMessage]
      if (message.kind === 'end') return
      if (message.kind === 'refused') throw new ImportRefused(message.reason)
      yield message
    }
  } catch (error) {
    if (!ended.signal.aborted || error instanceof ImportRefused) throw error
    throw new ImportRefused('Reading takes too much time or memory.')
  } finally {
    await worker.terminate()
  }
}
