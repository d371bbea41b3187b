/**
 * Embeddings of the Gemini API (`batchEmbedContents`) and of Vertex AI (`predict` and, for newer models,
 * `embedContent`). Compared with @google/genai, which sends the same, on 2026-11-22.
 */
import { z } from 'zod'
import type { EmbeddingsRequest, ProviderEmbeddings } from '../../../providers/embeddings.ts'
import { unitLength } from '../../../providers/unit-length.ts'
import type { EmbeddingsFormat } from '../../../providers/wire.ts'
import { leftOutFields, numberList, readAs, textsOf } from '../../vectors.ts'

type PathOf = (model: string) => string

/** Fields of the caller that Google has, by the names of OpenAI's form. */
const carried = ['task_type', 'title']
/** ai.google.dev/api/embeddings: "at most 100 requests can be in one batch". */
const mostInBatch = 100

/** @param pathOf  of a model, before the method's name */
export function geminiEmbeddings(pathOf: PathOf): EmbeddingsFormat {
  return {
    mostInputs: () => mostInBatch,
    request(request) {
      const requests = textsOf(request, 'Gemini').map((text) => ({
        model: `models/${request.model}`,
        content: contentOf(text),
        ...geminiFields(request),
      }))
      const path = `${pathOf(request.model)}:batchEmbedContents`
      return { path, body: JSON.stringify({ requests }), isStreamed: false }
    },
    read(body, request) {
      const { embeddings, usageMetadata } = readAs(batchSchema, body)
      return answerOf(request, {
        vectors: embeddings.map(({ values }) => values),
        promptTokens: usageMetadata?.promptTokenCount ?? null,
      })
    },
  }
}

/** Each takes one text in a request. */
export function vertexEmbeddings(pathOf: PathOf): EmbeddingsFormat {
  return {
    mostInputs: () => 1,
    request(request) {
      const { model } = request
      const [text = ''] = textsOf(request, 'Vertex AI')
      const isNewer = usesEmbedContent(model)
      const path = `${pathOf(model)}:${isNewer ? 'embedContent' : 'predict'}`
      const body = isNewer ? embedContentBody(text, request) : predictBody(text, request)
      return { path, body: JSON.stringify(body), isStreamed: false }
    },
    read(body, request) {
      if (usesEmbedContent(request.model)) {
        const { embedding, usageMetadata } = readAs(embedContentSchema, body)
        const promptTokens = usageMetadata?.promptTokenCount ?? null
        return answerOf(request, { vectors: [embedding.values], promptTokens })
      }
      const { predictions } = readAs(predictSchema, body)
      const found = predictions.map(({ embeddings }) => embeddings)
      const promptTokens = found[0]?.statistics?.token_count ?? null
      return answerOf(request, { vectors: found.map(({ values }) => values), promptTokens })
    },
  }
}

/** Whether a model has only `embedContent`; the same rule as in Google's SDK. */
function usesEmbedContent(model: string): boolean {
  return model.includes('gemini') && model !== 'gemini-embedding-001'
}

function embedContentBody(text: string, request: EmbeddingsRequest): object {
  const config = { ...geminiFields(request), autoTruncate: false }
  return { content: contentOf(text), embedContentConfig: config }
}

function predictBody(text: string, { dimensions, fields }: EmbeddingsRequest): object {
  const { task_type, title } = fields
  return {
    instances: [
      {
        content: text,
        ...(typeof task_type === 'string' && { task_type }),
        ...(typeof title === 'string' && { title }),
      },
    ],
    // Otherwise Vertex AI cuts a text that is too long.
    parameters: {
      autoTruncate: false,
      ...(dimensions !== null && { outputDimensionality: dimensions }),
    },
  }
}

function contentOf(text: string) {
  return { parts: [{ text }] }
}

function geminiFields({ dimensions, fields }: EmbeddingsRequest): object {
  const { task_type: taskType, title } = fields
  return {
    ...(typeof taskType === 'string' && { taskType }),
    ...(typeof title === 'string' && { title }),
    ...(dimensions !== null && { outputDimensionality: dimensions }),
  }
}

/** Google leaves vectors with fewer dimensions at another length than 1 (ai.google.dev/gemini-api/docs/embeddings). */
function answerOf(
  request: EmbeddingsRequest,
  { vectors, promptTokens }: { vectors: number[][]; promptTokens: number | null },
): ProviderEmbeddings {
  return {
    vectors: request.dimensions === null ? vectors : vectors.map(unitLength),
    promptTokens,
    ...leftOutFields(request, carried, 'Google'),
  }
}

const usage = z.object({ promptTokenCount: z.int().min(1).optional() }).optional()
const batchSchema = z.object({
  embeddings: z.array(z.object({ values: numberList })),
  usageMetadata: usage,
})
const embedContentSchema = z.object({
  embedding: z.object({ values: numberList }),
  usageMetadata: usage,
})
const predictSchema = z.object({
  predictions: z.array(
    z.object({
      embeddings: z.object({
        values: numberList,
        statistics: z.object({ token_count: z.int().min(1).optional() }).optional(),
      }),
    }),
  ),
})
