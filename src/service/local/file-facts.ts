/** Reads what a model file says about itself. Runs in the model's process, because the file is not trusted. */
import type { GgufFileInfo } from 'node-llama-cpp'
import { z } from 'zod'
import type { ModelFileFacts } from '../../shared/models/local-models.ts'
import { checkHead } from './check-head.ts'

/** @throws Error when the file is not a complete model file (GGUF), or not a language model */
export async function readFileFacts(file: string): Promise<ModelFileFacts> {
  checkHead(file)
  const { readGgufFileInfo } = await import('node-llama-cpp')
  const facts = factsOf(
    await readGgufFileInfo(file, { sourceType: 'filesystem', logWarnings: false }),
  )
  if (facts.trainedTokens === null) throw new Error('The file contains no language model.')
  return facts
}

export function factsOf(described: FileInfo): ModelFileFacts {
  const architecture = architectureSchema.parse(described.architectureMetadata)
  const { general, tokenizer } = generalSchema.parse(described.metadata)
  return {
    title: general.name,
    trainedTokens: architecture.context_length,
    cacheBytesPerToken: cacheBytesPerToken(architecture),
    vocabulary: architecture.vocab_size ?? tokenizer.ggml.tokens?.length ?? null,
    ...parametersOf(described.tensorInfo ?? [], architecture),
  }
}

type FileInfo = Pick<GgufFileInfo, 'metadata' | 'architectureMetadata' | 'tensorInfo'>

/** A file may lack any of these, or have another type there: the value is null then. */
const count = z
  .union([z.number(), z.bigint()])
  .transform(Number)
  .pipe(z.int().positive())
  .nullable()
  .catch(null)
const attentionSchema = z.object({
  head_count: count,
  /** A list has the number of each layer. */
  head_count_kv: z
    .union([z.array(z.number()), z.number()])
    .nullable()
    .catch(null),
  key_length: count,
  value_length: count,
})
const architectureSchema = z.object({
  context_length: count,
  vocab_size: count,
  block_count: count,
  embedding_length: count,
  expert_count: count,
  expert_used_count: count,
  attention: attentionSchema.nullable().catch(null),
})
const generalSchema = z.object({
  general: z.object({
    name: z
      .string()
      .transform((name) => name.trim().slice(0, 200))
      .pipe(z.string().min(1))
      .nullable()
      .catch(null),
  }),
  tokenizer: z.object({
    ggml: z.object({ tokens: z.array(z.unknown()).nullable().catch(null) }).catch({ tokens: null }),
  }),
})

type Architecture = z.output<typeof architectureSchema>

const cacheBytesPerValue = 2

/** @returns null where the file does not name the sizes, such as for models without attention */
function cacheBytesPerToken(architecture: Architecture): number | null {
  const { block_count: layers, embedding_length: width, attention } = architecture
  const heads = attention?.head_count ?? null
  if (layers === null || heads === null) return null
  const ofLayers = attention?.head_count_kv ?? heads
  const keyValueHeads =
    typeof ofLayers === 'number'
      ? ofLayers * layers
      : ofLayers.reduce((sum, ofLayer) => sum + ofLayer, 0)
  const headSize = (width ?? 0) / heads
  const keySize = attention?.key_length ?? headSize
  const valueSize = attention?.value_length ?? headSize
  return keyValueHeads * (keySize + valueSize) * cacheBytesPerValue
}

/**
 * Parameters of the model, and the share that a token uses: in a mixture of experts it passes through some of the
 * expert tensors only.
 */
function parametersOf(
  tensors: NonNullable<GgufFileInfo['tensorInfo']>,
  architecture: Architecture,
): Pick<ModelFileFacts, 'parameters' | 'activeShare'> {
  const { expert_count: experts, expert_used_count: used } = architecture
  const idleShare = experts === null || used === null || used > experts ? 0 : 1 - used / experts
  let parameters = 0
  let idle = 0
  for (const { name, dimensions } of tensors) {
    const values = dimensions.reduce<number>((product, size) => product * Number(size), 1)
    parameters += values
    if (name.includes('_exps')) idle += values * idleShare
  }
  if (parameters === 0) return { parameters: null, activeShare: 1 }
  return { parameters, activeShare: (parameters - idle) / parameters }
}
