/** Bedrock's Converse form, for the suite of all wires. */
import { EventStreamCodec } from '@smithy/core/event-streams'
import {
  jsonReply,
  type AnswerMeaning,
  type FakeFormat,
  type FakeReply,
  type RecordedRequest,
  type UsageMeaning,
} from '../harness.ts'
import {
  fieldsOf,
  textOrNull,
  type Item,
  type Part,
  type RequestMeaning,
} from '../request-meaning.ts'
import { sdkSchema } from '../sdk-schema.ts'
import { asJson, converseTypes } from './converse-schema.ts'
import { signatureProblems } from './signature.ts'

/** The accounts of the fake. */
export const accessKeyId = 'AKIAFAKEFAKEFAKEFAKE'
const secretAccessKey = 'fake/secret+of/the/test'
export const accessKey = `${accessKeyId}:${secretAccessKey}`
export const sdkCredentials = { accessKeyId, secretAccessKey }

const problemsOfBody = sdkSchema({ file: converseTypes, type: 'ConverseRequest' }, asJson)

const codec = new EventStreamCodec(
  (bytes: Uint8Array | string) =>
    typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString(),
  (text) => Buffer.from(text),
)

/** The bytes of one frame. @param kind  `event` or `exception` */
export function frame(kind: 'event' | 'exception', name: string, payload: unknown): Buffer {
  const text = (value: string) => ({ type: 'string' as const, value })
  const headers = {
    [`:${kind}-type`]: text(name),
    ':content-type': text('application/json'),
    ':message-type': text(kind),
  }
  return Buffer.from(codec.encode({ headers, body: Buffer.from(JSON.stringify(payload)) }))
}

const chatPath = /^\/model\/([^/]+)\/converse(-stream)?$/

export const bedrockFormat: FakeFormat = {
  route({ method, path }) {
    if (method === 'GET')
      return /^\/(foundation-models|inference-profiles)/.test(path) ? 'models' : null
    const match = chatPath.exec(path)
    if (match === null || method !== 'POST') return null
    return match[2] === undefined ? 'whole' : 'stream'
  },
  problems(request) {
    const { headers, body, path, method } = request
    const isApiKey = headers.authorization?.startsWith('Bearer ') === true
    const key = isApiKey ? [] : signatureProblems(request, { [accessKeyId]: secretAccessKey })
    if (method === 'GET') return key
    const modelId = modelOf(path)
    const refused =
      modelId.includes('/') && path.includes(modelId) ? ['the name is not encoded'] : []
    return [
      ...key,
      ...refused,
      ...problemsOfBody({ ...fieldsOf(body), modelId }),
      ...turnProblems(body),
    ]
  },
  read: ({ body, path }) => readRequest(fieldsOf(body), modelOf(path)),
  whole: (answer) =>
    jsonReply(200, {
      metrics: { latencyMs: 12 },
      output: { message: { role: 'assistant', content: contentOf(answer) } },
      stopReason: stopOf(answer),
      usage: usageOf(answer.usage),
    }),
  stream: (answer) => ({
    headers: { 'content-type': 'application/vnd.amazon.eventstream' },
    events: [
      frame('event', 'messageStart', { role: 'assistant' }),
      ...blockEvents(answer),
      frame('event', 'messageStop', { stopReason: stopOf(answer) }),
      frame('event', 'metadata', { metrics: { latencyMs: 12 }, usage: usageOf(answer.usage) }),
    ],
  }),
  models: listReply,
  rateLimited: awsError(
    429,
    'ThrottlingException',
    'Too many requests, please wait before trying again.',
  ),
}

/** @param name  with the ending that AWS's servers add in the header */
export function awsError(status: number, name: string, message: string): FakeReply {
  return jsonReply(
    status,
    { message },
    { 'x-amzn-errortype': `${name}:http://internal.amazon.com/coral/com.amazon.bedrock/` },
  )
}

function modelOf(path: string): string {
  return decodeURIComponent(chatPath.exec(path)?.[1] ?? '')
}

