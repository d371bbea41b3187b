/**
 * A prompt whose tools have the names of the inner form, for forms that take longer ones: Claude Code's names of MCP tools
 * have up to 128 characters. Earlier calls and results keep the name that their tool is offered by.
 */
import type { ChatMessage, ChatRequest, WireFields } from '../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf } from '../json-fields.ts'
import { ToolNames } from './tool-names.ts'

type Prompt = Pick<ChatRequest, 'messages' | 'tools' | 'tool_choice'>
type Tool = NonNullable<ChatRequest['tools']>[number]

export interface FittingPrompt<Own extends Prompt> {
  prompt: Own
  /** The caller's names by those of the prompt. */
  names: ToolNames
  /** As in `OriginalCall`. */
  renamedTools: Tool[]
}

export function withFittingNames<Own extends Prompt>(prompt: Own): FittingPrompt<Own> {
  const names = new ToolNames()
  const { messages, tools, tool_choice: choice } = prompt
  for (const tool of tools ?? []) {
    names.add({ name: calledName(tool), namespace: null, kind: 'function' })
  }
  const fitting = {
    ...prompt,
    messages: messages.map((message) => fittingMessage(message, names)),
    ...(tools && { tools: tools.map((tool) => fitted(tool, names)) }),
    ...(typeof choice === 'object' && { tool_choice: fittingChoice(choice, names) }),
  }
  return { prompt: fitting, names, renamedTools: renamedTools(fitting.tools, names) }
}

/** The tools with other names in the inner form, by the caller's. @param tools  in the inner form */
export function renamedTools(tools: ChatRequest['tools'], names: ToolNames): Tool[] {
  return (tools ?? []).flatMap((tool) => {
    const { name } = names.find(calledName(tool))
    return name === calledName(tool) ? [] : [named(tool, name)]
  })
}

function fittingMessage(message: ChatMessage, names: ToolNames): ChatMessage {
  const { role, name, tool_calls: calls } = message
  if (calls) return { ...message, tool_calls: calls.map((call) => fitted(call, names)) }
  if (role !== 'tool' || name === undefined) return message
  return { ...message, name: flatOf(name, names) }
}

function fittingChoice(choice: WireFields, names: ToolNames): WireFields {
  const { allowed_tools: allowed } = choice
  if (allowed === undefined) return fitted(choice, names)
  const tools = listOf(fieldsOf(allowed)['tools']).map((tool) => fitted(fieldsOf(tool), names))
  return { ...choice, allowed_tools: { ...fieldsOf(allowed), tools } }
}

/** A tool, a call or a choice with a function. */
function fitted<Own extends WireFields>(tool: Own, names: ToolNames): Own {
  return named(tool, flatOf(calledName(tool), names))
}

function named<Own extends WireFields>(tool: Own, name: string): Own {
  return { ...tool, function: { ...fieldsOf(tool['function']), name } }
}

function calledName(tool: WireFields): string {
  return stringOf(fieldsOf(tool['function'])['name']) ?? ''
}

function flatOf(name: string, names: ToolNames): string {
  return names.flatOf({ name, namespace: null })
}
