/** Finds the signals of one request's answers, records them with the request, and counts them for their models. */
import type { ChatUsage } from '../../../shared/chat/chat.ts'
import { signalRecord, type SignalName } from '../../../shared/requests/signals.ts'
import type { Acceptance, Choice } from '../../routing/acceptance.ts'
import type { RequestSource } from '../../../shared/entities.ts'
import type { Candidate } from '../../routing/candidate.ts'
import { judgedBody } from '../attempts/original-call.ts'
import type { ChatCall, Plan } from '../chat-call.ts'
import type { Meter } from '../metering/meter.ts'
import { AnswerBeginning } from './answer-beginning.ts'
import { answerSignal, asksForJson, type JudgedAnswer } from './answer-signals.ts'
import { questionOf } from './asked-again.ts'
import type { SignalLabels } from './signal-labels.ts'

/** Requests of people and programs; graded ones and probes say nothing about what these ask. */
const learnsFrom: ReadonlySet<RequestSource> = new Set<RequestSource>(['api', 'chat'])

export interface SignalledChat {
  call: ChatCall
  plan: { record: Pick<Plan['record'], 'reading'>; outputLimits?: Plan['outputLimits'] }
  meter: Pick<Meter, 'signals'>
}

/** The signal of an answer that fails this check; null where `answerSignal` has seen it or one model is not to blame. */
const signalOfCheck: Readonly<Record<Acceptance, SignalName | null>> = {
  valid_json: 'format',
  tool_call_valid: 'tool_call',
  not_refused_not_cut_off: null,
  reads_only: null,
  agree: null,
}

export class RequestSignals {
  readonly #chat: SignalledChat
  readonly #labels: SignalLabels
  /** Null when repeats of the question do not matter. */
  readonly #question: string | null
  readonly #startedAtMs: number

  /** @param startedAtMs  by the clock of `labels` */
  constructor(chat: SignalledChat, labels: SignalLabels, startedAtMs: number) {
    this.#chat = chat
    this.#labels = labels
    this.#startedAtMs = startedAtMs
    this.#question = labels.isOn('asked_again') ? questionOf(chat.call) : null
    const repeated = chat.call.step?.repeats ?? null
    if (repeated !== null) this.#add('step_repeated', repeated, false)
  }

  /** Collects the needed parts of a stream. */
  beginning(): AnswerBeginning {
    const { body } = this.#chat.call
    return new AnswerBeginning({
      // The beginning is that of the first choice. Several choices are needed whole.
      text: (asksForJson(body) && this.#labels.isOn('format')) || (body.n ?? 1) > 1,
      calls: (body.tools?.length ?? 0) > 0 && this.#labels.isOn('tool_call'),
    })
  }

  /**
   * Finds what an answer shows.
   * @param choices  null when the answer is too long to be checked
   * @param usage  null when the provider reported none
   */
  judge(candidate: Candidate, choices: readonly Choice[] | null, usage: ChatUsage | null): void {
    const { call, plan } = this.#chat
    // Tuning runs and shadow samples grade their answers.
    if (choices === null || !learnsFrom.has(call.source)) return
    const answer = this.#answerOf(candidate)
    const signal = answerSignal(choices, {
      body: judgedBody(call),
      schemaMatch: (schema, value) => this.#labels.schemas.match(schema, value),
      usage,
      isLimited: plan.outputLimits?.has(answer.modelId) === true,
    })
    if (signal === null) this.#labels.addUnmarked(answer)
    else this.#add(signal.name, answer, signal.isGood)
  }

  /** The request ended with this candidate's answer, so its question can be asked again. */
  ended(candidate: Candidate): void {
    if (this.#question === null) return
    const answer = this.#answerOf(candidate)
    const before = this.#labels.askedAgain.answered(this.#question, this.#startedAtMs, answer)
    if (before !== null) this.#add('asked_again', before, false)
  }

  tierRejected(candidate: Candidate, accept: Acceptance): void {
    const { modelId } = candidate
    const name = signalOfCheck[accept]
    if (name === null || this.#chat.meter.signals.some(({ model }) => model === modelId)) return
    this.#add(name, this.#answerOf(candidate), false)
  }

  #add(name: SignalName, { modelId, reading }: JudgedAnswer, isGood: boolean): void {
    const signal = this.#labels.isOn(name) ? signalRecord(name, modelId, isGood) : null
    if (signal === null) return
    this.#chat.meter.signals.push(signal)
    this.#labels.add(signal, reading)
  }

  #answerOf({ modelId }: Candidate): JudgedAnswer {
    return { modelId, reading: this.#chat.plan.record.reading }
  }
}
