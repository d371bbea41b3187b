/** Tools, and which of them the model may or must call. */
import type { Tool, ToolChoice, ToolUnion } from '@anthropic-ai/sdk/resources/messages'
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import { markOf } from './content.ts'
import { fieldsOf } from '../../../json-fields.ts'
import { allowedNames, describedCustomTool, describedTool, toolName } from '../../custom-tools.ts'
import { restrictedSchema } from '../output-format.ts'
import type { LeftOut } from '../../left-out.ts'
import type { ModelTraits } from '../traits.ts'

/** Anthropic's own tools have a date in their type: `web_search_20250305`. */
const ownTool = /_20\d{6}$/

export function toolsOf(body: ChatRequest, leftOut: LeftOut): ToolUnion[] {
  const allowed = allowedNames(body.tool_choice)
  const offered = body.tools ?? []
  return offered.flatMap((tool): ToolUnion[] => {
    const translated = toolOf(tool)
    if (translated === null) {
      leftOut.leave('tools', `the provider has no tool of the type ${shownType(tool.type)}`)
      return []
    }
    const { name } = fieldsOf(translated)
    return allowed === null || allowed.has(String(name)) ? [translated] : []
  })
}

function toolOf(tool: WireFields): ToolUnion | null {
  const { type } = tool
  if (type === 'function') return withToolMark(functionTool(fieldsOf(tool['function'])), tool)
  if (type === 'custom') return withToolMark(customTool(fieldsOf(tool['custom'])), tool)
  // The caller wrote it for this vendor.
  return typeof type === 'string' && ownTool.test(type) ? (tool as unknown as ToolUnion) : null
}

function withToolMark(tool: Tool, carrier: WireFields): Tool {
  const mark = markOf(carrier) ?? markOf(fieldsOf(carrier['function']))
  return mark === null ? tool : { ...tool, cache_control: mark }
}

function functionTool({ parameters, strict, ...named }: WireFields): Tool {
  const input_schema = { ...fieldsOf(parameters), type: 'object' } as const
  if (strict !== true) return { ...describedTool(named), input_schema }
  const taken = { ...restrictedSchema(input_schema), type: 'object' } as const
  return { ...describedTool(named), input_schema: taken, strict }
}

/** A custom tool, whose free text becomes the only property of an object. */
function customTool(custom: WireFields): Tool {
  return {
    ...describedCustomTool(custom),
    input_schema: {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
      additionalProperties: false,
    },
  }
}

/** @returns null when the API's default applies */
export function toolChoiceOf(
  body: ChatRequest,
  { forcesTools }: Pick<ModelTraits, 'forcesTools'>,
  leftOut: LeftOut,
): ToolChoice | null {
  const wanted = wantedChoice(body.tool_choice)
  if (wanted.type === 'none') return wanted
  const isForced = wanted.type !== 'auto'
  const choice: ToolChoice = isForced && !forcesTools ? { type: 'auto' } : wanted
  if (choice !== wanted) {
    leftOut.send('tool_choice', 'sent_as_auto', 'the model cannot be forced to call a tool')
  }
  if (body.parallel_tool_calls === false) return { ...choice, disable_parallel_tool_use: true }
  return choice.type === 'auto' ? null : choice
}

function wantedChoice(choice: ChatRequest['tool_choice']): ToolChoice {
  if (typeof choice !== 'object') {
    if (choice === 'none') return { type: 'none' }
    return choice === 'required' ? { type: 'any' } : { type: 'auto' }
  }
  const { type, mode } = { ...fieldsOf(choice['allowed_tools']), ...fieldsOf(choice) }
  if (type === 'allowed_tools') return mode === 'required' ? { type: 'any' } : { type: 'auto' }
  const name = toolName(choice)
  return name === null ? { type: 'auto' } : { type: 'tool', name }
}

/** The type if it looks like one: anything else may quote the prompt. */
function shownType(type: string): string {
  return /^[a-z0-9_]{1,40}$/.test(type) ? type : 'that was sent'
}
