/** Tools in Anthropic's form. Those with a type of their own run at the vendor, and other vendors lack them. */
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, stringOf } from '../../../json-fields.ts'
import type { LeftOut } from '../../left-out.ts'
import type { TokenCountRequest } from './request-schema.ts'

type Tool = NonNullable<ChatRequest['tools']>[number]
type ReadTools = Pick<ChatRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'>

export function readTools(
  { tools = [], tool_choice }: TokenCountRequest,
  leftOut: LeftOut,
): ReadTools {
  const own = tools.filter((tool) => !isServerTool(tool))
  for (const { type } of tools.filter(isServerTool)) {
    const shown = /^[\w.-]{1,64}$/.test(type ?? '') ? String(type) : 'that was sent'
    leftOut.leave('tools', `other providers have no tool of the type ${shown}`)
  }
  if (own.length === 0) return {}
  const isSerial = fieldsOf(tool_choice)['disable_parallel_tool_use'] === true
  return {
    tools: own.map(functionTool),
    ...(tool_choice === undefined ? {} : { tool_choice: choiceOf(tool_choice) }),
    ...(isSerial ? { parallel_tool_calls: false } : {}),
  }
}

/** Whether the answer must call a tool that only the vendor has. */
export function forcesServerTool({ tools = [], tool_choice }: TokenCountRequest): boolean {
  const { type, name } = fieldsOf(tool_choice)
  const server = tools.filter(isServerTool)
  if (type === 'tool') return server.some((tool) => tool.name === name)
  return type === 'any' && server.length > 0 && server.length === tools.length
}

function isServerTool({ type }: NonNullable<TokenCountRequest['tools']>[number]): boolean {
  return typeof type === 'string' && type !== 'custom'
}

function functionTool(tool: WireFields): Tool {
  const { name, description, input_schema, strict, cache_control } = tool
  return {
    type: 'function',
    function: {
      name: stringOf(name) ?? '',
      ...(stringOf(description) === null ? {} : { description }),
      parameters: fieldsOf(input_schema),
      ...(strict === true ? { strict } : {}),
    },
    ...markOf(cache_control),
  }
}

/** The caller's cache mark, if there is one. */
export function markOf(mark: unknown): { cache_control?: { type: string } } {
  const { type } = fieldsOf(mark)
  return typeof type === 'string' ? { cache_control: { ...fieldsOf(mark), type } } : {}
}

function choiceOf({ type, name }: WireFields): NonNullable<ChatRequest['tool_choice']> {
  if (type === 'tool') return { type: 'function', function: { name } }
  return type === 'any' ? 'required' : String(type)
}
