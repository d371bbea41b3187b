/** Compares the files of a bill with the ledger. Nothing is stored, and nothing leaves this computer. */
import type { Model } from '../../shared/entities.ts'
import {
  greatestBillBytes,
  type Reconciliation,
  type ReconcileOptions,
} from '../../shared/requests/reconciliation.ts'
import { formatBytes } from '../../shared/strings/format.ts'
import { findCatalogModel, catalogTypeOf } from '../catalog/whose-models.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { scheduleOf } from '../catalog/price-schedule.ts'
import { DashboardError } from '../dashboard/dashboard.ts'
import { IsolatedRunFailed, runIsolated } from '../isolated-worker.ts'
import type { ConfigurationIndex } from '../storage/live-configuration.ts'
import type { Ledger, ModelSpan } from '../storage/storage.ts'
import type { PricedModel } from './compare.ts'
import { dayAfter, daysIn } from './days.ts'
import { openModelKeys } from './match-models.ts'
import { packSpans } from './ours.ts'
import type { BillFile } from './read-bill.ts'
import type { ReconcileTask, SummedBill, TaskResult } from './reconcile-task.ts'

export interface ReconcileContext {
  ledger: Pick<Ledger, 'modelSpans'>
  /** Every model with its prices of all times. */
  models: readonly Model[]
  providers: ConfigurationIndex['providers']
  catalog: Catalog
  now: () => number
}

export type Reconcile = (
  files: readonly BillFile[],
  options: ReconcileOptions,
) => Promise<Reconciliation>

const limitMs = 120_000
const resourceLimits = {
  maxOldGenerationSizeMb: 1536,
  maxYoungGenerationSizeMb: 64,
  stackSizeMb: 8,
}
const mostProblems = 200
const hourMs = 3_600_000
/** Short reads, so that requests in progress do not wait for the ledger. */
const daysAtOnce = 7
const mostDays = 800

/** @throws DashboardError invalid when no row of the files can be read */
export async function reconcile(
  files: readonly BillFile[],
  options: ReconcileOptions,
  context: ReconcileContext,
): Promise<Reconciliation> {
  refuseSize(files)
  const { timeZone = 'UTC', providerId } = options
  if (providerId !== undefined && !context.providers.has(providerId)) {
    throw new DashboardError('invalid', `There is no provider "${providerId}".`, 'providerId')
  }
  const bill = await inWorker('read', { kind: 'read', files, timeZone })
  const { from, to } = rangeOf(bill, options)
  const models = modelsOf(bill, providerId, context)
  const isOfBill = spanFilter(bill, providerId, { models, providers: context.providers })
  const spans = await readSpans(context.ledger, { from, to, timeZone, isOfBill })
  const nowMs = context.now()
  const comparison = {
    theirs: bill.theirs,
    spans: packSpans(spans),
    models,
    timeZone,
    from,
    to,
    nowMs,
  }
  const compared = await inWorker('compare', { kind: 'compare', comparison })
  return {
    timeZone,
    from,
    to,
    files: bill.files,
    ...compared,
    problems: bill.problems.slice(0, mostProblems),
    problemCount: bill.problems.length,
    duplicates: bill.duplicates,
  }
}

function refuseSize(files: readonly BillFile[]): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes.byteLength, 0)
  if (bytes <= greatestBillBytes) return
  const most = formatBytes(greatestBillBytes)
  throw refused(`The files have ${formatBytes(bytes)}. Choose up to ${most} at once.`)
}

async function inWorker<Kind extends ReconcileTask['kind']>(
  _kind: Kind,
  workerData: Extract<ReconcileTask, { kind: Kind }>,
): Promise<TaskResult<Kind>> {
  const name = import.meta.url.endsWith('.ts') ? './reconcile-worker.ts' : './reconcile-worker.js'
  const entry = new URL(name, import.meta.url)
  try {
    const run = { entry, name: 'reconcile', workerData, limitMs, resourceLimits }
    // Checked boundary: the worker's only message is the result of this kind of task.
    return (await runIsolated(run)) as TaskResult<Kind>
  } catch (error) {
    if (!(error instanceof IsolatedRunFailed)) throw error
    const why = error.isTooLong ? 'take too long to read' : 'could not be read'
    throw refused(`The files ${why}. Export fewer days at once.`)
  }
}

