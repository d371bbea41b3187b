/**
 * Checks everything that can prevent an answer and says how to fix it. It changes no configuration and
 * shows no secret, because people paste its findings into bug reports.
 */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import packageFile from '../../../package.json' with { type: 'json' }
import { builtInProvider } from '../../shared/models/provider-type.ts'
import { settings } from '../../shared/app/settings.ts'
import { DataFolderInUse, findHolder } from '../data-folder/data-folder.ts'
import { examineCertificate, examineCertificateFile } from './certificate.ts'
import type { Finding } from './finding.ts'
import { examineFindings } from './findings.ts'
import { examineInstallation } from './installation.ts'
import { examinePort } from './port.ts'
import { examineSharedState } from './shared-state.ts'
import { fileErrorWords, FileProblem } from '../data-folder/file-errors.ts'
import { isLocalType } from '../provider-types/provider-types.ts'
import { ProviderError, type ProviderErrorKind } from '../providers/provider.ts'
import { newestBackup } from '../upkeep/backups.ts'
import { builtInOrChosenId } from '../wiring/chosen-model.ts'
import { SecretStoreError } from '../secrets/secret-store.ts'
import { createTrust } from '../trust/trust.ts'
import { openForCommand } from '../upkeep/open-for-command.ts'
import type { Workspace, WorkspaceOptions } from '../wiring/workspace.ts'

const providerLimitMs = 10_000
const mib = 1024 * 1024
/** Many times what a day of requests and its write-ahead log need. */
const scarceBytes = 1024 * mib
const tooFewBytes = 100 * mib
/** No release of this program is older, so a clock that shows less was never set. */
const earliestNowMs = Date.UTC(2026, 0, 1)
const clockSlackMs = 5 * 60_000

export interface ExamineOptions extends WorkspaceOptions {
  /** Repairs usage totals that differ from their requests. */
  rebuildsTotals: boolean
  /** The workspace of the running service, which stays open; absent: `examine` opens one. */
  workspace?: Workspace | undefined
}

/** Examines everything. Failed checks are findings, not errors. */
export async function examine(options: ExamineOptions): Promise<Finding[]> {
  const { dataDir } = options
  const now = options.now ?? Date.now
  // First, because opening the folder corrects the file modes in it.
  const folder = await examineFolder(dataDir)
  const opened = options.workspace ?? (await tryOpen(options))
  const workspace = 'finding' in opened ? null : opened
  const { holder, findings: lock } = examineLock(options)
  const port = workspace?.configuration.current().settings.port ?? settings.port.default
  try {
    return [
      await examineInstallation(),
      ...(workspace ? await examineData(workspace, options) : []),
      ...('finding' in opened ? [opened.finding] : []),
      ...lock,
      ...folder,
      ...(workspace ? await examineClock(workspace) : []),
      examineCertificate({ dataDir, nowMs: now(), isServed: holder !== null }),
      ...(await examineOwnCertificate(workspace, now())),
      ...examineTrust(options),
      await examinePort({ dataDir, port, holder }),
      ...(workspace ? [examineKeyStore(workspace), ...(await examineLocal(workspace))] : []),
      ...(await examineSharedState(options)),
      ...(workspace ? await examineProviders(workspace) : []),
    ]
  } finally {
    if (!options.workspace) await workspace?.close()
  }
}

/** Says nothing without a running service that has a certificate of the operator. */
async function examineOwnCertificate(
  workspace: Workspace | null,
  nowMs: number,
): Promise<Finding[]> {
  const file = (await workspace?.endpoint.certificateFile()) ?? null
  return file === null ? [] : [examineCertificateFile(file, nowMs)]
}

/** Says nothing while the authority is the one that was trusted, or none was. */
function examineTrust(options: WorkspaceOptions): Finding[] {
  if (!createTrust(options).mustTrustAgain()) return []
  const message =
    'The certificate authority is new. Programs that trusted the one before refuse Modelport.'
  return [{ check: 'trust', status: 'warn', message, wayOut: 'Trust it: modelport trust' }]
}

function examineLock(options: WorkspaceOptions): {
  holder: ReturnType<typeof findHolder>
  findings: Finding[]
} {
  try {
    return { holder: findHolder(options), findings: [] }
  } catch (error) {
    if (!(error instanceof FileProblem)) throw error
    const { message } = error
    return { holder: null, findings: [{ check: 'lock', status: 'fail', message, wayOut: null }] }
  }
}

