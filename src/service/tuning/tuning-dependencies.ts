/** What tuning needs from the rest of the service. */
import type { ConversationMessage } from '../../shared/chat/conversations.ts'
import type { Router } from '../../shared/entities.ts'
import type { PromptCheck } from '../../shared/chat/prompt-check.ts'
import type { TuningRun } from '../../shared/tuning/tuning-run.ts'
import type { CompleteChat } from '../chat/chat-call.ts'
import type { ProviderError } from '../providers/provider.ts'
import type { Candidate, ModelKnowledge } from '../routing/candidate.ts'
import type { JudgedPromptStore } from '../storage/judged-prompt-store.ts'
import type { ConversationStore } from '../storage/conversation-store.ts'
import type { ContentStore } from '../storage/storage.ts'
import type { TuningRunStore } from '../storage/tuning-run-store.ts'
import type { ShadowRunsOptions } from './shadow/shadow-runs.ts'
import type { SourcePrompt } from './tuning-prompt.ts'

export interface TuningDependencies {
  store: TuningRunStore
  contents: Pick<ContentStore, 'ofRouter'>
  conversations: Pick<ConversationStore, 'list'> & {
    messages(id: string): Promise<ConversationMessage[]>
  }
  /** The prompts that ship with the program. */
  starterPrompts(): readonly SourcePrompt[]
  /** @returns 0 to 1 */
  gradeByCheck(check: PromptCheck, answer: string): Promise<number>
  shadowSamples: ShadowRunsOptions['store']
  /** What routing learns from. */
  judgedPrompts: Pick<JudgedPromptStore, 'add' | 'list' | 'remove' | 'apply' | 'applied'>
  routers(): ReadonlyMap<string, Router>
  candidatesOf(router: Router): Candidate[]
  /** Why it cannot be used until the user acts; null when it can. */
  outageOf(candidate: Candidate): ProviderError | null
  knowledgeOf(candidate: Candidate, routerId: string): ModelKnowledge
  completeChat: CompleteChat
  /** The id of this process, which no other process has. */
  holder: string
  newId(): string
  /** A random code that no text contains. */
  newFence(): string
  /** Random number from 0 to below 1. */
  random(): number
  wait(ms: number, signal: AbortSignal): Promise<void>
  now(): number
  /** Called when a run begins, after each prompt, and when it ends. */
  onChange(run: TuningRun): void
  /** Called with unexpected errors. */
  onBug(error: unknown): void
}
