/** What proves a router's rules for sessions: sessions without them, and steps that another model was asked as well. */
import type { ShadowOutcome, SplitSession } from '../../shared/requests/session-proof.ts'

/** Whether both models would do the same, and no word of either. */
export interface StoredShadowStep {
  id: string
  routerId: string
  /** The other model, `<provider>:<model_name>`. */
  model: string
  sessionId: string
  apiKeyId: string | null
  atMs: number
  outcome: ShadowOutcome
}

export interface SessionProofStore {
  /** @param most  how many of the router's are stored; older ones are deleted */
  addShadowStep(step: StoredShadowStep, most: number): Promise<void>
  /** Oldest first. */
  shadowSteps(): Promise<StoredShadowStep[]>
  /** Sessions with all requests since a time, none since another, and one side from first to last. */
  splitSessions(query: { sinceMs: number; endedBeforeMs: number }): Promise<SplitSession[]>
}
