/** Requests without a key, with a wrong one, and with one in the wrong place. */
import type { SecurityCheck } from '../../../shared/app/security-check.ts'
import {
  countStatuses,
  exchange,
  openTcp,
  openTls,
  requestText,
  statusOf,
  type SecurityTarget,
} from './attack.ts'

const router = '/api/router/router_0000000000000000'
const chat = `POST ${router}/v1/chat/completions`
const body = '{"messages":[{"role":"user","content":"x"}]}'

const protectedAddresses = [
  `GET ${router}/v1/models`,
  `GET ${router}/v1/requests/x`,
  `GET ${router}/openapi.json`,
  'GET /metrics',
  chat,
  `POST ${router}/v1/messages`,
]

function jsonRequest(line: string, headers: readonly string[]): string {
  return requestText(line, [...headers, 'content-type: application/json'], body)
}

export async function tryWithoutKey(target: SecurityTarget): Promise<SecurityCheck> {
  const host = `host: localhost:${target.port}`
  return await expectAll401(target, {
    check: 'No API key',
    tried: `${protectedAddresses.length} addresses without a key`,
    requests: protectedAddresses.map((line) => jsonRequest(line, [host])),
  })
}

export async function tryWrongKey(target: SecurityTarget): Promise<SecurityCheck> {
  const host = `host: localhost:${target.port}`
  const { canaryKey } = target
  const wrong = [
    `authorization: Bearer ${canaryKey}`,
    `authorization: Bearer ${canaryKey}x`,
    `authorization: Basic ${Buffer.from(`x:${canaryKey}`).toString('base64')}`,
  ]
  return await expectAll401(target, {
    check: 'Wrong API key',
    tried: 'an unknown key, a malformed one and another scheme',
    requests: wrong.map((header) => jsonRequest(chat, [host, header])),
  })
}

/** Tries a key in the address, which must not work: addresses are written to histories and to logs of proxies. */
export async function tryKeyInAddress(target: SecurityTarget): Promise<SecurityCheck> {
  const host = `host: localhost:${target.port}`
  return await expectAll401(target, {
    check: 'API key in the address',
    tried: 'a key as a query parameter',
    requests: ['key', 'api_key'].map((name) =>
      jsonRequest(`${chat}?${name}=${target.canaryKey}`, [host]),
    ),
  })
}

interface KeyAttack extends Pick<SecurityCheck, 'check' | 'tried'> {
  requests: readonly string[]
}

async function expectAll401(
  target: SecurityTarget,
  { requests, ...attack }: KeyAttack,
): Promise<SecurityCheck> {
  const answers = await Promise.all(requests.map((text) => exchange(openTls(target), text)))
  const statuses = answers.map(statusOf)
  const isRefused = statuses.every((status) => status === 401)
  return { ...attack, seen: countStatuses(statuses), status: isRefused ? 'ok' : 'failed' }
}

export async function tryPlainHttp(target: SecurityTarget): Promise<SecurityCheck> {
  const headers = [`host: localhost:${target.port}`, `authorization: Bearer ${target.canaryKey}`]
  const answer = await exchange(openTcp(target), jsonRequest(chat, headers))
  const status = statusOf(answer)
  return {
    check: 'Plain HTTP',
    tried: 'an unencrypted request with a key to the HTTPS port',
    seen: countStatuses([status]),
    status: status === 426 ? 'ok' : 'failed',
  }
}
