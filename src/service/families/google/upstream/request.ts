/**
 * A chat request in OpenAI's form as the body of Gemini's `generateContent`. docs/wires.md has the table.
 */
import type { ChatRequest } from '../../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'
import { countOf, fieldsOf, listOf } from '../../../json-fields.ts'
import { LeftOut } from '../../left-out.ts'
import { contentsOf } from './contents.ts'
import type { GeminiGenerationConfig, GeminiRequest } from './rest.ts'
import { thinkingConfig } from './thinking.ts'
import { toolsOf } from './tools.ts'
import { traitsOf, type Dialect } from './traits.ts'

export interface TranslatedRequest {
  body: GeminiRequest
  leftOut: readonly Adjustment[]
}

/** @throws ProviderError request for what this wire cannot carry */
export function translateRequest(
  body: ChatRequest,
  model: string,
  dialect: Dialect,
): TranslatedRequest {
  const leftOut = new LeftOut()
  const traits = traitsOf(model)
  const thinking = thinkingConfig(body, traits, leftOut)
  const generationConfig = {
    ...samplingOf(body, leftOut),
    ...outputOf(body),
    ...(thinking === null ? {} : { thinkingConfig: thinking }),
  }
  const translated: GeminiRequest = {
    ...contentsOf(body.messages, { traits, dialect, leftOut }),
    ...toolsOf(body, leftOut),
    ...safetyOf(body),
    ...(Object.keys(generationConfig).length === 0 ? {} : { generationConfig }),
  }
  noteUnknown(body, leftOut)
  noteMarks(body, leftOut)
  return { body: translated, leftOut: leftOut.adjustments }
}

/** OpenAI's name to Google's, for numbers with the same meaning and range. */
const numbers = {
  temperature: 'temperature',
  top_p: 'topP',
  top_k: 'topK',
  n: 'candidateCount',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
} as const

function samplingOf(body: ChatRequest, leftOut: LeftOut): GeminiGenerationConfig {
  const sampling: GeminiGenerationConfig = {}
  for (const [name, own] of Object.entries(numbers)) {
    const value = body[name]
    // One candidate is the default, and some models refuse the field.
    if (typeof value === 'number' && !(name === 'n' && value === 1)) {
      Object.assign(sampling, { [own]: value })
    }
  }
  const { stop, seed } = body
  if (typeof seed === 'number') {
    // Google's is a 32-bit number, OpenAI's a 64-bit one.
    if (Math.trunc(seed) === (seed | 0)) sampling.seed = seed
    else leftOut.leave('seed', 'the provider takes seeds of 32 bits')
  }
  const sequences = typeof stop === 'string' ? [stop] : (stop ?? [])
  if (sequences.length > 0) sampling.stopSequences = sequences
  return sampling
}

function outputOf(body: ChatRequest): GeminiGenerationConfig {
  const { response_format, logprobs, top_logprobs } = body
  const output: GeminiGenerationConfig = {}
  const limit = body.max_completion_tokens ?? body.max_tokens ?? null
  if (limit !== null) output.maxOutputTokens = limit
  const kind = response_format?.type ?? 'text'
  if (kind !== 'text') output.responseMimeType = 'application/json'
  if (kind === 'json_schema') {
    output.responseJsonSchema = fieldsOf(response_format?.['json_schema'])['schema']
  }
  if (logprobs === true) output.responseLogprobs = true
  if (logprobs === true && countOf(top_logprobs)) output.logprobs = top_logprobs ?? 0
  const modalities = listOf(body['modalities']).map((each) => String(each).toUpperCase())
  const known = modalities.filter((each) => each === 'TEXT' || each === 'IMAGE')
  if (known.includes('IMAGE')) output.responseModalities = known
  return output
}

/** Google's own field, in the name that LiteLLM documents. */
function safetyOf(body: ChatRequest): Pick<GeminiRequest, 'safetySettings'> {
  const settings = listOf(body['safety_settings'])
  // A checked boundary: Google checks its own enums.
  return settings.length === 0
    ? {}
    : { safetySettings: settings.map(fieldsOf) as NonNullable<GeminiRequest['safetySettings']> }
}

/** Fields that this wire reads. Others are left out, and the decision reports them. */
const readFields: ReadonlySet<string> = new Set([
  ...Object.keys(numbers),
  ...'messages model stream stream_options max_tokens max_completion_tokens stop seed'.split(' '),
  ...'tools tool_choice parallel_tool_calls response_format reasoning_effort reasoning'.split(' '),
  ...'logprobs top_logprobs modalities safety_settings'.split(' '),
])

function noteUnknown(body: ChatRequest, leftOut: LeftOut): void {
  for (const [name, value] of Object.entries(body)) {
    if (readFields.has(name) || value === null || value === undefined) continue
    leftOut.leave(name, 'the provider has no such field')
  }
}

/** Google finds repeated prefixes by itself. */
function noteMarks(body: ChatRequest, leftOut: LeftOut): void {
  const isMarked = [...body.messages, ...(body.tools ?? [])].some(
    (carrier) =>
      'cache_control' in carrier ||
      listOf('content' in carrier ? carrier.content : null).some(
        (part) => 'cache_control' in fieldsOf(part),
      ),
  )
  if (isMarked) leftOut.leave('cache_control', 'the provider caches repeated prefixes by itself')
}
