/** Evidence of the model that really answered, as the running service collected it. Sends no request. */
import type { Command } from 'commander'
import { answerChecks, probeSettingSchema, type Finding } from '../../shared/requests/finding.ts'
import { findingWords } from '../../shared/requests/finding-words.ts'
import type { ModelEvidence } from '../wiring/findings.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import type { Columns } from './output.ts'

interface CheckOptions {
  dismiss?: string
  restore?: string
}

interface CheckedModel {
  modelId: string
  answers: number
  /** Answers that could be compared, by check. */
  compared: Record<string, number>
  fingerprints: ModelEvidence['fingerprints']
  findings: Finding[]
}

const columns: Columns<CheckedModel> = {
  MODEL: ({ modelId }) => modelId,
  ANSWERS: ({ answers }) => answers,
  NAMES: ({ compared }) => compared['named'] ?? 0,
  TOKENS: ({ compared }) => compared['promptTokens'] ?? 0,
  REASONING: ({ compared }) => compared['reasoning'] ?? 0,
  LOGPROBS: ({ compared }) => compared['logprobs'] ?? 0,
  FINGERPRINTS: ({ fingerprints }) => fingerprints.length,
  FINDINGS: ({ findings }) => findings.map(wordsOf).join(' '),
}

/** The help of all commands needs neither the catalogue nor what sends requests. */
const loadFindings = () => import('../wiring/findings.ts')

export function registerCheck(provider: Command, cli: Cli): void {
  provider
    .command('check [id]')
    .description('show what answers of providers were compared with, and what was found')
    .option('--dismiss <finding>', 'dismiss a finding, by its id in --json')
    .option('--restore <finding>', 'open a dismissed finding again')
    .action((id: string | undefined, options: CheckOptions) =>
      cli.inWorkspace(async (workspace) => {
        const { openFindings, readEvidence } = await loadFindings()
        const findings = openFindings(workspace)
        const changed = options.dismiss ?? options.restore
        if (changed !== undefined) {
          const isDismissed = options.dismiss !== undefined
          if (!(await findings.dismiss({ id: changed, isDismissed })))
            throw new CommandFailed(`There is no finding "${changed}".`)
          const words = isDismissed ? 'Dismissed' : 'Opened'
          return cli.output.done({ id: changed, isDismissed }, `${words} ${changed}.`)
        }
        if (id !== undefined && !workspace.configuration.current().providers.has(id))
          throw new CommandFailed(`There is no provider "${id}".`)
        const all = checkedModels(
          await readEvidence(workspace.storage.findings),
          await findings.list(),
        )
        const shown = all.filter(({ modelId }) => id === undefined || modelId.startsWith(`${id}:`))
        return cli.output.table(shown, columns)
      }),
    )
}

interface ProbeOptions {
  capUsdPerDay?: string
  off?: true
}

export function registerProbe(provider: Command, cli: Cli): void {
  provider
    .command('probe <id>')
    .description('send one short request a day to compare its answer; off unless switched on')
    .option('--cap-usd-per-day <usd>', 'switch it on: a probe that could cost more is not sent')
    .option('--off', 'switch it off')
    .action((id: string, { capUsdPerDay, off }: ProbeOptions) =>
      cli.inWorkspace(async (workspace) => {
        if ((capUsdPerDay === undefined) === (off === undefined))
          throw new UsageError('Give --cap-usd-per-day or --off.')
        if (!workspace.configuration.current().providers.has(id))
          throw new CommandFailed(`There is no provider "${id}".`)
        const cap = off ? null : Number(capUsdPerDay)
        const setting = probeSettingSchema.safeParse({ providerId: id, capUsdPerDay: cap })
        if (!setting.success)
          throw new UsageError(`--cap-usd-per-day: ${setting.error.issues[0]?.message}.`)
        const { openFindings } = await loadFindings()
        await openFindings(workspace).setProbe(setting.data)
        const words = off ? `The daily probe of ${id} is off.` : `The daily probe of ${id} is on.`
        cli.output.done(setting.data, words)
      }),
    )
}

function checkedModels(
  evidence: ReadonlyMap<string, ModelEvidence>,
  findings: readonly Finding[],
): CheckedModel[] {
  return [...evidence].map(([modelId, { answers, tests, fingerprints }]) => {
    const compared = answerChecks.map((check) => {
      const count = tests[check].answersByHour.reduce((sum, hour) => sum + hour)
      return [check, count] as const
    })
    const own = findings.filter(
      ({ kind, evidence: found }) =>
        kind === 'answers' && 'modelId' in found && found.modelId === modelId,
    )
    return { modelId, answers, compared: Object.fromEntries(compared), fingerprints, findings: own }
  })
}

function wordsOf(finding: Finding): string {
  const words = findingWords(finding)
  return finding.dismissedAtMs === null ? words : `(dismissed) ${words}`
}
