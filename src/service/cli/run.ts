import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import type { Command } from 'commander'
import type { PreparedRun } from '../dashboard/connect-actions.ts'
import { openRunFolder } from '../data-folder/run-folder.ts'
import { defaultCacheDir } from '../data-folder/data-folder.ts'
import { withCommandProcessor } from '../mcp/command-processor.ts'
import { findCommand } from '../mcp/find-command.ts'
import { isSecretVariable } from '../secrets/given-keys.ts'
import { CommandFailed, ExitCode, type Cli } from './cli.ts'
import { onlyRouter } from './connect.ts'

export function registerRun(program: Command, cli: Cli): void {
  program
    .command('run <tool> [args...]')
    .description('start a tool with a key of its own, which is revoked when the tool ends')
    .option('--router <id>', 'the router it uses; may be left out if there is only one')
    .addHelpText(
      'after',
      '\nArguments after -- go to the tool: modelport run codex -- exec "Hello"',
    )
    .action((tool: string, args: string[], { router }: { router?: string }) =>
      run({ tool, args, router }, cli),
    )
}

interface Run {
  tool: string
  args: readonly string[]
  router: string | undefined
}

/** @throws ExitCode with the tool's own; CommandFailed when it cannot be started */
async function run({ tool, args, router }: Run, cli: Cli): Promise<void> {
  // The folder is closed while the tool runs, which may be days.
  const prepared = await cli.inWorkspace(async ({ dashboard }) => {
    const routerId = router ?? (await onlyRouter(dashboard))
    return dashboard.connect.prepareRun({ toolId: tool, routerId })
  })
  for (const note of prepared.notes) cli.output.note(note)
  try {
    throw new ExitCode(await runInFolder(prepared, args, cli.env))
  } finally {
    await cli.inWorkspace(({ dashboard }) => dashboard.revokeApiKey(prepared.id))
  }
}

async function runInFolder(
  prepared: PreparedRun,
  args: readonly string[],
  env: Cli['env'],
): Promise<number> {
  if (prepared.file === null) return runTool(prepared, args, env)
  const folder = await openRunFolder(prepared.file)
  try {
    return await runTool(prepared, args, { ...env, ...folder.variables })
  } finally {
    await folder.close()
  }
}

/** The key is in the environment, never among the arguments: other users can read those. */
async function runTool(
  { command, args: ownArgs, environment, documentation }: PreparedRun,
  args: readonly string[],
  env: Cli['env'],
): Promise<number> {
  const variables = { ...inherited(env, environment.unset), ...environment.set }
  const places = { cwd: process.cwd(), path: env['PATH'] ?? env['Path'] ?? '', env }
  // Programs of npm are batch files on Windows, which are found and started in another way.
  const found = process.platform === 'win32' ? await findCommand(command, places) : null
  const started = withCommandProcessor({
    command: found ?? command,
    args: [...ownArgs, ...args],
    cwd: places.cwd,
    env: variables,
  })
  const { options } = started
  const child = spawn(started.command, started.args, {
    stdio: 'inherit',
    env: variables,
    ...options,
  })
  const forwarded = passSignalsOn((signal) => child.kill(signal))
  return new Promise<number>((resolve, reject) => {
    child.on('error', (error) => {
      const isMissing = 'code' in error && error.code === 'ENOENT'
      const problem = isMissing ? 'is not installed, or not in PATH' : `failed: ${error.message}`
      reject(new CommandFailed(`${command} ${problem}. See ${documentation}`))
    })
    child.on('close', (code, signal) => {
      resolve(signal === null ? (code ?? 1) : 128 + constants.signals[signal])
    })
  }).finally(() => forwarded.stop())
}

/**
 * Forwards signals to the tool. At a terminal, Ctrl-C reaches the tool directly; this process waits until it has ended,
 * to revoke its key.
 */
function passSignalsOn(pass: (signal: NodeJS.Signals) => void): { stop(): void } {
  const ignore = () => {}
  const passed = process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT']
  for (const signal of passed) process.on(signal, pass)
  if (process.stdin.isTTY) process.on('SIGINT', ignore)
  return {
    stop() {
      for (const signal of passed) process.off(signal, pass)
      process.off('SIGINT', ignore)
    },
  }
}

/** The tool gets no provider's key, and does not write to the launcher's cache of compiled code. */
function inherited(env: Cli['env'], unset: readonly string[]): Record<string, string | undefined> {
  const isInherited = ([name, value]: [string, string | undefined]) =>
    !unset.includes(name) &&
    !isSecretVariable(name) &&
    !(name === 'NODE_COMPILE_CACHE' && value === join(defaultCacheDir(env), 'compiled'))
  return Object.fromEntries(Object.entries(env).filter(isInherited))
}
