/** What the suites over OpenAI's chat form share: the SDK's reading, and what OpenAI's own form does not carry. */
import type OpenAI from 'openai'
import type { SdkReading, WireHarness } from '../harness.ts'
import type { Item, Part } from '../request-meaning.ts'

export function readingOf({ choices }: OpenAI.ChatCompletion): SdkReading {
  const { content, tool_calls = [] } = choices[0]?.message ?? {}
  const toolCalls = tool_calls.flatMap((call) =>
    call.type === 'function'
      ? [{ name: call.function.name, input: JSON.parse(call.function.arguments) as unknown }]
      : [],
  )
  return { text: content ?? '', toolCalls }
}

/** OpenAI takes only text in tool results. */
function imageAfterResult(item: Item): Item[] {
  if (item.kind !== 'result') return [item]
  const isText = ({ kind }: Part) => kind === 'text'
  const files = item.parts.filter((part) => !isText(part))
  return [
    { ...item, parts: item.parts.filter(isText) },
    { from: 'user', kind: 'text', text: `Attached to the result of ${item.callId}:` },
    ...files.map((part) => ({ from: 'user' as const, ...part })),
  ]
}

export const openAiDiffers: WireHarness['differs'] = {
  'a tool result with an image': ({ items, ...meaning }) => ({
    ...meaning,
    items: items.flatMap(imageAfterResult),
  }),
  'a failed tool result': 'left_out',
  'a reasoning budget': 'left_out',
  'cache marks': 'left_out',
}
