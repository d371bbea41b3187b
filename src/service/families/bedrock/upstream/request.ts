/** A chat request in OpenAI's form as the body of Bedrock's `Converse`. docs/wires.md has the table. */
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import type { Adjustment } from '../../../../shared/models/model-abilities.ts'
import type { ProviderRequest } from '../../../providers/provider.ts'
import { restrictedSchema } from '../../anthropic/output-format.ts'
import { LeftOut } from '../../left-out.ts'
import type { CachePoint, ConverseBody, Document, Message, SystemBlock } from './converse.ts'
import { DocumentNames } from './document-names.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'
import { turnsOf } from './messages.ts'
import { reasoningOf, type ModelReasoning } from './reasoning.ts'
import { toolSettings } from './tools.ts'
import { traitsOf, type BedrockTraits } from './traits.ts'

interface TranslatedRequest {
  body: ConverseBody
  leftOut: readonly Adjustment[]
}

/** @throws ProviderError request for a part that Converse cannot carry */
export function translateRequest({
  model,
  body,
}: Pick<ProviderRequest, 'model' | 'body'>): TranslatedRequest {
  const leftOut = new LeftOut()
  const traits = traitsOf(model)
  const cachePointOf = cachePoints('messages', { traits, leftOut })
  const toolCachePointOf = cachePoints('tools', { traits, leftOut })
  const tools = toolSettings(body, { traits, leftOut, cachePointOf: toolCachePointOf })
  const { system, messages } = turnsOf(body.messages, {
    names: new DocumentNames(),
    cachePointOf,
    systemCachePointOf: cachePoints('system', { traits, leftOut }),
    hasTools: tools !== null,
    isClaude: traits.family === 'claude',
    leftOut,
  })
  system.push(...jsonInstruction(body, leftOut))
  const isForced = tools?.isForced === true
  const lacksThinking = isMissingReasoning(messages)
  const reasoning = reasoningOf(body, { model, traits, isForced, lacksThinking, leftOut })
  leftOut.leaveUnknown(body, translated, 'the provider does not take it')
  const additional = additionalFields(body, { tools, traits, reasoning, leftOut })
  return {
    body: {
      ...(system.length === 0 ? {} : { system }),
      messages,
      ...inferenceConfig(body, { traits, reasoning, leftOut }),
      ...(tools === null ? {} : { toolConfig: tools.toolConfig }),
      ...outputConfig(body, reasoning, traits),
      ...(Object.keys(additional).length === 0
        ? {}
        : // The vendors' own fields are JSON, as the caller's body is.
          {
            additionalModelRequestFields: additional as Document,
          }),
    },
    leftOut: leftOut.adjustments,
  }
}

interface Context {
  traits: BedrockTraits
  leftOut: LeftOut
}

type Place = BedrockTraits['cachePoints'][number]

/** Reads cache marks for one part of the request. */
function cachePoints(
  place: Place,
  { traits, leftOut }: Context,
): (carrier: WireFields) => CachePoint | null {
  return (carrier) => {
    const mark = fieldsOf(carrier['cache_control'])
    if (mark['type'] !== 'ephemeral') return null
    if (!traits.cachePoints.includes(place)) {
      leftOut.leave('cache_control', `the model takes no cache marks in ${place}`)
      return null
    }
    const { ttl } = mark
    if (ttl !== '1h' && ttl !== '5m') return { cachePoint: { type: 'default' } }
    if (traits.cachesAnHour) return { cachePoint: { type: 'default', ttl } }
    if (ttl === '1h') {
      leftOut.send('cache_control.ttl', 'sent_as_5m', 'the model caches for five minutes only')
    }
    return { cachePoint: { type: 'default' } }
  }
}

/** Asks for JSON in words: this API has no JSON mode without a schema, and OpenAI's needs JSON in the prompt. */
function jsonInstruction({ response_format }: ChatRequest, leftOut: LeftOut): SystemBlock[] {
  if (response_format?.type !== 'json_object') return []
  const reason = 'the provider has no JSON mode without a schema'
  leftOut.send('response_format', 'sent_as_instruction', reason)
  return [{ text: 'Answer with one valid JSON object and nothing else.' }]
}

interface Sampling extends Context {
  reasoning: ModelReasoning
}

