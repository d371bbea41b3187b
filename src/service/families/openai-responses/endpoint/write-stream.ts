/**
 * A streamed answer as events of the Responses API. The events of a provider that speaks this form are passed on; any
 * other answer is translated.
 */
import type { WireFields } from '../../../../shared/chat/chat.ts'
import type { ServiceError } from '../../../errors.ts'
import { withMembers } from '../../../providers/json-members.ts'
import { fieldsOf, listOf } from '../../../json-fields.ts'
import { writeResponseUsage } from '../answer.ts'
import type { UnnumberedEvent } from '../form.ts'
import { OutputItems } from './output-items.ts'
import { ResponseObject, type ResponseIdentity } from './response-object.ts'
import type { ResponsesRequest } from './request-schema.ts'
import type { ToolNames } from '../../tool-names.ts'
import { endingOf } from './write-answer.ts'
import { failureOf } from './write-error.ts'
import { parseExact } from '../../../exact-json.ts'
import type { AnswerDelta, AnswerEnd } from '../../written-answer.ts'

interface ResponseStreamOptions extends ResponseIdentity {
  request: ResponsesRequest
  names: ToolNames
  /** The provider stores the answer, by the id that it gives. */
  isStored: boolean
}

export class ResponseStream {
  readonly #response: ResponseObject
  readonly #items: OutputItems
  /** The provider's own response object, once its events are passed on. */
  #passed: WireFields | null = null
  /** The provider's last event, which waits for `_meta`. */
  #last: WireFields | null = null
  #isStarted = false
  #sequenceNumber = 0

  readonly #isStored: boolean

  constructor(options: ResponseStreamOptions) {
    this.#isStored = options.isStored
    this.#response = new ResponseObject(options.request, options)
    this.#items = new OutputItems(options)
  }

  deltas({ model, choices, events }: AnswerDelta): string {
    this.#response.model = model
    if (events !== undefined) return events.map((event) => this.#passOn(event, model)).join('')
    const written = choices
      .filter(({ index }) => index === 0)
      .flatMap(({ delta, logprobs }) =>
        this.#items.add(delta, listOf(fieldsOf(logprobs)['content'])),
      )
    return written.length === 0 ? '' : this.#start() + this.#write(written)
  }

  end({ model, usage, finishReasons, meta }: AnswerEnd): string {
    const last = this.#last
    if (last !== null) {
      const response = { ...this.#own(last['response'], model), _meta: meta }
      return this.#numbered({ ...last, response })
    }
    this.#response.model = model
    const { status, itemStatus, fields } = endingOf(finishReasons.get(0) ?? 'stop')
    const start = this.#start()
    const items = this.#write(this.#items.end(itemStatus))
    const ended = { ...fields, usage: writeResponseUsage(usage), _meta: meta }
    const response = this.#response.withStatus(status, this.#items.items(), ended)
    return start + items + this.#numbered({ type: `response.${status}`, response })
  }

  /** Writes an error. Clients repeat what can be repeated, and show the message of what cannot. */
  error(failure: ServiceError): string {
    const start = this.#start()
    const error = failureOf(failure)
    const response =
      this.#passed === null
        ? this.#response.withStatus('failed', this.#items.items(), { error })
        : { ...this.#passed, status: 'failed', error }
    return start + this.#numbered({ type: 'response.failed', response })
  }

  /** An event, because Codex's idle timer is reset by events, and not by comments. */
  keepAlive(): string {
    if (this.#isStored && !this.#isStarted) return ': keep-alive\n\n'
    const start = this.#start()
    // Without output, so that clients keep the items that they have.
    const response =
      this.#passed === null
        ? this.#response.withStatus('in_progress', [])
        : { ...this.#passed, output: [] }
    return start === '' ? this.#numbered({ type: 'response.in_progress', response }) : start
  }

  #start(): string {
    if (this.#isStarted) return ''
    this.#isStarted = true
    const response = this.#response.withStatus('in_progress', [])
    return ['response.created', 'response.in_progress']
      .map((type) => this.#numbered({ type, response }))
      .join('')
  }

  #write(events: readonly UnnumberedEvent[]): string {
    return events.map((event) => this.#numbered(event)).join('')
  }

  #numbered({ type, ...fields }: { type?: unknown; [field: string]: unknown }): string {
    const sequence_number = this.#sequenceNumber
    this.#sequenceNumber += 1
    return eventOf(String(type), JSON.stringify({ type, ...fields, sequence_number }))
  }

  /** The provider's event as it came, but for the model. */
  #passOn(event: string, model: string): string {
    const { type, ...fields } = fieldsOf(parseExact(event))
    const name = String(type)
    if (fields['response'] === undefined) return this.#unchanged(event, name, fields)
    const isRepeated = this.#isStarted && this.#passed === null && name === 'response.created'
    const response = this.#own(fields['response'], model)
    this.#isStarted = true
    this.#passed ??= response
    if (isRepeated) return ''
    if (!endings.has(name)) return this.#numbered({ type, ...fields, response })
    this.#last = { type, ...fields, response }
    return ''
  }

  /** Sends a vendor's event as it is. Its number differs only after events of ours. */
  #unchanged(event: string, name: string, fields: WireFields): string {
    const sequence_number = this.#sequenceNumber
    this.#sequenceNumber += 1
    if (event.includes('\n'))
      return eventOf(name, JSON.stringify({ type: name, ...fields, sequence_number }))
    const isSame = fields['sequence_number'] === sequence_number
    const number = { sequence_number: String(sequence_number) }
    return eventOf(name, isSame ? event : withMembers(event, number))
  }

  /** The response with our own id: clients refuse one whose id changes, and a keep-alive may have begun it earlier. */
  #own(response: unknown, model: string): WireFields {
    const own = { ...fieldsOf(response), model }
    if (this.#passed !== null) return { ...own, id: this.#passed['id'] }
    return this.#isStarted ? { ...own, id: this.#response.id } : own
  }
}

const endings: ReadonlySet<string> = new Set(['response.completed', 'response.incomplete'])

function eventOf(type: string, data: string): string {
  return `event: ${type}\ndata: ${data}\n\n`
}
