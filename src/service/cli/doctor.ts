import type { Command } from 'commander'
import type { Finding } from '../doctor/finding.ts'
import { CommandFailed, type Cli } from './cli.ts'
import type { Columns } from './output.ts'

const columns: Columns<Finding> = {
  '': ({ status }) => status,
  CHECK: ({ check }) => check,
  FOUND: ({ message, wayOut }) => (wayOut === null ? message : `${message} → ${wayOut}`),
}

export function registerDoctor(program: Command, cli: Cli): void {
  program
    .command('doctor')
    .description('check storage, key store, certificate, port and providers')
    .option('--rebuild-totals', 'repair usage totals that differ from their requests', false)
    .action(async ({ rebuildTotals }: { rebuildTotals: boolean }) => {
      const { examine } = await import('../doctor/doctor.ts')
      const findings = await examine({
        ...cli.workspaceOptions(),
        rebuildsTotals: rebuildTotals,
      })
      cli.output.table(findings, columns)
      const failed = findings.filter(({ status }) => status === 'fail').length
      if (failed > 0) throw new CommandFailed(`${failed} of ${findings.length} checks failed.`)
    })
}
