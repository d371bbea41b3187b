/** The built-in model with its real weights in its real process, and functions with which tests use it. */
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
import { findWeights, weightsPath } from '../../scripts/setup/weights.ts'
import {
  contentText,
  type ChatRequest,
  type ChatUsage,
  type FinishReason,
} from '../../src/shared/chat/chat.ts'
import type { LocalModelState } from '../../src/shared/app/app-state.ts'

/** The folder in which `npm test` stored the weights. */
export const cacheDir = findCacheDir(process.env)
export const modelProcessEntry = fileURLToPath(
  new URL('../../src/service/local/model-process.ts', import.meta.url),
)

/** Every process that `trackedFork` started, the newest last. */
export const processes: ModelProcess[] = []

export interface Answer {
  text: string
  chunks: number
  finishReason: FinishReason | null
  usage: ChatUsage | null
}

/** A question whose answer names Paris. */
export const question = 'What is the capital of France?'

/** A request whose answer takes long enough to be cancelled. */
export const longStory = { max_tokens: 400, ...user('Tell me a very long story about the sea.') }

/** A request with only this message, answered without randomness. */
export function user(content: string): ChatRequest {
  return { messages: [{ role: 'user', content }], temperature: 0 }
}

/** The built-in model with the real weights. It downloads nothing. */
export function open(options: Partial<LocalModelOptions> = {}): Promise<LocalModel> {
  return openLocalModel({
    cacheDir,
    file: null,
    settings: { ownModels: [], contextTokens: 8192, usesGpu: false },
    fork: trackedFork,
    fetch: noFetch,
    env: {},
    ...options,
  })
}

/** How tests start models unless they say otherwise. */
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
  /** The default is the built-in model, or the file in its place. */
  model?: string | undefined
  signal?: AbortSignal
  /** Called with the text so far, after each piece. */
  onText?: (text: string) => void
}

/** Sends a request and waits for the end of the answer. */
export async function ask(
  body: ChatRequest,
  { to, model, signal = new AbortController().signal, onText = () => {} }: AskOptions,
): Promise<Answer> {
  const answer: Answer = { text: '', chunks: 0, finishReason: null, usage: null }
  for await (const chunk of to.stream(
    { model: model ?? to.chosenFile()?.name ?? localModelName, body },
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

/** @returns its states from now on, in order, without consecutive repeats */
export function watchStates(watched: LocalModel): LocalModelState['status'][] {
  const seen: LocalModelState['status'][] = []
  watched.onState(({ status }) => {
    if (seen.at(-1) !== status) seen.push(status)
  })
  return seen
}

/** Checks that the weights are there, and gives slow computers more time. Each file of such tests calls it. */
export function prepareLocalTests(): void {
  // Many times the usual time, because builds and other models may run on the computer at the same time.
  vi.setConfig({ testTimeout: 240_000 })
  beforeAll(async () => {
    if ((await findWeights(cacheDir)) === null) {
      throw new Error(`no weights at ${weightsPath(cacheDir)}: npm test fetches them`)
    }
  })
}
