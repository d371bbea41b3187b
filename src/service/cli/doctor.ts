import type { Command } from 'commander'
import type { SecurityCheck } from '../../shared/app/security-check.ts'
import { createDiagnostics, NotRunning } from '../doctor/diagnostics.ts'
import type { Finding } from '../doctor/finding.ts'
import { replaceFile } from '../data-folder/durable-file.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import type { Columns } from './output.ts'
import { targetFile } from './target-file.ts'

const columns: Columns<Finding> = {
  '': ({ status }) => status,
  CHECK: ({ check }) => check,
  FOUND: ({ message, wayOut }) => (wayOut === null ? message : `${message} → ${wayOut}`),
}

const securityColumns: Columns<SecurityCheck> = {
  '': ({ status }) => (status === 'not_applicable' ? '—' : status),
  CHECK: ({ check }) => check,
  TRIED: ({ tried }) => tried,
  SEEN: ({ seen }) => seen,
}

interface DoctorOptions {
  rebuildTotals: boolean
  security: boolean
  bundle?: string
  force: boolean
}

export function registerDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description('check storage, key store, certificate, port and providers')
    .option('--rebuild-totals', 'repair usage totals that differ from their requests', false)
    .option('--security', 'attack the running service, and show what was tried and seen', false)
    .option('--bundle <file>', 'write a text to send with a question: no keys, no prompts')
    .option('--force', 'with --bundle: overwrite the file', false)
    .action(async (options: DoctorOptions) => {
      const { rebuildTotals, security, bundle, force } = options
      if ([rebuildTotals, security, bundle !== undefined].filter(Boolean).length > 1) {
        throw new UsageError('Choose one of --rebuild-totals, --security and --bundle.')
      }
      if (security) return await attack(cli)
      if (bundle !== undefined) return await writeBundle(cli, bundle, force)
      return await examineAll(cli, rebuildTotals)
    })
}

async function examineAll(cli: Cli, rebuildsTotals: boolean): Promise<void> {
  const { examine } = await import('../doctor/doctor.ts')
  const findings = await examine({ ...cli.workspaceOptions(), rebuildsTotals })
  cli.output.table(findings, columns)
  const failed = findings.filter(({ status }) => status === 'fail').length
  if (failed > 0) throw new CommandFailed(`${failed} of ${findings.length} checks failed.`)
}

async function attack(cli: Cli): Promise<void> {
  cli.output.note('This takes about 15 seconds: slow clients are disconnected after 10.')
  const checks = await cli.inWorkspace((workspace) =>
    createDiagnostics(workspace, cli.workspaceOptions())
      .security()
      .catch((error: unknown) => {
        throw error instanceof NotRunning ? new CommandFailed(error.message) : error
      }),
  )
  cli.output.table(checks, securityColumns)
  const failed = checks.filter(({ status }) => status === 'failed').length
  if (failed > 0) throw new CommandFailed(`${failed} of ${checks.length} checks failed.`)
}

async function writeBundle(cli: Cli, name: string, force: boolean): Promise<void> {
  const file = targetFile(name, cli.workspaceOptions().dataDir, force)
  const text = await cli.inWorkspace((workspace) =>
    createDiagnostics(workspace, cli.workspaceOptions()).bundle(),
  )
  await replaceFile(file, text)
  cli.output.done({ file }, `Diagnostics written to ${file}. Read the file before you send it.`)
}
