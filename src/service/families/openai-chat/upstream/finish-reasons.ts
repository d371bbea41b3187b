/**
 * The finish reasons of upstreams that speak OpenAI's form, as OpenAI's own; callers compare with those. Sources,
 * 2026-11-22: the references of Mistral (`model_length`, `error`), DeepSeek (`insufficient_system_resource`), Z.ai
 * (`sensitive`, `network_error`, `model_context_window_exceeded`) and Cohere (`COMPLETE`, `ERROR`, `ERROR_TOXIC`),
 * vLLM's and SGLang's sources (`abort`, `error`), and the reasons of Anthropic, Google and Bedrock, which gateways
 * pass on. An unknown reason is passed on: taking it for `stop` would claim success.
 */
import type { FinishReason } from '../../../../shared/chat/chat.ts'
import { ProviderError } from '../../../providers/provider.ts'

const forms: Readonly<Record<string, string>> = {
  stop: 'eos eos_token end_turn stop_sequence complete',
  length:
    'max_tokens model_length max_output_tokens model_context_window_exceeded context_length_exceeded',
  tool_calls: 'tool_use',
  content_filter:
    'content-filter content_filtered guardrail_intervened safety refusal sensitive blocklist prohibited_content recitation spii error_toxic',
}

const openAiReasons: ReadonlyMap<string, FinishReason> = new Map(
  Object.entries(forms).flatMap(([reason, others]) =>
    [reason, ...others.split(' ')].map((other) => [other, reason] as const),
  ),
)

/** The upstream could not finish the answer, although its status was 200. */
const failures: ReadonlySet<string> = new Set([
  'abort',
  'error',
  'insufficient_system_resource',
  'network_error',
])

/** @throws ProviderError unavailable when the upstream says that it failed */
export function readFinishReason(reason: string): FinishReason {
  const known = openAiReasons.get(reason)
  if (known !== undefined) return known
  const lower = reason.toLowerCase()
  if (failures.has(lower)) {
    throw new ProviderError('unavailable', 'the provider reported an error mid-answer')
  }
  return openAiReasons.get(lower) ?? reason
}
