/** Pretended tuning: a plan, and runs that stay where they began until the page stops them. */
import type { TuningPlan, TuningRun } from '../../src/shared/tuning/tuning-run.ts'
import { found, type HandlersOf } from './handlers.ts'
import type { Scene } from './scene.ts'

export function tuningHandlers(scene: Scene): HandlersOf<`tuning:${string}`> {
  const runs: TuningRun[] = []
  return {
    'tuning:plan': ({ routerId, count, judge }) => planOf(scene, { routerId, count, judge }),
    'tuning:start': ({ routerId, count, judge, capUsd, prompts: { from } }) => {
      const plan = planOf(scene, { routerId, count, judge })
      const run = runOf(plan, { id: crypto.randomUUID(), from, capUsd })
      runs.unshift(run)
      return run
    },
    'tuning:stop': ({ id }) =>
      Object.assign(found(runs, id), { state: 'stopped', stoppedBy: 'user' }),
    'tuning:resume': ({ id }) =>
      Object.assign(found(runs, id), { state: 'running', stoppedBy: null }),
    'tuning:apply': ({ id, to }) => Object.assign(found(runs, id), { appliesTo: to }),
    'tuning:list': () => runs,
    'tuning:result': () => null,
    'tuning:export': () => '',
    'tuning:forget': ({ id }) => void runs.splice(runs.indexOf(found(runs, id)), 1),
  }
}

interface Wanted {
  routerId: string
  count?: number | undefined
  judge?: string | null | undefined
}

function planOf(scene: Scene, { routerId, count = 100, judge = null }: Wanted): TuningPlan {
  const router = found(scene.routers, routerId)
  const chosen = Math.min(count, 150)
  return {
    routerId,
    routerName: router.name,
    models: router.models,
    leftOut: [],
    judge,
    prompts: { found: 150, duplicates: 0, ungradable: 0, chosen, checked: chosen, judged: 0 },
    cost: { lowUsd: 0.31, expectedUsd: 0.52, highestUsd: 4.8 },
    leastCapUsd: 0.06,
    expectedMs: 240_000,
    notes: [],
  }
}

function runOf(
  { routerId, routerName, models, judge, prompts: { chosen } }: TuningPlan,
  { id, from, capUsd }: Pick<TuningRun, 'id' | 'from' | 'capUsd'>,
): TuningRun {
  return {
    id,
    routerId,
    routerName,
    from,
    fileName: null,
    state: 'running',
    stoppedBy: null,
    message: null,
    createdAtMs: Date.now(),
    endedAtMs: null,
    judge,
    models,
    appliesTo: 'all',
    prompts: { total: chosen, graded: 0, ungraded: 0 },
    requests: { answered: 0, failed: 0, lost: 0 },
    capUsd,
    spentUsd: 0,
    reservedUsd: 0,
    leftUsd: capUsd,
    leftMs: null,
  }
}
