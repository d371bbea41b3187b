/** The judged prompts of tuning runs. Routing's knowledge is recomputed from these rows. */
import type { JudgedPrompt } from '../../shared/tuning/tuning.ts'

export interface StoredJudgedPrompt extends JudgedPrompt {
  /** The router whose tuning run asked it. Removing the router keeps its rows. */
  routerId: string
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
  /** Every change by any process increases it. */
  version(): Promise<number>
}
