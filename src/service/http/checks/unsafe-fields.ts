/** Fields of a body by which a caller could choose an upstream, a key or a price, or escape a budget. */
import { ServiceError } from '../../errors.ts'

/** Fields on which OpenRouter, LiteLLM and other gateways act although the router has chosen. */
const forbidden: ReadonlySet<string> = new Set([
  'models',
  'provider',
  'route',
  'plugins',
  'transforms',
  'preset',
  'fallbacks',
  'user_config',
  'custom_llm_provider',
  'deployment_id',
  'api_base',
  'base_url',
  'api_key',
  'extra_headers',
  'extra_body',
])

const answerLimits = ['max_completion_tokens', 'max_tokens', 'max_output_tokens'] as const

/** Read or withheld by Modelport. Servers that ignore case would take another spelling for the same field. */
const ownFields: ReadonlySet<string> = new Set([
  ...forbidden,
  ...answerLimits,
  ...'model messages input prompt system contents stream n best_of tools tool_choice'.split(' '),
  ...'web_search_options store service_tier speed background thinking reasoning_effort'.split(' '),
])

/** @param withheld  fields that the form leaves out and reports. @throws ServiceError invalid_parameter */
export function refuseUnsafeFields(body: object, withheld: readonly string[] = []): void {
  for (const name in body) {
    const plain = plainName(name)
    if (forbidden.has(plain) && !withheld.includes(name)) {
      throw refusal(name, 'is not accepted: models, providers and keys are set on the router')
    }
    if (plain !== name && ownFields.has(plain)) {
      throw refusal(name, `is another spelling of "${plain}": use that`)
    }
    if (plain === 'web_search_options') {
      const wayOut = 'Send the tool "web_search" to /v1/responses or /v1/messages'
      throw refusal(
        name,
        `is not accepted, because the price of its searches is unknown. ${wayOut}`,
      )
    }
  }
  refuseTwoLimits(body)
}

/** Refuses two limits. Providers differ in which of them they obey, and a budget reserves for one. */
function refuseTwoLimits(body: object): void {
  let first: { name: string; limit: unknown } | null = null
  for (const name of answerLimits) {
    const limit: unknown = name in body ? Reflect.get(body, name) : null
    if (limit === null) continue
    first ??= { name, limit }
    if (limit === first.limit) continue
    throw refusal(name, `and "${first.name}" limit the answer differently: send one of them`)
  }
}

/** The name in lower case, also where a server would compare letters such as ſ and s as equal. */
function plainName(name: string): string {
  return /^[a-z0-9_]*$/.test(name) ? name : name.normalize('NFKC').toLowerCase()
}

function refusal(field: string, reason: string): ServiceError {
  return new ServiceError('invalid_parameter', `"${field}" ${reason}.`, { param: field })
}
