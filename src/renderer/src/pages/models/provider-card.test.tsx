import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { usedScene } from '../../../../../test/renderer-harness/scenes.ts'
import type { ProviderHealthDays } from './health-days.ts'
import { ProviderCard } from './provider-card.tsx'

const day = { startMs: 0, answered: 0, fallbacks: 0 }

function badgeWith(answered: number): string | undefined {
  const provider = usedScene().providers.find(({ id }) => id === 'openai')
  if (!provider) throw new Error('the scene has no such provider')
  const health: ProviderHealthDays = {
    days: [{ ...day, answered }],
    words: '',
    todayCostUsd: 0,
    todayAnswers: answered,
    firstTokenMs: null,
  }
  const untested = { ...provider, health: { status: 'unknown' as const } }
  const shown = renderToStaticMarkup(
    <ProviderCard provider={untested} health={health} onOpen={() => undefined} />,
  )
  return /not tested yet|last answered [^<]*/.exec(shown)?.[0]
}

test('after a restart, a provider’s state is that of the ledger', () => {
  expect(badgeWith(14_655)).toBe('last answered today')
  expect(badgeWith(0)).toBe('not tested yet')
})
