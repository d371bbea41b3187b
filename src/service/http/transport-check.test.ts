import { expect, test } from 'vitest'
import { runChecks, type AdmissionOptions, type CheckedRequest } from './checks/admission.ts'
import { openTrustedProxies } from './sockets/trusted-proxies.ts'

function neverAsked(): never {
  throw new Error('nothing else is checked on arrival')
}

const options: AdmissionOptions = {
  configuration: neverAsked,
  hosts: () => ['localhost'],
  allowedOrigins: () => [],
  proxies: openTrustedProxies(['10.0.0.0/8']),
  bodyLimitBytes: neverAsked,
  now: neverAsked,
  onKeyUse: neverAsked,
}

interface Arrival {
  remoteAddress: string
  isEncrypted: boolean
  target: string
  forwarded?: string | undefined
}

function arrive({ remoteAddress, isEncrypted, target, forwarded }: Arrival): string {
  const request: CheckedRequest = {
    method: 'GET',
    target,
    headers: { host: 'localhost:6779', 'x-forwarded-proto': forwarded },
    hostCount: 1,
    connection: { localPort: 6779, remoteAddress, isEncrypted },
    form: 'chat',
    routerId: '',
    caller: null,
    bodyText: '',
    body: null,
    isAdmitted: false,
  }
  try {
    runChecks('arrival', request, options)
    return 'passed'
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'failed'
  }
}

test.each([
  ['203.0.113.9', false, '/metrics', 'https_required'],
  ['203.0.113.9', false, '/healthz', 'passed'],
  ['203.0.113.9', false, '/readyz', 'passed'],
  ['203.0.113.9', true, '/metrics', 'passed'],
  ['127.0.0.1', false, '/metrics', 'passed'],
  ['::1', false, '/metrics', 'passed'],
  ['', false, '/metrics', 'https_required'],
])(
  'a request from %j, encrypted: %s, to %s is %s',
  (remoteAddress, isEncrypted, target, result) => {
    expect(arrive({ remoteAddress, isEncrypted, target })).toBe(result)
  },
)

test.each([
  ['https', 'passed'],
  ['http, https', 'passed'],
  ['https, http', 'https_required'],
  ['http', 'https_required'],
  ['', 'https_required'],
  [undefined, 'https_required'],
])('a request from a named proxy with x-forwarded-proto %j is %s', (forwarded, result) => {
  const target = '/metrics'
  for (const remoteAddress of ['10.9.9.9', '::ffff:10.9.9.9']) {
    for (const isEncrypted of [false, true]) {
      expect(arrive({ remoteAddress, isEncrypted, target, forwarded })).toBe(result)
    }
  }
})
