import type { Command } from 'commander'
import type { Execution } from '../../shared/agents/agent.ts'
import { formatUsd } from '../../shared/strings/format.ts'
import type { StoredAgent } from '../storage/storage.ts'
import { CommandFailed, type Cli } from './cli.ts'
import { readWholeNumber } from './option-values.ts'
import type { Columns } from './output.ts'
import { readTextFile } from './read-file.ts'

const columns: Columns<Omit<StoredAgent, 'source'>> = {
  AGENT: ({ slug }) => slug,
  VERSION: ({ version }) => version,
  CHANGED: ({ updatedAtMs }) => new Date(updatedAtMs).toISOString(),
}

const runColumns: Columns<Execution> = {
  STARTED: ({ startedAtMs }) => new Date(startedAtMs).toISOString(),
  EXECUTION: ({ id }) => id,
  VERSION: ({ agentVersion }) => agentVersion,
  STATE: ({ state }) => state,
  STATUS: ({ status }) => status,
  STEPS: ({ steps }) => steps,
  MS: ({ latencyMs }) => latencyMs && Math.round(latencyMs),
  USD: ({ costNanoUsd }) => (costNanoUsd / 1e9).toFixed(6),
  MODELS: ({ models }) => models.join(' '),
  ERROR: ({ errorCode, failedStep }) => [failedStep, errorCode].filter(Boolean).join(': '),
}

export function registerAgent(program: Command, cli: Cli): void {
  const agent = program
    .command('agent')
    .description('run and manage agents (workflows of model requests)')
  agent
    .command('apply <file>')
    .description('create or update an agent from a YAML or JSON file; - reads stdin')
    .action(async (file: string) => {
      const source = await readTextFile(file, cli)
      await cli.inWorkspace(async ({ dashboard }) => {
        const { slug, version } = await dashboard.applyAgent(source)
        cli.output.done({ slug, version }, `agent:${slug} is version ${version}.`)
      })
    })
  agent
    .command('list')
    .description('list agents')
    .action(() =>
      cli.inWorkspace(async ({ dashboard }) => {
        const agents = (await dashboard.agents()).map(({ source: _source, ...rest }) => rest)
        cli.output.table(agents, columns)
      }),
    )
  registerShow(agent, cli)
  agent
    .command('remove <slug>')
    .description('remove an agent; its runs stay in the ledger')
    .action((slug: string) =>
      cli.inWorkspace(async ({ dashboard }) => {
        await dashboard.removeAgent(slug)
        cli.output.done({ slug }, `Removed agent:${slug}.`)
      }),
    )
  registerRun(agent, cli)
}

interface ShowOptions {
  version?: number
  runs?: number
}

function registerShow(agent: Command, cli: Cli): void {
  agent
    .command('show <slug>')
    .description('print an agent’s source, or list its latest runs')
    .option('--version <number>', 'show this version (default: the newest)', readWholeNumber)
    .option('--runs <number>', 'list this many of its latest runs instead', readWholeNumber)
    .action((slug: string, { version, runs }: ShowOptions) =>
      cli.inWorkspace(async ({ dashboard, storage }) => {
        if (runs !== undefined) {
          const executions = await storage.executions.list({ agent: slug, limit: runs })
          cli.output.table(executions, runColumns)
          return
        }
        const versions = await dashboard.agentVersions(slug)
        const found =
          version === undefined
            ? versions.at(-1)
            : versions.find((each) => each.version === version)
        if (!found) throw new CommandFailed(`There is no agent ${slug} of this version.`)
        cli.output.text({ slug, ...found }, found.source)
      }),
    )
}

interface RunOptions {
  router: string
  input: string
}

function registerRun(agent: Command, cli: Cli): void {
  agent
    .command('run <slug>')
    .description('run an agent once and print its answer')
    .requiredOption('--router <id>', 'the router that its steps use')
    .requiredOption('--input <text>', 'the input; - reads stdin')
    .action(async (slug: string, { router, input }: RunOptions) => {
      const text = input === '-' ? await readTextFile('-', cli) : input
      await cli.inWorkspace(async (workspace) => {
        const controller = new AbortController()
        const end = () => controller.abort()
        process.once('SIGINT', end)
        // Loaded here, because no other command needs the request path.
        const { runAgent } = await import('../wiring/run-agent.ts')
        const finished = await runAgent(workspace, {
          slug,
          routerId: router,
          input: text,
          watch: {
            onStep: ({ stepId, outcome, tookMs }) =>
              cli.output.note(`${stepId}: ${outcome} after ${Math.round(tookMs)} ms`),
            onAnswer: ({ question, row }) =>
              cli.output.note(
                `${question.stepId}: ${row.modelUsed ?? 'no model'}, ${formatUsd(row.costNanoUsd / 1e9)}`,
              ),
          },
          signal: controller.signal,
        }).finally(() => process.off('SIGINT', end))
        cli.output.text({ text: finished.text, ...finished.meta }, harmless(finished.text))
      })
    })
}

/** A model's text without characters that control the terminal. */
function harmless(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}|[\u202A-\u202E\u2066-\u2069]/gu, '?')
}
