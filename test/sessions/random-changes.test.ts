/** No step of a session that changes at random places may meet a refusal, each is one row, and the rows add up to the bill. */
import { expect, onTestFinished, test } from 'vitest'
import { randomSeeds, tortureTimeoutMs } from '../torture/amounts.ts'
import { runSession, startScene, stepsOfSession } from './changing-sessions.ts'

/** 10,000 steps with the full amount. */
const seeds = randomSeeds({ quick: 12, full: 400 })

test(
  `models change at random places inside sessions (seeds from ${seeds[0] ?? 0})`,
  async () => {
    const scene = await startScene(onTestFinished)
    const findings: object[] = []
    for (const seed of seeds) {
      const found = await runSession(scene, seed)
      const right = {
        refused: [],
        badRequests: [],
        rows: stepsOfSession,
        unbilledNanoUsd: 0,
        unlistedNanoUsd: 0,
      }
      if (JSON.stringify(found) !== JSON.stringify(right)) findings.push({ seed, ...found })
    }
    expect(findings).toEqual([])
    expect(scene.moved).toBeGreaterThan(seeds.length / 2)
    expect(scene.forbidden).toBeGreaterThan(0)
  },
  tortureTimeoutMs,
)

test(
  `a cheaper model reads behind the gate at random places (seeds from ${seeds[0] ?? 0})`,
  async () => {
    const scene = await startScene(onTestFinished, 'catalog')
    const findings: object[] = []
    for (const seed of seeds) {
      const { refused, badRequests, rows } = await runSession(scene, seed)
      const isRight = refused.length + badRequests.length === 0 && rows === stepsOfSession
      if (!isRight) findings.push({ seed, refused, badRequests, rows })
    }
    expect(findings).toEqual([])
    expect(scene.gated.used).toBeGreaterThan(0)
    expect(scene.gated.heldBack).toBeGreaterThan(0)
  },
  tortureTimeoutMs,
)
