/**
 * The candidates of one request, tried in turn. Until the first content, reasoning or tool delta a
 * failure falls over to the next one unseen; after it the model is never switched, so that no answer
 * is ever stitched together from two.
 */
import { ServiceError } from '../errors.ts'
import {
  ProviderError,
  type Provider,
  type ProviderChunk,
  type ProviderRequest,
} from '../providers/provider.ts'
import type { Candidate } from '../routing/candidate.ts'

export interface AttemptedChunk {
  candidate: Candidate
  chunk: ProviderChunk
}

export interface AttemptsOptions {
  candidates: readonly Candidate[]
  /** @throws ProviderError when the provider cannot be used now */
  providerOf(candidate: Candidate): Provider
  requestFor(candidate: Candidate): ProviderRequest
  signal: AbortSignal
  onAttempt(candidate: Candidate): void
  /** Told of every failed attempt, whether or not another candidate is left. */
  onFailure(candidate: Candidate, error: ProviderError): void
  onSuccess(candidate: Candidate): void
  /** Told of what an adapter throws that is no ProviderError. */
  onBug(error: unknown): void
}

interface Failure {
  candidate: Candidate
  error: ProviderError
}

/**
 * @throws ServiceError invalid_parameter (the upstream refused the request itself),
 *   all_models_unavailable (naming each model and its cause), and after the first delta
 *   `StreamBroken`; the signal's reason on abort
 */
export async function* runAttempts(options: AttemptsOptions): AsyncGenerator<AttemptedChunk> {
  const failures: Failure[] = []
  for (const candidate of options.candidates) {
    options.onAttempt(candidate)
    let isCommitted = false
    try {
      for await (const chunk of attempt(candidate, options)) {
        isCommitted = true
        yield { candidate, chunk }
      }
      options.onSuccess(candidate)
      return
    } catch (cause) {
      options.signal.throwIfAborted()
      const error = asProviderError(cause, options.onBug)
      options.onFailure(candidate, error)
      if (error.kind === 'request') throw refusedByUpstream(error)
      failures.push({ candidate, error })
      if (isCommitted) throw new StreamBroken(allUnavailable(failures))
    }
  }
  throw allUnavailable(failures)
}

/** The answer began and could not be finished; `error` is what the caller is told. */
export class StreamBroken extends Error {
  override readonly name = 'StreamBroken'
  readonly error: ServiceError

  constructor(error: ServiceError) {
    super(error.message, { cause: error })
    this.error = error
  }
}

/** One candidate's chunks; nothing is let out before the first that carries something. */
async function* attempt(
  candidate: Candidate,
  options: AttemptsOptions,
): AsyncGenerator<ProviderChunk> {
  const provider = options.providerOf(candidate)
  const held: ProviderChunk[] = []
  /** By choice, whether it has ended. */
  const ended = new Map<number, boolean>()
  let hasDelta = false
  for await (const chunk of provider.chat(options.requestFor(candidate), options.signal)) {
    for (const { index, finish_reason } of chunk.choices) {
      ended.set(index, finish_reason !== null || ended.get(index) === true)
    }
    hasDelta ||= carriesDelta(chunk)
    if (hasDelta) {
      yield* held.splice(0)
      yield chunk
    } else {
      held.push(chunk)
    }
  }
  if (ended.size === 0 || [...ended.values()].includes(false)) {
    throw new ProviderError('invalid_response', 'the answer broke off before its end')
  }
  yield* held
}

function carriesDelta(chunk: ProviderChunk): boolean {
  return chunk.choices.some(
    ({ delta }) =>
      Boolean(delta.content || delta.refusal || delta.reasoning || delta.reasoning_content) ||
      (delta.tool_calls?.length ?? 0) > 0,
  )
}

/** Whatever an adapter throws that is not a ProviderError is our bug, but not the caller's end. */
function asProviderError(cause: unknown, onBug: AttemptsOptions['onBug']): ProviderError {
  if (cause instanceof ProviderError) return cause
  onBug(cause)
  return new ProviderError('invalid_response', 'the adapter failed', { cause })
}

function refusedByUpstream(error: ProviderError): ServiceError {
  return new ServiceError('invalid_parameter', error.message, {
    cause: error,
    headers: { 'x-should-retry': 'false' },
  })
}

function allUnavailable(failures: readonly Failure[]): ServiceError {
  const causes = failures.map(({ candidate, error }) => `${candidate.modelId}: ${error.message}`)
  const waits = failures.map(({ error }) => error.retryAfterMs ?? defaultRetryAfterMs)
  const retryAfter = Math.max(1, Math.ceil(Math.min(...waits, defaultRetryAfterMs) / 1000))
  return new ServiceError(
    'all_models_unavailable',
    `No model of this router could answer. ${causes.join('; ')}.`,
    { headers: { 'retry-after': String(retryAfter), 'x-should-retry': 'false' } },
  )
}

const defaultRetryAfterMs = 30_000
