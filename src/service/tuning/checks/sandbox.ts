/**
 * Runs code written by a model. It is untrusted: an interpreter compiled to WebAssembly (QuickJS) runs it in a worker
 * thread. WebAssembly has no access to the host beyond the functions it is given, and it is given none that reach
 * files, the network or processes. docs/decisions/2026-11-22-tuning-sandbox.md weighs the alternatives.
 */
import { IsolatedRunFailed, runIsolated } from '../../isolated-worker.ts'

export interface SandboxInput {
  code: string
  /** The function or class that the code must define. */
  entry: string
  /** Expressions, evaluated in order after the code. */
  runs: readonly string[]
}

export type CaseResult =
  /** Null for values that JSON has no form for, such as undefined. */
  { kind: 'value'; json: string | null } | { kind: 'threw'; message: string }

export type SandboxOutcome =
  | { kind: 'results'; results: readonly CaseResult[] }
  /** The code could not be run at all. `problem` is a sentence. */
  | { kind: 'failed'; problem: string }

export interface SandboxLimits {
  /**
   * The worker is terminated after this. The interpreter stops by itself much earlier, after a number of steps that is
   * the same on every machine; single built-in functions such as a huge `fill` are not interrupted by it.
   */
  runMs: number
  /** The interpreter asks this often whether to continue: 5,000 are some 25 million steps of a simple loop, about 2 s. */
  polls: number
}

const usualLimits: SandboxLimits = { runMs: 10_000, polls: 5_000 }

/** What the worker gets. */
export interface SandboxRun extends SandboxInput {
  mostPolls: number
}

/** Memory for the interpreter's host functions; the code's own memory is limited inside the worker. */
const resourceLimits = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 8, stackSizeMb: 16 }

/** One at a time: many at once would slow each other down until the time limit decides. */
let lastRun: Promise<unknown> = Promise.resolve()

/** Runs the code and the expressions. Never rejects because of what the code does. */
export async function runInSandbox(
  input: SandboxInput,
  limits: Partial<SandboxLimits> = {},
): Promise<SandboxOutcome> {
  const run = lastRun.then(() => runInWorker(input, { ...usualLimits, ...limits }))
  lastRun = run.catch(() => null)
  return run
}

async function runInWorker(
  input: SandboxInput,
  { runMs, polls }: SandboxLimits,
): Promise<SandboxOutcome> {
  const workerData: SandboxRun = { ...input, mostPolls: polls }
  const run = { entry: workerEntry(), name: 'code sandbox', workerData }
  try {
    // Checked boundary: the worker's only message is its outcome.
    return (await runIsolated({ ...run, limitMs: runMs, resourceLimits })) as SandboxOutcome
  } catch (error) {
    if (!(error instanceof IsolatedRunFailed)) throw error
    const problem = error.isTooLong ? 'The code ran too long.' : 'The code ended its sandbox.'
    return { kind: 'failed', problem }
  }
}

/** URL of the worker's file. In a checkout, the source runs directly; in a bundle, it is in this file's folder. */
function workerEntry(): URL {
  const entry = import.meta.url.endsWith('.ts') ? './sandbox-worker.ts' : './sandbox-worker.js'
  return new URL(entry, import.meta.url)
}
