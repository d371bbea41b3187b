/** The suite of embeddings over each wire that has them. */
import { BedrockRuntimeClient, InvokeModelCommand } from '@aws-sdk/client-bedrock-runtime'
import { GoogleGenAI } from '@google/genai'
import { NodeHttpHandler } from '@smithy/node-http-handler'
import { Ollama } from 'ollama'
import OpenAI, { AzureOpenAI } from 'openai'
import { afterAll, expect, test } from 'vitest'
import { presets } from '../../src/service/provider-types/presets.ts'
import { wires } from '../../src/service/families/upstreams.ts'
import { accessKey, sdkCredentials } from './bedrock/fake.ts'
import { describeEmbeddings, type EmbeddingsHarness } from './describe-embeddings.ts'
import { startTokenServer } from './google/token-server.ts'
import { jsonReply } from './harness.ts'
import { fieldsOf } from './request-meaning.ts'

const tokens = await startTokenServer()
afterAll(() => tokens.close())

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

const openAiForm: Pick<
  EmbeddingsHarness,
  'takesTokens' | 'dimensionsField' | 'inputsIn' | 'reply'
> = {
  takesTokens: true,
  dimensionsField: 'dimensions',
  inputsIn: ({ input }) => listOf(input),
  reply: (vectors, count) =>
    jsonReply(200, {
      object: 'list',
      // Out of order, because the index decides.
      data: vectors
        .map((embedding, index) => ({ object: 'embedding', index, embedding }))
        .toReversed(),
      model: 'm',
      usage: { prompt_tokens: count, total_tokens: count },
    }),
}

describeEmbeddings('openai', {
  ...openAiForm,
  wire: wires.openai,
  create: (connection) =>
    wires.openai.create({
      ...connection,
      embeddings: presets.find(({ type }) => type === 'openai')?.embeddings,
    }),
  basePath: '/v1',
  model: 'text-embedding-3-small',
  mostInputs: 2048,
  sdk: (baseURL, model, input) =>
    new OpenAI({ baseURL, apiKey: 'k', maxRetries: 0 }).embeddings
      // Without this, the SDK asks for base64; Modelport leaves out what is the default.
      .create({ model, input, dimensions: 4, encoding_format: 'float' }),
  added: { encoding_format: undefined },
})

describeEmbeddings('openai-chat of Mistral', {
  ...openAiForm,
  wire: wires['openai-chat'],
  create: (connection) =>
    wires['openai-chat'].create({
      ...connection,
      embeddings: presets.find(({ type }) => type === 'mistral')?.embeddings,
    }),
  basePath: '/v1',
  model: 'codestral-embed',
  dimensionsField: 'output_dimension',
  sdk: (baseURL, model, input) =>
    new OpenAI({ baseURL, apiKey: 'k', maxRetries: 0 }).embeddings.create({
      model,
      input,
      encoding_format: 'float',
    }),
  added: { encoding_format: undefined, output_dimension: 4 },
})

describeEmbeddings('azure', {
  ...openAiForm,
  wire: wires.azure,
  options: { 'api-version': '2024-10-21' },
  basePath: '/openai',
  model: 'my-embeddings',
  mostInputs: 2048,
  sdk: (url, model, input) =>
    new AzureOpenAI({
      endpoint: url.replace(/\/openai$/, ''),
      apiKey: 'k',
      apiVersion: '2024-10-21',
      maxRetries: 0,
    }).embeddings.create({ model, input, dimensions: 4, encoding_format: 'float' }),
  added: { encoding_format: undefined },
})

describeEmbeddings('ollama', {
  wire: wires.ollama,
  basePath: '',
  model: 'nomic-embed-text',
  takesTokens: false,
  dimensionsField: 'dimensions',
  inputsIn: ({ input }) => listOf(input),
  reply: (embeddings, count) =>
    jsonReply(200, {
      model: 'm',
      embeddings,
      total_duration: 1,
      load_duration: 1,
      prompt_eval_count: count,
    }),
  sdk: (host, model, input) => new Ollama({ host }).embed({ model, input, dimensions: 4 }),
  added: { truncate: false },
})

const textsIn = (body: Readonly<Record<string, unknown>>) =>
  listOf(body['requests']).map((request) => textOf(fieldsOf(request)['content']))
const textOf = (content: unknown) => fieldsOf(listOf(fieldsOf(content)['parts'])[0])['text']

