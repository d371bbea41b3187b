/** Gemini's `generateContent`, for the suite of all wires. */
import type { GenerateContentResponse } from '@google/genai'
import type { GeminiRequest } from '../../../src/service/families/google/upstream/rest.ts'
import {
  jsonReply,
  type AnswerMeaning,
  type FakeFormat,
  type FakeReply,
  type RecordedRequest,
  type SdkReading,
  type UsageMeaning,
} from '../harness.ts'
import { fieldsOf, type Item, type Part, type RequestMeaning } from '../request-meaning.ts'
import { sdkSchema } from '../sdk-schema.ts'

const schemaOf = (type: string) => sdkSchema({ file: '@google/genai/dist/genai.d.ts', type })
const problemsOfPart = schemaOf('Part')

/**
 * The fields of a request, each with its type. The SDK has no type for a whole request, because its functions take
 * the fields of `generationConfig` and those beside it in one object.
 */
const problemsOfField: Readonly<Record<string, (value: unknown) => readonly string[]>> = {
  contents: listOf(problemsOfContent),
  systemInstruction: problemsOfContent,
  tools: listOf(schemaOf('Tool')),
  toolConfig: schemaOf('ToolConfig'),
  safetySettings: listOf(schemaOf('SafetySetting')),
  generationConfig: schemaOf('GenerationConfig'),
}

/** Checks content by hand, because the name `Content` also exists among the types of the browser. */
function problemsOfContent(content: unknown): readonly string[] {
  const { role, parts, ...others } = fieldsOf(content)
  const unknown = Object.keys(others).map((name) => `${name} is no field of a content`)
  const isRole = role === undefined || role === 'user' || role === 'model'
  const isList = Array.isArray(parts) && parts.length > 0
  return [
    ...unknown,
    ...(isRole ? [] : ['the role is neither user nor model']),
    ...(isList ? parts.flatMap(problemsOfPart) : ['a content has no parts']),
  ]
}

function listOf(problemsOf: (value: unknown) => readonly string[]) {
  return (value: unknown) => (Array.isArray(value) ? value.flatMap(problemsOf) : ['is no list'])
}

function problemsOfBody(body: unknown): readonly string[] {
  const fields = Object.entries(fieldsOf(body))
  return fields.flatMap(([name, value]) => {
    const problemsOf = problemsOfField[name]
    if (problemsOf === undefined) return [`${name} is no field`]
    return problemsOf(value).map((problem) => `${name}: ${problem}`)
  })
}

const chatPath = /\/models\/([^/:]+(?:\/[^/:]+)*):(generateContent|streamGenerateContent\?alt=sse)$/
/** Small, so that lists have several pages. */
const pageSize = 3

/** @param keyProblem  what is wrong with the request's key; null when nothing is */
export function geminiFormat(keyProblem: (request: RecordedRequest) => string | null): FakeFormat {
  return {
    route({ method, path }) {
      if (method === 'GET') return /\/models\?pageSize=\d+/.test(path) ? 'models' : null
      const [, , name] = chatPath.exec(path) ?? []
      if (name === undefined) return null
      return name === 'generateContent' ? 'whole' : 'stream'
    },
    problems(request) {
      const key = keyProblem(request)
      const { method, body } = request
      return [...(key === null ? [] : [key]), ...(method === 'POST' ? problemsOfBody(body) : [])]
    },
    read: readMeaning,
    whole: (answer) =>
      jsonReply(200, {
        candidates: [
          {
            content: { role: 'model', parts: partsOf(answer) },
            finishReason: stopOf(answer),
            index: 0,
          },
        ],
        ...tail(answer),
      }),
    stream(answer) {
      const parts = partsOf(answer)
      const events = parts.map((part, position) => {
        const isLast = position === parts.length - 1
        const finish = isLast ? { finishReason: stopOf(answer) } : {}
        return eventOf({
          candidates: [{ content: { role: 'model', parts: [part] }, ...finish, index: 0 }],
          ...tail(answer),
        })
      })
      return { headers: { 'content-type': 'text/event-stream' }, events }
    },
    models: modelPage,
    rateLimited: jsonReply(429, {
      error: {
        code: 429,
        message: 'You exceeded your current quota, please check your plan and billing details.',
        status: 'RESOURCE_EXHAUSTED',
      },
    }),
  }
}

