/** The judged prompts of tuning runs. Routing's knowledge is recomputed from these rows. */
import type { AppliesTo, JudgedPrompt } from '../../shared/tuning/tuning.ts'

export interface StoredJudgedPrompt extends JudgedPrompt {
  /** The router whose tuning run asked it. Removing the router keeps its rows. */
  routerId: string
  appliesTo: AppliesTo
}

/** Whether the router learns from the prompt. */
export function teaches({ appliesTo, routerId }: StoredJudgedPrompt, router: string): boolean {
  return appliesTo === 'all' || (appliesTo === 'router' && routerId === router)
}

export interface JudgedPromptStore {
  /** Adds the prompts, or replaces those with the same ids. */
  add(routerId: string, prompts: readonly JudgedPrompt[]): Promise<void>
  /** Judged prompts of all routers, oldest first. */
  list(): Promise<StoredJudgedPrompt[]>
  /** Deletes the prompts with these ids; others stay. */
  remove(ids: readonly string[]): Promise<void>
  /**
   * Deletes a model's answers, for a name that now refers to another model, and the prompts that no other model
   * answered. Resolves false when there were none.
   */
  forgetModel(modelId: string): Promise<boolean>
  /**
   * Sets which routers learn from a run: from the prompts that it has now and gets later.
   * @param runId  `shadow-<router>` for the samples of a router
   */
  apply(runId: string, appliesTo: AppliesTo): Promise<void>
  /** The runs that do not apply to all routers. */
  applied(): Promise<Map<string, AppliesTo>>
  /** Every change by any process increases it. */
  version(): Promise<number>
}
