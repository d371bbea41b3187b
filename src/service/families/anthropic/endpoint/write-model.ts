/** A model in the form of Anthropic's Models API. */
import type { Capability } from '../../../../shared/models/model-abilities.ts'
import type { ListedModel } from '../../listed-model.ts'

interface Support {
  supported: boolean
}

interface AnthropicModel {
  type: 'model'
  id: string
  display_name: string
  /** RFC 3339. */
  created_at: string
  max_input_tokens: number | null
  max_tokens: number | null
  capabilities: object | null
  /** What every model of the router supports; only of `auto`. */
  capabilities_of_all?: object
  lifecycle: 'active'
  deprecated_at: null
  retires_at: null
  line: null
}

export function writeAnthropicModel({ id, name, createdAtMs, facts }: ListedModel): AnthropicModel {
  const { contextTokens = null, maxOutputTokens = null, capabilitiesOfAll } = facts ?? {}
  return {
    type: 'model',
    id,
    display_name: name,
    created_at: new Date(createdAtMs).toISOString(),
    max_input_tokens: contextTokens,
    max_tokens: maxOutputTokens,
    capabilities: facts && capabilityTree(facts.capabilities),
    ...(capabilitiesOfAll && { capabilities_of_all: capabilityTree(capabilitiesOfAll) }),
    lifecycle: 'active',
    deprecated_at: null,
    retires_at: null,
    line: null,
  }
}

const yes: Support = { supported: true }
const no: Support = { supported: false }

/**
 * Every key of Anthropic's type, because its clients read them without a check. Effort and thinking are accepted for
 * every model: Modelport translates them, or leaves them out and reports that. False: no model has it, or Modelport
 * does not know.
 */
function capabilityTree(capabilities: readonly Capability[]): object {
  const has = (capability: Capability) => ({ supported: capabilities.includes(capability) })
  return {
    batch: no,
    citations: no,
    code_execution: no,
    context_management: {
      ...no,
      clear_thinking_20251015: null,
      clear_tool_uses_20250919: null,
      compact_20260112: null,
    },
    effort: { ...yes, low: yes, medium: yes, high: yes, xhigh: yes, max: yes },
    image_input: has('vision'),
    pdf_input: has('files'),
    server_tools: { ...no, web_search: no, code_execution: no },
    structured_outputs: has('json'),
    thinking: {
      ...yes,
      types: { adaptive: yes, disabled: yes, enabled: yes, between_tools: no },
    },
  }
}
