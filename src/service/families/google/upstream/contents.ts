/**
 * A conversation in OpenAI's form as Gemini's contents. System prompts at the beginning become
 * `systemInstruction`. A later one is a marked text of the user at its place, so that the prefix before it stays
 * the same and is read from Google's cache. The results of one step's calls are one content, in the order of
 * the calls, because without ids that order is the only thing that tells two calls of one function apart.
 */
import type { ChatMessage } from '../../../../shared/chat/chat.ts'
import type { LeftOut } from '../../left-out.ts'
import { answerParts, calledNames, type CalledNames } from '../answer-parts.ts'
import { partsOf, textParts, textsOf } from './parts.ts'
import type { GeminiContent, GeminiPart, GeminiRequest } from './rest.ts'
import { resultParts } from './tool-results.ts'
import type { TranslationContext } from './traits.ts'
import { alternatingTurns, asMarkedText, isSystem, splitSystem } from '../../turns.ts'

export function contentsOf(
  messages: readonly ChatMessage[],
  context: TranslationContext,
): Pick<GeminiRequest, 'contents' | 'systemInstruction'> {
  const { system: prompts, conversation } = splitSystem(messages)
  const system = prompts.flatMap(({ content }) => textsOf(content)).map((text) => ({ text }))
  const contents = turnsOf(conversation, context)
  // The API requires a content, so a request with nothing else asks with its system prompt.
  if (contents.length === 0) return { contents: [{ role: 'user', parts: system }] }
  return { contents, ...(system.length === 0 ? {} : { systemInstruction: { parts: system } }) }
}

function turnsOf(messages: readonly ChatMessage[], context: TranslationContext): GeminiContent[] {
  const names = calledNames(messages)
  const contents: GeminiContent[] = []
  for (const run of alternatingTurns(messages)) {
    if (run.isAnswer) {
      for (const message of run.messages) push(contents, 'model', answerParts(message, context))
    } else pushUser(contents, run.messages, { ...context, names })
  }
  return contents
}

/** Results come first, because they must follow the calls directly. */
function pushUser(
  contents: GeminiContent[],
  run: readonly ChatMessage[],
  context: TranslationContext & { names: CalledNames },
): void {
  push(contents, 'user', resultParts(run.filter(isResult), context))
  for (const message of run) {
    if (isResult(message)) continue
    const parts = isSystem(message) ? asUserText(message, context.leftOut) : userParts(message)
    push(contents, 'user', parts)
  }
}

function isResult({ role }: ChatMessage): boolean {
  return role === 'tool' || role === 'function'
}

function userParts({ content }: ChatMessage): GeminiPart[] {
  return partsOf(content)
}

function asUserText({ content }: ChatMessage, leftOut: LeftOut): GeminiPart[] {
  leftOut.send(
    'messages',
    'sent_as_user_text',
    'the provider takes system prompts at the beginning',
  )
  return textParts(asMarkedText(textsOf(content).join('\n')))
}

/** The API refuses a content without parts. */
function push(contents: GeminiContent[], role: 'user' | 'model', parts: GeminiPart[]): void {
  if (parts.length > 0) contents.push({ role, parts })
}
