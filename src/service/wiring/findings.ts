/** Findings about money and answers: the evidence of answers is read at the start and saved in the background. */
import {
  findingSchema,
  type AnswersEvidence,
  type Finding,
  type FindingDismissal,
  type ProbeSetting,
} from '../../shared/requests/finding.ts'
import { openNames, type NameVerdict } from '../catalog/same-model.ts'
import { AnswerChecks, type AnswersFinding } from '../chat/answer-checks/answer-checks.ts'
import { modelEvidenceSchema, type ModelEvidence } from '../chat/answer-checks/model-evidence.ts'
import type { FindingStore } from '../storage/finding-store.ts'
import type { CompleteChat } from '../chat/chat-call.ts'
import { readProbes, setProbe, startAnswerProbes, type AnswerProbes } from './answer-probes.ts'
import { AnsweredRows } from './answered-rows.ts'
import type { Workspace } from './workspace.ts'

export type { ModelEvidence } from '../chat/answer-checks/model-evidence.ts'

const saveMs = 30_000
const prefix = 'answers:'

export interface RunningAnswerChecks {
  checks: AnswerChecks
  rows: AnsweredRows
  /** Saves the evidence and reports findings, as it does every 30 seconds. */
  save(): Promise<void>
  /** Starts the daily probes that are switched on; they end with the checks. */
  startProbes(completeChat: CompleteChat): void
  close(): Promise<void>
}

/** @throws StorageUnavailable */
export async function startAnswerChecks(workspace: Workspace): Promise<RunningAnswerChecks> {
  const { storage, catalog, events, log, now } = workspace
  const { findings } = storage
  let verdictOf: (asked: string, named: string) => NameVerdict = openNames(catalog.models())
  catalog.onChange(() => (verdictOf = openNames(catalog.models())))
  const checks = new AnswerChecks({
    verdictOf: (asked, named) => verdictOf(asked, named),
    stored: await readEvidence(findings),
    onBug: (error) => log.failed('answer checks', error),
  })
  const report = async ({ evidence, requestIds }: AnswersFinding) => {
    const id = answersFindingId(evidence)
    const about = { id, kind: 'answers', lastAtMs: now(), requestIds } as const
    const isNew = await findings.report({ ...about, evidence: JSON.stringify(evidence) })
    if (isNew) log.noted('answers differ from what was asked', { finding: id })
    events.emit('changed', { what: 'findings' })
  }
  const save = async () => {
    checks.readAll()
    const changed = [...checks.takeChanged()].map(([modelId, evidence]) => ({
      name: prefix + modelId,
      value: JSON.stringify(evidence),
    }))
    if (changed.length > 0) await findings.saveDocuments(changed)
    const found = checks.takeFindings()
    for (const finding of found) await report(finding)
  }
  const saveOrLog = () => save().catch((error: unknown) => log.failed('answer checks', error))
  let saving = Promise.resolve()
  let probes: AnswerProbes | null = null
  const timer = setInterval(() => {
    saving = saving.then(saveOrLog)
  }, saveMs).unref()
  return {
    checks,
    rows: new AnsweredRows(now),
    save,
    startProbes(completeChat) {
      probes = startAnswerProbes(workspace, completeChat, report)
    },
    async close() {
      await probes?.close()
      clearInterval(timer)
      await saving.then(saveOrLog)
    },
  }
}

function answersFindingId({ modelId, check }: AnswersEvidence): string {
  return `${prefix}${modelId}:${check}`
}

/** Evidence of all models. What an older or newer version stored in another form is learnt again. */
export async function readEvidence(findings: FindingStore): Promise<Map<string, ModelEvidence>> {
  const evidence = new Map<string, ModelEvidence>()
  for (const { name, value } of await findings.documents(prefix)) {
    const read = modelEvidenceSchema.safeParse(JSON.parse(value))
    if (read.success) evidence.set(name.slice(prefix.length), read.data)
  }
  return evidence
}

/** Findings for users who can dismiss them. */
export interface OpenFindings {
  /** Also dismissed ones, the newest first. */
  list(): Promise<Finding[]>
  /** Dismisses a finding, or opens it again. @returns whether there is such a finding */
  dismiss(dismissal: FindingDismissal): Promise<boolean>
  /** Providers whose daily probe is on. */
  probes(): Promise<ProbeSetting[]>
  setProbe(setting: ProbeSetting): Promise<void>
}

/** @param readAnswers  reads answers that wait, so that the list includes them */
export function openFindings(
  { storage, events, now }: Pick<Workspace, 'storage' | 'events' | 'now'>,
  readAnswers = () => Promise.resolve(),
): OpenFindings {
  return {
    async list() {
      await readAnswers()
      const stored = await storage.findings.list()
      return stored.flatMap((finding) => {
        const evidence: unknown = JSON.parse(finding.evidence)
        const read = findingSchema.safeParse({ ...finding, evidence })
        return read.success ? [read.data] : []
      })
    },
    async dismiss({ id, isDismissed }) {
      const isKnown = await storage.findings.dismiss(id, isDismissed ? now() : null)
      events.emit('changed', { what: 'findings' })
      return isKnown
    },
    async probes() {
      const all = [...(await readProbes(storage.findings))]
      return all
        .map(([providerId, { capUsdPerDay }]) => ({ providerId, capUsdPerDay }))
        .filter(({ capUsdPerDay }) => capUsdPerDay !== null)
    },
    setProbe: (setting) => setProbe(storage.findings, setting),
  }
}
