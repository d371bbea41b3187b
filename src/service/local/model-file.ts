/** A model file (GGUF) of the user's: its name and its size. */
import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { builtInModel, offeredModels } from './library/offered-models.ts'
import type { ChosenModelFile } from './local-model.ts'

/** @returns null for a copy of the built-in model, which keeps its own name and figures */
export async function describeModelFile(file: string): Promise<ChosenModelFile | null> {
  const sizeBytes = await sizeOfFile(file)
  if (sizeBytes === builtInModel.sizeBytes) return null
  return { name: modelNameOf(file), sizeBytes, facts: null, contextTokens: null }
}

/** The file's name in lower case, without its extension and part number. */
export function modelNameOf(file: string): string {
  const name = basename(file)
    .toLowerCase()
    .replace(/\.gguf$/, '')
    .replace(/-\d{5}-of-\d{5}$/, '')
    .replaceAll(/[^a-z0-9._]+/g, '-')
    .replaceAll(/^[-.]+|[-.]+$/g, '')
  if (name === '') return 'model-file'
  return offeredModels.some((offered) => offered.name === name) ? `${name}-file` : name
}

/** @returns null when the file cannot be read */
export async function sizeOfFile(file: string): Promise<number | null> {
  try {
    return (await stat(file)).size
  } catch {
    return null
  }
}

/**
 * Whether a file that the user chose is a model file: whether it starts with the letters GGUF.
 * @throws the file system's error when it cannot be read
 */
export async function isModelFile(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0)
    return buffer.toString('latin1') === 'GGUF'
  } finally {
    await file.close()
  }
}
