/**
 * Hands answered requests to shadow sampling, for routers with this setting. Other routers pay for one check. The
 * caller's request is unchanged, and the sample begins after its answer.
 */
import { contentText, type ChatRequest, type ChunkChoice } from '../../../shared/chat/chat.ts'
import type { Router } from '../../../shared/entities.ts'
import type { DecisionRecord } from '../../../shared/requests/detail.ts'
import type {
  AdmittedChat,
  AnswerFigures,
  ChatCall,
  ChatPart,
  ChatAddition,
  FinishedChat,
} from '../chat-call.ts'

/** A request that a model answered with text, to its end. */
export interface AnsweredRequest {
  router: Router
  body: ChatRequest
  decision: DecisionRecord
  /** `<provider>:<model_name>` */
  model: string
  text: string
  costNanoUsd: number
  latencyMs: number
  outputTokens: number
}

export interface ShadowListener {
  /** Whether chance selects the request. */
  isDrawn(router: Router): boolean
  /** Called with an answered request; must neither throw nor wait. */
  answered(request: AnsweredRequest): void
}

/** Most characters of an answer that is sampled. */
const longestAnswer = 60_000

export function shadowAnswers(listener: ShadowListener): ChatAddition {
  return {
    appliesTo: (call) => isSampled(call, listener),
    async admit(call, completeChat) {
      return new ShadowedChat(await completeChat.admit(call), call, listener)
    },
  }
}

/** Steps of agents, tuning runs and samples themselves are left out. */
function isSampled({ router, step }: ChatCall, listener: ShadowListener): boolean {
  return router.routing.shadow !== null && step === undefined && listener.isDrawn(router)
}

class ShadowedChat implements AdmittedChat {
  readonly quota: AdmittedChat['quota']
  readonly cache: AdmittedChat['cache']
  readonly #admitted: AdmittedChat
  readonly #call: ChatCall
  readonly #listener: ShadowListener

  constructor(admitted: AdmittedChat, call: ChatCall, listener: ShadowListener) {
    this.quota = admitted.quota
    this.cache = admitted.cache
    this.#admitted = admitted
    this.#call = call
    this.#listener = listener
  }

  async complete(signal: AbortSignal): Promise<FinishedChat> {
    const finished = await this.#admitted.complete(signal)
    const [choice] = finished.choices
    const isWhole = choice?.finish_reason === 'stop' && !choice.message.tool_calls?.length
    if (isWhole) this.#answered(finished, contentText(choice.message.content))
    return finished
  }

  async *stream(signal: AbortSignal): AsyncGenerator<ChatPart> {
    const text = new StreamedText()
    let end: Extract<ChatPart, { kind: 'end' }> | null = null
    try {
      for await (const part of this.#admitted.stream(signal)) {
        if (part.kind === 'delta') text.add(part.choices)
        yield part
        if (part.kind === 'end') end = part
      }
    } finally {
      const isWhole = end?.finishReasons.get(0) === 'stop'
      if (end !== null && isWhole) this.#answered(end, text.whole())
    }
  }

  /** @param text  null when it cannot be sampled */
  #answered({ model, usage, meta, explain }: AnswerFigures, text: string | null): void {
    if (text === null || text.trim() === '' || text.length > longestAnswer) return
    const { router, body } = this.#call
    this.#listener.answered({
      router,
      body,
      decision: explain().decision,
      model,
      text,
      costNanoUsd: Math.round(meta.cost * 1e9),
      latencyMs: meta.latencyMs,
      outputTokens: usage.completion_tokens,
    })
  }
}

/** The first choice of a stream. */
class StreamedText {
  #text = ''
  #isText = true

  add(choices: readonly ChunkChoice[]): void {
    for (const { index, delta } of choices) {
      if (index !== 0 || (delta.tool_calls?.length ?? 0) > 0) this.#isText = false
      if (this.#text.length <= longestAnswer) this.#text += contentText(delta.content)
    }
  }

  /** @returns null when it was more than one text */
  whole(): string | null {
    return this.#isText ? this.#text : null
  }
}
