/**
 * Turns a model's script into the bytes of its answer. Plans are stored per script object, so a bench serializes
 * each script once, and every later answer writes ready buffers.
 */
import type { FakeFault, FakeModel, FakeToolCall, FakeUsage } from './script.ts'

/** The fields of a request that determine the bytes of its answer. */
export interface AnswerForm {
  model: string
  isStreamed: boolean
  includesUsage: boolean
}

/** An answer ready to send: the parts are written one by one, then the answer ends as `end` says. */
export interface Plan {
  status: number
  headers: Readonly<Record<string, string>>
  parts: readonly Buffer[]
  end: 'finish' | 'hang' | 'reset'
  /** False when the answer breaks before the status line. */
  sendsHeaders: boolean
  /** Sends each part separately, even without a pause between them. */
  isSliced: boolean
  delays: { firstByteDelayMs: number; chunkDelayMs: number }
}

/** The bytes of a plan; the delays do not depend on them. */
type Bytes = Omit<Plan, 'delays'>

const unbroken = { end: 'finish', sendsHeaders: true, isSliced: false } as const

const createdSeconds = 1_790_000_000
const defaultText = 'Hello from the fake provider.'
const defaultUsage: FakeUsage = { prompt_tokens: 12, completion_tokens: 8, total_tokens: 20 }
const errorEvent = JSON.stringify({
  error: { message: 'The server had an error while processing', type: 'server_error', code: null },
})

const plans = new WeakMap<FakeModel, Map<string, Plan>>()

export function planAnswer(model: FakeModel, form: AnswerForm): Plan {
  const ofModel = plans.get(model) ?? new Map<string, Plan>()
  plans.set(model, ofModel)
  const key = `${form.isStreamed} ${form.includesUsage} ${form.model}`
  const { firstByteDelayMs = 0, chunkDelayMs = 0 } = model
  const delays = { firstByteDelayMs, chunkDelayMs }
  const plan = ofModel.get(key) ?? { ...planBytes(model, form), delays }
  ofModel.set(key, plan)
  return plan
}

function planBytes(model: FakeModel, form: AnswerForm): Bytes {
  if (model.reply) {
    const { status, headers = {}, body } = model.reply
    return { ...unbroken, status, headers, parts: [Buffer.from(body)] }
  }
  return form.isStreamed ? planStream(model, form) : planBody(model, form)
}

function planStream(model: FakeModel, form: AnswerForm): Bytes {
  const { fault, framing = {} } = model
  const events = [...(model.events ?? streamEvents(model, form))]
  if (!framing.withoutDone) events.push('[DONE]')
  const sent = fault ? events.slice(0, fault.afterEvents) : events
  if (fault?.kind === 'error-event') sent.push(errorEvent)
  const frames = sent.map((event) => frame(event, framing))
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' },
    parts: framing.sliceBytes ? slice(frames, framing.sliceBytes) : frames,
    end: endOf(fault),
    sendsHeaders: fault?.afterEvents !== 0,
    isSliced: framing.sliceBytes !== undefined,
  }
}

function planBody(model: FakeModel, form: AnswerForm): Bytes {
  const { fault } = model
  const body = Buffer.from(JSON.stringify(completion(model, form)))
  const headers = { 'content-type': 'application/json', 'content-length': String(body.length) }
  if (!fault) {
    return { ...unbroken, status: 200, headers, parts: [body] }
  }
  const half = body.subarray(0, body.length >> 1)
  return {
    status: 200,
    // Without a length, HTTP cannot tell the early end of `truncate` from a complete body.
    headers: { 'content-type': 'application/json' },
    parts: [fault.kind === 'error-event' ? Buffer.from(errorEvent) : half],
    end: endOf(fault),
    sendsHeaders: fault.afterEvents !== 0,
    isSliced: false,
  }
}

/** `truncate` and `error-event` end as valid HTTP; only the content is wrong. */
function endOf(fault: FakeFault | undefined): Plan['end'] {
  return fault?.kind === 'hang' || fault?.kind === 'reset' ? fault.kind : 'finish'
}

/** The events of a complete stream, in OpenAI's order: role, deltas, finish, usage if requested. */
function streamEvents(model: FakeModel, form: AnswerForm): string[] {
  const event = (choices: unknown[], usage?: FakeUsage | null): string =>
    JSON.stringify({
      ...head(form, 'chat.completion.chunk'),
      choices,
      ...(usage !== undefined && { usage }),
      ...model.extraFields,
    })
  const reported = model.usage ?? defaultUsage
  const usage = form.includesUsage && reported !== 'none' ? reported : undefined
  const pending = usage && null
  const choice = (delta: unknown, finishReason: string | null = null) =>
    event([{ index: 0, delta, finish_reason: finishReason }], pending)
  return [
    choice({ role: 'assistant', content: '' }),
    ...(model.reasoning ? [choice({ reasoning_content: model.reasoning })] : []),
    ...contentPieces(model).map((content) => choice({ content })),
    ...(model.toolCalls ?? [])
      .flatMap(toolCallDeltas)
      .map((call) => choice({ tool_calls: [call] })),
    choice({}, finishReasonOf(model)),
    ...(usage ? [event([], usage)] : []),
  ]
}

function toolCallDeltas({ index, id, name, argumentPieces }: FakeToolCall): unknown[] {
  const place = index === undefined ? {} : { index }
  const first = { ...place, ...(id !== undefined && { id }), type: 'function' }
  return [
    { ...first, function: { name, arguments: '' } },
    ...argumentPieces.map((piece) => ({ ...place, function: { arguments: piece } })),
  ]
}

function completion(model: FakeModel, form: AnswerForm): unknown {
  const toolCalls = model.toolCalls?.map(({ id, name, argumentPieces }) => ({
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: argumentPieces.join('') },
  }))
  const message = {
    role: 'assistant',
    content: toolCalls && model.text === undefined ? null : textOf(model),
    ...(model.reasoning !== undefined && { reasoning_content: model.reasoning }),
    ...(toolCalls && { tool_calls: toolCalls }),
  }
  return {
    ...head(form, 'chat.completion'),
    choices: [{ index: 0, message, finish_reason: finishReasonOf(model) }],
    ...(model.usage !== 'none' && { usage: model.usage ?? defaultUsage }),
    ...model.extraFields,
  }
}

function head(form: AnswerForm, object: string) {
  return { id: 'chatcmpl-fake', object, created: createdSeconds, model: form.model }
}

function finishReasonOf(model: FakeModel): string {
  return model.finishReason ?? (model.toolCalls ? 'tool_calls' : 'stop')
}

function textOf(model: FakeModel): string {
  return model.text ?? defaultText
}

/** Equal pieces, cut between characters; a model that only calls tools has no text. */
function contentPieces(model: FakeModel): string[] {
  if (model.toolCalls && model.text === undefined) return []
  const characters = Array.from(textOf(model))
  const size = Math.max(1, Math.ceil(characters.length / (model.chunks ?? 4)))
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  )
}

function frame(event: string, framing: NonNullable<FakeModel['framing']>): Buffer {
  const { lineEnd = '\n', comments = false } = framing
  const comment = comments ? `: keep-alive${lineEnd}${lineEnd}` : ''
  return Buffer.from(`${comment}data: ${event}${lineEnd}${lineEnd}`)
}

function slice(frames: readonly Buffer[], sizeBytes: number): Buffer[] {
  const whole = Buffer.concat(frames)
  return Array.from({ length: Math.ceil(whole.length / sizeBytes) }, (_, index) =>
    whole.subarray(index * sizeBytes, (index + 1) * sizeBytes),
  )
}
