/** A worker thread for code or bytes that nobody here wrote: no environment, limited memory and time. */
import { once } from 'node:events'
import { Worker, type ResourceLimits } from 'node:worker_threads'

export interface IsolatedRun {
  entry: URL
  name: string
  workerData: unknown
  limitMs: number
  resourceLimits: ResourceLimits
}

/** Why a worker gave no result. */
export class IsolatedRunFailed extends Error {
  override readonly name = 'IsolatedRunFailed'
  readonly isTooLong: boolean

  constructor(isTooLong: boolean, cause: unknown) {
    super(isTooLong ? 'it ran too long' : 'it ended without a result', { cause })
    this.isTooLong = isTooLong
  }
}

/** @returns the worker's only message. @throws IsolatedRunFailed */
export async function runIsolated({ entry, limitMs, ...options }: IsolatedRun): Promise<unknown> {
  const worker = new Worker(entry, {
    ...options,
    env: {},
    argv: [],
    stdin: false,
    stdout: true,
    stderr: true,
  })
  const limit = AbortSignal.timeout(limitMs)
  try {
    // Checked boundary: a message is one value of any kind.
    const [message] = (await once(worker, 'message', { signal: limit })) as [unknown]
    return message
  } catch (error) {
    throw new IsolatedRunFailed(limit.aborted, error)
  } finally {
    await worker.terminate()
  }
}
