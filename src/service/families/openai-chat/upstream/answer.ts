/**
 * Reads an OpenAI-wire answer: a whole one or one event. The fields Modelport acts on (texts, tool calls,
 * finish reasons, usage) are checked and normalized to OpenAI's form. Every other field is passed on
 * unchanged, except those that Modelport sets itself. The code is written by hand because every chunk of
 * every answer passes through it; only tool calls, which few chunks have, use a schema.
 */
import { z } from 'zod'
import type { AnswerContent, WireFields } from '../../../../shared/chat/chat.ts'
import { isEmpty, otherFields, passedValue } from '../../../providers/passed-fields.ts'
import { upstreamText } from '../../../providers/upstream-errors.ts'
import { vendorError, type VendorError } from '../../../providers/vendor-error.ts'
import { isTooLong } from '../../too-long.ts'
import { isBadOutput } from '../refusal.ts'
import { readFinishReason } from './finish-reasons.ts'
import { readTimings } from './timings.ts'
import { readUsage } from '../usage.ts'
import {
  ProviderError,
  type ProviderChunk,
  type ProviderErrorKind,
  type UpstreamDelta,
  type UpstreamToolCall,
} from '../../../providers/provider.ts'

type Choice = ProviderChunk['choices'][number]

/** Fields of an answer that Modelport sets itself or reads. */
const answerFields: ReadonlySet<string> = new Set(
  'id object created model _meta choices usage error'.split(' '),
)
const choiceFields: ReadonlySet<string> = new Set(
  'index delta message finish_reason logprobs'.split(' '),
)

/** @throws ProviderError invalid_response for an unknown form; unavailable for an error event or finish reason */
export function readChunk(value: unknown): ProviderChunk {
  const answer = fieldsOf(value)
  const { choices, usage, error, model } = answer
  if (error !== undefined && error !== null) {
    throw reportedError(error)
  }
  const read: Choice[] = []
  if (choices !== undefined && choices !== null) {
    if (!Array.isArray(choices)) throw unknownForm()
    for (const choice of choices) read.push(readChoice(choice, read.length))
  }
  const extras = otherFields(answer, answerFields)
  const chunk: ProviderChunk = { choices: read, usage: readUsage(usage) }
  const timings = answer['timings'] === undefined ? null : readTimings(answer['timings'])
  if (timings !== null) chunk.timings = timings
  if (extras !== null) chunk.extras = extras
  if (typeof model === 'string' && model !== '') chunk.namedModel = model
  return chunk
}

/** An error that came in a stream, or with status 200: an object, or only its message. */
function reportedError(error: unknown): ProviderError {
  const { message, ...names } = typeof error === 'object' ? { ...error } : { message: error }
  const vendor = vendorError(names)
  const words = typeof message === 'string' ? message : ''
  const kind = kindOf(vendor, words)
  return new ProviderError(kind, 'the provider reported an error mid-answer', {
    upstreamMessage: upstreamText(message, kind),
    vendor,
    isTooLong: kind === 'request',
    isBadOutput: isBadOutput(vendor),
  })
}

/** Of what the caller did, only a prompt that is too long is told for sure. */
function kindOf(vendor: VendorError | null, message: string): ProviderErrorKind {
  const names = `${vendor?.type} ${vendor?.code}`
  if (/\b429\b|rate_limit|too_many_requests/.test(names)) return 'rate_limit'
  return isTooLong(names, message, vendor?.param) ? 'request' : 'unavailable'
}

/** @throws ProviderError invalid_response */
export function readModelNames(value: unknown): string[] {
  const parsed = modelsSchema.safeParse(value)
  if (!parsed.success) {
    throw new ProviderError('invalid_response', 'the list of models has an unknown form')
  }
  const models = Array.isArray(parsed.data) ? parsed.data : parsed.data.data
  return models.map((model) => model.id).toSorted()
}

const modelListSchema = z.array(z.object({ id: z.string() }))
/** A list of models. Together AI and GitHub Models send it without an object around it. */
const modelsSchema = z.union([z.object({ data: modelListSchema }), modelListSchema])

