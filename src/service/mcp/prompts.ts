/** Prompts of a server, within the limits of its tools. They are the server's words: plain text that the person reads first. */
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/client'
import type { ServerPrompt } from '../../shared/chat/tools.ts'
import { limits } from './limits.ts'
import { blockText } from './result-text.ts'
import { visible } from './tool-list.ts'

/** @throws when the list is too long */
export function readPrompts(prompts: readonly Prompt[]): ServerPrompt[] {
  if (prompts.length > limits.tools) {
    throw new Error(
      `The server has ${prompts.length} prompts; ${limits.tools} are the most that are used.`,
    )
  }
  if (Buffer.byteLength(JSON.stringify(prompts)) > limits.definitionsBytes) {
    throw new Error('The descriptions of the server’s prompts are longer than 1 MB.')
  }
  const counts = Map.groupBy(prompts, ({ name }) => name)
  const isUsable = ({ name }: Prompt) => /^\S.{0,127}$/.test(name) && counts.get(name)?.length === 1
  return prompts.filter(isUsable).map(({ name, title, description, arguments: given = [] }) => ({
    name,
    title: line(title ?? name),
    description: line(description ?? ''),
    arguments: given.map((argument) => ({
      name: argument.name,
      title: line(argument.name),
      description: line(argument.description ?? ''),
      isRequired: argument.required === true,
    })),
  }))
}

/** Without invisible characters, and cut to what a message may take of a server. */
export function promptText({ messages }: GetPromptResult): string {
  const text = messages.map(({ content }) => blockText(content)).join('\n\n')
  return visible(text).slice(0, limits.resultCharacters)
}

function line(text: string): string {
  return visible(text).slice(0, limits.descriptionCharacters)
}
