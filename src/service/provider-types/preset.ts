/** What a provider type is made of, and what several types have in common. The types themselves are in presets.ts. */
import type { ProviderType } from '../../shared/models/provider-type.ts'
import { modelOptions } from '../providers/options.ts'
import type { EmbeddingsForm, Extension, ModelList } from '../providers/wire.ts'
import type { WireName } from '../families/upstreams.ts'

export interface Preset extends ProviderType {
  /** Null for the built-in model, which needs no wire. */
  wire: WireName | null
  /** Whether its reasoning models take `reasoning_effort` as OpenAI's do; absent where that is not documented. */
  takesReasoningEffort?: true
  /** Whether it fits each effort of OpenAI's form to its models by itself. */
  takesEveryEffort?: true
  /**
   * Extensions of OpenAI's chat form that the vendor documents or ignores; the others are left out. Absent for other
   * wires. Compared 2026-11-22.
   */
  extensions?: readonly Extension[]
  /** Whether it takes only ids of nine letters and digits for tool calls, and after results only an answer. */
  strictToolTurns?: true
  /** What it documents about embeddings in OpenAI's form; absent: nothing that differs. Compared 2026-11-22. */
  embeddings?: EmbeddingsForm
  /** The list of its models, if it is not at the wire's usual place; not used behind another base URL. */
  modelList?: ModelList
  /** Properties of a server that runs models; absent for vendors and gateways. */
  modelServer?: ModelServer
}

interface ModelServer {
  /** Requests that it answers at once, if the user sets no number; null: as many as arrive. */
  slots: number | null
  /** How long it keeps a model in memory after its last answer, if the user sets nothing; Infinity: always. */
  keepsLoadedMs: number
}

/** A server that ignores fields it does not know. It may refuse a role. */
export const compatibleWire = {
  wire: 'openai-chat',
  extensions: [
    'cache_control',
    'is_error',
    'message_reasoning',
    'reasoning',
    'reasoning_content',
    'reasoning_details',
    'tool_result_parts',
  ],
  keyRule: 'required',
  options: [],
  isLocal: false,
  isSelfHosted: false,
} as const satisfies Partial<Preset>

/** A vendor may refuse fields that it does not document. */
export const openAiWire = { ...compatibleWire, extensions: [] } as const satisfies Partial<Preset>

/** A server of the user's own, at the address that its documentation names. */
export const ownServer = {
  ...compatibleWire,
  keyRule: 'optional',
  keyUrl: null,
  isSelfHosted: true,
  options: modelOptions,
} as const satisfies Partial<Preset>

export const googleWire = {
  keyRule: 'required',
  takesReasoningEffort: true,
  isLocal: false,
  isSelfHosted: false,
} as const satisfies Partial<Preset>