function fieldsOf(value: unknown): WireFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw unknownForm()
  // A checked boundary: any field of any object may be read, and each field is checked when it is read.
  return value as WireFields
}

function unknownForm(): ProviderError {
  return new ProviderError('invalid_response', 'the answer has an unknown form')
}

function readChoice(value: unknown, position: number): Choice {
  const fields = fieldsOf(value)
  const { index, delta, message, finish_reason, logprobs } = fields
  const reason = readText(finish_reason)
  const choice: Choice = {
    ...otherFields(fields, choiceFields),
    index: readIndex(index) ?? position,
    delta: readDelta(delta ?? message, delta === undefined || delta === null),
    finish_reason: reason ? readFinishReason(reason) : null,
  }
  if (logprobs !== undefined && logprobs !== null) choice.logprobs = passedValue(logprobs)
  return choice
}

function readIndex(value: unknown): number | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0) throw unknownForm()
  return value
}

function readText(value: unknown): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw unknownForm()
  return value
}

/** @param isWhole  true for a whole message, which keeps its nulls; in a stream, nulls mean nothing */
function readDelta(value: unknown, isWhole: boolean): UpstreamDelta {
  const read: UpstreamDelta = {}
  if (value === undefined || value === null) return read
  const fields = fieldsOf(value)
  for (const name in fields) {
    const field = fields[name]
    if (texts.has(name)) {
      const text = name === 'content' ? readContent(field) : readText(field)
      if (text || (isWhole && text === null)) read[name] = text
    } else if (name === 'tool_calls') {
      if (!isEmpty(field)) read.tool_calls = readToolCalls(field)
    } else if (name !== 'role' && name !== '__proto__' && (isWhole || !isEmpty(field))) {
      read[name] = passedValue(field)
    }
  }
  return read
}

/** Reads content; parts are passed on unchanged. */
function readContent(value: unknown): AnswerContent | null {
  if (!Array.isArray(value)) return readText(value)
  passedValue(value)
  return value.length === 0 ? '' : value.map(fieldsOf)
}

const texts: ReadonlySet<string> = new Set(['content', 'refusal', 'reasoning', 'reasoning_content'])

const text = z.string().nullish()
// Some upstreams send the arguments as an object instead of as JSON text.
const json = z.union([text, z.record(z.string(), z.unknown())])
const toolCallsSchema = z.array(
  z.looseObject({
    index: z.number().int().nonnegative().nullish(),
    id: text,
    type: text,
    function: z.looseObject({ name: text, arguments: json }).nullish(),
    custom: z.looseObject({ name: text, input: json }).nullish(),
  }),
)
const toolCallFields: ReadonlySet<string> = new Set('index id type function custom'.split(' '))
const calledFields: ReadonlySet<string> = new Set(['name', 'arguments', 'input'])

function readToolCalls(value: unknown): UpstreamToolCall[] {
  const parsed = toolCallsSchema.safeParse(value)
  if (!parsed.success) throw unknownForm()
  return parsed.data.map((call) => {
    const { index, id, type, function: called, custom } = call
    const payload = custom
      ? { custom: { ...namedFields(custom), input: textOf(custom.input) } }
      : { function: { ...namedFields(called), arguments: textOf(called?.arguments) } }
    return {
      ...otherFields(call, toolCallFields),
      ...(index === null || index === undefined ? {} : { index }),
      ...(id ? { id } : {}),
      ...(id || type ? { type: type || (custom ? 'custom' : 'function') } : {}),
      ...payload,
    }
  })
}

/** The name, if any, and the fields that Modelport does not know. */
function namedFields(called: WireFields | null | undefined): WireFields & { name?: string } {
  if (!called) return {}
  const { name } = called
  const others = otherFields(called, calledFields)
  return typeof name === 'string' && name !== '' ? { ...others, name } : { ...others }
}

function textOf(value: string | Record<string, unknown> | null | undefined): string {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? '')
}
