#!/usr/bin/env node
/**
 * The command line's first file. It runs on any Node from 18 up, finds one that can run the program,
 * and hands over to it: to itself, else to the project's own Node. Plain JavaScript for that reason.
 */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module from 'node:module'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** @param {string} path relative to the project */
const inProject = (path) => new URL(`../${path}`, import.meta.url)

const source = inProject('src/service/headless.ts')
const entry = existsSync(source) ? source : inProject('out/main/headless.js')
const projectNode = fileURLToPath(
  inProject(`node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`),
)
/** Set for the process that this one starts, so that an old Node does not start itself over and over. */
const handedOver = 'MODELPORT_HANDED_OVER'

// By default Node.js opens its debugger on this signal, and a debugger reads every key in memory.
if (process.platform !== 'win32') process.on('SIGUSR1', () => {})

if (canRun(entry)) await run(entry)
else if (!process.env[handedOver] && existsSync(projectNode)) handOver(projectNode)
else {
  process.stderr.write(
    `modelport needs Node 22.12 or newer (this is ${process.versions.node}): install it, or run "npm ci" in this folder to install one.\n`,
  )
  process.exitCode = 1
}

/**
 * Whether this very Node can run the entry: the source needs one that strips types by itself.
 * @param {URL} file
 */
function canRun(file) {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isNewEnough = major > 22 || (major === 22 && minor >= 12)
  return isNewEnough && (file !== source || Boolean(process.features.typescript))
}

/** @param {URL} file */
async function run(file) {
  delete process.env[handedOver]
  useCompileCache()
  await import(file.href)
}

/**
 * Keeps compiled code in the user's own cache folder, which halves the time of each start. Threads find the folder in
 * the environment. Without a folder that can be written, every start compiles.
 */
function useCompileCache() {
  const { env } = process
  try {
    const caches = env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
    const folder = join(env['MODELPORT_CACHE_DIR'] || join(caches, 'modelport'), 'compiled')
    env['NODE_COMPILE_CACHE'] ||= folder
    module.enableCompileCache(env['NODE_COMPILE_CACHE'])
  } catch {
    // This user has no home folder.
  }
}

/**
 * Runs this file again under another Node and ends as that does.
 * @param {string} node
 */
function handOver(node) {
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const env = { ...process.env, [handedOver]: '1' }
  const child = spawn(node, args, { stdio: 'inherit', env })
  for (const signal of signalsToPassOn()) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    process.stderr.write(`modelport could not start ${node}: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1)
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/**
 * At a terminal, Ctrl-C reaches the child directly, and a second SIGINT would end it at once. Listening keeps this
 * process alive until the child has ended.
 * @returns {NodeJS.Signals[]}
 */
function signalsToPassOn() {
  if (process.stdin.isTTY) process.on('SIGINT', () => {})
  return process.stdin.isTTY ? ['SIGTERM', 'SIGHUP'] : ['SIGTERM', 'SIGHUP', 'SIGINT']
}
