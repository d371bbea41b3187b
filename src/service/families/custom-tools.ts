/** Tools in OpenAI's form, for vendors with another one. They call custom tools with one argument, `input`. */
import type { ChatRequest, WireFields } from '../../shared/chat/chat.ts'
import { fieldsOf, stringOf } from '../json-fields.ts'

export function customToolNames({ tools }: ChatRequest): ReadonlySet<string> {
  const custom = (tools ?? []).filter(({ type }) => type === 'custom')
  return new Set(custom.flatMap((tool) => stringOf(fieldsOf(tool['custom'])['name']) ?? []))
}

/** The name and description of a function. */
export function describedTool({ name, description }: WireFields) {
  const text = stringOf(description)
  return { name: stringOf(name) ?? '', ...(text === null ? {} : { description: text }) }
}

/** The name and description of a custom tool, with the grammar of its input. */
export function describedCustomTool({ name, description, format }: WireFields) {
  const grammar = stringOf(fieldsOf(fieldsOf(format)['grammar'] ?? format)['definition'])
  const rule = grammar === null ? '' : `\nThe input must match this grammar:\n${grammar}`
  return describedTool({ name, description: `${stringOf(description) ?? ''}${rule}` })
}

/** OpenAI's `allowed_tools` narrows the list for one request; null when all are allowed. */
export function allowedNames(choice: ChatRequest['tool_choice']): ReadonlySet<string> | null {
  const { tools } = fieldsOf(fieldsOf(choice)['allowed_tools'])
  if (!Array.isArray(tools)) return null
  return new Set(tools.flatMap((tool) => toolName(fieldsOf(tool)) ?? []))
}

/** The name in a tool or in a choice of one. */
export function toolName(tool: WireFields): string | null {
  return stringOf(fieldsOf(tool['function'] ?? tool['custom'])['name']) ?? stringOf(tool['name'])
}
