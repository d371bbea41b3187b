/**
 * The entry of the built-in model's process, under Node (`child_process`) or Electron (`utilityProcess`). It
 * loads one file and generates one answer at a time; its parent process keeps the queue. It ends when the
 * channel to the service closes.
 */
import { readdirSync } from 'node:fs'
import { setPriority } from 'node:os'
import { readFileFacts } from './file-facts.ts'
import { findGpu, loadModel, PromptTooLong, type LoadedModel } from './llama.ts'
import { readToModel, type FromModel, type Generation, type LoadRequest } from './protocol.ts'

interface Channel {
  send(message: FromModel): void
  onMessage(listener: (message: unknown) => void): void
}

/** Electron's replacement for `process.send` in a utility process. */
interface ParentPort {
  postMessage(message: unknown): void
  on(name: 'message', listener: (event: { data: unknown }) => void): void
}

lowerPriority()
const channel = openChannel()
let model: LoadedModel | null = null
let running: { id: number; abort: AbortController } | null = null

channel.onMessage((received) => {
  const message = readToModel(received)
  switch (message?.kind) {
    case 'load':
      void reply(() => load(message))
      break
    case 'describe':
      void reply(async () => ({ kind: 'described', facts: await readFileFacts(message.file) }))
      break
    case 'find-gpu':
      void reply(async () => ({ kind: 'gpu', gpu: await findGpu() }))
      break
    case 'start':
      void answer(message.id, message.generation)
      break
    case 'abort':
      if (running?.id === message.id) running.abort.abort()
      break
    case 'ping':
      channel.send({ kind: 'pong' })
      break
    case undefined:
      break
  }
})

async function reply(work: () => Promise<FromModel>): Promise<void> {
  try {
    channel.send(await work())
  } catch (error) {
    channel.send({ kind: 'failed', message: messageOf(error) })
  }
}

async function load(request: LoadRequest): Promise<FromModel> {
  model = await loadModel(request)
  const { threads, contextTokens, gpu, facts } = model
  return { kind: 'loaded', threads, contextTokens, gpu, facts }
}

async function answer(id: number, generation: Generation): Promise<void> {
  const abort = new AbortController()
  running = { id, abort }
  try {
    if (model === null) throw new Error('the model is not loaded')
    const options = {
      signal: abort.signal,
      onText(text: string, isThought: boolean) {
        if (text !== '') channel.send({ kind: 'delta', id, text, isThought })
      },
    }
    channel.send({ kind: 'done', id, ...(await model.generate(generation, options)) })
  } catch (error) {
    channel.send(failure(id, error, abort.signal))
  }
}

function failure(id: number, error: unknown, signal: AbortSignal): FromModel {
  if (signal.aborted) return { kind: 'aborted', id }
  if (error instanceof PromptTooLong) {
    return { kind: 'too-long', id, promptTokens: error.promptTokens }
  }
  return { kind: 'error', id, message: messageOf(error) }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function openChannel(): Channel {
  // Checked boundary: Electron's own property, absent under Node.
  const { parentPort } = process as unknown as { parentPort?: ParentPort }
  if (parentPort) {
    return {
      send: (message) => parentPort.postMessage(message),
      onMessage: (listener) => parentPort.on('message', ({ data }) => listener(data)),
    }
  }
  process.on('disconnect', () => process.exit())
  return {
    send: (message) => void process.send?.(message),
    onMessage: (listener) => void process.on('message', listener),
  }
}

/**
 * The service and the window come first, but not at any price: at 10, with a build on both of 2 cores, 20
 * tokens take 5 s. On Linux, a priority belongs to a thread, new threads inherit it, and some of Node's threads
 * already exist. On other systems it belongs to the process.
 */
function lowerPriority(): void {
  const threads = process.platform === 'linux' ? readdirSync('/proc/self/task') : ['0']
  for (const thread of threads) {
    try {
      setPriority(Number(thread), 5)
    } catch {
      // The thread has ended, or the system forbids the change: the model works at any priority.
    }
  }
}
