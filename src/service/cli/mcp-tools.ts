/** The tools of `modelport mcp`. Each says what it found in words and as data. */
import { join } from 'node:path'
import { z } from 'zod'
import { dailyLimitOf } from '../../shared/entities.ts'
import type { Budget } from '../../shared/routers/budget.ts'
import { previewSchema } from '../../shared/routers/preview.ts'
import { formatDuration, formatGrams, formatUsd } from '../../shared/strings/format.ts'
import { sha256OfKey } from '../api-key-format.ts'
import { CommandFailed, type Cli } from './cli.ts'
import { previewText } from './explain.ts'
import { tableLines } from './output.ts'
import { postChat, type OwnEndpoint } from './own-endpoint.ts'
import { usageColumns } from './usage.ts'

/** What the tools of one assistant work with. */
export interface ToolContext {
  cli: Cli
  routerId: string
  /** `mp_…` */
  apiKey: string
}

/** What a tool found. */
export interface Told {
  text: string
  data: Record<string, unknown>
}

export interface Question {
  prompt: string
  system?: string | undefined
  maxTokens?: number | undefined
  signal: AbortSignal
}

const dayMs = 24 * 3_600_000
const answerSchema = z.object({
  choices: z.array(z.object({ message: z.object({ content: z.string().nullable() }) })).min(1),
  _meta: z.object({
    modelUsed: z.string(),
    cost: z.number(),
    latencyMs: z.number(),
    carbonGrams: z.number(),
    routerDecision: z.string(),
  }),
})

/** @param model  undefined lets the router choose */
export async function askRouter(
  context: ToolContext,
  { model, ...question }: Question & { model?: string | undefined },
): Promise<Told> {
  const answer = await postChat(await endpointOf(context), toPost(question, model))
  const { choices, _meta } = answerSchema.parse(answer)
  const text = choices[0]?.message.content ?? ''
  const { modelUsed, cost, latencyMs, carbonGrams } = _meta
  const figures = [modelUsed, formatUsd(cost), formatDuration(latencyMs), formatGrams(carbonGrams)]
  return { text: `${text}\n\n(${figures.join(', ')} CO2e)`, data: { answer: text, ..._meta } }
}

/** One model that fails does not take the others' answers away. */
export async function compareModels(
  context: ToolContext,
  models: readonly string[],
  question: Question,
): Promise<Told> {
  const answers = await Promise.all(
    models.map(async (model) => {
      const { text, data } = await askRouter(context, { ...question, model }).catch(toFailure)
      return { text: `## ${model}\n\n${text}`, data: { model, ...data } }
    }),
  )
  question.signal.throwIfAborted()
  return {
    text: answers.map(({ text }) => text).join('\n\n'),
    data: { answers: answers.map(({ data }) => data) },
  }
}

function toFailure(error: unknown): Told {
  if (!(error instanceof CommandFailed)) throw error
  return { text: error.message, data: { error: error.message } }
}

/** The choice as the running service would make it now. */
export async function previewChoice(context: ToolContext, question: Question): Promise<Told> {
  const headers = { 'x-modelport-preview': 'true' }
  const answer = await postChat(await endpointOf(context), { ...toPost(question), headers })
  const preview = previewSchema.parse(answer)
  const { model, why, flip, expected } = preview
  return { text: previewText(preview), data: { model, why, flip, expected } }
}

export async function readSpending(
  { cli, routerId }: ToolContext,
  { days, by }: { days: number; by: 'model' | 'key' | 'day' },
): Promise<Told> {
  const rows = await cli.inWorkspace(({ storage, now }) =>
    storage.ledger.usage({ routerId, sinceMs: now() - days * dayMs, group: by }),
  )
  const text = rows.length === 0 ? 'No requests.' : tableLines(rows, usageColumns(by)).join('\n')
  return { text, data: { rows } }
}

/** What a router or a key may spend, and has spent in this UTC day and month. */
interface BudgetUse extends Budget {
  kind: 'router' | 'key'
  name: string
  spentUsdToday: number
  spentUsdThisMonth: number
}

export async function readBudget({ cli, routerId, apiKey }: ToolContext): Promise<Told> {
  return await cli.inWorkspace(async ({ configuration, storage, now }) => {
    const { routers, apiKeysBySha256, keyRotations } = configuration.current()
    const useOf = async (
      kind: BudgetUse['kind'],
      { name, budgetUsdPerDay, budgetUsdPerMonth }: Budget & { name: string },
      spenderIds: readonly [string, ...string[]],
    ): Promise<BudgetUse> => {
      const owner = { kind, id: spenderIds[0], spenderIds }
      await storage.budgets.read(owner, now())
      const figures = storage.budgets.known(owner, now())
      const spentUsdToday = (figures?.day.spentNanoUsd ?? 0) / 1e9
      const spentUsdThisMonth = (figures?.month.spentNanoUsd ?? 0) / 1e9
      return { kind, name, budgetUsdPerDay, spentUsdToday, budgetUsdPerMonth, spentUsdThisMonth }
    }
    const router = routers.get(routerId)
    const key = apiKeysBySha256.get(sha256OfKey(apiKey))
    const [firstKeyId, ...laterKeyIds] = (key && keyRotations.get(key.id)) ?? []
    const budgets = [
      ...(router ? [await useOf('router', router, [router.id])] : []),
      ...(key ? [await useOf('key', key, [firstKeyId ?? key.id, ...laterKeyIds])] : []),
    ]
    const sinceMs = Math.floor(now() / dayMs) * dayMs
    const dailyLimit = router ? dailyLimitOf(router) : null
    const [today] = await storage.ledger.usage({ routerId, sinceMs, group: 'router' })
    const day = new Date(sinceMs).toISOString().slice(0, 10)
    // The ledger also has requests that do not count, such as those of tuning runs, and the count has a service's lease.
    const counted =
      dailyLimit === null
        ? null
        : await storage.quota.take({ routerId, day, wanted: 0, limit: dailyLimit })
    const requestsToday = Math.min(counted?.used ?? Infinity, today?.requests ?? 0)
    const requests = `Requests of the router today: ${requestsToday} of ${dailyLimit ?? 'any number'}.`
    return {
      text: [...budgets.map(budgetLine), requests].join('\n'),
      data: { budgets, dailyLimit, requestsToday },
    }
  })
}

function budgetLine(use: BudgetUse): string {
  const of = (usd: number | null) => (usd === null ? 'without a budget' : `of ${formatUsd(usd)}`)
  const day = `${formatUsd(use.spentUsdToday)} today, ${of(use.budgetUsdPerDay)}`
  const month = `${formatUsd(use.spentUsdThisMonth)} this month, ${of(use.budgetUsdPerMonth)}`
  return `The ${use.kind} ${use.name}: ${day}; ${month}.`
}

/** @throws DashboardError when the router was deleted, or the port is not known yet */
async function endpointOf({ cli, routerId, apiKey }: ToolContext): Promise<OwnEndpoint> {
  const { baseUrl } = await cli.inWorkspace(({ dashboard }) => dashboard.connect.samples(routerId))
  return { baseUrl, caFile: join(cli.workspaceOptions().dataDir, 'tls', 'ca.pem'), apiKey }
}

function toPost(question: Question, model?: string) {
  const { prompt, system, maxTokens, signal } = question
  const messages = [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: prompt },
  ]
  return { body: { messages, model, max_tokens: maxTokens }, signal }
}