function inferenceConfig(
  body: ChatRequest,
  { traits, reasoning, leftOut }: Sampling,
): Pick<ConverseBody, 'inferenceConfig'> {
  const maxTokens = body.max_completion_tokens ?? body.max_tokens
  const stopSequences = stopSequencesOf(body, leftOut)
  const { temperature, topP } = samplingOf(body, { traits, reasoning, leftOut })
  const config = {
    ...(typeof maxTokens === 'number' ? { maxTokens } : {}),
    ...(temperature === null ? {} : { temperature }),
    ...(topP === null ? {} : { topP }),
    ...(stopSequences.length === 0 ? {} : { stopSequences }),
  }
  return Object.keys(config).length === 0 ? {} : { inferenceConfig: config }
}

interface SamplingValues {
  temperature: number | null
  topP: number | null
}

function samplingOf(body: ChatRequest, { reasoning, leftOut }: Sampling): SamplingValues {
  const temperature = takenSample('temperature', body.temperature, { reasoning, leftOut })
  const topP = takenSample('top_p', body.top_p, { reasoning, leftOut })
  if (temperature !== null && temperature > 1) {
    leftOut.send('temperature', 'sent_as_1', 'the provider’s range ends at 1')
  }
  const isBoth = temperature !== null && topP !== null && reasoning.samplesOne
  if (isBoth && topP !== 1) leftOut.leave('top_p', 'the model takes either temperature or top_p')
  return {
    temperature: temperature === null ? null : Math.min(temperature, 1),
    topP: isBoth ? null : topP,
  }
}

/** @returns null when the model takes no such parameter */
function takenSample(
  name: string,
  value: unknown,
  { reasoning, leftOut }: Pick<Sampling, 'reasoning' | 'leftOut'>,
): number | null {
  if (typeof value !== 'number') return null
  if (reasoning.refusesSampling === null) return value
  // 1 is the only value that such a model takes, and means the same as none.
  if (value !== 1) leftOut.leave(name, reasoning.refusesSampling)
  return null
}

/** The API refuses a sequence of white space. */
function stopSequencesOf({ stop }: ChatRequest, leftOut: LeftOut): string[] {
  const wanted = typeof stop === 'string' ? [stop] : (stop ?? [])
  const taken = wanted.filter((sequence) => sequence.trim() !== '')
  if (taken.length < wanted.length) {
    leftOut.leave('stop', 'the provider takes no white space as a stop sequence')
  }
  return taken
}

function outputConfig(
  { response_format }: ChatRequest,
  { effort }: ModelReasoning,
  { family }: BedrockTraits,
): Pick<ConverseBody, 'outputConfig'> {
  const wanted = fieldsOf(response_format?.['json_schema'])
  const isSchema = response_format?.type === 'json_schema'
  if (!isSchema && effort === null) return {}
  const name = stringOf(wanted['name'])
  const description = stringOf(wanted['description'])
  const schema = fieldsOf(wanted['schema'])
  const jsonSchema = {
    schema: JSON.stringify(family === 'claude' ? restrictedSchema(schema) : schema),
    ...(name === null ? {} : { name }),
    ...(description === null ? {} : { description }),
  }
  return {
    outputConfig: {
      ...(isSchema ? { textFormat: { type: 'json_schema', structure: { jsonSchema } } } : {}),
      ...(effort === null ? {} : { effort }),
    },
  }
}

/** The models' own fields, which Converse passes on. */
function additionalFields(
  body: ChatRequest,
  { tools, traits, reasoning, leftOut }: Sampling & { tools: ReturnType<typeof toolSettings> },
): WireFields {
  const topK = takenSample('top_k', body['top_k'], { reasoning, leftOut })
  if (topK !== null && traits.family !== 'claude') {
    leftOut.leave('top_k', 'the provider does not take it')
  }
  return {
    ...reasoning.fields,
    ...(topK === null || traits.family !== 'claude' ? {} : { top_k: topK }),
    ...(tools === null || tools.ownChoice === null ? {} : { tool_choice: tools.ownChoice }),
  }
}

/**
 * A turn that Claude continues with a thinking budget must begin with its thinking: the last answer, if the
 * results of its tool calls follow it.
 */
function isMissingReasoning(messages: readonly Message[]): boolean {
  const last = messages.findLast(({ role }) => role === 'assistant')
  const content = last?.content ?? []
  const callsTool = content.some(({ toolUse }) => toolUse !== undefined)
  return callsTool && content[0]?.reasoningContent === undefined
}

/** Read or translated above. */
const translated: ReadonlySet<string> = new Set(
  (
    'messages model stream stream_options temperature top_p top_k max_tokens max_completion_tokens stop tools ' +
    'tool_choice parallel_tool_calls response_format reasoning_effort reasoning thinking prompt_cache_key'
  ).split(' '),
)
