import { ClockWatch } from '../../shared/app/clock-watch.ts'
import { lookEvery } from '../storage/look-again.ts'
import type { Workspace } from './workspace.ts'

const checkMs = 500

/** Tells when the clock was set or the computer woke up, because figures of a day are then those of another one. */
export function watchClock({ events, now }: Pick<Workspace, 'events' | 'now'>): { close(): void } {
  const watch = new ClockWatch(now, () => performance.now())
  const close = lookEvery(checkMs, () => {
    if (watch.look()) events.emit('clock', null)
  })
  return { close }
}
