/**
 * A streamed answer in Gemini's form: each event is an answer with some more parts. The events of a provider that speaks
 * this form are passed on; any other answer is translated.
 */
import type { ChunkChoice, ToolCallDelta, WireFields } from '../../../../shared/chat/chat.ts'
import type { ServiceError } from '../../../errors.ts'
import { withMembers } from '../../../providers/json-members.ts'
import { writeUsage } from '../usage.ts'
import {
  callPart,
  candidate,
  deltaParts,
  finishOf,
  signaturesOf,
  type GenerationOptions,
} from './write-answer.ts'
import { geminiFailure } from './write-error.ts'
import type { AnswerDelta, AnswerEnd } from '../../written-answer.ts'

/** How events are separated: as server-sent events, or as the items of a JSON list. */
export type Framing = 'events' | 'list'

interface OpenCall {
  id: string
  name: string
  args: string
}

/** Fields of a candidate that were not sent yet. */
interface OpenCandidate {
  calls: Map<number, OpenCall>
  signatures: Map<string | null, string>
  ending: WireFields
}

export class GeminiEvents {
  readonly ending: string
  readonly contentType: string | undefined
  readonly #options: GenerationOptions
  readonly #isList: boolean
  readonly #open = new Map<number, OpenCandidate>()
  #isStarted = false
  /** The provider's last event, which gets `_meta` if it stays the last one. */
  #held: string | null = null

  constructor(framing: Framing, options: GenerationOptions) {
    this.#options = options
    this.#isList = framing === 'list'
    this.ending = this.#isList ? ']' : ''
    this.contentType = this.#isList ? 'application/json; charset=utf-8' : undefined
  }

  deltas({ model, choices, events }: AnswerDelta): string {
    if (events !== undefined) return events.map((event) => this.#passOn(event, model)).join('')
    return choices.map((choice) => this.#piecesOf(choice, model)).join('')
  }

  end({ model, usage, finishReasons, meta }: AnswerEnd): string {
    if (this.#held !== null) {
      return this.#frame(withMembers(this.#held, { _meta: JSON.stringify(meta) }))
    }
    const reasons = finishReasons.size === 0 ? new Map([[0, 'stop']]) : finishReasons
    const candidates = [...reasons].map(([index, finish_reason]) => {
      const open = this.#open.get(index)
      return candidate(index, this.#callParts(open), finishOf({ ...open?.ending, finish_reason }))
    })
    const usageMetadata = writeUsage(usage)
    return this.#event(model, { candidates, usageMetadata, _meta: meta })
  }

  error(error: ServiceError): string {
    return this.#flush() + this.#frame(JSON.stringify(geminiFailure(error)))
  }

  /** An event without a candidate would make Google's SDK drop the answer from its chat. */
  keepAlive(): string {
    return this.#isList ? '\n' : ': keep-alive\n\n'
  }

  #piecesOf(choice: ChunkChoice, model: string): string {
    const { index, delta } = choice
    const open = this.#openOf(index)
    if (choice['native_finish_reason'] !== undefined) open.ending = choice
    const parts = deltaParts(delta, this.#options.showsThoughts)
    for (const [id, data] of signaturesOf(delta)) open.signatures.set(id, data)
    for (const call of delta.tool_calls ?? []) addCall(open.calls, call)
    return parts.length === 0
      ? ''
      : this.#event(model, { candidates: [candidate(index, parts, null)] })
  }

  #callParts(open: OpenCandidate | undefined): WireFields[] {
    return [...(open?.calls.values() ?? [])].map((call) => {
      const { name } = this.#options.names.find(call.name)
      return callPart({ ...call, name }, open?.signatures.get(call.id))
    })
  }

  #openOf(index: number): OpenCandidate {
    const known = this.#open.get(index)
    if (known !== undefined) return known
    const open: OpenCandidate = { calls: new Map(), signatures: new Map(), ending: {} }
    this.#open.set(index, open)
    return open
  }

  /** An event that may be the last one is sent when another follows, or with the end. */
  #passOn(event: string, model: string): string {
    const before = this.#flush()
    const named = withMembers(event, { modelVersion: JSON.stringify(model) })
    if (!event.includes('"finishReason"')) return before + this.#frame(named)
    this.#held = named
    return before
  }

  #flush(): string {
    const held = this.#held
    this.#held = null
    return held === null ? '' : this.#frame(held)
  }

  #event(modelVersion: string, fields: WireFields): string {
    const { responseId } = this.#options
    return this.#frame(JSON.stringify({ ...fields, modelVersion, responseId }))
  }

  #frame(json: string): string {
    // An upstream may have sent its event in several lines.
    if (!this.#isList) return `data: ${json.replaceAll('\n', ' ')}\n\n`
    const start = this.#isStarted ? ',\n' : '['
    this.#isStarted = true
    return start + json
  }
}

function addCall(calls: Map<number, OpenCall>, delta: ToolCallDelta): void {
  const { index, id, function: called } = delta
  const known = calls.get(index) ?? { id: '', name: '', args: '' }
  calls.set(index, {
    id: id ?? known.id,
    name: called?.name ?? known.name,
    args: known.args + (called?.arguments ?? ''),
  })
}
