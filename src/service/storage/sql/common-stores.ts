/** The stores whose statements are the same on every engine, over one connection. */
import { openBudgetAlerts } from './budget-alerts.ts'
import { openConfiguration } from './configuration.ts'
import { openContents } from './contents.ts'
import { openConversations } from './conversations.ts'
import { openExecutions } from './executions.ts'
import { openFeedback } from './feedback.ts'
import { openFindings } from './findings.ts'
import { openJudgedPrompts } from './judged-prompts.ts'
import { openMcp } from './mcp.ts'
import { openRefusals } from './refusals.ts'
import { openSessionProofs } from './session-proofs.ts'
import { openShadowSamples } from './shadow-samples.ts'
import type { Sql } from './sql.ts'
import { openModelStatistics, openRouterStatistics } from './statistics.ts'
import { openTuningRuns } from './tuning-runs.ts'
import { openUnexpectedCalls } from './unexpected-calls.ts'

export function openCommonStores(sql: Sql) {
  return {
    budgetAlerts: openBudgetAlerts(sql),
    configuration: openConfiguration(sql),
    contents: openContents(sql),
    conversations: openConversations(sql),
    executions: openExecutions(sql),
    feedback: openFeedback(sql),
    findings: openFindings(sql),
    judgedPrompts: openJudgedPrompts(sql),
    mcp: openMcp(sql),
    refusals: openRefusals(sql),
    shadowSamples: openShadowSamples(sql),
    sessionProofs: openSessionProofs(sql),
    modelStatistics: openModelStatistics(sql),
    routerStatistics: openRouterStatistics(sql),
    tuningRuns: openTuningRuns(sql),
    unexpectedCalls: openUnexpectedCalls(sql),
  }
}
