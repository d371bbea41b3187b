import type { Command } from 'commander'
import type { Difference } from '../dashboard/dashboard.ts'
import { CommandFailed, UsageError, type Cli } from './cli.ts'
import { confirm } from './confirm.ts'
import type { Columns } from './output.ts'
import { readTextFile } from './read-file.ts'

interface ImportOptions {
  dryRun?: true
  replace?: boolean
  yes?: true
  allowAccess?: true
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
    .option('--allow-access', 'with --yes: also let the file change who may reach the endpoint')
    .action((file: string, options: ImportOptions) => importFile(file, options, cli))
}

async function importFile(
  file: string,
  { dryRun, replace = false, yes, allowAccess }: ImportOptions,
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
    const access = plan.accessSettings.join(', ')
    if (yes && access !== '' && !allowAccess) throw new CommandFailed(accessRefusal(access))
    if (!yes) {
      const own = `Also change who may reach the endpoint (${access})?`
      await confirm(['Make these changes?', ...(access === '' ? [] : [own])], cli)
    }
    await plan.apply()
    cli.output.note('Imported. An export holds no keys: enter the keys of new providers.')
  })
}

function accessRefusal(settings: string): string {
  return `Nothing was changed. The file changes who may reach the endpoint: ${settings}. If you want that, add --allow-access.`
}

function shortened(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}
