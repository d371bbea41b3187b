/**
 * Tools in the form of the Responses API. Functions and custom tools may be in namespaces, in `tools` and inside
 * `input`. A custom tool becomes a function with one text, because most vendors have no other tools. Tools that run
 * at the vendor are left out.
 */
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import type { LeftOut } from '../../left-out.ts'
import type { ResponsesRequest } from './request-schema.ts'
import { ToolNames, type CallerTool } from '../../tool-names.ts'

type Tool = NonNullable<ChatRequest['tools']>[number]
type ToolFields = Pick<ChatRequest, 'tools' | 'tool_choice' | 'parallel_tool_calls'>

export interface ReadTools extends ToolFields {
  names: ToolNames
}

export function readTools(request: ResponsesRequest, leftOut: LeftOut): ReadTools {
  const names = new ToolNames()
  const offered = offeredTools(request).flatMap((tool) => toolsOf(tool, names, leftOut))
  const choice = choiceOf(request.tool_choice, names)
  const tools = choice.only === null ? offered : offered.filter(isNamedIn(choice.only))
  if (tools.length === 0) return { names }
  return {
    names,
    tools,
    ...(choice.value === null ? {} : { tool_choice: choice.value }),
    ...(request.parallel_tool_calls === false ? { parallel_tool_calls: false } : {}),
  }
}

/** The name of a forced tool that only the vendor has; null when every provider can follow the choice. */
export function forcedServerTool({
  tool_choice: choice,
  ...request
}: ResponsesRequest): string | null {
  if (choice === 'required') {
    const tools = offeredTools(request)
    const [first] = tools
    return first !== undefined && tools.every(isServerTool) ? String(first['type']) : null
  }
  const { type, mode, tools } = fieldsOf(choice)
  if (typeof type !== 'string' || clientChoices.has(type)) return null
  if (type !== 'allowed_tools') return type
  const [first, ...others] = listOf(tools).map(fieldsOf)
  const isForced = mode === 'required' && first !== undefined
  return isForced && [first, ...others].every(isServerTool) ? String(first['type']) : null
}

const clientChoices: ReadonlySet<unknown> = new Set(['function', 'custom'])

/** All tools, in the order in which they were offered. */
function offeredTools({ tools, input }: Pick<ResponsesRequest, 'tools' | 'input'>): WireFields[] {
  const items = typeof input === 'string' ? [] : (input ?? [])
  const added = items.filter(({ type }) => type !== undefined && addingItems.has(type))
  return [...(tools ?? []), ...added.flatMap((item) => listOf(item['tools']))].map(fieldsOf)
}

/** Codex's newer models have no `tools`; a search for tools adds those that it found. */
const addingItems: ReadonlySet<string | null> = new Set(['additional_tools', 'tool_search_output'])

function isServerTool({ type, execution }: WireFields): boolean {
  const isOwn = type === 'function' || type === 'custom' || type === 'namespace'
  return !isOwn && !(type === 'tool_search' && execution === 'client')
}

function toolsOf(tool: WireFields, names: ToolNames, leftOut: LeftOut): Tool[] {
  if (tool['type'] === 'namespace') {
    const namespace = stringOf(tool['name'])
    const inner = listOf(tool['tools']).map(fieldsOf)
    return inner.flatMap((each) => ownTool(each, namespace, names))
  }
  if (!isServerTool(tool)) return ownTool(tool, null, names)
  const { type } = tool
  const shown = typeof type === 'string' && /^[\w.-]{1,64}$/.test(type) ? type : 'that was sent'
  leftOut.leave('tools', `other providers have no tool of the type ${shown}`)
  return []
}

function ownTool(tool: WireFields, namespace: string | null, names: ToolNames): Tool[] {
  const kind = kindOf(tool)
  const name = kind === 'search' ? searchTool : (stringOf(tool['name']) ?? '')
  const flat = names.add({ name, namespace, kind })
  if (flat === null) return []
  return [kind === 'custom' ? functionForCustom(flat, tool) : functionTool(flat, tool)]
}

/** The tool has no name of its own. */
const searchTool = 'tool_search'

function kindOf({ type }: WireFields): CallerTool['kind'] {
  if (type === 'custom') return 'custom'
  return type === 'tool_search' ? 'search' : 'function'
}

function functionTool(name: string, { description, parameters, strict }: WireFields): Tool {
  return {
    type: 'function',
    function: {
      name,
      ...(stringOf(description) === null ? {} : { description }),
      parameters: parameters === undefined || parameters === null ? emptyParameters : parameters,
      ...(strict === true ? { strict } : {}),
    },
  }
}

const emptyParameters = { type: 'object', properties: {} } as const

/** The name of the one parameter, as the wires call it too. */
export const customParameter = 'input'

/** The grammar becomes a description, because a function cannot enforce it. */
function functionForCustom(name: string, { description, format }: WireFields): Tool {
  const { definition, syntax } = fieldsOf(format)
  const grammar =
    typeof definition === 'string'
      ? `The input must match this grammar${typeof syntax === 'string' ? ` (${syntax})` : ''}:\n${definition}`
      : null
  const text = [stringOf(description), grammar].filter((part) => part !== null).join('\n\n')
  return {
    type: 'function',
    function: {
      name,
      ...(text === '' ? {} : { description: text }),
      parameters: {
        type: 'object',
        properties: { [customParameter]: { type: 'string', description: 'The whole input.' } },
        required: [customParameter],
        additionalProperties: false,
      },
    },
  }
}

interface Choice {
  value: NonNullable<ChatRequest['tool_choice']> | null
  /** The only tools that the model may call; null for all. */
  only: ReadonlySet<string> | null
}

function choiceOf(choice: ResponsesRequest['tool_choice'], names: ToolNames): Choice {
  if (choice === undefined || choice === null) return { value: null, only: null }
  if (typeof choice === 'string') return { value: choice, only: null }
  if (choice.type === 'allowed_tools') {
    const allowed = listOf(choice['tools']).map(fieldsOf)
    const only = new Set(allowed.map((tool) => flatNameOf(tool, names)))
    return { value: choice['mode'] === 'required' ? 'required' : 'auto', only }
  }
  const isOwn = clientChoices.has(choice.type)
  const name = flatNameOf(choice, names)
  return { value: isOwn ? { type: 'function', function: { name } } : null, only: null }
}

function flatNameOf({ name, namespace }: WireFields, names: ToolNames): string {
  return names.flatOf({ name: stringOf(name) ?? '', namespace: stringOf(namespace) })
}

function isNamedIn(names: ReadonlySet<string>): (tool: Tool) => boolean {
  return (tool) => names.has(String(fieldsOf(tool['function'])['name']))
}
