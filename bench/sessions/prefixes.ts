/**
 * Bar 12: while a client's request begins like the one before, what Modelport sends must, too, link for link. A session of
 * 40 steps in the Messages form, with moving marks, thinking that goes and reminders, is sent to the wire of each vendor.
 */
import { readMessages } from '../../src/service/families/anthropic/endpoint/read-request.ts'
import type { MessagesRequest } from '../../src/service/families/anthropic/endpoint/request-schema.ts'
import { wires, type WireName } from '../../src/service/families/upstreams.ts'
import { parseJsonOrNull, fieldsOf } from '../../src/service/json-fields.ts'
import type { Provider, ProviderRequest } from '../../src/service/providers/provider.ts'
import { differenceOf } from '../../src/service/chat/sessions/guardian/compare-prefixes.ts'
import { prefixOf, type Prefix } from '../../src/service/chat/sessions/guardian/prefix.ts'
import { clientRequest } from '../../test/sessions/agent-session.ts'
import type { Measurement } from '../measurement.ts'

const steps = 40
const models: Partial<Record<WireName, string>> = {
  'openai-chat': 'gpt-5.4',
  'openai-responses': 'gpt-5.4',
  anthropic: 'claude-opus-5-5',
  google: 'gemini-3.5-flash',
  ollama: 'qwen3',
  bedrock: 'anthropic.claude-opus-4-8',
}

export async function prefixBars(): Promise<Measurement[]> {
  const measurements: Measurement[] = []
  for (const [name, model] of Object.entries(models)) {
    const wire = wires[name as WireName]
    const provider = wire.create({
      baseUrl: 'http://127.0.0.1:9/v1',
      apiKey: () => 'key',
      privateNetwork: true,
      options: name === 'bedrock' ? { region: 'us-east-1' } : {},
      now: () => 0,
      connector: () => () => undefined,
    })
    const held = await heldLinks(provider, model)
    const measured = (100 * held) / (steps - 1)
    measurements.push({
      what: `bar 12, prefixes held on ${name}`,
      unit: '%',
      measured,
      target: { atLeast: 100 },
    })
    await provider.close()
  }
  return measurements
}

/** How many of the requests begin like the one before. */
async function heldLinks(provider: Provider, model: string): Promise<number> {
  let before: Prefix | null = null
  let held = 0
  for (let step = 0; step < steps; step += 1) {
    const after = prefixOf(fieldsOf(parseJsonOrNull(await sentBody(provider, model, step))), before)
    if (before !== null && differenceOf(before, after) === null) held += 1
    before = after
  }
  return held
}

/** The body as it would be sent; the request ends before a connection is opened. */
async function sentBody(provider: Provider, model: string, step: number): Promise<string> {
  const text = JSON.stringify({ model, max_tokens: 900, ...clientRequest(step, null) })
  // The made requests have the form of their door, whose schema other tests hold.
  const read = readMessages(JSON.parse(text) as MessagesRequest, { text, headers: {}, query: {} })
  let sent = ''
  const onBody = (body: string) => {
    sent = body
  }
  const request: ProviderRequest = { model, body: read.body, isTranslated: true, onBody }
  const aborted = AbortSignal.abort(new Error('only the body is wanted'))
  await provider.complete(request, aborted).catch(() => {})
  if (sent === '') throw new Error(`no body was written for ${model}`)
  return sent
}
