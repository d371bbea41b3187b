/** Starts the service, again when the user asks for it, and knows why it could not start. */
import { startProblemOf, type Service } from '../service/service.ts'
import type { StartState } from '../shared/start-state.ts'

export interface ServiceHost {
  /** Resolves when a start succeeds; never rejects. */
  readonly started: Promise<Service>
  /** Resolves to the service once the current start has ended; null if it failed. */
  settled(): Promise<Service | null>
  state(): StartState
  /** Starts again after a failure; resolves to the new state. */
  retry(): Promise<StartState>
}

export interface ServiceHostOptions {
  dataDir: string
  start(): Promise<Service>
  /** Called with each new state. */
  onState(state: StartState): void
  /** Called with failures that nobody expected. */
  onBug(error: unknown): void
}

export function hostService({ dataDir, start, onState, onBug }: ServiceHostOptions): ServiceHost {
  const { promise: started, resolve } = Promise.withResolvers<Service>()
  let state: StartState = { status: 'starting' }
  const change = (next: StartState) => {
    state = next
    onState(state)
  }
  const tryToStart = async () => {
    try {
      const service = await start()
      resolve(service)
      change({ status: 'started' })
      return service
    } catch (error) {
      const failed = startProblemOf(error)
      if (failed.problem === 'unexpected') onBug(error)
      change({ status: 'failed', ...failed, dataDir })
      return null
    }
  }
  let attempt = tryToStart()
  return {
    started,
    settled: () => attempt,
    state: () => state,
    async retry() {
      if (state.status === 'failed') {
        change({ status: 'starting' })
        attempt = tryToStart()
      }
      await attempt
      return state
    },
  }
}
