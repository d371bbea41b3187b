/** Reads Converse's answers: a whole one, or the events of `ConverseStream`. */
import type { ConverseStreamOutput, StopReason } from '@aws-sdk/client-bedrock-runtime'
import type { FinishReason, WireFields } from '../../../../shared/chat/chat.ts'
import {
  appendChunk,
  ProviderError,
  type ProviderChunk,
  type UpstreamDelta,
} from '../../../providers/provider.ts'
import type { EventConsumer } from '../../../providers/wire.ts'
import { AnswerBlocks, type BlocksOptions } from './answer-blocks.ts'
import { unnamedError } from './converse.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import { reportedError } from './refusal.ts'
import { readUsage } from './usage.ts'
import { parseExact } from '../../../exact-json.ts'

type Choice = ProviderChunk['choices'][number]
type EventName = Exclude<ConverseStreamOutput extends infer Event ? keyof Event : never, '$unknown'>

/**
 * Bedrock's `stopReason` in OpenAI's words. Malformed answers and reasons newer than this table are passed on as
 * they are, because `stop` would claim that the answer is complete.
 */
const finishReasons: Readonly<Partial<Record<StopReason, FinishReason>>> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  content_filtered: 'content_filter',
  guardrail_intervened: 'content_filter',
}
const finishReasonOf: ReadonlyMap<string, FinishReason> = new Map(Object.entries(finishReasons))

/** @throws ProviderError invalid_response for an unknown form */
export function readAnswer(value: unknown, options: BlocksOptions): ProviderChunk {
  const answer = fieldsOf(value)
  const { content } = fieldsOf(fieldsOf(answer['output'])['message'])
  if (!Array.isArray(content)) {
    throw new ProviderError('invalid_response', 'the answer has an unknown form')
  }
  const blocks = new AnswerBlocks(options)
  const deltas = listOf(content).flatMap((block, index) => blocks.whole(index, block))
  const end = endOf(answer)
  const choices = deltas.map((delta) => choiceOf(delta))
  return { choices: end === null ? choices : [...choices, end], usage: readUsage(answer['usage']) }
}

/** Reads the events of one stream. Its last event, `metadata`, has the token counts, so the connection ends it. */
export class ConverseReader implements EventConsumer {
  readonly #blocks: AnswerBlocks

  constructor(options: BlocksOptions) {
    this.#blocks = new AnswerBlocks(options)
  }

  isEnd(): boolean {
    return false
  }

  append(chunk: ProviderChunk | null, data: string): ProviderChunk | null {
    const event = fieldsOf(parseExact(data))
    const [name = ''] = Object.keys(event)
    return this.#read(chunk, { name, fields: fieldsOf(event[name]) })
  }

  #read(
    chunk: ProviderChunk | null,
    { name, fields }: { name: string; fields: WireFields },
  ): ProviderChunk | null {
    const { contentBlockIndex: index, delta, start } = fields
    // Typed by the SDK, so that a misspelt name does not compile; other names reach the default.
    switch (name as EventName | typeof unnamedError) {
      case 'contentBlockDelta':
        return withDelta(chunk, this.#blocks.add(index, delta))
      case 'contentBlockStart':
        return withDelta(chunk, this.#blocks.start(index, start))
      case 'contentBlockStop':
        return withDelta(chunk, this.#blocks.stop(index))
      case 'messageStop':
        return withChoice(chunk, endOf(fields))
      case 'metadata':
        return appendChunk(chunk, { choices: [], usage: readUsage(fields['usage']) })
      case 'messageStart':
        return chunk
      case unnamedError:
        throw reportedError(String(fields['code']), fields)
      default:
        if (name.endsWith('Exception')) throw reportedError(name, fields)
        // Events newer than this program.
        return chunk
    }
  }
}

function choiceOf(delta: UpstreamDelta): Choice {
  return { index: 0, delta, finish_reason: null }
}

function withDelta(chunk: ProviderChunk | null, delta: UpstreamDelta | null): ProviderChunk | null {
  return withChoice(chunk, delta === null ? null : choiceOf(delta))
}

function withChoice(chunk: ProviderChunk | null, choice: Choice | null): ProviderChunk | null {
  if (choice === null) return chunk
  if (chunk === null) return { choices: [choice], usage: null }
  chunk.choices.push(choice)
  return chunk
}

/** @returns null without a reason, which makes a stream count as broken off */
function endOf({ stopReason }: WireFields): Choice | null {
  const reason = stringOf(stopReason)
  if (reason === null) return null
  return { index: 0, delta: {}, finish_reason: finishReasonOf.get(reason) ?? reason }
}