/** What Converse checks beyond types: turns alternate, begin with the user's, and no text is blank. */
function turnProblems(body: unknown): string[] {
  const { messages, toolConfig } = fieldsOf(body)
  const turns = listOf(messages).map(fieldsOf)
  const blocks = turns.flatMap(({ content }) => listOf(content)).map(fieldsOf)
  const isOrdered = turns.every(
    ({ role }, place) => role === (place % 2 === 0 ? 'user' : 'assistant'),
  )
  const callsTools = blocks.some((block) => 'toolUse' in block || 'toolResult' in block)
  const isBlank = blocks.some(({ text }) => typeof text === 'string' && text.trim() === '')
  return [
    ...(isOrdered ? [] : ['A conversation must alternate between user and assistant roles.']),
    ...(isBlank ? ['The text field in the ContentBlock object is blank.'] : []),
    ...(callsTools && toolConfig === undefined
      ? ['The toolConfig field must be defined when using toolUse and toolResult content blocks.']
      : []),
    ...(turns.some(({ content }) => listOf(content).length === 0) ? ['a turn is empty'] : []),
  ]
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

type Fields = Readonly<Record<string, unknown>>

function readRequest(body: Fields, model: string): RequestMeaning {
  const config = fieldsOf(body['inferenceConfig'])
  const additional = fieldsOf(body['additionalModelRequestFields'])
  const output = fieldsOf(body['outputConfig'])
  const { tools, toolChoice } = fieldsOf(body['toolConfig'])
  const choice = fieldsOf(additional['tool_choice'])
  const thinking = fieldsOf(additional['thinking'])
  return {
    model,
    items: [
      ...listOf(body['system']).flatMap((block) =>
        partOf(fieldsOf(block)).map((part): Item => ({ from: 'system', ...part })),
      ),
      ...listOf(body['messages']).flatMap((turn) => itemsOf(fieldsOf(turn))),
    ],
    tools: listOf(tools).flatMap((tool) => toolOf(fieldsOf(fieldsOf(tool)['toolSpec']))),
    toolChoice: choiceOf(toolChoice, listOf(tools).length > 0),
    parallelToolCalls: choice['disable_parallel_tool_use'] === true ? false : null,
    format: formatOf(output['textFormat']),
    maxTokens: numberOrNull(config['maxTokens']),
    temperature: numberOrNull(config['temperature']),
    topP: numberOrNull(config['topP']),
    stops: listOf(config['stopSequences']).map(String),
    effort: textOrNull(output['effort']),
    thinkingTokens: numberOrNull(thinking['budget_tokens']),
    cacheMarks: JSON.stringify(body).split('"cachePoint"').length - 1,
  }
}

function itemsOf({ role, content }: Fields): Item[] {
  const from = role === 'assistant' ? 'assistant' : 'user'
  return listOf(content).flatMap((each): Item[] => {
    const { toolUse, toolResult, reasoningContent, ...block } = fieldsOf(each)
    if (toolUse !== undefined) return [callOf(fieldsOf(toolUse))]
    if (toolResult !== undefined) return [resultOf(fieldsOf(toolResult))]
    if (reasoningContent !== undefined) return [reasoningOf(fieldsOf(reasoningContent))]
    return partOf(block).map((part): Item => ({ from, ...part }))
  })
}

function callOf({ toolUseId, name, input }: Fields): Item {
  return { from: 'assistant', kind: 'call', id: String(toolUseId), name: String(name), input }
}

function resultOf({ toolUseId, content, status }: Fields): Item {
  const parts = listOf(content).flatMap((block) => partOf(fieldsOf(block)))
  return {
    from: 'tool',
    kind: 'result',
    callId: String(toolUseId),
    isFailed: status === 'error',
    parts,
  }
}

function reasoningOf({ reasoningText, redactedContent }: Fields): Item {
  const { text, signature } = fieldsOf(reasoningText)
  const proof = textOrNull(signature ?? redactedContent)
  return { from: 'assistant', kind: 'reasoning', text: textOrNull(text), proof }
}

const mediaTypes: Readonly<Record<string, string>> = { pdf: 'application/pdf', txt: 'text/plain' }

function partOf({ text, image, document, audio }: Fields): Part[] {
  if (typeof text === 'string') return [{ kind: 'text', text }]
  const medium = fieldsOf(image ?? document ?? audio)
  const { bytes } = fieldsOf(medium['source'])
  const format = String(medium['format'])
  if (image !== undefined) {
    return [{ kind: 'image', mediaType: `image/${format}`, base64: String(bytes) }]
  }
  if (audio !== undefined) {
    return [{ kind: 'audio', mediaType: `audio/${format}`, base64: String(bytes) }]
  }
  if (document === undefined) return []
  return [{ kind: 'document', mediaType: mediaTypes[format] ?? format, base64: String(bytes) }]
}

function toolOf({ name, description, inputSchema }: Fields): RequestMeaning['tools'] {
  if (typeof name !== 'string') return []
  return [{ name, description: textOrNull(description), parameters: fieldsOf(inputSchema)['json'] }]
}

function choiceOf(choice: unknown, hasTools: boolean): RequestMeaning['toolChoice'] {
  const { any, tool } = fieldsOf(choice)
  if (any !== undefined) return 'required'
  if (tool !== undefined) return { name: String(fieldsOf(tool)['name']) }
  return hasTools ? 'auto' : 'none'
}

function formatOf(format: unknown): RequestMeaning['format'] {
  const { jsonSchema } = fieldsOf(fieldsOf(format)['structure'])
  const { schema } = fieldsOf(jsonSchema)
  return typeof schema === 'string' ? { schema: JSON.parse(schema) as unknown } : null
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}

function contentOf({ texts, reasoning, toolCalls }: AnswerMeaning): object[] {
  const thought = { reasoningText: { text: reasoning.join(''), signature: 'c2ln' } }
  return [
    ...(reasoning.length === 0 ? [] : [{ reasoningContent: thought }]),
    ...(texts.length === 0 ? [] : [{ text: texts.join('') }]),
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      toolUse: { toolUseId: id, name, input: JSON.parse(input) as unknown },
    })),
  ]
}