function eventOf(value: object): Buffer {
  return Buffer.from(`data: ${JSON.stringify(value)}\r\n\r\n`)
}

function modelPage(names: readonly string[], { path }: RecordedRequest): FakeReply {
  const token = new URL(path, 'http://fake').searchParams.get('pageToken')
  const start = Number(token ?? 0)
  const end = start + pageSize
  const chat = names.slice(start, end).map((name) => ({
    name: `models/${name}`,
    supportedGenerationMethods: ['generateContent', 'countTokens'],
  }))
  // Models of other kinds are in the same list.
  const other = { name: 'models/embedding', supportedGenerationMethods: ['embedContent'] }
  const isLast = end >= names.length
  return jsonReply(200, {
    models: [...chat, other],
    ...(isLast ? {} : { nextPageToken: String(end) }),
  })
}

function tail({ usage }: AnswerMeaning): object {
  return {
    usageMetadata: usageOf(usage),
    modelVersion: 'gemini-fake',
    responseId: 'answer-1',
  }
}

function usageOf(usage: UsageMeaning): object {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage
  return {
    promptTokenCount: promptTokens,
    candidatesTokenCount: completionTokens - reasoningTokens,
    totalTokenCount: promptTokens + completionTokens,
    ...(cachedTokens > 0 && { cachedContentTokenCount: cachedTokens }),
    ...(reasoningTokens > 0 && { thoughtsTokenCount: reasoningTokens }),
  }
}

function stopOf({ stop }: AnswerMeaning): string {
  return stop ?? 'STOP'
}

function partsOf({ reasoning, texts, toolCalls }: AnswerMeaning): object[] {
  return [
    ...reasoning.map((text) => ({ text, thought: true })),
    ...texts.map((text) => ({ text })),
    ...toolCalls.map(({ id, name, arguments: text }, position) => ({
      functionCall: { id, name, args: JSON.parse(text) as unknown },
      // Only the first of parallel calls has one.
      ...(position === 0 && { thoughtSignature: 'c2lnbmF0dXJl' }),
    })),
  ]
}

function readMeaning({ path, body }: RecordedRequest): RequestMeaning {
  // The schema has been checked.
  const request = body as GeminiRequest
  const { contents, systemInstruction, tools = [], generationConfig = {} } = request
  const [, model = ''] = chatPath.exec(path) ?? []
  const declared = tools.flatMap(({ functionDeclarations }) => functionDeclarations ?? [])
  const system = (systemInstruction?.parts ?? []).map(({ text }): Item => ({
    from: 'system',
    kind: 'text',
    text: text ?? '',
  }))
  return {
    model: decodeURIComponent(model),
    items: [...system, ...contents.flatMap(itemsOf)],
    tools: declared.map(({ name = '', description = null, parametersJsonSchema = null }) => ({
      name,
      description,
      parameters: parametersJsonSchema,
    })),
    toolChoice: toolChoiceOf(request.toolConfig),
    parallelToolCalls: null,
    format: formatOf(generationConfig),
    maxTokens: generationConfig.maxOutputTokens ?? null,
    temperature: generationConfig.temperature ?? null,
    topP: generationConfig.topP ?? null,
    stops: generationConfig.stopSequences ?? [],
    effort: generationConfig.thinkingConfig?.thinkingLevel?.toLowerCase() ?? null,
    thinkingTokens: generationConfig.thinkingConfig?.thinkingBudget ?? null,
    cacheMarks: 0,
  }
}

type Contents = GeminiRequest['contents'][number]
type ContentPart = NonNullable<Contents['parts']>[number]

