import { basename } from 'node:path'
import { Option, type Command } from 'commander'
import { formatUsd } from '../../shared/strings/format.ts'
import {
  defaultPrompts,
  leastPrompts,
  mostPrompts,
  type PromptSource,
  type TuningPlanInput,
  type TuningRun,
} from '../../shared/tuning/tuning-run.ts'
import { appliesToNames, type AppliesTo } from '../../shared/tuning/tuning.ts'
import type { Tuning } from '../tuning/tuning.ts'
import type { Workspace } from '../wiring/workspace.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import { confirm } from './confirm.ts'
import { readUsd, readWholeNumber } from './option-values.ts'
import { readTextFile } from './read-file.ts'
import { appliesText, planText, progressText, resultText, runColumns } from './tune-text.ts'

interface TuneOptions {
  router?: string
  prompts: string
  count: number
  judge?: string
  maxTokens?: number
  consent?: true
  cap?: number
  yes?: true
}

const mostBytes = 20 * 1024 * 1024

export function registerTune(program: Command, cli: Cli): void {
  const tune = program
    .command('tune')
    .description('measure a router’s models on prompts, so that routing learns their strengths')
    .option('--router <id>', 'the router whose models are measured')
    .option(
      '--prompts <source>',
      'starter, requests, conversations, or a file; - reads stdin',
      'starter',
    )
    .option(
      '--count <number>',
      `how many prompts, ${leastPrompts} to ${mostPrompts}`,
      readWholeNumber,
      defaultPrompts,
    )
    .option('--judge <model>', 'the model that grades answers without a check')
    .option(
      '--max-tokens <number>',
      'the longest answer, in tokens (default: by model)',
      readWholeNumber,
    )
    .option('--consent', 'send stored requests or conversations to all models of the router')
    .option('--cap <usd>', 'spend no more than this; without it, only the plan is shown', readUsd)
    .option('--yes', 'start without confirmation')
    .action((options: TuneOptions) => startRun(options, cli))
  registerRuns(tune, cli)
  registerResume(tune, cli)
}

async function startRun(options: TuneOptions, cli: Cli): Promise<void> {
  const input = await planInput(options, cli)
  const { cap: capUsd, yes } = options
  await inTuning(cli, async (tuning, workspace) => {
    const plan = await tuning.plan(input)
    if (capUsd === undefined) {
      cli.output.text(plan, planText(plan))
      cli.output.note('Nothing was sent. Add --cap USD to start.')
      return
    }
    cli.output.note(planText(plan))
    if (!yes) await confirm(`Spend at most ${formatUsd(capUsd)}?`, cli)
    const { id } = await tuning.start({ ...input, capUsd })
    await follow(id, { tuning, workspace, cli })
  })
}

/** @throws UsageError, CommandFailed */
async function planInput(options: TuneOptions, cli: Cli): Promise<TuningPlanInput> {
  const { router: routerId, count, judge, maxTokens } = options
  if (routerId === undefined) throw new UsageError('Name the router: --router ID')
  const prompts = await promptSource(options, cli)
  return { routerId, prompts, count, judge: judge ?? null, maxAnswerTokens: maxTokens ?? null }
}

async function promptSource({ prompts, consent }: TuneOptions, cli: Cli): Promise<PromptSource> {
  switch (prompts) {
    case 'starter':
      return { from: 'starter' }
    case 'requests':
    case 'conversations':
      if (consent) return { from: prompts, consent }
      throw new UsageError(
        `This sends stored ${prompts} of the router to all its models. Add --consent to agree.`,
      )
    default:
      return {
        from: 'file',
        name: prompts === '-' ? 'stdin' : basename(prompts),
        text: await readTextFile(prompts, cli, mostBytes),
      }
  }
}

function registerRuns(tune: Command, cli: Cli): void {
  tune
    .command('list')
    .description('list the runs, newest first')
    .action(() =>
      inTuning(cli, async (tuning) => cli.output.table(await tuning.list(), runColumns)),
    )
  tune
    .command('status [run]')
    .description('show a run’s progress (default: the newest)')
    .action((given?: string) =>
      inTuning(cli, async (tuning) => {
        const run = await runOf(tuning, given)
        cli.output.record(run, runColumns)
        if (run.message !== null) cli.output.note(run.message)
      }),
    )
  tune
    .command('stop [run]')
    .description('send no more requests; a stopped run can be resumed')
    .action((given?: string) =>
      inTuning(cli, async (tuning) => {
        const { id } = await tuning.stop((await runOf(tuning, given)).id)
        cli.output.done({ id }, `The run ${id} stops.`)
      }),
    )
  registerApply(tune, cli)
  registerResults(tune, cli)
}

