import { create } from 'zustand'
import type {
  TuningApplyInput,
  TuningResult,
  TuningRun,
  TuningStartInput,
} from '../../../shared/tuning/tuning-run.ts'
import { call, toCallError, type CallError } from './client.ts'
import { createListStore } from './list.ts'

/** All runs, newest first, those of the command line too. */
export const useTuningRuns = createListStore(() => call('tuning:list'))

/** Shows a run as it is now: updates it in the list, or adds it at the top. */
export function noteTuningRun(run: TuningRun): void {
  const { items } = useTuningRuns.getState()
  if (items === null) return
  const isListed = items.some(({ id }) => id === run.id)
  useTuningRuns.setState({
    items: isListed ? items.map((one) => (one.id === run.id ? run : one)) : [run, ...items],
  })
}

/** @throws CallError with the invalid field */
export async function startRun(input: TuningStartInput): Promise<TuningRun> {
  const run = await call('tuning:start', input)
  noteTuningRun(run)
  return run
}

/** Sends no more requests; those under way end. @throws CallError */
export async function stopRun(id: string): Promise<void> {
  noteTuningRun(await call('tuning:stop', { id }))
}

/** @param capUsd  replaces the cap; null keeps it. @throws CallError */
export async function resumeRun(id: string, capUsd: number | null): Promise<void> {
  noteTuningRun(await call('tuning:resume', { id, ...(capUsd !== null && { capUsd }) }))
}

/** Sets which routers learn from a run, and loads what its router expects with that. @throws CallError */
export async function applyRun(input: TuningApplyInput): Promise<void> {
  noteTuningRun(await call('tuning:apply', input))
  await loadTuningResult(input.id)
}

/** Deletes a run and what routing learned from it. @throws CallError */
export async function removeRun(id: string): Promise<void> {
  await call('tuning:forget', { id })
  useTuningResults.setState(({ [id]: _gone, ...others }) => others, true)
  await useTuningRuns.getState().load()
}

/** JSON Lines with the judged prompts of a run: numbers, no texts. @throws CallError */
export async function readJudgedPrompts(id: string): Promise<string> {
  return await call('tuning:export', { id })
}

/** The result of a run; null when it has none. */
export interface OpenResult {
  result: TuningResult | null
  error: CallError | null
}

/** Results by run id, for runs whose page was opened. */
export const useTuningResults = create<Record<string, OpenResult>>(() => ({}))

/** Loads the result of a run. Never rejects. */
export async function loadTuningResult(id: string): Promise<void> {
  const opened = await call('tuning:result', { id }).then(
    (result): OpenResult => ({ result, error: null }),
    (error: unknown): OpenResult => ({ result: null, error: toCallError(error) }),
  )
  useTuningResults.setState({ [id]: opened })
}
