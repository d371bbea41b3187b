/** Requests for vectors in the forms of OpenAI, Gemini and Titan at Bedrock, and their answers. */
import type { RecordedRequest } from '../../upstreams/harness.ts'
import { fieldsOf } from '../../upstreams/request-meaning.ts'

/** The texts of a request; null for another kind of request. */
export function embeddingTexts({
  path,
  body,
}: Pick<RecordedRequest, 'path' | 'body'>): string[] | null {
  const { input, requests, inputText } = fieldsOf(body)
  if (path.endsWith('/embeddings')) return listOf(input).map(String)
  if (path.endsWith(':batchEmbedContents')) return listOf(requests).map(textOfPart)
  return path.endsWith('/invoke') ? [String(inputText)] : null
}

/** @param tokens  null to leave the count out */
export function embeddingReply(
  { path }: Pick<RecordedRequest, 'path'>,
  texts: readonly string[],
  tokens: number | null,
): string {
  const vector = [0.5, 0.5, 0.5, 0.5]
  if (path.endsWith('/invoke')) {
    return JSON.stringify({ embedding: vector, inputTextTokenCount: tokens ?? undefined })
  }
  if (path.endsWith(':batchEmbedContents')) {
    const usageMetadata = tokens === null ? undefined : { promptTokenCount: tokens }
    return JSON.stringify({ embeddings: texts.map(() => ({ values: vector })), usageMetadata })
  }
  const data = texts.map((_, index) => ({ object: 'embedding', index, embedding: vector }))
  const usage = tokens === null ? undefined : { prompt_tokens: tokens, total_tokens: tokens }
  return JSON.stringify({ object: 'list', data, model: 'm', usage })
}

function textOfPart(request: unknown): string {
  const [part] = listOf(fieldsOf(fieldsOf(request)['content'])['parts'])
  return String(fieldsOf(part)['text'])
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}
