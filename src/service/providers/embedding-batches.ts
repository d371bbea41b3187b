/** Requests for embeddings that are split, because they have more inputs than their vendor takes at once. */
import type { EmbeddingInput, EmbeddingsRequest, ProviderEmbeddings } from './embeddings.ts'
import { ProviderError } from './provider.ts'

/** Parts of one request that are sent at the same time. */
const mostConcurrentParts = 8

/**
 * Splits a request that has more inputs than its vendor takes, and joins the vectors in the order of the inputs.
 * @param embed  sends one part; when one fails, the signals of the others abort
 * @throws what `embed` throws; ProviderError invalid_response for another number of vectors than inputs
 */
export async function embedInBatches(
  request: EmbeddingsRequest,
  { mostInputs, signal }: { mostInputs: number; signal: AbortSignal },
  embed: (part: EmbeddingsRequest, signal: AbortSignal) => Promise<ProviderEmbeddings>,
): Promise<ProviderEmbeddings> {
  const { inputs } = request
  const count = Math.ceil(inputs.length / mostInputs)
  if (count <= 1) return checked(await embed(request, signal), inputs.length)
  const failed = new AbortController()
  const partSignal = AbortSignal.any([signal, failed.signal])
  const answers: ProviderEmbeddings[] = []
  let next = 0
  /** The length of the inputs that may be billed. */
  let charged = 0
  const sendNext = async (): Promise<void> => {
    while (next < count) {
      const index = next
      next += 1
      const part = inputs.slice(index * mostInputs, (index + 1) * mostInputs)
      charged += lengthOf(part)
      try {
        answers[index] = checked(await embed({ ...request, inputs: part }, partSignal), part.length)
      } catch (error) {
        if (error instanceof ProviderError && error.chargedShare === 0) charged -= lengthOf(part)
        throw error
      }
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(count, mostConcurrentParts) }, sendNext))
  } catch (error) {
    failed.abort()
    if (!(error instanceof ProviderError)) throw error
    // The other parts that were sent may be billed, whatever the answer to this one says.
    throw error.with({ chargedShare: charged / Math.max(1, lengthOf(inputs)) })
  }
  return joined(answers)
}

/** Length in characters or tokens: one request has one kind of inputs. */
function lengthOf(inputs: readonly EmbeddingInput[]): number {
  return inputs.reduce((sum, input) => sum + input.length, 0)
}

function checked(answer: ProviderEmbeddings, inputs: number): ProviderEmbeddings {
  const count = answer.vectors.length
  if (count === inputs) return answer
  throw new ProviderError(
    'invalid_response',
    `the answer has ${count} vectors for ${inputs} inputs`,
  )
}

/** Joins the answers. A sum with one unknown count is unknown. */
function joined(answers: readonly ProviderEmbeddings[]): ProviderEmbeddings {
  const adjusted = answers[0]?.adjusted
  return {
    vectors: answers.flatMap(({ vectors }) => vectors),
    promptTokens: answers.reduce<number | null>(
      (sum, { promptTokens }) =>
        sum === null || promptTokens === null ? null : sum + promptTokens,
      0,
    ),
    ...(adjusted && { adjusted }),
  }
}
