/**
 * Electron's security checklist against the running packaged app. The shipped binary lets nothing in that could watch
 * it, so a copy runs: the same files, but one fuse is on and the binary has Electron's own name, without which Electron
 * ignores the variable that loads probe.cjs.
 */
import { FuseV1Options, FuseVersion, flipFuses } from '@electron/fuses'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { chmod, cp, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { repositoryDir } from '../setup/paths.mjs'
import { print, SetupError, step } from '../setup/progress.mjs'
import { judge } from './checklist-points.mjs'
import { compareElectron } from './electron-version.mjs'
import { checkFuses } from './fuses.mjs'
import { startApp } from './seat.mjs'
import { takeSeat } from './unpacked.mjs'

const probe = fileURLToPath(new URL('probe.cjs', import.meta.url))
const windowMs = 120_000

/** @typedef {import('./seat.mjs').Seat} Seat */

/** @typedef {{ unpackedDir: string, electronVersion: string }} Built */

/** @param {Built} built */
export async function checkChecklist(built) {
  const folder = await mkdtemp(join(tmpdir(), 'modelport-checklist-'))
  try {
    const seat = await step('Copy with one fuse changed', () =>
      prepareCopy(folder, built.unpackedDir),
    )
    const points = await step('Attempts in the running app', () => attempt(folder, seat, built))
    printTable(points)
    const failed = points.filter(({ isKept }) => !isKept)
    if (failed.length > 0)
      throw new SetupError(`Not kept: ${failed.map(({ point }) => point).join(', ')}.`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** @param {string} folder @param {string} unpackedDir */
async function prepareCopy(folder, unpackedDir) {
  const seat = await takeSeat(folder, unpackedDir)
  const app = join(seat.app, '..', 'electron')
  await rename(seat.app, app)
  await flipFuses(app, {
    version: FuseVersion.V1,
    [FuseV1Options.EnableNodeOptionsEnvironmentVariable]: true,
  })
  const shipped = await readFile(join(unpackedDir, 'modelport'))
  const changed = countDifferences(shipped, await readFile(app))
  const archive = join('resources', 'app.asar')
  const hash = await hashOf(join(unpackedDir, archive))
  if (changed !== 1 || hash !== (await hashOf(join(app, '..', archive))))
    throw new SetupError(`The copy is not the shipped app: ${changed} bytes of its binary differ.`)
  await cp(probe, join(folder, 'probe.cjs'))
  const detail = `A copy: 1 of ${shipped.length} bytes of the binary differs, app.asar has the same SHA-256 ${hash.slice(0, 16)}…`
  return { value: { ...seat, app }, detail }
}

/** @param {Buffer} a @param {Buffer} b */
function countDifferences(a, b) {
  if (a.length !== b.length) return Number.POSITIVE_INFINITY
  let count = 0
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) count++
  return count
}

/** @param {string} file */
async function hashOf(file) {
  return createHash('sha256')
    .update(await readFile(file))
    .digest('hex')
}

/** @param {string} folder @param {Seat} seat @param {Built} built */
async function attempt(folder, seat, { unpackedDir, electronVersion }) {
  // Its functions run in the page: this project of TypeScript has no types for them.
  const attempts = await import(pathToFileURL(join(repositoryDir, 'e2e', 'page-attempts.ts')).href)
  const canary = await startCanary()
  try {
    await writeInput(folder, canary.url, attempts)
    const observed = await observe(folder, seat)
    const fuses = await checkFuses(join(unpackedDir, 'modelport'), electronVersion).then(
      ({ count }) => ({ seen: `${count} as configured`, isKept: true }),
      (error) => ({ seen: String(error), isKept: false }),
    )
    const points = judge(observed, {
      canaryHits: canary.hits(),
      strictPolicy: attempts.strictPolicy,
      link: attempts.outsideLinks[0],
      version: await compareElectron(observed.electron),
      fuses,
    })
    return { value: points, detail: `The app ran as nobody with Electron ${observed.electron}` }
  } finally {
    canary.close()
  }
}

/** @param {string} folder @param {string} canaryUrl @param {Record<string, unknown>} attempts */
async function writeInput(folder, canaryUrl, { navigationWays, outsideLinks, ...others }) {
  const input = {
    canaryUrl,
    links: outsideLinks,
    targets: [canaryUrl, 'file:///etc/passwd', 'data:text/html,x', 'app://other/'],
    ways: textOf(/** @type {Record<string, unknown>} */ (navigationWays)),
    attempts: textOf(others),
  }
  const file = join(folder, 'input.json')
  await writeFile(file, JSON.stringify(input))
  await chmod(file, 0o644)
}

/** @param {Record<string, unknown>} functions */
function textOf(functions) {
  return Object.fromEntries(Object.entries(functions).map(([name, run]) => [name, String(run)]))
}

/**
 * @param {string} folder
 * @param {Seat} seat
 * @returns {Promise<import('./checklist-points.mjs').Observed>}
 */
async function observe(folder, seat) {
  const app = startApp(seat, { env: { NODE_OPTIONS: `--require ${join(folder, 'probe.cjs')}` } })
  const code = await Promise.race([app.ended, sleep(windowMs, 'late')])
  app.end()
  const text = await readFile(join(seat.home, 'observed.json'), 'utf8').catch(() => null)
  if (code !== 0 || text === null)
    throw new SetupError(`The app ended with ${code}.\n${app.output().slice(-20_000)}`)
  const observed = JSON.parse(text)
  if (observed.failure) throw new SetupError(`The probe failed: ${observed.failure}`)
  return observed
}

/** A server that must not be reached. The first request shows that it can be. */
async function startCanary() {
  let hits = -1
  const server = createServer((_request, response) => {
    hits++
    response.end('reached')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  const url = `http://127.0.0.1:${address.port}/`
  await fetch(url)
  return { url, hits: () => hits, close: () => server.close() }
}

/** @param {readonly import('./checklist-points.mjs').Point[]} points */
function printTable(points) {
  const width = Math.max(...points.map(({ point }) => point.length))
  const numbers = new Set(points.map(({ number }) => number))
  print(`\nElectron's security checklist: ${numbers.size} points`)
  for (const { number, point, tried, seen, isKept } of points)
    print(
      `${isKept ? '✓' : '✗'} ${String(number).padStart(2)} ${point.padEnd(width)}  ${tried} · ${seen}`,
    )
}
