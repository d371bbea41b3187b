/**
 * The sources of a newer catalogue under their own names, behind a proxy and with a certificate authority that
 * only this test trusts. Downloads take the same way as in the program.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { makeAuthority, makeLeaf } from '../../src/service/http/sockets/make-certificates.ts'
import { catalogSources } from '../../src/service/dashboard/catalog-download.ts'
import { startFakeProxy } from '../fake-proxy.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

/**
 * gpt-5.4 costs more than in the bundled catalogue, gpt-5-mini less, and one DeepSeek model has a price by the hour.
 */
export const prices = [
  {
    id: 'openai',
    models: [
      priced('gpt-5.4', { input_mtok: 3, output_mtok: 18, cache_read_mtok: 0.3 }),
      priced('gpt-5-mini', {
        input_mtok: { base: 0.2, tiers: [{ start: 99_999, price: 0.4 }] },
        output_mtok: 2,
        cache_read_mtok: 0.025,
      }),
      priced('gpt-7', { input_mtok: 4, output_mtok: 20 }),
      { id: 'broken', match: { equals: 'broken' }, prices: { input_mtok: -1 } },
    ],
  },
  {
    id: 'deepseek',
    models: [
      {
        id: 'deepseek-v4-pro',
        match: { starts_with: 'deepseek-v4-pro' },
        prices: [
          { prices: { input_mtok: 1, output_mtok: 2 } },
          { constraint: { start_date: '2027-01-01' }, prices: { input_mtok: 5, output_mtok: 6 } },
          {
            constraint: { start_time: '01:00:00Z', end_time: '04:00:00Z' },
            prices: { input_mtok: 2, output_mtok: 4 },
          },
        ],
      },
    ],
  },
]

export const models = {
  openai: {
    models: {
      'gpt-7': listed('gpt-7', { temperature: false, cost: { input: 9, output: 9 } }),
      'gpt-5-mini': listed('gpt-5-mini', { tool_call: false }),
      'gpt-9-pro': listed('gpt-9-pro', { cost: { input: 9, output: 9 } }),
      'gpt-old': listed('gpt-old', { status: 'deprecated', cost: { input: 9, output: 9 } }),
      'gpt-unpriced': listed('gpt-unpriced', {}),
      'gpt-\u001B[31m': listed('gpt-\u001B[31m', { cost: { input: 9, output: 9 } }),
    },
  },
  togetherai: { models: { new: listed('maker/new', { cost: { input: 0.1, output: 0.2 } }) } },
}

function priced(name: string, row: object) {
  return {
    id: name,
    match: { or: [{ equals: name }, { equals: `${name}-2026-11-01` }] },
    prices: row,
  }
}

function listed(id: string, given: object) {
  return {
    id,
    tool_call: true,
    structured_output: true,
    modalities: { input: ['text', 'image'], output: ['text'] },
    limit: { context: 500_000, output: 64_000 },
    ...given,
  }
}

export function sendJson(value: unknown): Answer {
  return (_request, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify(value))
}

function notFound(_request: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end()
}

/** @returns the environment with which the service reaches the sources, and their answers */
export async function startCatalogSources() {
  const hosts = Object.values(catalogSources).map((url) => new URL(url).host)
  const authority = await makeAuthority(['localhost', ...hosts], Date.now())
  const folder = mkdtempSync(join(tmpdir(), 'modelport-sources-'))
  const caFile = join(folder, 'ca.pem')
  writeFileSync(caFile, authority.cert)
  const answers: Record<keyof typeof catalogSources, Answer> = {
    prices: sendJson(prices),
    models: sendJson(models),
  }
  const answerTo = (url: string): Answer => {
    if (url === catalogSources.prices) return answers.prices
    return url === catalogSources.models ? answers.models : notFound
  }
  const server = createServer(
    await makeLeaf(authority, hosts, Date.now()),
    (request: IncomingMessage, response: ServerResponse) => {
      answerTo(`https://${request.headers.host}${request.url}`)(request, response)
    },
  )
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  onTestFinished(() => {
    server.close().closeAllConnections()
    rmSync(folder, { recursive: true })
  })
  const proxy = await startFakeProxy({ port: (server.address() as AddressInfo).port })
  return { answers, proxy, env: { HTTPS_PROXY: proxy.url, NODE_EXTRA_CA_CERTS: caFile } }
}
