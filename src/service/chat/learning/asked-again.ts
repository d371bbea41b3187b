/**
 * Recognises a question that is asked again soon after its answer, which suggests that the answer did not help. Only
 * hashes are kept, in memory: at most 1,000, for five minutes each.
 */
import { hash } from 'node:crypto'
import type { ChatMessage } from '../../../shared/chat/chat.ts'
import type { ChatCall } from '../chat-call.ts'
import type { JudgedAnswer } from './answer-signals.ts'

const maxQuestions = 1_000
const forgetAfterMs = 300_000
/** A program's retry comes sooner; a person has to read the answer first. */
const leastMs = 2_000
/** “Continue” and “yes, please” are no questions. */
const leastCharacters = 20

interface AnsweredQuestion {
  answer: JudgedAnswer
  answeredAtMs: number
  /** How often the question was answered. */
  times: number
}

export class AskedAgain {
  readonly #clock: () => number
  /** Answered questions by their hash, the least recently answered first. */
  readonly #answered = new Map<string, AnsweredQuestion>()

  /** @param clock  monotonic milliseconds */
  constructor(clock: () => number) {
    this.#clock = clock
  }

  /**
   * Notes an answer.
   * @param startedAtMs  when its request arrived, by the clock
   * @returns the answer to the same question before; null when there is none or it says nothing
   */
  answered(question: string, startedAtMs: number, answer: JudgedAnswer): JudgedAnswer | null {
    const nowMs = this.#clock()
    const before = this.#answered.get(question)
    const isRecent = before !== undefined && nowMs - before.answeredAtMs <= forgetAfterMs
    const times = isRecent ? before.times + 1 : 1
    this.#answered.delete(question)
    this.#answered.set(question, { answer, answeredAtMs: nowMs, times })
    this.#forgetOldest()
    // A third time, a program asks.
    if (!isRecent || times !== 2 || startedAtMs - before.answeredAtMs < leastMs) return null
    return before.answer
  }

  #forgetOldest(): void {
    if (this.#answered.size <= maxQuestions) return
    for (const [oldest] of this.#answered) {
      this.#answered.delete(oldest)
      return
    }
  }
}

/**
 * Identifies a person's question by its instructions and its last message, separate for each router and key. Null
 * for the chat window, which has its own judgements, and for requests that programs repeat on purpose: an agent's
 * steps, tool results, and requests with several answers, a seed or a temperature of 0.
 */
export function questionOf({ router, apiKeyId, source, step, body }: ChatCall): string | null {
  const { messages, n, seed, temperature } = body
  const last = messages.at(-1)
  if (source === 'chat' || step !== undefined || last?.role !== 'user') return null
  if ((n ?? 1) > 1 || (seed ?? null) !== null || temperature === 0) return null
  const text = JSON.stringify(last.content)
  if (text.length < leastCharacters) return null
  const instructions = messages.filter(isInstruction).map(({ content }) => content)
  return hash('sha256', JSON.stringify([router.id, apiKeyId, instructions, text]), 'base64url')
}

function isInstruction({ role }: ChatMessage): boolean {
  return role === 'system' || role === 'developer'
}
