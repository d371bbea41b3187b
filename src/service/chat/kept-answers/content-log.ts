/**
 * Stores the full text of requests and answers for routers that enable it: recorded while the answer is sent,
 * saved once when the request ends. Other routers pay for one check.
 */
import type { ChunkChoice } from '../../../shared/chat/chat.ts'
import type { RequestContent } from '../../../shared/requests/content.ts'
import type { AdmittedChat, ChatAddition, ChatCall, ChatPart, FinishedChat } from '../chat-call.ts'
import { CollectedChoices } from '../answer/collect.ts'

/** Most bytes of a request and of an answer; together one mebibyte. */
const greatestRequestBytes = 786_432
const greatestAnswerBytes = 262_144

interface ContentLogOptions {
  /** Saves one record; must not throw. */
  keep: (content: RequestContent) => void
  now: () => number
}

export function contentLog({ keep, now }: ContentLogOptions): ChatAddition {
  return {
    appliesTo: ({ router }) => router.routing.contentDays !== null,
    async admit(call, completeChat) {
      const startedAtMs = now()
      return new LoggedChat(await completeChat.admit(call), { call, startedAtMs, keep })
    },
  }
}

interface Logged extends Pick<ContentLogOptions, 'keep'> {
  call: ChatCall
  startedAtMs: number
}

/** The part of the answer that arrived before it ended or broke off. */
interface Answer {
  model: string | null
  choices: readonly object[]
  isCut: boolean
}

class LoggedChat implements AdmittedChat {
  readonly quota: AdmittedChat['quota']
  readonly cache: AdmittedChat['cache']
  readonly #admitted: AdmittedChat
  readonly #logged: Logged

  constructor(admitted: AdmittedChat, logged: Logged) {
    this.quota = admitted.quota
    this.cache = admitted.cache
    this.#admitted = admitted
    this.#logged = logged
  }

  async complete(signal: AbortSignal): Promise<FinishedChat> {
    let answer: Answer | null = null
    try {
      const finished = await this.#admitted.complete(signal)
      answer = { model: finished.model, choices: finished.choices, isCut: false }
      return finished
    } finally {
      this.#keep(answer)
    }
  }

  async *stream(signal: AbortSignal): AsyncGenerator<ChatPart> {
    const written = new WrittenDown()
    try {
      for await (const part of this.#admitted.stream(signal)) {
        if (part.kind === 'delta') written.add(part.model, part.choices)
        else written.end()
        yield part
      }
    } finally {
      this.#keep(written.answer())
    }
  }

  #keep(answer: Answer | null): void {
    const { call, startedAtMs, keep } = this.#logged
    const request = cutTo(greatestRequestBytes, JSON.stringify(call.body))
    const { model = null, choices = [], isCut = false } = answer ?? {}
    const answered = answer && cutTo(greatestAnswerBytes, JSON.stringify({ model, choices }))
    keep({
      requestId: call.requestId,
      routerId: call.router.id,
      startedAtMs,
      request: request.text,
      isRequestCut: request.isCut,
      answer: answered && answered.text,
      isAnswerCut: isCut || answered?.isCut === true,
    })
  }
}

/** A stream joined into one answer, up to the bound. */
class WrittenDown {
  readonly #choices = new CollectedChoices()
  #model: string | null = null
  #characters = 0
  #hasEnded = false

  add(model: string, choices: readonly ChunkChoice[]): void {
    this.#model = model
    if (this.#isFull()) return
    this.#choices.add(choices)
    for (const { delta } of choices) {
      const { content, refusal, reasoning, reasoning_content, tool_calls: calls = [] } = delta
      for (const text of [content, refusal, reasoning, reasoning_content])
        this.#characters += text?.length ?? 0
      for (const { function: called } of calls) this.#characters += called?.arguments?.length ?? 0
    }
  }

  end(): void {
    this.#hasEnded = true
  }

  /** @returns null when nothing arrived */
  answer(): Answer | null {
    if (this.#model === null) return null
    const choices = this.#choices.whole()
    const unended = { finish_reason: null }
    return {
      model: this.#model,
      choices: this.#hasEnded ? choices : choices.map((choice) => ({ ...choice, ...unended })),
      isCut: this.#isFull(),
    }
  }

  #isFull(): boolean {
    return this.#characters > greatestAnswerBytes
  }
}

/** The longest prefix of whole characters that fits. */
function cutTo(bytes: number, text: string): { text: string; isCut: boolean } {
  const encoded = Buffer.from(text.slice(0, bytes + 1))
  if (encoded.length <= bytes) return { text, isCut: false }
  let end = bytes
  // Continuation bytes of a character start with the bits 10.
  while (end > 0 && ((encoded[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return { text: encoded.subarray(0, end).toString(), isCut: true }
}
