import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import { sessionOf } from '../../../../shared/requests/session.ts'
import type { SessionStep } from '../../../../shared/requests/session-step.ts'
import { pageOf } from '../../../../shared/requests/session-page.ts'
import { SessionDetails, stepsOfPage } from './session-details.tsx'

const place = { part: 'tools', change: 'reordered' } as const
const cache = { expected: 9_000, read: 0, lostNanoUsd: 2e9, culprit: 'client', place } as const

const plain: SessionStep = {
  client: 'claude-code',
  version: '2.1.330',
  kind: 'main',
  parent: null,
  agentType: null,
  startsTurn: false,
  class: 'explore',
  tools: ['Read'],
  marks: [],
  why: 'only',
  effort: null,
  tokens: { read: 900, written: 100, uncached: 10, output: 20 },
  costs: { read: 180, written: 500, uncached: 40, output: 400 },
}
const [sample] = usedScene().requests

function textOf(count: number): string {
  if (sample === undefined) throw new Error('the scene has no request')
  const requests = Array.from({ length: count }, (_, nth) => {
    const broken = { ...plain, cache, kind: 'subagent', agentType: 'Explore' }
    const sessionStep = JSON.stringify(nth === 1 ? broken : plain)
    const agentId = nth === 1 ? 'agent-1' : null
    const own = { id: `request-${nth}`, startedAtMs: nth * 1_000, sessionId: 'session-1' }
    return { ...sample, ...own, agentId, sessionStep }
  })
  const session = sessionOf(requests, 10_000)
  if (session === null) throw new Error('there is no session')
  const page = { ...pageOf(session, stepsOfPage), pinned: null, pinnable: [] }
  const markup = renderToStaticMarkup(<SessionDetails session={page} onMore={() => undefined} />)
  return markup.replaceAll(/<[^>]+>/g, ' ')
}

test('a session shows its costs, its agents, and who broke its cache', () => {
  const text = textOf(3)

  expect(text).toMatch(/Session of claude-code 2\.1\.330\s+running · began .* 3 steps/)
  expect(text).toMatch(/Lost to broken caches\s+\$2\.00/)
  expect(text).toMatch(/agent-1\s+Explore\s+1/)
  expect(text).toContain('The client changed the order of the tools.')
})

test('of a long session, the newest steps are drawn first', () => {
  const text = textOf(450)

  expect(text).toContain('Show 50 earlier steps')
  expect(text).toMatch(/\s401\s+\d+:/)
  expect(text).toMatch(/\s450\s+\d+:/)
  expect(text).not.toMatch(/\s400\s+\d+:/)
})
