/** Tools and the choice among them. */
import type { FunctionDeclaration } from '@google/genai'
import type { ChatRequest, WireFields } from '../../../../shared/chat/chat.ts'
import { ProviderError } from '../../../providers/provider.ts'
import { fieldsOf, listOf, stringOf } from '../../../json-fields.ts'
import type { LeftOut } from '../../left-out.ts'
import type { GeminiTool, GeminiToolConfig } from './rest.ts'

/** Google's own tools, by the names of its REST API and of its SDKs. */
const serverTools: Readonly<Record<string, keyof GeminiTool>> = {
  codeExecution: 'codeExecution',
  code_execution: 'codeExecution',
  enterpriseWebSearch: 'enterpriseWebSearch',
  enterprise_web_search: 'enterpriseWebSearch',
  fileSearch: 'fileSearch',
  file_search: 'fileSearch',
  googleMaps: 'googleMaps',
  google_maps: 'googleMaps',
  googleSearch: 'googleSearch',
  google_search: 'googleSearch',
  urlContext: 'urlContext',
  url_context: 'urlContext',
}

type Mode = NonNullable<NonNullable<GeminiToolConfig['functionCallingConfig']>['mode']>

export interface Tools {
  tools?: GeminiTool[]
  toolConfig?: GeminiToolConfig
}

/** @throws ProviderError request for a choice that cannot be sent */
export function toolsOf(body: ChatRequest, leftOut: LeftOut): Tools {
  const functionDeclarations: FunctionDeclaration[] = []
  const tools: GeminiTool[] = []
  for (const tool of body.tools ?? []) {
    const declaration = declarationOf(tool)
    const server = declaration === null ? serverTool(tool, leftOut) : null
    if (declaration !== null) functionDeclarations.push(declaration)
    if (server !== null) tools.push(server)
  }
  if (body.parallel_tool_calls === false && functionDeclarations.length > 0) {
    leftOut.leave('parallel_tool_calls', 'the provider cannot turn parallel calls off')
  }
  if (functionDeclarations.length > 0) tools.unshift({ functionDeclarations })
  if (tools.length === 0) return {}
  const toolConfig = functionDeclarations.length === 0 ? null : configOf(body)
  return { tools, ...(toolConfig === null ? {} : { toolConfig }) }
}

/** @returns null for a tool that the vendor runs */
function declarationOf(tool: WireFields): FunctionDeclaration | null {
  if (tool['type'] === 'custom') return customDeclaration(fieldsOf(tool['custom']))
  if (tool['type'] !== 'function') return null
  const { name, description, parameters } = fieldsOf(tool['function'])
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    ...(hasParameters(parameters) ? { parametersJsonSchema: parameters } : {}),
  }
}

/** Whether there are parameters to send: the API refuses an object without properties. */
function hasParameters(parameters: unknown): boolean {
  const { type, properties } = fieldsOf(parameters)
  const isEmpty = type === 'object' && Object.keys(fieldsOf(properties)).length === 0
  return Object.keys(fieldsOf(parameters)).length > 0 && !isEmpty
}

function customDeclaration({ name, description }: WireFields): FunctionDeclaration {
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof description === 'string' ? { description } : {}),
    parametersJsonSchema: {
      type: 'object',
      properties: { input: { type: 'string' } },
      required: ['input'],
    },
  }
}

function serverTool(tool: WireFields, leftOut: LeftOut): GeminiTool | null {
  const type = stringOf(tool['type']) ?? ''
  const name = serverTools[type]
  if (name === undefined) {
    leftOut.leave('tools', 'the provider has no tool of this type')
    return null
  }
  return { [name]: fieldsOf(tool[type]) }
}

/** @returns null for the provider's default */
function configOf(body: ChatRequest): GeminiToolConfig | null {
  const { tool_choice: choice } = body
  const isStrict = (body.tools ?? []).some((tool) => fieldsOf(tool['function'])['strict'] === true)
  const auto = isStrict ? 'VALIDATED' : 'AUTO'
  if (typeof choice === 'string') return modeConfig(modes[choice] ?? auto, isStrict)
  const { type } = fieldsOf(choice)
  if (type === undefined) return isStrict ? withMode(auto) : null
  if (type === 'function' || type === 'custom') {
    const name = stringOf(fieldsOf(fieldsOf(choice)[type])['name'])
    if (name !== null) return withMode('ANY', [name])
  }
  if (type === 'allowed_tools') return allowedConfig(fieldsOf(fieldsOf(choice)['allowed_tools']))
  throw new ProviderError('request', 'the provider cannot force a tool of this type')
}

const modes: Readonly<Record<string, Mode>> = { none: 'NONE', required: 'ANY' }

function modeConfig(mode: Mode, isStrict: boolean): GeminiToolConfig | null {
  return mode === 'AUTO' && !isStrict ? null : withMode(mode)
}

/** `AUTO` takes no list of names; `VALIDATED` is the mode that does. */
function allowedConfig({ mode, tools }: WireFields): GeminiToolConfig {
  const names = listOf(tools).flatMap((tool) => {
    const { function: called, custom } = fieldsOf(tool)
    return stringOf(fieldsOf(called)['name']) ?? stringOf(fieldsOf(custom)['name']) ?? []
  })
  return withMode(mode === 'required' ? 'ANY' : 'VALIDATED', names)
}

function withMode(mode: Mode, allowedFunctionNames?: string[]): GeminiToolConfig {
  return {
    functionCallingConfig: { mode, ...(allowedFunctionNames && { allowedFunctionNames }) },
  }
}