describeEmbeddings('google', {
  wire: wires.google,
  basePath: '/v1beta',
  model: 'gemini-embedding-001',
  takesTokens: false,
  mostInputs: 100,
  dimensionsField: 'outputDimensionality',
  inputsIn: textsIn,
  reply: (vectors, count) =>
    jsonReply(200, {
      embeddings: vectors.map((values) => ({ values })),
      usageMetadata: { promptTokenCount: count },
    }),
  sdk: (url, model, contents) =>
    new GoogleGenAI({
      apiKey: 'k',
      httpOptions: { baseUrl: url.replace(/\/v1beta$/, ''), apiVersion: 'v1beta' },
    }).models.embedContent({ model, contents, config: { outputDimensionality: 4 } }),
})

const vertex = {
  wire: wires['google-vertex'],
  create: (connection) =>
    wires['google-vertex'].create({ ...connection, apiKey: () => tokens.keyFile() }),
  options: { project: 'p' },
  basePath: '/v1',
  takesTokens: false,
  mostInputs: 1,
  dimensionsField: 'outputDimensionality',
} satisfies Partial<EmbeddingsHarness>

function vertexSdk(url: string, model: string, contents: string[]) {
  // With an API key the SDK has no project in its paths.
  const baseUrl = url.replace(/\/v1$/, '')
  const httpOptions = { baseUrl, apiVersion: 'v1/projects/p/locations/global' }
  const config = { outputDimensionality: 4, autoTruncate: false }
  return new GoogleGenAI({ vertexai: true, apiKey: 'k', httpOptions }).models.embedContent({
    model,
    contents,
    config,
  })
}

describeEmbeddings('google-vertex', {
  ...vertex,
  model: 'gemini-embedding-001',
  inputsIn: ({ instances }) => listOf(instances).map((one) => fieldsOf(one)['content']),
  reply: (vectors, count) =>
    jsonReply(200, {
      predictions: vectors.map((values) => ({
        embeddings: { values, statistics: { token_count: count, truncated: false } },
      })),
    }),
  sdk: vertexSdk,
})

describeEmbeddings('google-vertex with newer models', {
  ...vertex,
  model: 'gemini-embedding-2',
  inputsIn: ({ content }) => [textOf(content)],
  reply: ([values], promptTokenCount) =>
    jsonReply(200, { embedding: { values }, usageMetadata: { promptTokenCount } }),
  sdk: vertexSdk,
})

const bedrock = { wire: wires.bedrock, basePath: '', takesTokens: false } as const

/** The SDK takes a body as it is, so only path and signature are its own. */
function invoke(body: (texts: string[]) => object): EmbeddingsHarness['sdk'] {
  return (endpoint, modelId, texts) =>
    new BedrockRuntimeClient({
      endpoint,
      region: 'us-east-1',
      credentials: sdkCredentials,
      maxAttempts: 1,
      requestHandler: new NodeHttpHandler(),
    }).send(new InvokeModelCommand({ modelId, body: JSON.stringify(body(texts)) }))
}

describeEmbeddings('bedrock with Titan', {
  ...bedrock,
  create: (connection) => wires.bedrock.create({ ...connection, apiKey: () => accessKey }),
  model: 'amazon.titan-embed-text-v2:0',
  mostInputs: 1,
  dimensionsField: 'dimensions',
  inputsIn: ({ inputText }) => [inputText],
  reply: ([embedding], inputTextTokenCount) => jsonReply(200, { embedding, inputTextTokenCount }),
  sdk: invoke(([inputText]) => ({ inputText, dimensions: 4 })),
})

describeEmbeddings('bedrock with Cohere', {
  ...bedrock,
  create: (connection) => wires.bedrock.create({ ...connection, apiKey: () => accessKey }),
  model: 'us.cohere.embed-v4:0',
  mostInputs: 96,
  dimensionsField: 'output_dimension',
  inputsIn: ({ texts }) => listOf(texts),
  reply: (float, count) =>
    jsonReply(
      200,
      { id: 'e', response_type: 'embeddings_by_type', embeddings: { float } },
      { 'x-amzn-bedrock-input-token-count': String(count) },
    ),
  sdk: invoke((texts) => ({
    texts,
    input_type: 'search_document',
    embedding_types: ['float'],
    truncate: 'NONE',
    output_dimension: 4,
  })),
})

test('every type with OpenAI’s form has embeddings, and Anthropic’s has none', () => {
  const without = presets.flatMap(({ type, wire }) => {
    if (wire === null) return []
    const connection = { baseUrl: 'https://vendor.example/v1', options: { project: 'p' } }
    const provider = wires[wire].create({ ...connection, ...unusedConnection })
    return provider.embed === undefined ? type : []
  })

  expect(without).toEqual(['anthropic'])
})

const unusedConnection = {
  apiKey: () => null,
  privateNetwork: false,
  now: () => 0,
  connector: () => () => {
    throw new Error('nothing is sent')
  },
}
