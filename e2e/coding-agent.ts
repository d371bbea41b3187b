/** A coding agent of the end-to-end tests: a router over two models, and steps of its sessions. */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { Agent, fetch } from 'undici'
import { expect } from './fixtures.ts'

export interface Place {
  url: string
  caFile: string
  key: string
}

/** A router over one model, and how a program reaches it. */
export async function openRouter(window: Page, baseUrl: string): Promise<Place> {
  const place = await window.evaluate(async (url) => {
    await modelport.call('providers:add', { id: 'team', type: 'openai-compatible', baseUrl: url })
    const price = {
      inputUsdPerMtok: 1,
      outputUsdPerMtok: 2,
      contextTokens: 100_000,
      capabilities: ['tools' as const],
    }
    for (const id of ['team:strong', 'team:quick'])
      await modelport.call('models:save', { id, ...price })
    const models = ['team:strong', 'team:quick']
    const router = await modelport.call('routers:create', {
      name: 'Code',
      strategy: 'priority',
      models,
    })
    const endpoint = await modelport.call('endpoint:listen', { port: 0 })
    const key = await modelport.call('keys:create', { name: 'Laptop', routers: 'all' })
    if (!endpoint.ok || endpoint.value.status !== 'listening' || !router.ok || !key.ok) return null
    const { url: origin, caFile } = endpoint.value
    return { url: `${origin}/api/router/${router.value.id}`, caFile, key: key.value.key }
  }, baseUrl)
  if (place === null) throw new Error('the endpoint does not listen')
  return place
}

export const task = { role: 'user', content: 'Add a retry to the upload.' }
const call = { id: 'call_1', type: 'function', function: { name: 'Read', arguments: '{}' } }
export const result = [
  task,
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: '2 failed' },
]

export async function sendStep(
  { url, caFile, key }: Place,
  messages: readonly object[],
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const answer = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    dispatcher: new Agent({ connect: { ca: await readFile(caFile, 'utf8') } }),
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'user-agent': 'claude-cli/2.1.330 (external, cli)',
      'x-claude-code-session-id': 'session-live',
      ...headers,
    },
    body: JSON.stringify({ messages, tools: [{ type: 'function', function: { name: 'Read' } }] }),
  })
  expect(answer.status).toBe(200)
  await answer.text()
}
