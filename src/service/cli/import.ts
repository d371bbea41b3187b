import type { Command } from 'commander'
import type { Difference } from '../dashboard/dashboard.ts'
import { UsageError, type Cli } from './cli.ts'
import { confirm } from './confirm.ts'
import type { Columns } from './output.ts'
import { readTextFile } from './read-file.ts'

interface ImportOptions {
  dryRun?: true
  replace?: boolean
  yes?: true
}

const columns: Columns<Difference> = {
  CHANGE: ({ change }) => change,
  WHAT: ({ kind }) => kind,
  ID: ({ id }) => shortened(id),
  DIFFERENCE: ({ change, fields }) =>
    fields
      .map(({ field, before, after }) => {
        const now = shortened(JSON.stringify(after))
        return change === 'added' || before === null
          ? `${field}: ${now}`
          : `${field}: ${shortened(JSON.stringify(before))} → ${now}`
      })
      .join(', '),
}

export function registerImport(program: Command, cli: Cli): void {
  program
    .command('import <file>')
    .description('import an exported file, after showing what changes; - reads stdin')
    .option('--dry-run', 'show what would change, without changing it')
    .option('--replace', 'remove everything that is not in the file')
    .option('--yes', 'skip the confirmation')
    .action((file: string, options: ImportOptions) => importFile(file, options, cli))
}

async function importFile(
  file: string,
  { dryRun, replace = false, yes }: ImportOptions,
  cli: Cli,
): Promise<void> {
  if (file === '-' && !dryRun && !yes)
    throw new UsageError(
      'The file is read from stdin, so Modelport cannot ask for confirmation: add --yes.',
    )
  const text = await readTextFile(file, cli)
  await cli.inWorkspace(async ({ dashboard }) => {
    const plan = await dashboard.planImport(text, { replaces: replace })
    if (plan.differences.length === 0) {
      cli.output.note('Nothing to change.')
      return
    }
    cli.output.table(plan.differences, columns)
    if (dryRun) return
    if (!yes) await confirm('Make these changes?', cli)
    await plan.apply()
    cli.output.note('Imported. An export holds no keys: enter the keys of new providers.')
  })
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
