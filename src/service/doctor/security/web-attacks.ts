/** What a web page can send: requests under another name, and from another origin. */
import type { SecurityCheck } from '../../../shared/app/security-check.ts'
import {
  countStatuses,
  exchange,
  openTls,
  requestText,
  statusOf,
  type SecurityTarget,
} from './attack.ts'
import { hostVariants } from './host-variants.ts'

/** DNS rebinding: the page's own name leads to this computer. */
export async function tryForeignHosts(target: SecurityTarget): Promise<SecurityCheck> {
  const { port, allowedHosts } = target
  const isAllowed = (headers: readonly string[]) =>
    allowedHosts.some((host) => headers.join().includes(host))
  const variants = hostVariants(port).filter(({ headers }) => !isAllowed(headers))
  const statuses = await Promise.all(
    variants.map(async ({ target: path, headers }) =>
      statusOf(await exchange(openTls(target), requestText(`GET ${path}`, headers))),
    ),
  )
  const isRefused = statuses.every((status) => status === 421 || status === 400)
  return {
    check: 'DNS rebinding',
    tried: `${variants.length} requests under other host names`,
    seen: countStatuses(statuses),
    status: isRefused ? 'ok' : 'failed',
  }
}

const origins = [
  'https://evil.invalid',
  'http://localhost.evil.invalid',
  'null',
  'file://',
  'chrome-extension://evil',
]

export async function tryForeignOrigins(target: SecurityTarget): Promise<SecurityCheck> {
  const host = `host: localhost:${target.port}`
  const path = '/api/router/router_0000000000000000/chat/completions'
  const requests = origins.flatMap((origin) => [
    requestText('GET /healthz', [host, `origin: ${origin}`]),
    requestText(`POST ${path}`, [host, `origin: ${origin}`, 'content-type: text/plain'], '{}'),
    requestText(`OPTIONS ${path}`, [
      host,
      `origin: ${origin}`,
      'access-control-request-method: POST',
      'access-control-request-headers: authorization',
    ]),
  ])
  const answers = await Promise.all(requests.map((text) => exchange(openTls(target), text)))
  const statuses = answers.map(statusOf)
  const allowing = answers.filter((answer) => /^access-control-/im.test(answer)).length
  return {
    check: 'Foreign origin',
    tried: `${requests.length} requests of web pages, among them simple ones and preflights`,
    seen: `${countStatuses(statuses)}; ${allowing} with CORS headers`,
    status: allowing === 0 && statuses.every((status) => status === 403) ? 'ok' : 'failed',
  }
}
