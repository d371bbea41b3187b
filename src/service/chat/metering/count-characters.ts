/** Characters of an answer, from which tokens are estimated where the provider reports none. */
import { textOfPart, type CompletionMessage, type WireFields } from '../../../shared/chat/chat.ts'
import type { ProviderChunk, UpstreamDelta, UpstreamToolCall } from '../../providers/provider.ts'

export function countCharacters(chunk: ProviderChunk): number {
  let characters = 0
  for (const { delta } of chunk.choices) characters += charactersOf(delta)
  return characters
}

export function charactersOf(text: UpstreamDelta | CompletionMessage): number {
  const { content, reasoning, reasoning_content, tool_calls, function_call: called } = text
  let characters = typeof content === 'string' ? content.length : charactersOfParts(content)
  characters += reasoning?.length ?? reasoning_content?.length ?? 0
  if (called) characters += JSON.stringify(called).length
  for (const call of tool_calls ?? []) characters += charactersOfCall(call)
  return characters
}

/** Content other than plain text, such as a part with thinking, is counted as its JSON. */
function charactersOfParts(parts: readonly WireFields[] | null | undefined): number {
  let characters = 0
  for (const part of parts ?? []) {
    characters += (textOfPart(part) ?? JSON.stringify(part)).length
  }
  return characters
}

function charactersOfCall({ function: called, custom }: UpstreamToolCall): number {
  const name = called?.name ?? custom?.name ?? ''
  const text = called?.arguments ?? custom?.input ?? ''
  return name.length + text.length
}
