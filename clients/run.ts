/**
 * `npm run clients -- [NAME…] [--write]`: installs real clients, runs them against a running service, and prints a
 * table; `--write` saves the table in docs/clients.md. Fails when a client fails. `npm run clients -- sessions` is in
 * sessions/run.ts.
 */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findCacheDir, repositoryDir } from '../scripts/setup/paths.mjs'
import { runCommand } from '../scripts/setup/run-command.mjs'
import { ensureSystemPackages } from '../scripts/setup/system-packages.mjs'
import { ensureModelWeights } from '../scripts/setup/model-weights.mjs'
import { allClients } from './all-clients.ts'
import type { Check } from './check.ts'
import type { Client } from './client.ts'
import { installClient } from './install.ts'
import { page } from './page.ts'
import { startTestBed, type StartedTestBed } from './start-test-bed.ts'
import { describeChecks, type Row } from './table.ts'
import { runSessions } from './sessions/run.ts'

process.exitCode = await run(process.argv.slice(2))

async function run(args: readonly string[]): Promise<number> {
  const [first, ...rest] = args
  if (first === 'sessions') return await runSessions(rest)
  const names = args.filter((each) => each !== '--write')
  const unknown = names.filter((name) => !allClients.some(({ id }) => id === name))
  if (unknown.length > 0) {
    const known = allClients.map(({ id }) => id).join(', ')
    process.stderr.write(`unknown: ${unknown.join(', ')}; the clients are ${known}\n`)
    return 2
  }
  const chosen = allClients.filter(({ id }) => names.length === 0 || names.includes(id))
  const cacheDir = findCacheDir(process.env)
  await ensureSystemPackages({ window: false, tests: false, clients: true })
  await ensureModelWeights({ cacheDir, required: true })
  const rows = await checkAll(chosen, cacheDir)
  if (args.includes('--write')) {
    await writePage(page(rows))
  }
  return rows.every(({ checks }) => checks.every(({ problem }) => problem === null)) ? 0 : 1
}

async function writePage(text: string): Promise<void> {
  const file = join(repositoryDir, 'docs', 'clients.md')
  await writeFile(file, text)
  const formatter = join(repositoryDir, 'node_modules', '.bin', 'oxfmt')
  await runCommand({ command: formatter, args: [file] })
}

async function checkAll(clients: readonly Client[], cacheDir: string): Promise<Row[]> {
  const started = await startTestBed(cacheDir)
  const rows: Row[] = []
  try {
    for (const client of clients) {
      const row = { client, checks: await checkClient(client, cacheDir, started) }
      process.stdout.write(`${describeChecks(row)}\n`)
      rows.push(row)
    }
  } finally {
    await started.close()
  }
  return rows
}

/** A client that cannot be installed or started fails all its doors. */
async function checkClient(
  client: Client,
  cacheDir: string,
  { bed, folder }: StartedTestBed,
): Promise<readonly Check[]> {
  const home = join(folder, client.id)
  try {
    const installed = await installClient(client, cacheDir)
    await mkdir(home)
    return await client.check({ bed, installed, home })
  } catch (error) {
    const problem = String(error)
    return client.doors.map((door) => ({ door, capability: 'plain', on: 'start', problem }))
  }
}
