/** Writes docs/privacy.md from the table of connections (`node scripts/privacy-page.ts`). A test compares the page. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { connectionEntries, type Connection } from '../src/shared/app/connections.ts'
import { settingsSections } from '../src/shared/app/settings-sections.ts'

const head = `# What leaves your computer

Everything that Modelport stores stays on your computer, and nothing is sent anywhere unless you ask for it: there is no
account, no usage statistics, no crash report and no check for a licence. With every default, a start and a day of use
open no connection and ask no name server. \`npm run torture connections\` proves it: it records every packet of the service
and of the desktop app.

These are all connections that Modelport can open. One function opens them, \`openConnection\` in
\`src/shared/app/open-connection.ts\`, and it refuses whatever is not in this table. \`test/rules/connections.test.ts\` searches
the source for any other way. Settings → Privacy and retention shows the same table, with what is on and when each was last
used; \`modelport connections\` prints it.
`

const foot = `
A switch of the list is the setting \`connectionsOff\`: \`modelport settings set connectionsOff '["catalog"]'\`. “Work offline”
switches off all of them. A switch applies to the next connection, and connections to providers that are open are not used
for further requests.

## Without a network

The built-in model answers once its weights are there, and so do model servers on this computer, all of the window, the
records, agents and tuning with local models. What needs another computer says so: a request to a provider ends with
\`network\` and “the address could not be found” or “… is switched off in Settings, Privacy”, and a router with a local model
answers with that. Prices, downloads of models and updates name the server that cannot be reached.

## The window's browser

Electron shows the window with Chromium, which has connections of its own. They are off:

| What                                   | How it is kept off                                                                           |
| -------------------------------------- | -------------------------------------------------------------------------------------------- |
| requests of the page                   | every request but those for the window's own files is cancelled; a content security policy   |
| dictionaries for the spelling check    | no language is set; macOS has its own                                                        |
| DNS over HTTPS, further DNS questions  | both are switched off at the start                                                           |
| background requests, component updates | Chromium's switches for them are set; Electron has no component updater and no safe browsing |
| pings, prediction of names, WebRTC     | switched off; WebRTC may use a proxy's connections only, and there are none                  |
| crash reports                          | the reporter is never started                                                                |
| proxy detection, missing certificates  | only for a check for updates, which is in the table                                          |

A link to a web page opens in your browser after a question, and what the browser then does is its own.
`

export function privacyPage(): string {
  const rows = connectionEntries.map(([id, connection]) => rowOf(id, connection))
  const names = ['Connection', 'When', 'To whom', 'Switch', 'By default']
  return `${head}\n${tableOf([names, ...rows])}\n${foot}`
}

function rowOf(id: string, connection: Connection): string[] {
  const { title, when, to, hosts } = connection
  const addresses = hosts.length === 0 ? '' : ` (${hosts.map((host) => `\`${host}\``).join(', ')})`
  return [
    `${title} (\`${id}\`)`,
    when,
    `${to.replace(/\.$/, '')}${addresses}`,
    switchOf(connection),
    defaultOf(connection),
  ]
}

function switchOf({ decidedBy, section }: Connection): string {
  const title = settingsSections.find(({ name }) => name === section)?.title
  if (decidedBy === 'list')
    return title === undefined ? 'in the list' : `in the list, and Settings → ${title}`
  if (decidedBy === 'setting') return `Settings → ${title}`
  return decidedBy === 'nobody' ? 'none' : `\`modelport serve ${decidedBy}\``
}

function defaultOf({ decidedBy, isLocal, section }: Connection): string {
  if (isLocal) return 'stays on this computer'
  if (decidedBy === 'list')
    return section === 'general' ? 'no address is set' : 'only after a click or a request of yours'
  if (decidedBy === 'setting') return 'as your environment says'
  return decidedBy === 'nobody' ? 'with the others' : 'off'
}

/** With cells of one width, as the formatter writes it. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const [names = [], ...others] = rows
  return [line(names), line(widths.map((width) => '-'.repeat(width))), ...others.map(line)].join(
    '\n',
  )
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  writeFileSync(join(import.meta.dirname, '../docs/privacy.md'), privacyPage())
}