/** @throws DashboardError for a bill without a row that can be read, and for days that it does not have */
function rangeOf({ theirs, problems }: SummedBill, options: ReconcileOptions) {
  const [problem] = problems
  if (theirs.days === null) {
    const reason = problem
      ? `${problem.file}, line ${problem.line}: ${problem.reason}`
      : 'The files have no row with a cost or tokens.'
    throw refused(reason)
  }
  const { from = theirs.days.from, to = theirs.days.to } = options
  if (from > to) throw new DashboardError('invalid', 'Choose a last day after the first.', 'to')
  if (dayAfter(from, mostDays) < to) throw refused(`Choose ${mostDays} days or fewer.`)
  return { from, to }
}

/** The models of the bill's providers, with the names that the catalogue knows them by. */
function modelsOf(
  bill: SummedBill,
  providerId: string | undefined,
  { models, providers, catalog }: ReconcileContext,
): PricedModel[] {
  const isOfBill = providerFilter(bill, providerId, providers)
  return models
    .filter((model) => isOfBill(model.providerId))
    .map((model) => {
      const provider = providers.get(model.providerId)
      const name = model.id.slice(model.providerId.length + 1)
      const entry = provider && findCatalogModel(catalog, `${catalogTypeOf(provider)}:${name}`)
      const known = entry?.id.slice(entry.id.indexOf(':') + 1)
      const isVersion = known !== undefined && known !== name
      const aliases = isVersion ? [] : (entry?.aliases ?? [])
      return { id: model.id, aliases, schedule: scheduleOf(model) }
    })
}

function providerFilter(
  { types }: SummedBill,
  providerId: string | undefined,
  providers: ReconcileContext['providers'],
): (id: string) => boolean {
  if (providerId !== undefined) return (id) => id === providerId
  return (id) => types === null || types.has(providers.get(id)?.type ?? '')
}

/**
 * Whether a model of the ledger belongs to the bill. The type of a removed provider is not stored, so its models belong to
 * the bill if the bill names them.
 */
function spanFilter(
  bill: SummedBill,
  providerId: string | undefined,
  { models, providers }: { models: readonly PricedModel[] } & Pick<ReconcileContext, 'providers'>,
): (modelId: string) => boolean {
  const isOfBill = providerFilter(bill, providerId, providers)
  const keyOf = openModelKeys(models)
  const billed = new Set(bill.theirs.sums.map(({ name }) => (name === null ? null : keyOf(name))))
  return (modelId) => {
    const colon = modelId.indexOf(':')
    const owner = modelId.slice(0, colon)
    if (isOfBill(owner)) return true
    const isRemoved = providerId === undefined && !providers.has(owner)
    return isRemoved && billed.has(keyOf(modelId.slice(colon + 1)))
  }
}

interface SpanQuery {
  from: string
  to: string
  timeZone: string
  isOfBill: (modelId: string) => boolean
}

/** A day more on both sides, for requests around midnight and days of another zone. */
async function readSpans(
  ledger: ReconcileContext['ledger'],
  { from, to, timeZone, isOfBill }: SpanQuery,
): Promise<ModelSpan[]> {
  const days = daysIn(timeZone)
  const bucketMs = days.isWholeHours ? hourMs : hourMs / 4
  const spans: ModelSpan[] = []
  const last = dayAfter(to, 2)
  for (let day = dayAfter(from, -1); day < last; day = dayAfter(day, daysAtOnce)) {
    const end = dayAfter(day, daysAtOnce)
    const toMs = days.startOf(end < last ? end : last)
    const read = await ledger.modelSpans({ fromMs: days.startOf(day), toMs, bucketMs })
    spans.push(...read.filter(({ model }) => isOfBill(model)))
  }
  return spans
}

function refused(message: string): DashboardError {
  return new DashboardError('invalid', message)
}
