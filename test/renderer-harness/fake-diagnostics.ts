import { connectionEntries, type ConnectionState } from '../../src/shared/app/connections.ts'
import type { SecurityCheck } from '../../src/shared/app/security-check.ts'

export const exampleConnections: ConnectionState[] = connectionEntries.map(([id]) => ({
  id,
  isOn: !['telemetry', 'valkey', 'postgres', 'awsSignIn', 'alertWebhook'].includes(id),
  lastUsedAtMs: null,
}))

export const exampleSecurityChecks: SecurityCheck[] = [
  {
    check: 'DNS rebinding',
    tried: '40 requests under other host names',
    seen: '421 × 37, 400 × 3',
    status: 'ok',
  },
  {
    check: 'Foreign origin',
    tried: '15 requests of web pages, among them simple ones and preflights',
    seen: '403 × 15; 0 with CORS headers',
    status: 'ok',
  },
  {
    check: 'Slow client',
    tried:
      'a connection that sends nothing, one without a request, and one with half a request, for 14 s',
    seen: '3 of 3 were closed, the last after 11.4 s',
    status: 'ok',
  },
  {
    check: 'File modes',
    tried: '38 files and folders of the data folder',
    seen: 'other users can read modelport.db',
    status: 'failed',
  },
  {
    check: 'Fuses',
    tried: '8 switches in the program file',
    seen: 'this is not the packaged app',
    status: 'not_applicable',
  },
]

const line = '2026-11-22T10:00:00.000Z note {"provider":"1 (openai)","what":"a provider failed"}'

export const exampleBundle = [
  'Modelport diagnostics, 2026-11-22T10:00:00.000Z',
  '',
  '== Program',
  'Modelport 0.1.0, Node.js 24.1.0, Electron 33.2.1',
  '',
  '== Log',
  ...Array.from({ length: 40 }, () => line),
  '',
].join('\n')
