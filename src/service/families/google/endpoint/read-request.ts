/**
 * A request in Gemini's form as the inner form. docs/wires.md has the table. The request itself travels beside it for
 * providers of this form, so the inner form needs only what other vendors understand.
 */
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'
import type { OriginalCall } from '../../../chat/chat-call.ts'
import { ServiceError } from '../../../errors.ts'
import { refuseRepeatedField, withoutMembers } from '../../own-body.ts'
import { effortFor } from '../../efforts.ts'
import { countOf, fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import { originalWire } from '../form.ts'
import { withFittingNames, type FittingPrompt } from '../../fitting-names.ts'
import { LeftOut } from '../../left-out.ts'
import type { ToolNames } from '../../tool-names.ts'
import { geminiFields, itemsOf, repeatedSpelling } from './fields.ts'
import { partsOf, readContents } from './read-contents.ts'
import { isGooglesFile } from './read-parts.ts'
import { jsonSchemaOf } from './read-schema.ts'
import { readTools } from './read-tools.ts'
import type { CountRequest, GenerateRequest } from './request-schema.ts'

export interface ReadGemini {
  body: ChatRequest
  original: OriginalCall
  /** The caller's names of tools by those of the body. */
  names: ToolNames
  /** Whether the answer has the model's thoughts. */
  showsThoughts: boolean
}

/** The model and the method that the address names. */
export interface GeminiAddress {
  model: string
  isStreamed: boolean
}

/**
 * @throws ServiceError invalid_parameter for a repeated field or a number as a text, missing_required_parameter without
 *   any content
 */
export function readGenerate(
  request: GenerateRequest,
  { model, isStreamed }: GeminiAddress,
  text: string,
): ReadGemini {
  refuseRepeatedField(text)
  const leftOut = new LeftOut()
  const config = settingsOf(request)
  const fields = { ...geminiFields(request), generationConfig: config }
  leftOut.leaveForeign(fields, knownFields)
  leftOut.leaveForeign(config, knownSettings)
  const { prompt, names, renamedTools } = promptOf(fields, leftOut)
  const body: ChatRequest = {
    ...prompt,
    model,
    ...(isStreamed ? { stream: true } : {}),
    ...samplingOf(config),
    ...reasoningOf(config),
    ...formatOf(config),
  }
  const { includeThoughts } = geminiFields(config['thinkingConfig'])
  return {
    body,
    names,
    original: { ...originalOf(fields, { text, leftOut }), renamedTools },
    showsThoughts: includeThoughts === true,
  }
}

/**
 * Reads the settings. Google's parser takes both spellings of a name, and numbers as texts.
 * @throws ServiceError invalid_parameter
 */
function settingsOf(request: GenerateRequest): WireFields {
  const fields = geminiFields(request)
  const settings = fieldsOf(fields['generationConfig'])
  const config = geminiFields(settings)
  const twice = repeatedSpelling(request) ?? repeatedSpelling(settings)
  if (twice !== null) throw refused(twice, 'is given in two spellings: send one of them')
  const text = ['candidateCount', 'maxOutputTokens'].find(
    (name) => typeof config[name] === 'string',
  )
  if (text !== undefined) throw refused(`generationConfig.${text}`, 'must be a number')
  return config
}

function refused(param: string, reason: string): ServiceError {
  return new ServiceError('invalid_parameter', `"${param}" ${reason}.`, { param })
}

/** Reads a request whose tokens are to be counted. @throws ServiceError as `readGenerate` */
export function readCount(request: CountRequest, model: string, text: string): ReadGemini {
  refuseRepeatedField(text)
  const { generateContentRequest } = geminiFields(request)
  const fields = geminiFields(generateContentRequest ?? request)
  const original = originalOf(fields, { text, leftOut: new LeftOut() })
  const { prompt, names } = promptOf(fields, new LeftOut())
  return { body: { ...prompt, model }, names, original, showsThoughts: false }
}

function promptOf(
  fields: WireFields,
  leftOut: LeftOut,
): FittingPrompt<Pick<ChatRequest, 'messages' | 'tools' | 'tool_choice'>> {
  const messages = readContents(fields, leftOut)
  if (messages.length > 0) return withFittingNames({ messages, ...readTools(fields, leftOut) })
  const param = 'contents[0].parts'
  throw new ServiceError('missing_required_parameter', `"${param}" is required.`, { param })
}

function originalOf(
  fields: WireFields,
  { text, leftOut }: { text: string; leftOut: LeftOut },
): OriginalCall {
  const notForwarded = withheldFields(fields)
  const withheld = notForwarded.map(({ parameter }) => parameter)
  return {
    wire: originalWire,
    fields,
    text: withoutMembers(text, [...withheld, ...withheld.map(snakeCase)]),
    headers: {},
    leftOut: leftOut.adjustments,
    notForwarded,
    required: requiredOf(fields),
    stateField: stringOf(fields['cachedContent']) === null ? null : 'cachedContent',
    conversation: null,
  }
}

/** Fields that are not sent on: with them a request could choose a price, or how long its text is stored. */
const withheldNames = ['serviceTier', 'store'] as const

function withheldFields(fields: WireFields): Adjustment[] {
  const reason = 'only the user can set it, not a request'
  return withheldNames
    .filter((name) => (fields[name] ?? null) !== null)
    .map((parameter) => ({ parameter, change: 'left_out', reason }))
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** Why only models of the vendor can answer; null when others can too. */
function requiredOf({ contents, generationConfig }: WireFields): OriginalCall['required'] {
  const { responseModalities } = geminiFields(generationConfig)
  if (listOf(responseModalities).some((each) => String(each).toUpperCase() !== 'TEXT')) {
    const param = 'generationConfig.responseModalities'
    return { param, reason: `"${param}" wants more than text as an answer` }
  }
  const hasGooglesFile = itemsOf(contents).some((content) => partsOf(content).some(isGooglesFile))
  if (!hasGooglesFile) return null
  return { param: 'contents', reason: '"fileData" names a file that only Google can read' }
}

function samplingOf(config: WireFields): Partial<ChatRequest> {
  const { temperature, topP, candidateCount, stopSequences, seed, maxOutputTokens } = config
  const { presencePenalty, frequencyPenalty } = config
  const stop = listOf(stopSequences).map(String)
  return {
    ...(typeof temperature === 'number' ? { temperature } : {}),
    ...(typeof topP === 'number' ? { top_p: topP } : {}),
    ...(typeof candidateCount === 'number' && candidateCount > 1 ? { n: candidateCount } : {}),
    ...(typeof seed === 'number' ? { seed } : {}),
    ...(typeof maxOutputTokens === 'number' ? { max_completion_tokens: maxOutputTokens } : {}),
    ...(typeof presencePenalty === 'number' ? { presence_penalty: presencePenalty } : {}),
    ...(typeof frequencyPenalty === 'number' ? { frequency_penalty: frequencyPenalty } : {}),
    ...(stop.length > 0 ? { stop } : {}),
  }
}

/** A budget of -1 means that the model decides. */
function reasoningOf(config: WireFields): Pick<ChatRequest, 'reasoning' | 'reasoning_effort'> {
  const { thinkingBudget, thinkingLevel } = geminiFields(config['thinkingConfig'])
  const level = stringOf(thinkingLevel)?.toLowerCase()
  if (level !== undefined && level !== 'thinking_level_unspecified') {
    return { reasoning_effort: level }
  }
  if (thinkingBudget === 0) return { reasoning: { enabled: false } }
  const budget = countOf(thinkingBudget)
  if (budget === null) return thinkingBudget === -1 ? { reasoning: { enabled: true } } : {}
  return { reasoning_effort: effortFor(budget), reasoning: { max_tokens: budget } }
}

function formatOf(config: WireFields): Pick<ChatRequest, 'response_format'> {
  const { responseMimeType, responseSchema, responseJsonSchema } = config
  const own = responseJsonSchema ?? config['ResponseJsonSchema']
  const schema = own === undefined ? responseSchema && jsonSchemaOf(responseSchema) : fieldsOf(own)
  if (schema !== undefined && schema !== null) {
    return { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema } } }
  }
  return responseMimeType === 'application/json' ? { response_format: { type: 'json_object' } } : {}
}

/** Read above, or by the service itself. */
const knownFields: ReadonlySet<string> = new Set([
  ...'model contents systemInstruction tools toolConfig generationConfig'.split(' '),
  'cachedContent',
  ...withheldNames,
])
const knownSettings: ReadonlySet<string> = new Set(
  (
    'temperature topP candidateCount stopSequences seed maxOutputTokens presencePenalty frequencyPenalty ' +
    'thinkingConfig responseMimeType responseSchema responseJsonSchema ResponseJsonSchema responseModalities'
  ).split(' '),
)
