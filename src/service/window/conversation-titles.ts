/**
 * Names conversations by a model of this computer while nothing else is asked: one at a time, and none while an answer of the
 * window arrives. Never by a model that costs something or runs elsewhere, and never over a title that a person gave.
 */
import type { ConversationMessage } from '../../shared/chat/conversations.ts'
import type { Router } from '../../shared/entities.ts'
import { demoModel } from '../../shared/models/provider-type.ts'
import type { CompleteChat } from '../chat/chat-call.ts'
import type { Candidate } from '../routing/candidate.ts'
import type { ConversationStore } from '../storage/conversation-store.ts'
import type { LiveConfiguration } from '../storage/live-configuration.ts'
import { createChatAsker, tunedRouter } from '../tuning/chat-asker.ts'
import { titleOf } from './title-text.ts'

export interface TitlesOptions {
  store: ConversationStore
  configuration: LiveConfiguration
  candidatesOf: (router: Router) => Candidate[]
  completeChat: CompleteChat
  newId: () => string
  onChanged: () => void
  /** Called with unexpected errors of work in the background. */
  onBug: (error: unknown) => void
  /** Milliseconds without an answer before a title is asked for. */
  idleMs: number
}

const limitMs = 60_000
/** Enough for a short thought of a model that reasons. */
const mostTokens = 300
const mostAskedCharacters = 1000

const instruction =
  'Write a title of 2 to 6 words for a conversation that begins with the following question. Answer with the title only, without quotes, in the language of the question.'

export class Titles {
  readonly #options: TitlesOptions
  /** Conversations without a title of their own, the last one first to be named. */
  readonly #waiting = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #asking: AbortController | null = null
  #running: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: TitlesOptions) {
    this.#options = options
  }

  /**
   * Names the conversation, whose answer has ended, once nothing has been asked for a while.
   * @param isIdle  no other answer arrives
   */
  nameLater(conversationId: string, isIdle: boolean): void {
    if (this.#options.configuration.current().settings.titlesByModel) {
      this.#waiting.add(conversationId)
    }
    if (isIdle && this.#waiting.size > 0 && !this.#isClosed) this.#later()
  }

  /** Stops the request in progress, because a person asks for an answer. It is made again later. */
  interrupt(): void {
    clearTimeout(this.#timer)
    this.#asking?.abort()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.interrupt()
    await this.#running
  }

  #later(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => {
      this.#running = this.#running.then(() => this.#nameAll()).catch(this.#options.onBug)
    }, this.#options.idleMs).unref()
  }

  async #nameAll(): Promise<void> {
    const asking = new AbortController()
    this.#asking = asking
    try {
      for (const id of [...this.#waiting].toReversed()) {
        await this.#name(id, asking.signal)
        if (asking.signal.aborted) return
        this.#waiting.delete(id)
      }
    } finally {
      this.#asking = null
    }
  }

  async #name(id: string, signal: AbortSignal): Promise<void> {
    const { store, configuration, onChanged } = this.#options
    const { titlesByModel } = configuration.current().settings
    const conversation = await store.get(id)
    if (!titlesByModel || conversation?.titleSource !== 'words') return
    const messages = await store.messages(id)
    const question = messages.find(({ role, text }) => role === 'user' && text !== '')
    const named = targetOf(this.#options, messages)
    if (!question || !named) return
    const answer = await this.#ask(id, { ...named, question: question.text, signal })
    const title = answer === null || signal.aborted ? null : titleOf(answer, question.text)
    if (title !== null && (await store.nameByModel(id, title))) onChanged()
  }

  async #ask(
    id: string,
    { router, candidate, question, signal }: Target & { question: string; signal: AbortSignal },
  ): Promise<string | null> {
    const { completeChat, newId } = this.#options
    const ask = createChatAsker({
      completeChat,
      router: tunedRouter(router, null),
      runId: `title:${id}`,
      source: 'title',
      newId,
    })
    const content = `${instruction}\n\n${question.slice(0, mostAskedCharacters)}`
    const body = { messages: [{ role: 'user' as const, content }], max_tokens: mostTokens }
    const outcome = await ask(
      { candidate, body, isJudge: false },
      AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
    )
    return outcome.kind === 'answered' && !outcome.isCut ? outcome.text : null
  }
}

interface Target {
  router: Router
  candidate: Candidate
}

/** A free model of this computer that a router uses: the one that answered, since it is loaded, else the best one. */
function targetOf(
  { configuration, candidatesOf }: TitlesOptions,
  messages: readonly ConversationMessage[],
): Target | null {
  const all = [...configuration.current().routers.values()].flatMap((router) =>
    candidatesOf(router)
      .filter(isFreeAndHere)
      .map((candidate) => ({ router, candidate })),
  )
  const used = new Set(messages.flatMap(({ meta }) => meta?.modelUsed ?? []))
  const loaded = all.find(({ candidate }) => used.has(candidate.modelId))
  const best = all.toSorted((a, b) => b.candidate.quality.points - a.candidate.quality.points)[0]
  return loaded ?? best ?? null
}

/** Ollama lists models of its cloud beside those of the computer; their names end with it. */
const elsewhere = /[:-]cloud$/i

function isFreeAndHere({ isLocal, embedding, price, modelId }: Candidate): boolean {
  const isFree = price.inputUsdPerMtok === 0 && price.outputUsdPerMtok === 0
  // Of 15 questions, it gave one title and two sentences that the check of titles takes for one.
  const canName = embedding === null && modelId !== demoModel.id
  return isLocal && isFree && canName && !elsewhere.test(modelId)
}
