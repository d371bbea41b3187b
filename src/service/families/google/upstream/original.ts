/**
 * A caller's own request in this form: it is sent as it was written, except for what Modelport set, and the events of
 * its answer go back unchanged.
 */
import { memberText, withMembers } from '../../../providers/json-members.ts'
import type { ProviderRequest } from '../../../providers/provider.ts'
import { jsonOf, type Changes, type Original } from '../../original-reader.ts'
import { fieldsOf, listOf } from '../../../json-fields.ts'
import { noSignature } from '../answer-parts.ts'
import { translateRequest } from './request.ts'
import { traitsOf, type Dialect } from './traits.ts'
import { parseExact } from '../../../exact-json.ts'

/** Fields of the inner form by the settings that they are here. */
const settings: Readonly<Record<string, string>> = {
  temperature: 'temperature',
  top_p: 'topP',
  n: 'candidateCount',
  seed: 'seed',
  presence_penalty: 'presencePenalty',
  frequency_penalty: 'frequencyPenalty',
  max_tokens: 'maxOutputTokens',
  max_completion_tokens: 'maxOutputTokens',
}

export function originalBody(
  request: ProviderRequest,
  { text, changed }: Original,
  dialect: Dialect,
): string {
  const changes: Changes = {}
  const config = configChanges(request, changed, dialect)
  if (Object.keys(config).length > 0) {
    // Google's parser takes both names.
    const name = memberText(text, 'generation_config') === null ? configName : 'generation_config'
    changes[name] = withMembers(memberText(text, name) ?? '{}', config)
  }
  const contents = traitsOf(request.model).needsSignatures ? signedContents(text) : null
  if (contents !== null) changes['contents'] = contents
  return Object.keys(changes).length === 0 ? text : withMembers(text, changes)
}

const configName = 'generationConfig'

function configChanges(
  { body, model }: ProviderRequest,
  changed: readonly string[],
  dialect: Dialect,
): Changes {
  const changes: Changes = {}
  for (const name of changed) {
    const setting = settings[name]
    if (setting !== undefined) changes[setting] = jsonOf(body[name])
    else if (name === 'reasoning_effort' || name === 'reasoning') {
      const { generationConfig } = translateRequest(body, model, dialect).body
      changes['thinkingConfig'] = jsonOf(generationConfig?.thinkingConfig)
    }
  }
  return changes
}

/** Calls of other vendors' models have no signature, and Gemini 3 refuses them. Null when every first call has one. */
function signedContents(text: string): string | null {
  if (!/"function_?[cC]all"/.test(text)) return null
  const contents = listOf(fieldsOf(parseExact(text))['contents'])
  const signed = contents.map((content) => {
    const parts = listOf(fieldsOf(content)['parts'])
    const first = parts.findIndex((part) => callOf(part) !== undefined)
    const { thoughtSignature, thought_signature } = fieldsOf(parts[first])
    if (first === -1 || (thoughtSignature ?? thought_signature) !== undefined) return content
    const stand = { ...fieldsOf(parts[first]), thoughtSignature: noSignature }
    return { ...fieldsOf(content), parts: parts.with(first, stand) }
  })
  const isChanged = signed.some((content, index) => content !== contents[index])
  return isChanged ? JSON.stringify(signed) : null
}

function callOf(part: unknown): unknown {
  const { functionCall, function_call } = fieldsOf(part)
  return functionCall ?? function_call
}
