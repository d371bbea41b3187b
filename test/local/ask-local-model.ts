/** The built-in model with its real weights, in its real process, and how tests ask it. */
import { fileURLToPath } from 'node:url'
import { beforeAll, vi } from 'vitest'
import { findCacheDir } from '../../scripts/setup/paths.mjs'
import { forkChildProcess } from '../../src/service/local/fork-child-process.ts'
import {
  localModelName,
  type LocalModel,
  type ModelProcess,
} from '../../src/service/local/local-model.ts'
import { openLocalModel, type LocalModelOptions } from '../../src/service/local/open-local-model.ts'
import { findWeights, weightsPath } from '../../src/service/local/weights.ts'
import {
  contentText,
  type ChatRequest,
  type ChatUsage,
  type FinishReason,
} from '../../src/shared/chat.ts'
import type { LocalModelState } from '../../src/shared/ipc.ts'

/** Where `npm test` put the weights. */
export const cacheDir = findCacheDir(process.env)
export const modelProcessEntry = fileURLToPath(
  new URL('../../src/service/local/model-process.ts', import.meta.url),
)

/** All that `trackedFork` started, the newest last. */
export const processes: ModelProcess[] = []

export interface Answer {
  text: string
  chunks: number
  finishReason: FinishReason | null
  usage: ChatUsage | null
}

/** Whose answer names Paris. */
export const question = 'What is the capital of France?'

/** Takes long enough to be broken off. */
export const longStory = { max_tokens: 400, ...user('Tell me a very long story about the sea.') }

/** A request with this message alone, answered without chance. */
export function user(content: string): ChatRequest {
  return { messages: [{ role: 'user', content }], temperature: 0 }
}

/** The built-in model with the real weights, which downloads nothing. */
export function open(options: Partial<LocalModelOptions> = {}): Promise<LocalModel> {
  return openLocalModel({ cacheDir, file: null, fork: trackedFork, fetch: noFetch, ...options })
}

/** How models are started here unless a test says otherwise. */
export function trackedFork(entry: string): ModelProcess {
  const child = forkChildProcess(entry)
  processes.push(child)
  return child
}

function noFetch(): Promise<Response> {
  return Promise.reject(new Error('this test makes no download'))
}

export interface AskOptions {
  to: LocalModel
  signal?: AbortSignal
  /** Is told the text so far with each piece. */
  onText?: (text: string) => void
}

/** Asks and waits for the end of the answer. */
export async function ask(
  body: ChatRequest,
  { to, signal = new AbortController().signal, onText = () => {} }: AskOptions,
): Promise<Answer> {
  const answer: Answer = { text: '', chunks: 0, finishReason: null, usage: null }
  for await (const chunk of to.stream(
    { model: to.chosenFile()?.name ?? localModelName, body },
    signal,
  )) {
    answer.chunks++
    answer.text += contentText(chunk.choices[0]?.delta.content)
    answer.finishReason = chunk.choices[0]?.finish_reason ?? null
    answer.usage = chunk.usage
    onText(answer.text)
  }
  return answer
}

/** @returns its states from now on, as they come, each once in a row */
export function watchStates(watched: LocalModel): LocalModelState['status'][] {
  const seen: LocalModelState['status'][] = []
  watched.onState(({ status }) => {
    if (seen.at(-1) !== status) seen.push(status)
  })
  return seen
}

/** For each file of such tests: the weights must be there, and a slow computer gets its time. */
export function prepareLocalTests(): void {
  // On a computer that builds something beside it, a model slowed down tenfold still passes.
  vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
  beforeAll(async () => {
    if ((await findWeights(cacheDir)) === null) {
      throw new Error(`no weights at ${weightsPath(cacheDir)}: npm test fetches them`)
    }
  })
}