/** Text blocks have no start, as in Bedrock's own streams. */
function blockEvents({ texts, reasoning, toolCalls }: AnswerMeaning): Buffer[] {
  const thoughts = reasoning.map((text) => ({ reasoningContent: { text } }))
  const signed =
    reasoning.length === 0 ? [] : [...thoughts, { reasoningContent: { signature: 'c2ln' } }]
  const blocks = [
    { start: null, deltas: signed },
    { start: null, deltas: texts.map((text) => ({ text })) },
    ...toolCalls.map(({ id, name, arguments: input }) => ({
      start: { toolUse: { toolUseId: id, name } },
      // A call without arguments has no pieces.
      deltas: (input === '{}' ? [] : halves(input)).map((piece) => ({ toolUse: { input: piece } })),
    })),
  ].filter(({ start, deltas }) => start !== null || deltas.length > 0)
  return blocks.flatMap(({ start, deltas }, contentBlockIndex) => [
    ...(start === null ? [] : [frame('event', 'contentBlockStart', { contentBlockIndex, start })]),
    ...deltas.map((delta) => frame('event', 'contentBlockDelta', { contentBlockIndex, delta })),
    frame('event', 'contentBlockStop', { contentBlockIndex }),
  ])
}

function halves(text: string): string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)]
}

function stopOf({ stop, toolCalls }: AnswerMeaning): string {
  return stop ?? (toolCalls.length > 0 ? 'tool_use' : 'end_turn')
}

function usageOf(usage: UsageMeaning) {
  const { promptTokens, cachedTokens, cacheWriteTokens, completionTokens } = usage
  return {
    inputTokens: promptTokens - cachedTokens - cacheWriteTokens,
    outputTokens: completionTokens,
    totalTokens: promptTokens + completionTokens,
    cacheReadInputTokens: cachedTokens,
    cacheWriteInputTokens: cacheWriteTokens,
    ...(cacheWriteTokens > 0 && { cacheDetails: [{ ttl: '5m', inputTokens: cacheWriteTokens }] }),
  }
}

/** The first names are base models; the others are profiles, two to a page. */
function listReply(names: readonly string[], { path }: RecordedRequest): FakeReply {
  const url = new URL(path, 'http://fake')
  if (url.pathname === '/foundation-models') {
    const given = { outputModalities: ['TEXT'], inferenceTypesSupported: ['ON_DEMAND'] }
    const others = [
      { modelId: 'image', outputModalities: ['IMAGE'], inferenceTypesSupported: ['ON_DEMAND'] },
      {
        modelId: 'profiled',
        outputModalities: ['TEXT'],
        inferenceTypesSupported: ['INFERENCE_PROFILE'],
      },
    ]
    const own = names.slice(0, 2).map((modelId) => ({ modelId, ...given }))
    return jsonReply(200, { modelSummaries: [...own, ...others] })
  }
  const isOwn = url.searchParams.get('typeEquals') === 'APPLICATION'
  const profiles = isOwn ? names.slice(2, 3) : names.slice(3)
  const at = Number(url.searchParams.get('nextToken') ?? 0)
  const page = profiles.slice(at, at + 2).map((name) => ({
    inferenceProfileId: isOwn ? 'opaque' : name,
    inferenceProfileArn: isOwn ? name : 'arn',
    status: 'ACTIVE',
  }))
  const more = at + 2 < profiles.length ? { nextToken: String(at + 2) } : {}
  return jsonReply(200, { inferenceProfileSummaries: page, ...more })
}
