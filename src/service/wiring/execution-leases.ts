/**
 * Marks the executions this process runs as its own, by a lease that it renews. An execution whose lease expired
 * belongs to a process that is gone: whichever process notices first marks it as interrupted. So several processes,
 * the service and `modelport agent run` beside it, can share a database without ending each other's executions.
 */
import type { Execution } from '../../shared/agents/agent.ts'
import { createIds } from '../ids.ts'
import { lookAfterChanges } from '../storage/look-again.ts'
import type { ExecutionStore } from '../storage/execution-store.ts'
import type { Storage } from '../storage/storage.ts'
import type { Workspace } from './workspace.ts'

const leaseMs = 6_000
/** While executions run. Two renewals may fail or be late before a lease expires. */
const renewEveryMs = 2_000

export interface ExecutionLeases {
  begin(execution: Execution): Promise<void>
  /** Ends the renewals; resolves when none is running. */
  close(): Promise<void>
}

export interface ExecutionLeaseOptions {
  executions: Pick<ExecutionStore, 'begin' | 'areRunning' | 'renewLeases' | 'interruptExpired'>
  onChange: Storage['onChange']
  /** The id of this process, which no other process has. */
  holder: string
  now(): number
  onError(error: unknown): void
}

export function connectExecutionLeases({ storage, log, now }: Workspace): ExecutionLeases {
  return startExecutionLeases({
    executions: storage.executions,
    onChange: storage.onChange,
    holder: createIds(now)(),
    now,
    onError: (error) => log.failed('execution leases', error),
  })
}

export function startExecutionLeases({
  executions,
  onChange,
  holder,
  now,
  onError,
}: ExecutionLeaseOptions): ExecutionLeases {
  const lease = () => ({ holder, expiresAtMs: now() + leaseMs })
  let renewing: Promise<void> = Promise.resolve()
  // A renewal is a change, so the next one follows until none is running.
  const renew = async () => {
    if (!(await executions.areRunning())) return
    // Its own leases first: a computer that slept wakes up with expired leases.
    await executions.renewLeases(lease())
    await executions.interruptExpired(now())
  }
  const looks = lookAfterChanges({
    onChange,
    periodMs: renewEveryMs,
    look: () => (renewing = renewing.catch(() => undefined).then(renew)),
    onError,
  })
  return {
    begin: (execution) => executions.begin(execution, lease()),
    close() {
      looks.stop()
      return renewing.catch(() => undefined)
    },
  }
}
