import { formatQualityRange } from '../../shared/models/quality-words.ts'
import type { Command } from 'commander'
import type { ChatMessage, ChatRequest } from '../../shared/chat/chat.ts'
import {
  formatDuration,
  formatGrams,
  formatModelAt,
  formatUsd,
} from '../../shared/strings/format.ts'
import type { Preview } from '../../shared/routers/preview.ts'
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import { UsageError, type Cli } from './cli.ts'
import { readWholeNumber } from './option-values.ts'
import { tableLines, withoutControls, type Columns } from './output.ts'
import { readTextFile } from './read-file.ts'

interface ExplainOptions {
  router?: string
  system?: string
  maxTokens?: number
}

type RankedModel = Preview['decision']['ranked'][number]

const columns: Columns<RankedModel> = {
  MODEL: ({ model, effort }) => formatModelAt(model, effort),
  QUALITY: ({ estimate }) => formatQualityRange(estimate.quality, estimate.qualityHalfWidth),
  COST: ({ estimate }) => formatUsd(estimate.costNanoUsd / 1e9),
  TIME: ({ estimate }) =>
    estimate.latencySource === 'assumed' ? null : formatDuration(estimate.latencyMs),
  CO2E: ({ estimate }) => formatGrams(estimate.micrograms / 1e6),
}

const excludedColumns: Columns<Preview['decision']['excluded'][number]> = {
  EXCLUDED: ({ model }) => model,
  REASON: ({ reason }) => reason,
}

export function registerExplain(program: Command, cli: Cli): void {
  program
    .command('explain <prompt>')
    .description('show which model a router would choose for a prompt, and why; calls no model')
    .option('--router <id>', 'the router (default: the only one)')
    .option('--system <text>', 'the system prompt')
    .option('--max-tokens <number>', 'the longest answer, in tokens', readWholeNumber)
    .action(async (prompt: string, { router, ...options }: ExplainOptions) => {
      const text = prompt === '-' ? await readTextFile('-', cli) : prompt
      if (text.trim() === '') throw new UsageError('The prompt is empty.')
      await cli.inWorkspace(async (workspace) => {
        const id = router ?? onlyRouter(workspace.configuration.current())
        // Loaded here, because few commands need the request path.
        const { previewPrompt } = await import('../wiring/preview-prompt.ts')
        const preview = await previewPrompt(workspace, id, requestOf(text, options))
        cli.output.text(preview, previewText(preview))
        cli.output.note('These are estimates: no request was sent.')
      })
    })
}

/** @throws UsageError unless there is exactly one router */
function onlyRouter({ routers }: Pick<ConfigurationIndex, 'routers'>): string {
  const [only, ...others] = routers.values()
  if (only !== undefined && others.length === 0) return only.id
  if (only === undefined) throw new UsageError('There is no router. Create one: router create')
  const known = [...routers.values()].map(({ id, name }) => `${id} (${name})`)
  throw new UsageError(`Name a router with --router: ${known.join(', ')}.`)
}

function requestOf(
  text: string,
  { system, maxTokens }: Pick<ExplainOptions, 'system' | 'maxTokens'>,
): ChatRequest {
  const messages: ChatMessage[] = [{ role: 'user', content: text }]
  if (system !== undefined) messages.unshift({ role: 'system', content: system })
  return { messages, ...(maxTokens !== undefined && { max_tokens: maxTokens }) }
}

/** The model, the reason and the expected figures, then all candidates. */
export function previewText(preview: Preview): string {
  const { model, effort, why, flip, decision } = preview
  const lines = [
    formatModelAt(model, effort),
    why,
    ...(flip === null ? [] : [`${capitalized(flip)}.`]),
    expectedLine(preview),
    ...notes(preview),
  ].map(withoutControls)
  const tables = [tableLines(decision.ranked, columns)]
  if (decision.excluded.length > 0) tables.push(tableLines(decision.excluded, excludedColumns))
  return [lines, ...tables].map((part) => part.join('\n')).join('\n\n')
}

function expectedLine({ expected }: Preview): string {
  const { costUsd, costP90Usd, quality, qualityHalfWidth, carbonGrams, outputTokens } = expected
  const time =
    expected.latencySource === 'assumed'
      ? 'time not measured yet'
      : `${formatDuration(expected.latencyMs)} (one in twenty over ${formatDuration(expected.latencyP95Ms)})`
  return `Expected: ${[
    `${formatUsd(costUsd)} (one in ten over ${formatUsd(costP90Usd)})`,
    time,
    `quality ${formatQualityRange(quality, qualityHalfWidth)}`,
    `CO2e ${formatGrams(carbonGrams)}`,
    `${outputTokens} output tokens`,
  ].join(', ')}.`
}

/** Reasons for which a real request may differ. */
function notes({ explorationShare, mayHedge }: Preview): string[] {
  return [
    ...(explorationShare > 0
      ? [`${explorationShare * 100} % of such requests go to another good enough model, at random.`]
      : []),
    ...(mayHedge ? ['A second model may be tried while the first is slow.'] : []),
  ]
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
