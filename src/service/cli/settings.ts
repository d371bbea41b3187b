import { Argument, type Command } from 'commander'
import { readRefusedOrigins } from '../wiring/refused-origins.ts'
import { settingCards, type SettingField } from '../../shared/app/settings-sections.ts'
import { settingEntries, type SettingName, type Settings } from '../../shared/app/settings.ts'
import type { Cli } from './cli.ts'
import type { Columns } from './output.ts'

interface SettingRow {
  name: string
  value: unknown
}

const columns: Columns<SettingRow> = {
  SETTING: ({ name }) => name,
  VALUE: ({ value }) => JSON.stringify(value),
  WHAT: ({ name }) => wordsOf(name),
}
const oneColumns: Columns<SettingRow> = { ...columns, MORE: ({ name }) => hintOf(name) }

function wordsOf(name: string): string {
  const field = new Map<string, SettingField>(settingEntries).get(name)
  return field === undefined ? '' : settingWords(field)
}

function hintOf(name: string): string | null {
  return new Map<string, SettingField>(settingEntries).get(name)?.hint ?? null
}

/** `Retention: Keep requests (days)`, `Theme and density: Theme (system, light, dark)`. */
export function settingWords({ card, label, unit, choices }: SettingField): string {
  const values = unit ?? choices?.map(({ value }) => value).join(', ')
  return `${settingCards[card]}: ${label}${values === undefined ? '' : ` (${values})`}`
}

// Checked by `choices` before an action sees it.
const nameArgument = (form: string) =>
  new Argument(form).choices(settingEntries.map(([name]) => name))

export function registerSettings(program: Command, cli: Cli): void {
  const group = program.command('settings').description('show and change settings')
  group
    .command('get')
    .description('show all settings, or one')
    .addArgument(nameArgument('[key]'))
    .action((name: SettingName | undefined) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const current = await dashboard.settings()
        const rows = toRows(current)
        cli.output.table(
          rows.filter((row) => name === undefined || row.name === name),
          name === undefined ? columns : oneColumns,
        )
        if (name === undefined || name === 'allowedOrigins') await noteRefused(cli, current)
      }),
    )
  group
    .command('set')
    .description('change a setting')
    .addArgument(nameArgument('<key>'))
    .argument('<value>', 'JSON or a plain word', readValue)
    .action((name: SettingName, value: unknown) =>
      cli.inWorkspace(async ({ dashboard }) => {
        const changed = toRows(await dashboard.setSetting(name, value))
        cli.output.table(
          changed.filter((row) => row.name === name),
          columns,
        )
      }),
    )
}

/** Shows which origin to allow, because a refused web page does not learn why. */
async function noteRefused(
  { output, workspaceOptions }: Cli,
  { allowedOrigins }: Settings,
): Promise<void> {
  for (const origin of await readRefusedOrigins(workspaceOptions().dataDir)) {
    const wanted = JSON.stringify([...allowedOrigins, origin])
    output.note(
      `The service refused a request from a web page of ${origin}. If you trust it: modelport settings set allowedOrigins '${wanted}'`,
    )
  }
}

function toRows(values: Settings): SettingRow[] {
  return Object.entries(values).map(([name, value]) => ({ name, value }))
}

/** `7000`, `null` and `["https://a.example"]` are JSON; `dark` is a word. */
function readValue(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
