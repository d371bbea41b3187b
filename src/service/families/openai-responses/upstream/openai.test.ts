import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { capabilitiesLost } from '../../../provider-types/provider-types.ts'
import { Outbound } from '../../../providers/outbound.ts'
import { openAi } from './openai.ts'

const outbound = new Outbound({
  use: null,
  proxyChoice: () => ({ setting: 'direct', env: {} }),
  extraRoots: async () => [],
})

/** @returns the paths of the requests so far, and an adapter that sends them */
async function startOpenAi(options: Readonly<Record<string, string>>) {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(request.url ?? '')
    response.writeHead(400).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const provider = openAi.create({
    baseUrl: `http://127.0.0.1:${port}/v1`,
    apiKey: () => 'sk-test',
    privateNetwork: false,
    options,
    now: Date.now,
    connector: (connectMs) =>
      outbound.connector({ id: 'providers', privateNetwork: false, connectMs }),
  })
  onTestFinished(async () => {
    await provider.close()
    server.close()
  })
  return { paths, provider }
}

test.each([
  ['gpt-5', {}, '/v1/chat/completions'],
  ['gpt-5-pro', {}, '/v1/responses'],
  ['gpt-5', { api: 'responses' }, '/v1/responses'],
  ['gpt-5', { api: 'chat' }, '/v1/chat/completions'],
])('%s with the options %j is asked at %s', async (model, options, path) => {
  const { paths, provider } = await startOpenAi(options)
  // Parts and roles that Modelport does not know are sent only there.
  expect(provider.takesChatForm?.(model)).toBe(path === '/v1/chat/completions')
  const body = { messages: [{ role: 'user' as const, content: 'Hello' }] }

  const { signal } = new AbortController()
  await expect(provider.complete({ model, body }, signal)).rejects.toMatchObject({ status: 400 })

  expect(paths).toEqual([path])
})

test('a model loses capabilities only where it is asked over the Responses API', () => {
  const openai = { type: 'openai', options: {} }

  expect(capabilitiesLost(openai, 'gpt-5')).toEqual([])
  expect(capabilitiesLost(openai, 'gpt-5-pro')).toContain('n')
  expect(capabilitiesLost({ ...openai, options: { api: 'responses' } }, 'gpt-5')).toContain('n')
})
