/** How each entry of the Connect registry is proven: with which client, and which command. */
import { join } from 'node:path'
import type { Packages } from './client.ts'
import { allClients } from './all-clients.ts'

/** The proof of a tool of the registry. */
export interface Proof {
  /** The tool's id. */
  tool: string
  packages: Packages
  /** How the tool is run in its installed folder. */
  run:
    | { kind: 'program' }
    /** Proven with an SDK of this repository, which is in no registry yet. */
    | { kind: 'own'; sdk: 'sdk' | 'sdk-python' }
    /** The tool's own loader reads the file and prints the base URL that it found. */
    | { kind: 'loader'; program: string }
    | { kind: 'files'; command(installed: string): readonly [program: string, ...args: string[]] }
}

/** Cline starts a hub that stays when it ends, and that writes its process id a little later. */
const runAndStopHub = `"$0" 'Say hello to me.'
code=$?
hub="$HOME/.cline/data/locks/hub/production.json"
for second in 1 2 3 4 5 6 7 8 9 10; do [ -s "$hub" ] && break; sleep 1; done
kill "$(sed -n 's/.*"pid": *\\([0-9]*\\).*/\\1/p' "$hub" | head -1)"
exit $code`

const program = { kind: 'program' } as const

export const proofs: readonly Proof[] = [
  { tool: 'openai-js', packages: packagesOf('openai-node'), run: program },
  { tool: 'openai-python', packages: packagesOf('openai-python'), run: program },
  { tool: 'anthropic-js', packages: packagesOf('anthropic-node'), run: program },
  { tool: 'anthropic-python', packages: packagesOf('anthropic-python'), run: program },
  { tool: 'ai-sdk', packages: packagesOf('ai-sdk'), run: program },
  { tool: 'langchain-js', packages: packagesOf('langchain-node'), run: program },
  { tool: 'langchain-python', packages: packagesOf('langchain-python'), run: program },
  { tool: 'llamaindex', packages: packagesOf('llama-index'), run: program },
  { tool: 'litellm', packages: packagesOf('litellm'), run: program },
  npmCommand('continue', { '@continuedev/cli': '1.5.47' }, ['cn', '-p', 'Hello']),
  npmCommand('gemini-cli', { '@google/gemini-cli': '0.61.0' }, [
    'gemini',
    '--skip-trust',
    '-p',
    'Hello',
  ]),
  npmCommand('qwen-code', { '@qwen-code/qwen-code': '0.24.4' }, ['qwen', '-p', 'Hello']),
  // The newest version whose dependencies are all published; newer ones have another name.
  npmCommand('pi', { '@mariozechner/pi-coding-agent': '0.73.1' }, ['pi', '-p', 'Hello']),
  {
    tool: 'kilo',
    packages: { from: 'npm', versions: { [platformPackage('@kilocode/cli')]: '7.7.9' } },
    run: {
      kind: 'files',
      command: (installed) => [
        join(modules(installed, platformPackage('@kilocode/cli')), 'bin', 'kilo'),
        'run',
        'Hello',
      ],
    },
  },
  {
    tool: 'cline-cli',
    packages: { from: 'npm', versions: { [platformPackage('@cline/cli')]: '3.0.65' } },
    run: {
      kind: 'files',
      command: (installed) => [
        'sh',
        '-c',
        runAndStopHub,
        join(modules(installed, platformPackage('@cline/cli')), 'bin', 'cline'),
      ],
    },
  },
  {
    tool: 'librechat',
    packages: { from: 'npm', versions: { 'librechat-data-provider': '0.8.524' } },
    run: {
      kind: 'loader',
      program: `import { load } from 'js-yaml'
import { configSchema } from 'librechat-data-provider'
const config = configSchema.strict().parse(load(text))
console.log(config.endpoints.custom[0].baseURL)`,
    },
  },
  {
    tool: 'modelport-js',
    packages: packagesOf('openai-node'),
    run: { kind: 'own', sdk: 'sdk' },
  },
  {
    tool: 'modelport-python',
    packages: packagesOf('openai-python'),
    run: { kind: 'own', sdk: 'sdk-python' },
  },
  {
    tool: 'claude-code',
    packages: packagesOf('claude-code'),
    run: {
      kind: 'files',
      command: (installed) => [
        join(
          modules(installed, `@anthropic-ai/claude-code-${process.platform}-${process.arch}`),
          'claude',
        ),
        '-p',
        'Hello',
      ],
    },
  },
  {
    tool: 'codex',
    packages: packagesOf('codex'),
    run: {
      kind: 'files',
      command: (installed) => [
        join(modules(installed, '.bin'), 'codex'),
        'exec',
        '--skip-git-repo-check',
        'Hello',
      ],
    },
  },
  {
    tool: 'opencode',
    packages: packagesOf('opencode'),
    run: {
      kind: 'files',
      command: (installed) => [
        join(modules(installed, `opencode-${process.platform}-${process.arch}`), 'bin', 'opencode'),
        'run',
        'Hello',
      ],
    },
  },
  {
    tool: 'aider',
    packages: { from: 'PyPI', versions: { 'aider-chat': '0.86.2' } },
    run: {
      kind: 'files',
      command: (installed) => [
        join(installed, 'bin', 'python'),
        ...'-m aider --message Hello --yes --no-git --no-check-update'.split(' '),
        ...'--no-show-model-warnings --no-analytics'.split(' '),
      ],
    },
  },
  {
    tool: 'llm',
    packages: { from: 'PyPI', versions: { llm: '0.36' } },
    run: {
      kind: 'files',
      command: (installed) => [
        join(installed, 'bin', 'python'),
        '-m',
        'llm',
        '-m',
        'modelport',
        'Hello',
      ],
    },
  },
]

/** A tool whose package has a program for Node.js. */
function npmCommand(
  tool: string,
  versions: Packages['versions'],
  [name, ...args]: readonly [name: string, ...args: string[]],
): Proof {
  return {
    tool,
    packages: { from: 'npm', versions },
    run: {
      kind: 'files',
      command: (installed) => [join(modules(installed, '.bin'), name), ...args],
    },
  }
}

function platformPackage(name: string): string {
  return `${name}-${process.platform}-${process.arch}`
}

/** The same packages as in the table of clients, so that they are installed once. */
function packagesOf(client: string): Packages {
  const found = allClients.find(({ id }) => id === client)
  if (!found) throw new Error(`there is no client ${client}`)
  return found.packages
}

function modules(installed: string, name: string): string {
  return join(installed, 'node_modules', ...name.split('/'))
}