async function tryOpen(options: WorkspaceOptions): Promise<Workspace | { finding: Finding }> {
  const check = 'storage'
  if (options.database === undefined && !existsSync(join(options.dataDir, 'modelport.db'))) {
    const message = `There is no database in ${options.dataDir} yet.`
    return {
      finding: { check, status: 'warn', message, wayOut: '"modelport serve" creates it.' },
    }
  }
  try {
    return await openForCommand(options, packageFile.version)
  } catch (error) {
    if (error instanceof DataFolderInUse) {
      const wayOut = 'Start Modelport again, so that it runs in this version.'
      return { finding: { check, status: 'warn', message: error.message, wayOut } }
    }
    const words = fileErrorWords(error)
    if (words !== null) {
      return { finding: { check, status: 'fail', message: words, wayOut: null } }
    }
    if (error instanceof SecretStoreError) {
      // The message already says what to do; the database is not the problem.
      const { message } = error
      return { finding: { check: 'key store', status: 'fail', message, wayOut: null } }
    }
    const [message = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    const wayOut = await restoreWayOut(options)
    return { finding: { check, status: 'fail', message, wayOut } }
  }
}

/** The command that restores the newest daily or own copy; null for a database of several nodes. */
async function restoreWayOut({ dataDir, database }: WorkspaceOptions): Promise<string | null> {
  if (database !== undefined) return null
  const file = await newestBackup(dataDir)
  return `Restore a backup: modelport restore ${file === null ? 'FILE' : `"${file}"`}`
}

async function examineData(workspace: Workspace, options: ExamineOptions): Promise<Finding[]> {
  const storage = await examineStorage(workspace, options)
  // What is damaged cannot be compared.
  return storage.status === 'fail' ? [storage] : [storage, ...(await examineFindings(workspace))]
}

async function examineStorage({ storage }: Workspace, options: ExamineOptions): Promise<Finding> {
  const { engine, problems, daysThatDiffer, isDurable } = await storage.maintenance.check('full')
  const check = 'storage'
  const [problem] = problems
  if (problem !== undefined) {
    const message = `${engine} finds the database damaged: ${problem}`
    return { check, status: 'fail', message, wayOut: await restoreWayOut(options) }
  }
  if (!isDurable) {
    const message = `${engine} would lose stored requests in a power failure.`
    return {
      check,
      status: 'fail',
      message,
      wayOut:
        options.database === undefined
          ? 'Reinstall Modelport: its own SQLite was replaced.'
          : 'Set fsync and synchronous_commit of the server to on.',
    }
  }
  if (daysThatDiffer.length > 0) {
    if (options.rebuildsTotals) return rebuildTotals(storage)
    const message = `The usage totals of ${daysThatDiffer.join(', ')} differ from the requests of these days.`
    const wayOut = 'Usage and budgets may be wrong. Repair them: modelport doctor --rebuild-totals'
    return { check, status: 'warn', message, wayOut }
  }
  return ok(check, `${engine}, undamaged; every confirmed write is on the disk.`)
}

async function rebuildTotals({ maintenance }: Workspace['storage']): Promise<Finding> {
  const days = await maintenance.rebuildTotals()
  const message = `The usage totals of ${days.join(', ')} were rebuilt from the requests of these days.`
  const wayOut = 'Restart a running service so that its budgets use the new totals.'
  return { check: 'storage', status: 'ok', message, wayOut }
}

async function examineFolder(dataDir: string): Promise<Finding[]> {
  if (!existsSync(dataDir)) return []
  return [await examineDisk(dataDir), examineAccess(dataDir)]
}

async function examineDisk(dataDir: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(dataDir)
  const freeBytes = bavail * bsize
  const message = `${Math.floor(freeBytes / mib).toLocaleString('en')} MiB are free.`
  if (freeBytes >= scarceBytes) return ok('disk', message)
  const status = freeBytes < tooFewBytes ? 'fail' : 'warn'
  return { check: 'disk', status, message, wayOut: `Free some space on the disk of ${dataDir}.` }
}

function examineAccess(dataDir: string): Finding {
  const check = 'files'
  try {
    accessSync(dataDir, constants.W_OK)
  } catch (error) {
    const message = fileErrorWords(error, dataDir) ?? String(error)
    return { check, status: 'fail', message, wayOut: null }
  }
  const paths = ['', 'modelport.db', 'secrets'].map((name) => join(dataDir, name))
  const open = paths.filter((path) => existsSync(path) && isOpenToOthers(path))
  if (open.length === 0) return ok(check, 'Only you can read them.')
  const message = `Other users of this computer can read ${open.join(', ')}.`
  return { check, status: 'fail', message, wayOut: `chmod -R go= ${dataDir}` }
}

/** Whether other users can open it. Windows has no such modes: a user's folder is private by inheritance. */
function isOpenToOthers(path: string): boolean {
  return process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0
}

async function examineClock({ storage, now }: Workspace): Promise<Finding[]> {
  const check = 'clock'
  const nowMs = now()
  const [newest] = await storage.ledger.list({ limit: 1 })
  const shown = new Date(nowMs).toISOString()
  const wayOut = 'Set the clock: daily limits and certificates depend on it.'
  if (nowMs < earliestNowMs)
    return [{ check, status: 'fail', message: `It shows ${shown}.`, wayOut }]
  if (newest && newest.startedAtMs > nowMs + clockSlackMs) {
    const latest = new Date(newest.startedAtMs).toISOString()
    const message = `It shows ${shown}, but the latest request started at ${latest}: the clock was set back.`
    return [{ check, status: 'warn', message, wayOut }]
  }
  return [ok(check, `It shows ${shown}.`)]
}

function examineKeyStore({ secrets }: Workspace): Finding {
  const { state, message } = secrets.state()
  if (state === 'ready') return ok('key store', message)
  // The message already says what to do.
  return { check: 'key store', status: 'warn', message, wayOut: null }
}

/** Examines the local model. A server with remote providers only needs neither the model's file nor llama.cpp. */
async function examineLocal(workspace: Workspace): Promise<Finding[]> {
  const routers = [...workspace.configuration.current().routers.values()]
  const prefix = `${builtInProvider.id}:`
  const isUsed = routers.some(({ models }) => models.some((model) => model.startsWith(prefix)))
  if (!isUsed) return [ok('local model', 'No router uses local models.')]
  return [examineLocalModel(workspace), await examineGpu(workspace)]
}

/** The built-in model, or the file in its place. */
function examineLocalModel({ localModel, configuration }: Workspace): Finding {
  const check = 'local model'
  const id = builtInOrChosenId(localModel)
  const users = [...configuration.current().routers.values()].filter(({ models }) =>
    models.includes(id),
  )
  if (users.length === 0) return ok(check, 'No router uses the built-in model.')
  const state = localModel.state()
  if (state.status === 'missing') {
    const names = users.map(({ name }) => `"${name}"`).join(', ')
    const message = `The built-in model has not been downloaded. Routers with it: ${names}.`
    const wayOut =
      'Download it: modelport local download smollm2-135m-instruct. Or remove it from the routers.'
    return { check, status: 'warn', message, wayOut }
  }
  if (state.status === 'failed') {
    const wayOut = 'Choose another file: modelport settings set localModelFile FILE'
    return { check, status: 'fail', message: state.message, wayOut }
  }
  return ok(check, 'file' in state ? 'Its file is complete.' : 'The download is running.')
}

async function examineGpu({ localModel, configuration }: Workspace): Promise<Finding> {
  const check = 'graphics processor'
  if (configuration.current().settings.localModelGpu === 'off') {
    return ok(check, 'The setting localModelGpu is off: local models do not use it.')
  }
  try {
    const gpu = await localModel.findGpu()
    return ok(
      check,
      gpu === null
        ? 'llama.cpp finds none: local models run on the processor.'
        : `Local models use ${gpu}.`,
    )
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error
    const wayOut = 'Reinstall Modelport, or use only remote providers.'
    return { check, status: 'warn', message: 'llama.cpp does not start on this computer.', wayOut }
  }
}

/** Examines the providers, except the built-in model, which has its own check. */
function examineProviders(workspace: Workspace): Promise<Finding[]> {
  const { providers } = workspace.configuration.current()
  const remote = [...providers.values()].filter(({ type }) => !isLocalType(type))
  return Promise.all(remote.map(({ id }) => examineProvider(id, workspace)))
}

async function examineProvider(id: string, { upstreams }: Workspace): Promise<Finding> {
  const check = `provider ${id}`
  const startedAt = performance.now()
  try {
    const models = await upstreams.open(id).listModels(AbortSignal.timeout(providerLimitMs))
    const latencyMs = Math.round(performance.now() - startedAt)
    return ok(check, `It answered in ${latencyMs} ms and offers ${models.length} models.`)
  } catch (error) {
    if (error instanceof ProviderError)
      return { check, status: 'fail', message: error.message, wayOut: wayOutOf(error, id) }
    if (!(error instanceof Error && error.name === 'TimeoutError')) throw error
    const message = `It did not answer within ${providerLimitMs / 1000} s.`
    return { check, status: 'fail', message, wayOut: wayOutOf({ kind: 'timeout' }, id) }
  }
}

function wayOutOf(
  { kind, cause }: { kind: ProviderErrorKind; cause?: unknown },
  id: string,
): string {
  // No request was sent: the store's own words name what is missing and what to do.
  if (cause instanceof SecretStoreError) return cause.message
  switch (kind) {
    case 'no_key':
    case 'auth':
      return `Enter its key: modelport provider set-key ${id} --key-stdin`
    case 'credit':
      return 'Add credit to the account at the provider.'
    case 'rate_limit':
      return 'Try again in a minute.'
    case 'network':
    case 'timeout':
      return 'Check its address (modelport provider list), the network and HTTPS_PROXY.'
    default:
      return 'Check its address (modelport provider list) and the status page of the provider.'
  }
}

function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, wayOut: null }
}