function itemsOf({ role, parts = [] }: Contents): Item[] {
  const from = role === 'model' ? 'assistant' : 'user'
  const items: Item[] = []
  for (const part of parts) {
    const last = items.at(-1)
    const media = mediaOf(part)
    // Older models take the media of a result as the next parts.
    if (media !== null && last?.kind === 'result') {
      items.splice(-1, 1, { ...last, parts: [...last.parts, media] })
    } else items.push(...itemOf(part, from))
  }
  return items
}

function itemOf(part: ContentPart, from: 'assistant' | 'user'): Item[] {
  const { text, functionCall: call, functionResponse: result } = part
  if (call !== undefined) {
    const { id = '', name = '', args = {} } = call
    return [{ from: 'assistant', kind: 'call', id, name, input: args }]
  }
  if (result !== undefined) return [resultOf(result)]
  if (text !== undefined && part.thought === true) {
    const proof = part.thoughtSignature ?? null
    return [{ from: 'assistant', kind: 'reasoning', text, proof }]
  }
  if (text !== undefined) return [{ from, kind: 'text', text }]
  const media = mediaOf(part)
  return media === null ? [] : [{ from, ...media }]
}

function resultOf({
  id = '',
  response = {},
  parts = [],
}: NonNullable<ContentPart['functionResponse']>): Item {
  const { output, error } = response
  const text = String(output ?? error)
  const texts: Part[] = text === '' ? [] : [{ kind: 'text', text }]
  const media = parts.flatMap((part) => mediaOf(part) ?? [])
  const isFailed = error !== undefined
  return { from: 'tool', kind: 'result', callId: id, isFailed, parts: [...texts, ...media] }
}

function mediaOf({
  inlineData,
  fileData,
}: Pick<ContentPart, 'inlineData' | 'fileData'>): Part | null {
  const mediaType = inlineData?.mimeType ?? fileData?.mimeType ?? ''
  const isAudio = mediaType.startsWith('audio/')
  const kind = mediaType.startsWith('image/') ? 'image' : 'document'
  if (inlineData !== undefined && isAudio) {
    return { kind: 'audio', mediaType, base64: inlineData.data ?? '' }
  }
  if (inlineData !== undefined) return { kind, mediaType, base64: inlineData.data ?? '' }
  return fileData === undefined ? null : { kind, url: fileData.fileUri ?? '' }
}

function toolChoiceOf(config: GeminiRequest['toolConfig']): RequestMeaning['toolChoice'] {
  const { mode, allowedFunctionNames: [name] = [] } = config?.functionCallingConfig ?? {}
  if (name !== undefined) return { name }
  if (mode === 'NONE') return 'none'
  if (mode === 'ANY') return 'required'
  return mode === undefined ? null : 'auto'
}

function formatOf({
  responseMimeType,
  responseJsonSchema,
}: NonNullable<GeminiRequest['generationConfig']>): RequestMeaning['format'] {
  if (responseJsonSchema !== undefined) return { schema: responseJsonSchema }
  return responseMimeType === 'application/json' ? 'json_object' : null
}

/** What the official SDK makes of an answer. */
export function readingOf(responses: readonly GenerateContentResponse[]): SdkReading {
  const parts = responses.flatMap(({ candidates }) => candidates?.[0]?.content?.parts ?? [])
  const shown = parts.filter(({ thought }) => thought !== true)
  return {
    text: shown.map(({ text }) => text ?? '').join(''),
    toolCalls: shown.flatMap(({ functionCall: call }) =>
      call === undefined ? [] : [{ name: call.name ?? '', input: call.args }],
    ),
  }
}

/** A system prompt after the beginning keeps its place and becomes the user's text. */
export function withUserText(items: readonly Item[]): Item[] {
  const first = items.findIndex(({ from }) => from !== 'system')
  return items.map((item, position) => {
    if (item.from !== 'system' || item.kind !== 'text' || position < first) return item
    return { from: 'user', kind: 'text', text: `<system>\n${item.text}\n</system>` }
  })
}
