/** Bar 16: shadow steps of several processes at once, with any prompt and any bill, over the store of the product. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requestKinds } from '../../src/shared/requests/session-step.ts'
import type { StepToSample } from '../../src/service/chat/sessions/agent-memory.ts'
import { candidate } from '../../test/routing/sample-candidates.ts'
import { openStorage } from '../../src/service/storage/sqlite/open-storage.ts'
import type { Storage } from '../../src/service/storage/storage.ts'
import { highestCostNanoUsd } from '../../src/service/tuning/highest-cost.ts'
import { StepSampler } from '../../src/service/tuning/shadow/step-sampler.ts'
import { sampleRouter } from '../../test/storage/samples.ts'
import type { Measurement } from '../measurement.ts'
import { ModelChance } from './chance.ts'
import { simulatedAsker } from './simulated-session.ts'

const processes = 4
const steps = 2_000
const other = 'p:other'
const maxUsd = 0.5

export async function shadowBars(): Promise<Measurement[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'modelport-bench-'))
  const storage = await openStorage({ dataDir })
  try {
    const { overNanoUsd, spentNanoUsd, others } = await play(storage)
    return [
      bar('bar 16, shadow steps: most above the cap', overNanoUsd, 'nano-USD'),
      bar('bar 16, shadow steps of titles, compactions and safety checks', others, ''),
      {
        what: 'bar 16, shadow steps: share of the cap that was spent',
        unit: '%',
        measured: spentNanoUsd / maxUsd / 1e7,
        target: null,
      },
    ]
  } finally {
    await storage.close()
    await rm(dataDir, { recursive: true })
  }
}

interface Played {
  overNanoUsd: number
  spentNanoUsd: number
  /** Requests for anything but steps of main agents and subagents. */
  others: number
}

async function play({ shadowSamples, sessionProofs }: Storage): Promise<Played> {
  const chance = new ModelChance(16)
  const played = { overNanoUsd: 0, spentNanoUsd: 0, others: 0 }
  const shadowSteps = { model: other, share: 1, maxUsd }
  const routing = { ...sampleRouter().routing, shadowSteps }
  const router = { ...sampleRouter(), routing }
  let clockMs = 0
  let ids = 0
  const samplers = Array.from({ length: processes }, () => {
    return new StepSampler({
      money: shadowSamples,
      steps: sessionProofs,
      routers: () => new Map([[router.id, router]]),
      candidatesOf: () => [candidate({ modelId: other })],
      isUsable: () => true,
      askerFor:
        () =>
        async ({ candidate: asked, body }) => {
          if (JSON.stringify(body).includes('side request')) played.others += 1
          await new Promise((answered) => setImmediate(answered))
          const highest = highestCostNanoUsd(asked, body)
          // A failed request may have been billed, too, so its whole reservation stays spent.
          const isLost = chance.next() < 0.1
          const costNanoUsd = Math.floor(highest * (isLost ? 1 : chance.next()))
          played.spentNanoUsd += costNanoUsd
          played.overNanoUsd = Math.max(played.overNanoUsd, played.spentNanoUsd - maxUsd * 1e9)
          const lost = { kind: 'failed', costNanoUsd: null, retryAfterMs: null } as const
          if (isLost) return { ...lost, reason: 'model', message: '' }
          return {
            kind: 'answered',
            text: '',
            isCut: false,
            costNanoUsd,
            latencyMs: 1,
            outputTokens: 1,
          }
        },
      newId: () => String((ids += 1)).padStart(12, '0'),
      random: () => chance.next(),
      // Each step is past the rest after a failure.
      now: () => (clockMs += 120_000),
      afterAnswer: async () => {},
      onError: (error) => {
        throw error
      },
    })
  })
  for (let nth = 0; nth < steps; nth += 1) {
    samplers[nth % processes]?.answered(stepOf(nth, router, chance))
    if (nth % 8 === 7) await Promise.all(samplers.map((sampler) => sampler.idle()))
  }
  await Promise.all(samplers.map((sampler) => sampler.close()))
  return played
}

function stepOf(
  nth: number,
  router: StepToSample['call']['router'],
  chance: ModelChance,
): StepToSample {
  const kind = requestKinds[nth % requestKinds.length] ?? 'main'
  const isStep = kind === 'main' || kind === 'subagent'
  const text = `${isStep ? 'step' : 'side request'} `.repeat(Math.round(chance.lognormal(4, 2)) + 1)
  const call: StepToSample['call'] = {
    requestId: `${nth}`,
    router,
    body: { messages: [{ role: 'user', content: text }] },
    apiKeyId: 'key',
    source: 'api',
    acceptAnyModel: true,
    client: null,
    cacheUse: 'none',
    asker: { ...simulatedAsker, kind },
  }
  return { call, session: `session-${nth % 50}`, model: 'p:first', class: 'explore', calls: [] }
}

function bar(what: string, measured: number, unit: string): Measurement {
  return { what, unit, measured, target: { atMost: 0 } }
}
