/** The suite that every implementation of `Storage` must pass. */
import { afterEach, beforeEach, describe } from 'vitest'
import type { Storage } from '../../src/service/storage/storage.ts'
import { describeLedger, describeQuota, describeUsage } from './describe-accounts.ts'
import { describeAgents, describeExecutions } from './describe-agents.ts'
import { describeBudgetAlerts } from './describe-budget-alerts.ts'
import { describeBudgets } from './describe-budgets.ts'
import { describeApiKeys, describeConfiguration } from './describe-configuration.ts'
import { describeContents } from './describe-contents.ts'
import { describeConversations } from './describe-conversations.ts'
import { describeIdempotency } from './describe-idempotency.ts'
import { describeFeedback } from './describe-feedback.ts'
import { describeJudgedPrompts } from './describe-judged-prompts.ts'
import { describeChanges, describeMaintenance } from './describe-maintenance.ts'
import { describeMcp } from './describe-mcp.ts'
import { describeRefusals } from './describe-refusals.ts'
import { describeSessionProofs } from './describe-session-proofs.ts'
import { describeSessions } from './describe-sessions.ts'
import { describeUnexpectedCalls } from './describe-unexpected-calls.ts'
import { describeRetention } from './describe-retention.ts'
import { describeShadowSamples } from './describe-shadow-samples.ts'
import { describeStatistics } from './describe-statistics.ts'

interface TestedEngine {
  name: string
  /** A new, empty storage for each test; the suite closes it. */
  open(): Promise<Storage>
  /** Whether the tested server waits for the disk. */
  isDurable: boolean
}

export function describeStorage({ name, open, isDurable }: TestedEngine): void {
  describe(`Storage: ${name}`, () => {
    let storage: Storage
    beforeEach(async () => {
      storage = await open()
    })
    afterEach(() => storage.close())

    describe('configuration', () => {
      describeConfiguration(() => storage)
    })
    describe('several changes at once', () => {
      describeChanges(() => storage)
    })
    describe('maintenance', () => {
      describeMaintenance(() => storage, isDurable)
    })
    describe('API keys', () => {
      describeApiKeys(() => storage)
    })
    describe('agents', () => {
      describeAgents(() => storage)
    })
    describe('executions', () => {
      describeExecutions(() => storage)
    })
    describe('quota', () => {
      describeQuota(() => storage)
    })
    describe('budgets', () => {
      describeBudgets(() => storage)
    })
    describe('alerts about budgets', () => {
      describeBudgetAlerts(() => storage)
    })
    describe('idempotency keys', () => {
      describeIdempotency(() => storage)
    })
    describe('ledger', () => {
      describeLedger(() => storage)
    })
    describe('usage', () => {
      describeUsage(() => storage)
    })
    describe('retention', () => {
      describeRetention(() => storage)
    })
    describe('contents of requests', () => {
      describeContents(() => storage)
    })
    describe('model statistics', () => {
      describeStatistics(() => storage)
    })
    describe('feedback', () => {
      describeFeedback(() => storage)
    })
    describe('judged prompts', () => {
      describeJudgedPrompts(() => storage)
    })
    describe('shadow samples', () => {
      describeShadowSamples(() => storage)
    })
    describe('MCP servers', () => {
      describeMcp(() => storage)
    })
    describe('refusals', () => {
      describeRefusals(() => storage)
    })
    describe('sessions', () => {
      describeSessions(() => storage)
      describeSessionProofs(() => storage)
    })
    describe('unexpected calls', () => {
      describeUnexpectedCalls(() => storage)
    })
    describe('conversations', () => {
      describeConversations(() => storage)
    })
  })
}
