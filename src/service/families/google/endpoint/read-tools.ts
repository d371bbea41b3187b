/** Tools in Gemini's form. All but functions run at Google, and other vendors lack them. */
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import type { LeftOut } from '../../left-out.ts'
import { geminiFields, itemsOf } from './fields.ts'
import { jsonSchemaOf } from './read-schema.ts'

type Tool = NonNullable<ChatRequest['tools']>[number]
type ReadTools = Pick<ChatRequest, 'tools' | 'tool_choice'>

export function readTools({ tools, toolConfig }: WireFields, leftOut: LeftOut): ReadTools {
  const read = listOf(tools).flatMap((tool) => functionsOf(geminiFields(tool), leftOut))
  if (read.length === 0) return {}
  const config = geminiFields(geminiFields(toolConfig)['functionCallingConfig'])
  const choice = choiceOf(config)
  if (config['mode'] === 'VALIDATED') {
    leftOut.send('toolConfig', 'sent_as_auto', 'other providers have no such mode')
  }
  return { tools: read, ...(choice === null ? {} : { tool_choice: choice }) }
}

function functionsOf({ functionDeclarations, ...others }: WireFields, leftOut: LeftOut): Tool[] {
  for (const name of Object.keys(others)) {
    const shown = /^[\w.-]{1,64}$/.test(name) ? name : 'that was sent'
    leftOut.leave('tools', `other providers have no tool of the type ${shown}`)
  }
  return itemsOf(functionDeclarations).map((each) => functionTool(geminiFields(each)))
}

function functionTool({ name, description, parameters, parametersJsonSchema }: WireFields): Tool {
  const schema =
    parametersJsonSchema ?? (parameters === undefined ? null : jsonSchemaOf(parameters))
  return {
    type: 'function',
    function: {
      name: stringOf(name) ?? '',
      ...(stringOf(description) === null ? {} : { description }),
      parameters: schema === null ? { type: 'object', properties: {} } : fieldsOf(schema),
    },
  }
}

/** @returns null for the provider's default */
function choiceOf({
  mode,
  allowedFunctionNames,
}: WireFields): NonNullable<ChatRequest['tool_choice']> | null {
  const names = listOf(allowedFunctionNames).map(String)
  if (mode === 'NONE') return 'none'
  if (mode !== 'ANY' && mode !== 'VALIDATED') return null
  const [only] = names
  if (only === undefined) return mode === 'ANY' ? 'required' : null
  if (mode === 'ANY' && names.length === 1) return { type: 'function', function: { name: only } }
  const tools = names.map((name) => ({ type: 'function', function: { name } }))
  const chosen = mode === 'ANY' ? 'required' : 'auto'
  return { type: 'allowed_tools', allowed_tools: { mode: chosen, tools } }
}
