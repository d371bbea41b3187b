/**
 * Compares answers with what was asked: the model that they name, the prompt tokens that they report, and what they
 * lack. Answers wait in a short queue and are read after they were sent; under load some are left out.
 */
import type { ChatRequest } from '../../../shared/chat/chat.ts'
import type { AnswerCheck, AnswersEvidence } from '../../../shared/requests/finding.ts'
import type { NameVerdict } from '../../catalog/same-model.ts'
import {
  evidenceOf,
  newEvidence,
  noteAnswer,
  type ComparedAnswer,
  type ModelEvidence,
} from './model-evidence.ts'
import { conversationOf, textClass } from './text-class.ts'
import { leastTokens } from './token-counts.ts'

const mostWaiting = 256
/** Answers that are read in one turn of the event loop. */
const readAtOnce = 16
const mostModels = 500
/** Shorter answers may need no reasoning, whatever the effort. */
const leastCompletionTokens = 100
/** Answers with reasoning that show that a model reasons, where the catalogue does not say so. */
const leastReasoned = 3
const reasoningEfforts: ReadonlySet<string> = new Set(['medium', 'high', 'xhigh', 'max'])

/** One answer, as it was asked for and as it came. */
export interface AnswerFacts {
  requestId: string
  /** `<provider>:<model_name>` */
  modelId: string
  atMs: number
  body: ChatRequest
  /** The answering model's name; null when the answer has none. */
  namedModel: string | null
  fingerprint: string | null
  /** Estimated tokens of the text; null for prompts with media. */
  estimatedTokens: number | null
  reportedTokens: number | null
  completionTokens: number | null
  /** The reasoning effort that was sent. */
  effort: string | null
  /** Whether the catalogue says that the model reasons. */
  mayReason: boolean
  hasReasoning: boolean
  hasText: boolean
  hasLogprobs: boolean
}

/** A finding of one model. */
export interface AnswersFinding {
  evidence: AnswersEvidence
  requestIds: string[]
}

interface AnswerChecksOptions {
  verdictOf(asked: string, named: string): NameVerdict
  /** Evidence from before the start, by model. */
  stored: ReadonlyMap<string, ModelEvidence>
  onBug(error: unknown): void
}

export class AnswerChecks {
  readonly #options: AnswerChecksOptions
  /** The least recently answered model is first. */
  readonly #models: Map<string, ModelEvidence>
  readonly #waiting: AnswerFacts[] = []
  #isScheduled = false
  readonly #changed = new Set<string>()
  readonly #found = new Map<string, Set<AnswerCheck>>()

  constructor(options: AnswerChecksOptions) {
    this.#options = options
    this.#models = new Map(options.stored)
  }

  answered(facts: AnswerFacts): void {
    if (this.#waiting.length >= mostWaiting) return
    this.#waiting.push(facts)
    this.#schedule()
  }

  /** Reads all answers that wait. */
  readAll(): void {
    while (this.#waiting.length > 0) this.#readSome()
  }

  /** Evidence that changed since the last call. */
  takeChanged(): Map<string, ModelEvidence> {
    const changed = new Map<string, ModelEvidence>()
    for (const modelId of this.#changed) {
      const evidence = this.#models.get(modelId)
      if (evidence) changed.set(modelId, evidence)
    }
    this.#changed.clear()
    return changed
  }

  /** Findings that are new or have changed since the last call. */
  takeFindings(): AnswersFinding[] {
    const findings = [...this.#found].flatMap(([modelId, checks]) => {
      const evidence = this.#models.get(modelId)
      if (evidence === undefined) return []
      return [...checks].map((check) => ({
        evidence: evidenceOf(modelId, check, evidence),
        requestIds: [...evidence.tests[check].requestIds],
      }))
    })
    this.#found.clear()
    return findings
  }

  /** All models with evidence, for a person who asks. */
  evidence(): ReadonlyMap<string, ModelEvidence> {
    return this.#models
  }

  #schedule(): void {
    if (this.#isScheduled) return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      try {
        this.#readSome()
      } catch (error) {
        this.#options.onBug(error)
      }
      if (this.#waiting.length > 0) this.#schedule()
    }).unref()
  }

  #readSome(): void {
    for (const facts of this.#waiting.splice(0, readAtOnce)) this.#read(facts)
  }

  #read(facts: AnswerFacts): void {
    const { modelId } = facts
    const evidence = this.#models.get(modelId) ?? newEvidence()
    // It moves to the end.
    this.#models.delete(modelId)
    this.#models.set(modelId, evidence)
    const [oldest] = this.#models.keys()
    if (this.#models.size > mostModels && oldest !== undefined) this.#models.delete(oldest)
    const found = noteAnswer(evidence, this.#compare(facts, evidence))
    this.#changed.add(modelId)
    if (found.length === 0) return
    const checks = this.#found.get(modelId) ?? new Set()
    for (const check of found) checks.add(check)
    this.#found.set(modelId, checks)
  }

  #compare(facts: AnswerFacts, { reasoned }: ModelEvidence): ComparedAnswer {
    const { requestId, atMs, fingerprint, hasReasoning, body } = facts
    const isReasoner = facts.mayReason || reasoned >= leastReasoned
    const isSubstantial = (facts.completionTokens ?? 0) >= leastCompletionTokens
    const mustReason = isReasoner && isSubstantial && reasoningEfforts.has(facts.effort ?? '')
    const asksLogprobs = body.logprobs === true && facts.hasText
    return {
      requestId,
      atMs,
      named: this.#nameOf(facts),
      tokens: tokensOf(facts),
      fingerprint,
      hasReasoning,
      lacksReasoning: mustReason ? !hasReasoning : null,
      lacksLogprobs: asksLogprobs ? !facts.hasLogprobs : null,
    }
  }

  #nameOf({ modelId, namedModel }: AnswerFacts): ComparedAnswer['named'] {
    if (namedModel === null) return null
    const asked = modelId.slice(modelId.indexOf(':') + 1)
    const verdict = this.#options.verdictOf(asked, namedModel)
    return verdict === 'unsure' ? null : { name: namedModel, isOther: verdict === 'different' }
  }
}

function tokensOf({
  body,
  estimatedTokens,
  reportedTokens,
}: AnswerFacts): ComparedAnswer['tokens'] {
  const estimated = estimatedTokens ?? 0
  const reported = reportedTokens ?? 0
  if (estimated < leastTokens || reported <= 0) return null
  const conversation = conversationOf(body)
  return { estimated, reported, kind: textClass(body), conversation }
}
