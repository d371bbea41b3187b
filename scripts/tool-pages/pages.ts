/** The pages of docs/tools as texts. */
import { placeholderKey, type Snippet } from '../../src/shared/app/connect.ts'
import { baseUrlOf, type Connection, type Tool } from '../../src/service/connect/tool.ts'
import { obstacles, tools } from '../../src/service/connect/tools/index.ts'

/** Stands before each block of code that no test runs. */
export const notRunMark = '<!-- not run by a test -->'

/** What the pages show in place of a real connection. */
const example: Connection = {
  routerUrl: 'https://localhost:6778/api/router/router_YOUR_ROUTER',
  key: placeholderKey,
  caFile: '/home/you/.config/Modelport/tls/ca.pem',
  caBundleFile: '/home/you/.config/Modelport/tls/ca-bundle.pem',
  limits: { context: 400_000, output: 128_000 },
  platform: 'darwin',
}

const origin =
  '<!-- Written by scripts/tool-pages.ts from src/service/connect/tools. Change it there. -->'

const doorNames = {
  chat: 'Chat Completions (`/v1/chat/completions`)',
  responses: 'Responses (`/v1/responses`)',
  messages: 'Messages (`/v1/messages`)',
  gemini: 'Gemini (`/v1beta/models/…`)',
  mcp: 'Model Context Protocol (`modelport mcp`)',
} as const

const proofs = {
  run: 'A test runs it with the real tool, as shown here.',
  loaded: 'A test reads its files with the tool’s own configuration loader.',
  unverified: 'Not tested; it follows the tool’s documentation.',
} as const

/** File names with their texts: a page per tool and README.md. */
export function toolPages(): Map<string, string> {
  const pages = tools.map((tool) => [`${tool.id}.md`, pageOf(tool)] as const)
  return new Map([['README.md', index()], ...pages])
}

function index(): string {
  const rows = tools.map((tool) => {
    const { id, name, door, files, program, verified } = tool
    const [api = ''] = doorNames[door].split(' (')
    return [`[${name}](${id}.md)`, api, yes(files), yes(program), shortProofs[verified]]
  })
  const cannot = obstacles.map(({ name, obstacle }) => `- **${name}.** ${obstacle}`)
  return `# Tools

${origin}

Every tool gets an address of your router, a key, and the certificate of Modelport's local authority.
\`modelport connect TOOL\` creates the key and shows or writes all three; see
[the command line](../cli.md#connect-and-run-tools). For a tool that is not here, see [doors](../doors.md).

${table(['Tool', 'API', '`--write`', '`modelport run`', 'Tested'], rows)}

## What cannot be connected

${cannot.join('\n')}

Subscriptions of a vendor's own tools (ChatGPT, Claude and others) cannot be used as providers: their terms forbid it. Use
an API key of the vendor.
`
}

const shortProofs = { run: 'run', loaded: 'loaded', unverified: 'no' } as const

function yes(value: unknown): string {
  return value === undefined ? '' : 'yes'
}

function pageOf(tool: Tool): string {
  const { id, name, door, verified, documentation, notes = [] } = tool
  const facts = [
    ['API', doorNames[door]],
    ['Base URL', `\`${baseUrlOf(door, example)}\``],
    ['Tested', proofs[verified]],
    ['Its documentation', `<${documentation}>`],
  ]
  const sections = [
    `# ${name}`,
    origin,
    table(['', ''], facts),
    '## Connect',
    commands(tool),
    '## By hand',
    'The key, the router and the files are examples: `modelport connect ' + id + '` prints yours.',
    ...tool.snippets(example).map((snippet) => block(snippet, verified === 'run')),
    ...(notes.length === 0 ? [] : ['## Notes', notes.map((note) => `- ${note}`).join('\n')]),
    'If it does not work, see [troubleshooting](../troubleshooting.md).',
  ]
  return `${sections.join('\n\n')}\n`
}

function commands({ id, files, program }: Tool): string {
  const lines = [
    [`modelport connect ${id}`, 'creates a key and prints what to enter'],
    ...(files
      ? [
          [`modelport connect ${id} --write`, 'writes its files, with a copy of each'],
          [`modelport connect ${id} --undo`, 'restores them'],
        ]
      : []),
    ...(program ? [[`modelport run ${id}`, 'starts it and changes no file']] : []),
  ]
  const width = Math.max(...lines.map(([command = '']) => command.length))
  const text = lines.map(([command = '', what]) => `${command.padEnd(width)}  # ${what}`)
  return `${notRunMark}\n\n\`\`\`sh\n${text.join('\n')}\n\`\`\``
}

function block({ title, language, text }: Snippet, isRun: boolean): string {
  const code = `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
  return [`${title}:`, ...(isRun ? [] : [notRunMark]), code].join('\n\n')
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, column) =>
    Math.max(3, heading.length, ...rows.map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`
  const rule = line(widths.map((width) => '-'.repeat(width)))
  return [line(headings), rule, ...rows.map(line)].join('\n')
}
