/** Answers of the doors compared with the types that the vendors publish. */
import type { AnySchemaObject } from 'ajv'
import { sdkSchema } from '../upstreams/sdk-schema.ts'

const responsesFile = 'openai/resources/responses/responses.d.ts'
const chatFile = 'openai/resources/chat/completions/completions.d.ts'

interface Definition {
  required: string[]
  properties: Record<string, unknown>
}

/**
 * The types as the API fills them: the SDK adds `output_text` itself, answers of other vendors' models have no
 * `access_programs`, and the API sends a few fields that the types lack, or as null.
 */
function asSent(schema: AnySchemaObject): AnySchemaObject {
  const definitions = schema['definitions'] as Record<string, Definition>
  const { Response: response, ResponseCustomToolCall: call } = definitions
  if (response === undefined) throw new Error('the SDK has no type Response')
  const absent = ['output_text', 'access_programs']
  response.required = response.required.filter((name) => !absent.includes(name))
  const added = { store: {}, presence_penalty: {}, frequency_penalty: {}, user: {} }
  Object.assign(response.properties, added)
  response.properties['usage'] = { anyOf: [response.properties['usage'], { type: 'null' }] }
  if (call !== undefined) call.properties['status'] = {}
  return schema
}

export const problemsOfResponseEvent = sdkSchema(
  { file: responsesFile, type: 'ResponseStreamEvent' },
  asSent,
)
export const problemsOfResponse = sdkSchema({ file: responsesFile, type: 'Response' }, asSent)
export const problemsOfMessageEvent = sdkSchema({
  file: '@anthropic-ai/sdk/resources/messages/messages.d.ts',
  type: 'RawMessageStreamEvent',
})
export const problemsOfCompletion = sdkSchema({ file: chatFile, type: 'ChatCompletion' })
export const problemsOfChunk = sdkSchema({ file: chatFile, type: 'ChatCompletionChunk' })

const geminiFile = '@google/genai/dist/genai.d.ts'
const problemsOfPart = sdkSchema({ file: geminiFile, type: 'Part' })
const problemsOfUsage = sdkSchema({
  file: geminiFile,
  type: 'GenerateContentResponseUsageMetadata',
})
const problemsOfReason = sdkSchema({ file: geminiFile, type: 'FinishReason' })

/** Problems of each part: the SDK's type of an answer is a class with methods. */
export function problemsOfGeneration(answer: Record<string, unknown>): readonly string[] {
  const { candidates, usageMetadata, modelVersion, responseId, ...others } = answer
  const unknown = Object.keys(others).map((name) => `${name} is no field of an answer`)
  const named = [modelVersion, responseId].every((each) => typeof each === 'string')
  return [
    ...unknown,
    ...(named ? [] : ['the answer has no model or no id']),
    ...(usageMetadata === undefined ? [] : problemsOfUsage(usageMetadata)),
    // A checked boundary: each field is checked by the vendor's type.
    ...(candidates as Candidate[]).flatMap(problemsOfCandidate),
  ]
}

interface Candidate {
  content: { role: string; parts: unknown[] }
  index: number
  finishReason?: string
}

function problemsOfCandidate({ content, index, finishReason }: Candidate): readonly string[] {
  const { role, parts } = content
  return [
    ...(role === 'model' && Number.isInteger(index) ? [] : ['a candidate has no role or index']),
    ...(parts.length > 0 ? [] : ['a content has no parts']),
    ...parts.flatMap(problemsOfPart),
    ...(finishReason === undefined ? [] : problemsOfReason(finishReason)),
  ]
}