function registerApply(tune: Command, cli: Cli): void {
  tune
    .command('apply [run]')
    .description('choose which routers learn from a run (default: the newest)')
    .addOption(
      new Option('--to <routers>', 'all routers, only the router of the run, or none')
        .choices(appliesToNames)
        .makeOptionMandatory(),
    )
    .action((given: string | undefined, { to }: { to: AppliesTo }) =>
      inTuning(cli, async (tuning) => {
        const run = await tuning.apply({ id: (await runOf(tuning, given)).id, to })
        cli.output.done({ id: run.id, appliesTo: run.appliesTo }, appliesText(run))
      }),
    )
}

function registerResults(tune: Command, cli: Cli): void {
  tune
    .command('result [run]')
    .description('show a run’s result (default: the newest)')
    .action((given?: string) =>
      inTuning(cli, async (tuning) => printResult(tuning, (await runOf(tuning, given)).id, cli)),
    )
  tune
    .command('export [run]')
    .description('print the judged prompts of a run as JSON lines: numbers, no texts')
    .action((given?: string) =>
      inTuning(cli, async (tuning) => {
        const { id } = await runOf(tuning, given)
        for (const prompt of await tuning.export(id)) cli.output.json(prompt)
      }),
    )
  tune
    .command('forget <run>')
    .description('delete a run and what routing learned from it')
    .option('--yes', 'delete without confirmation')
    .action((given: string, _options: unknown, command: Command) =>
      inTuning(cli, async (tuning) => {
        const { id } = await runOf(tuning, given)
        const { yes } = command.optsWithGlobals<{ yes?: true }>()
        if (!yes) await confirm(`Delete the run ${id} and what routing learned from it?`, cli)
        await tuning.forget(id)
        cli.output.done({ id }, `Deleted the run ${id}.`)
      }),
    )
}

function registerResume(tune: Command, cli: Cli): void {
  tune
    .command('resume [run]')
    .description('continue a run; no request is sent twice')
    .option('--cap <usd>', 'replace the cap', readUsd)
    .action((given: string | undefined, _options: unknown, command: Command) =>
      inTuning(cli, async (tuning, workspace) => {
        const { cap: capUsd } = command.optsWithGlobals<{ cap?: number }>()
        const { id } = await runOf(tuning, given)
        await tuning.resume({ id, ...(capUsd !== undefined && { capUsd }) })
        await follow(id, { tuning, workspace, cli })
      }),
    )
}

/** Runs work with the request path, which is loaded here because few commands need it. */
async function inTuning(
  cli: Cli,
  work: (tuning: Tuning, workspace: Workspace) => Promise<void>,
): Promise<void> {
  await cli.inWorkspace(async (workspace) => {
    const { withTuning } = await import('../wiring/tuning-for-commands.ts')
    await withTuning(workspace, (tuning) => work(tuning, workspace))
  })
}

/** @throws CommandFailed without any run */
async function runOf(tuning: Tuning, id: string | undefined): Promise<TuningRun> {
  if (id !== undefined) return await tuning.get(id)
  const [newest] = await tuning.list()
  if (newest === undefined) throw new CommandFailed('There is no run. Start one: modelport tune')
  return newest
}

interface Following {
  tuning: Tuning
  workspace: Workspace
  cli: Cli
}

/** Shows the progress until the run has ended, then its result. The first Ctrl-C stops the run. */
async function follow(id: string, { tuning, workspace, cli }: Following): Promise<void> {
  let shown = -1
  const unsubscribe = workspace.events.on('tuning', (run) => {
    const tenth = Math.floor((10 * endedPrompts(run)) / run.prompts.total)
    if (run.id !== id || tenth <= shown) return
    shown = tenth
    cli.output.note(progressText(run))
  })
  const stop = () => void tuning.stop(id)
  process.once('SIGINT', stop)
  try {
    await tuning.ended(id)
  } finally {
    process.off('SIGINT', stop)
    unsubscribe()
  }
  await printResult(tuning, id, cli)
}

function endedPrompts({ prompts: { graded, ungraded } }: TuningRun): number {
  return graded + ungraded
}

/** @throws CommandFailed while there is no result */
async function printResult(tuning: Tuning, id: string, { output }: Cli): Promise<void> {
  const result = await tuning.result(id)
  if (result === null) {
    const { message } = await tuning.get(id)
    throw new CommandFailed(message ?? `The run ${id} has no result yet.`)
  }
  output.text(result, resultText(result))
}
