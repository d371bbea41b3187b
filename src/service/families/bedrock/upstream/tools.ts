/** Tools, and which of them the model may or must call. */
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import { allowedNames, describedCustomTool, describedTool, toolName } from '../../custom-tools.ts'
import { restrictedSchema } from '../../anthropic/output-format.ts'
import type { LeftOut } from '../../left-out.ts'
import type { CachePoint, ConverseBody, Document, Tool } from './converse.ts'
import { fieldsOf } from '../../../json-fields.ts'
import type { BedrockTraits } from './traits.ts'

interface ToolsContext {
  traits: BedrockTraits
  cachePointOf: (carrier: WireFields) => CachePoint | null
  leftOut: LeftOut
}

export interface ToolSettings {
  toolConfig: NonNullable<ConverseBody['toolConfig']>
  /** Claude's own field, which takes the place of Converse's `toolChoice`. */
  ownChoice: WireFields | null
  /** Whether the model must call a tool. */
  isForced: boolean
}

/** @returns null when the request offers no tool, which is also how Converse forbids all calls */
export function toolSettings(body: ChatRequest, context: ToolsContext): ToolSettings | null {
  const choice = wantedChoice(body.tool_choice)
  if (choice === 'none') return null
  const tools = toolsOf(body, context)
  if (tools.length === 0) return null
  const isForced = choice !== 'auto'
  const ownChoice = singleCallChoice(body, choice, context)
  if (ownChoice !== null || choice === 'auto') return { toolConfig: { tools }, ownChoice, isForced }
  const toolChoice = choice === 'any' ? { any: {} } : { tool: choice }
  return { toolConfig: { tools, toolChoice }, ownChoice, isForced }
}

type WantedChoice = 'none' | 'auto' | 'any' | { name: string }

function wantedChoice(choice: ChatRequest['tool_choice']): WantedChoice {
  if (typeof choice !== 'object') {
    if (choice === 'none') return 'none'
    return choice === 'required' ? 'any' : 'auto'
  }
  const allowed = fieldsOf(choice['allowed_tools'])
  if (choice['type'] === 'allowed_tools') return allowed['mode'] === 'required' ? 'any' : 'auto'
  const name = toolName(choice)
  return name === null ? 'auto' : { name }
}

function singleCallChoice(
  body: ChatRequest,
  choice: Exclude<WantedChoice, 'none'>,
  { traits, leftOut }: ToolsContext,
): WireFields | null {
  if (body.parallel_tool_calls !== false) return null
  if (traits.disablesParallel) {
    const named = typeof choice === 'string' ? { type: choice } : { type: 'tool', ...choice }
    return { ...named, disable_parallel_tool_use: true }
  }
  leftOut.leave('parallel_tool_calls', 'the model decides how many tools it calls')
  return null
}

function toolsOf(body: ChatRequest, context: ToolsContext): Tool[] {
  const allowed = allowedNames(body.tool_choice)
  return (body.tools ?? []).flatMap((tool): Tool[] => {
    const toolSpec = specOf(tool, context)
    if (toolSpec === null || (allowed !== null && !allowed.has(toolSpec.name ?? ''))) return []
    const mark = context.cachePointOf(tool) ?? context.cachePointOf(fieldsOf(tool['function']))
    return mark === null ? [{ toolSpec }] : [{ toolSpec }, mark]
  })
}

type ToolSpec = NonNullable<Tool['toolSpec']>

function specOf(tool: WireFields, { traits, leftOut }: ToolsContext): ToolSpec | null {
  if (tool['type'] === 'custom') return customSpec(fieldsOf(tool['custom']))
  if (tool['type'] !== 'function') {
    leftOut.leave('tools', 'Bedrock has no tool of this type')
    return null
  }
  const { parameters, strict, ...named } = fieldsOf(tool['function'])
  if (strict === true && !traits.takesSchemas) {
    leftOut.leave('tools.strict', 'the model does not guarantee the form of its calls')
  }
  const isStrict = strict === true && traits.takesSchemas
  // The type is what Converse requires.
  const schema = { ...fieldsOf(parameters), type: 'object' }
  const json = isStrict && traits.family === 'claude' ? restrictedSchema(schema) : schema
  return {
    ...describedTool(named),
    // The caller's JSON.
    inputSchema: { json: json as Document },
    ...(isStrict ? { strict } : {}),
  }
}

/** A custom tool, whose free text becomes the only property of an object. */
function customSpec(custom: WireFields): ToolSpec {
  return {
    ...describedCustomTool(custom),
    inputSchema: {
      json: { type: 'object', properties: { input: { type: 'string' } }, required: ['input'] },
    },
  }
}
